"""Small images that the tests of the gates break: handlers, vector table and stacks as on a board, and what a test puts in."""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "toolchain/gates"))
import call_graph  # noqa: E402
import elf_image  # noqa: E402

POINTER_CALLS = [call_graph.PointerCall(r"image\.cc", r"\b(Do[A-Z]\w*)\($", r"::{}\(")]

# Stack of 64 KiB, guard of 8 KiB, fault stack of 2 KiB, as on the boards.
SYMBOLS = {"stack_guard_symbol": 0x20000000, "stack_bottom_symbol": 0x20002000, "stack_top_symbol": 0x20012000,
           "fault_stack_top_symbol": 0x20012800}

IMAGE = """
using Handler = void (*)();
volatile double d, e;
volatile float f, g;
volatile int i;
CODE
extern "C" {
extern unsigned stack_top_symbol[];
void ResetHandler() { for (;;) {} }
void FaultHandler() { FAULT }
void TimerHandler() {}
void TickHandler() { TICK }
void Uart0RxHandler() { UART }
struct Vectors { void* top; Handler handlers[17]; };
extern const Vectors vector_table;
[[gnu::section(".vectors"), gnu::used]] const Vectors vector_table = {
    stack_top_symbol, {ResetHandler, FaultHandler, FaultHandler, FaultHandler, FaultHandler, FaultHandler, nullptr, nullptr,
                       nullptr, nullptr, FaultHandler, FaultHandler, nullptr, TickHandler, TimerHandler, Uart0RxHandler, ENTRY}};
}
"""
PLACES = {"FAULT": "", "TICK": "", "UART": "", "ENTRY": "FaultHandler"}


def build(folder, compiler, code, words):
    """@param words  what stands in the places FAULT, TICK, UART (statements) and ENTRY (of the vector table)."""
    text = IMAGE
    for place, default in PLACES.items():
        text = text.replace(place, words.get(place, default))
    (folder / "image.cc").write_text(text.replace("CODE", code), encoding="utf-8")
    flags = ["-O2", "-fcallgraph-info=su,da", "-fno-rtti", "-fno-exceptions"]
    subprocess.run([*compiler, *flags, "-c", "image.cc", "-o", "image.o"], cwd=folder, check=True)
    symbols = [f"-Wl,--defsym={name}={value}" for name, value in SYMBOLS.items()]
    link = ["-nostdlib", "-Wl,-e,ResetHandler", "-Wl,--no-warn-rwx-segments", *symbols, "image.o", "-lgcc", "-o", "image.elf"]
    subprocess.run([*compiler, *link], cwd=folder, check=True)


def graph_of(objdump, compiler, code, words, afterwards=lambda folder: None):
    """@param afterwards  is called with the folder of image.o and image.ci, before they are read."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        build(folder, compiler, code, words)
        afterwards(folder)
        return call_graph.CallGraph(elf_image.ElfImage(folder / "image.elf"), objdump, [folder], folder, POINTER_CALLS)


def report(name, faults, expected):
    """Prints whether `faults` has the expected words (none: is empty). @returns whether it has not."""
    as_expected = any(expected in fault for fault in faults) if expected else faults == []
    print(f"{'as expected' if as_expected else 'NOT AS EXPECTED'}: {name}: {faults}")
    return not as_expected
