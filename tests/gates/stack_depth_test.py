#!/usr/bin/env python3
"""Breaks toolchain/gates/stack_depth.py on purpose: small images, each with one thing that must be found.

    stack_depth_test.py --objdump OBJDUMP COMPILER...      with the flags of the board
"""
import contextlib
import io
import os
import re
import sys

import small_image
import stack_depth

CODE = """
struct Link {
  virtual void DoSmall() { volatile int room[4] = {}; (void)room; }
  virtual void DoRecurse(int depth) { volatile int room = depth; if (room > 0) DoRecurse(room - 1); room = 0; }
  virtual void DoLarge() { volatile char room[100'000]; room[7] = 1; (void)room; }
};
Link the_link;
Link* volatile link = &the_link;
extern "C" {
[[gnu::noinline]] int Leaf(int x) { volatile int room[100]; room[x & 63] = x; return room[x & 31]; }
[[gnu::noinline]] int Chain(int x) { volatile int room[50]; room[x & 31] = x; return Leaf(room[1]) + room[0]; }
[[gnu::noinline]] int Twice(int x) { volatile int room[2] = {x}; return room[1] > 0 ? Twice(x - 1) + room[0] : 0; }
[[gnu::noinline]] void Frame60kB() { volatile char room[60'000]; room[7] = 1; }
[[gnu::noinline]] void Frame4kB() { volatile char room[4'000]; room[7] = 1; }
[[gnu::noinline]] void Variable(int x) { volatile char room[x]; room[0] = 1; }
[[gnu::naked, gnu::noinline]] void Assembly() { asm("push {r4, lr}\\nbl Assembly\\npop {r4, pc}"); }
[[gnu::noinline]] void Nothing() { asm volatile(""); }
void NewHandler() { Frame60kB(); }
}
"""
LEVELS = stack_depth.levels_with(["link=Uart0RxHandler"])
ALWAYS = "(void)Chain(3); link->DoSmall(); "  # in the tick

# Name, what stands in the image, words of the fault ("": there is none).
CASES = [
    ("as it should be", {}, ""),
    ("a new handler", {"ENTRY": "NewHandler"}, "the handler NewHandler has no level"),
    ("a large frame in a handler", {"UART": "Frame60kB();"}, "steps over the guard"),
    ("an entry that is no function", {"ENTRY": "Handler(0x2001)"}, "is no function"),
    ("recursion", {"TICK": "(void)Twice(3);"}, "recursion: Twice > Twice"),
    ("recursion in assembly", {"TICK": "Assembly();"}, "recursion: Assembly > Assembly"),
    ("a frame of variable size", {"TICK": "Variable(3);"}, "variable size: void Variable"),
    ("recursion behind a virtual call", {"TICK": "link->DoRecurse(3);"}, "recursion: "),
    ("100 kB behind a virtual call", {"TICK": "link->DoLarge();"}, "the stack is too small: 10"),
    ("a pointer to what recurses", {"TICK": "int (*volatile call)(int) = Twice; (void)call(3);"}, "not declared in POINTER"),
    ("a pointer that is only stored", {"TICK": "static Handler volatile stored; stored = Nothing;"}, "its address is stored"),
    ("a pointer in assembly", {"UART": 'asm volatile("blx %0" : : "r"(Nothing) : "lr");'}, "only the instructions tell"),
    ("a large frame in a fault", {"FAULT": "Frame4kB();"}, "the fault stack is too small"),
]


def make_small(folder):
    """As if the .ci file were of a build in which no function has a frame."""
    calls = (folder / "image.ci").read_text(encoding="utf-8")
    (folder / "image.ci").write_text(re.sub(r"\d+ bytes", "0 bytes", calls), encoding="utf-8")


# Name, what a compiler cache does to the .ci file, words of the fault.
AFTERWARDS = [
    ("no .ci file", lambda folder: (folder / "image.ci").unlink(), "is missing or older than its object"),
    ("an old .ci file", lambda folder: os.utime(folder / "image.ci", (1, 1)), "is missing or older than its object"),
    ("a .ci file of other code", make_small, "steps over the guard"),
]


def main():
    objdump, compiler = sys.argv[2], sys.argv[3:]
    failed = 0
    for name, words, expected in CASES:
        with contextlib.redirect_stdout(io.StringIO()):
            words = {**words, "TICK": ALWAYS + words.get("TICK", "")}
            faults = stack_depth.check_image(small_image.graph_of(objdump, compiler, CODE, words), LEVELS)
        failed += small_image.report(name, faults, expected)
    large = {"TICK": ALWAYS + "Frame60kB();"}
    for name, afterwards, expected in AFTERWARDS:
        with contextlib.redirect_stdout(io.StringIO()):
            faults = stack_depth.check_image(small_image.graph_of(objdump, compiler, CODE, large, afterwards), LEVELS)
        failed += small_image.report(name, faults, expected)
    # Source of the depth: 400 B and 200 B of arrays, and at most 64 B of saved registers for each of the two functions.
    graph = small_image.graph_of(objdump, compiler, CODE, {"TICK": ALWAYS})
    depth_B, chain = stack_depth.Depth(graph, stack_depth.NO_RETURN).of("Chain")
    if not 600 <= depth_B <= 728 or len(chain) != 2:
        print(f"NOT AS EXPECTED: Chain: {depth_B} B in {chain}")
        failed += 1
    absent = stack_depth.absent_handlers({"ResetHandler"}, stack_depth.levels_with(["link=NoSuchHandler"]))
    failed += small_image.report("a handler that is not in the table", absent, "is not in the vector table")
    cases = len(CASES) + len(AFTERWARDS) + 2
    print(f"{cases - failed} of {cases} as expected")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
