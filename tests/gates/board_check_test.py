#!/usr/bin/env python3
"""Breaks a board.cmake on purpose and looks at what toolchain/board_check.cmake says of it: board_check_test.py REPOSITORY."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

BOARD = "stm32f405"
# Name, what is replaced in the board.cmake, by what, words of the refusal.
CASES = [
    ("nothing", "", "", ""),
    ("a name that is not known", "set(TACTUS_BOARD_PART", "set(TACTUS_BOARD_PRAT", "TACTUS_BOARD_PRAT is not known; there are"),
    ("no processor", "set(TACTUS_BOARD_CPU_FLAGS", "set(ELSE", "TACTUS_BOARD_CPU_FLAGS is missing"),
    ("no main", "set(TACTUS_BOARD_MAIN", "set(ELSE", "TACTUS_BOARD_MAIN is missing"),
    ("a source that is not there", "stm32f405/vectors.cc", "stm32f405/vector.cc", "there is no firmware/boards/stm32f405/vector.cc"),
    ("a record that is not there", "stm32f405/instruction_budget.json", "stm32f405/budget.json", "there is no firmware/boards"),
    ("an unknown scalar", "TACTUS_BOARD_SCALAR float", "TACTUS_BOARD_SCALAR half", "is 'half': float or double"),
    ("double without hardware", "TACTUS_BOARD_SCALAR float", "TACTUS_BOARD_SCALAR double", "has single precision: take float"),
    ("no FPU", "-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard", "-mcpu=cortex-m4 -mfloat-abi=soft", "name no FPU"),
    ("an older core", "-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard", "-mcpu=cortex-m3", "name no Armv7E-M core"),
    ("a newer core", "-mcpu=cortex-m4 -mfpu=fpv4-sp-d16", "-mcpu=cortex-m33 -mfpu=fpv5-sp-d16", "name no Armv7E-M core"),
    ("a core that is none", "-mcpu=cortex-m4", "-mcpu=cortex-mm4", "the compiler takes no TACTUS_BOARD_CPU_FLAGS"),
    ("a tick's share without a reason", "TACTUS_BOARD_TICK_FREE_WHY", "TACTUS_BOARD_TICK_MOST", "says why"),
    ("a tick's share above a quarter", "TICK_FREE_PERCENT 10", "TICK_FREE_PERCENT 30", "a whole number below 25"),
    ("no number", "TICK_INSTRUCTIONS 105000", "TICK_INSTRUCTIONS 168MHz", "TACTUS_BOARD_TICK_INSTRUCTIONS is no number"),
]


def refusal_of(repository, old, new, memory=("", "")):
    """What is said of the board with this change; empty: it is taken."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        shutil.copytree(repository / "firmware/boards", root / "firmware/boards")
        (root / "toolchain").mkdir()
        shutil.copy(repository / "toolchain/board_check.cmake", root / "toolchain")
        for name, before, after in (("board.cmake", old, new), ("memory.ld", *memory)):
            file = root / "firmware/boards" / BOARD / name
            text = file.read_text(encoding="utf-8")
            if before not in text:
                return f"'{before}' is not in {name}: mend this test"
            file.write_text(text.replace(before, after), encoding="utf-8")
        script = root / "look.cmake"
        script.write_text(f"set(TACTUS_BOARD {BOARD})\ninclude({root}/firmware/boards/{BOARD}/board.cmake)\n"
                          f"include({root}/toolchain/board_check.cmake)\n", encoding="utf-8")
        run = subprocess.run(["cmake", "-P", str(script)], capture_output=True, text=True)
        return " ".join(run.stderr.split()) if run.returncode != 0 else ""


def main():
    repository = pathlib.Path(sys.argv[1])
    if shutil.which("arm-none-eabi-gcc") is None:
        print("skipped: there is no arm-none-eabi-gcc")
        return 77
    said = [(name, refusal_of(repository, old, new), words) for name, old, new, words in CASES]
    guard = ("null_guard_log2_symbol = 20;", "")
    said.append(("no guard of address 0", refusal_of(repository, "", "", guard), "sets no null_guard_log2_symbol"))
    failed = 0
    for name, refusal, words in said:
        as_expected = words in refusal and bool(words) == bool(refusal)
        failed += not as_expected
        print(f"{'' if as_expected else 'NOT AS EXPECTED: '}{name}: {refusal or 'taken'}")
    print(f"{len(said) - failed} of {len(said)} as expected")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
