#!/usr/bin/env python3
"""What a board's image takes: flash, RAM, stack, worst tick; exit 1 if less than a quarter is free of any.

    size.py --board BOARD.json [--stack OBJDUMP REPOSITORY FOLDER...]      one line a memory
    size.py --self-test
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

import image

MOST_USED = 0.75
GATES = pathlib.Path(__file__).resolve().parents[1] / "gates"


def row(board, what, used, length, unit):
    """A line, and whether a quarter is free."""
    share = used / length
    print(f"{board:14} {what:8} {used:9} of {length:9} {unit}, {100 - 100 * share:5.1f} % free"
          + ("" if share <= MOST_USED else "   LESS THAN A QUARTER"))
    return share <= MOST_USED


def stack_of(board, objdump, source, folders):
    """(worst case, size) [B], as the stack gate has them."""
    handlers = [f"--handler={handler}" for handler in board["handlers"]]
    command = [sys.executable, str(GATES / "stack_depth.py"), "--objdump", objdump, "--source", source, *handlers,
               board["image"], *folders]
    output = subprocess.run(command, capture_output=True, text=True).stdout
    found = re.search(r"^worst case\s+(\d+) B of (\d+) B", output, re.MULTILINE)
    if not found:
        sys.exit(f"the stack gate does not answer:\n{output}")
    return int(found[1]), int(found[2])


def tick_of(board):
    """(worst tick, what a period has) [instructions], the board it was counted on; None: there is no record."""
    record = pathlib.Path(board["tick_record"])
    if not record.is_file() or not board["tick_instructions"]:
        return None
    scenarios = json.loads(record.read_text(encoding="utf-8"))["scenarios"]
    worst = max(entry["max"] for entry in scenarios.values())
    return worst, int(board["tick_instructions"]), record.parent.name


def check(board, stack):
    good = True
    memory = image.memories(board["memory"])
    used = image.uses(board["image"], memory)
    for name, (_, length) in memory.items():
        total = sum(size for _, _, size in used[name])
        good = row(board["board"], name, total, length, "B") and good
    if stack:
        good = row(board["board"], "stack", *stack_of(board, stack[0], stack[1], stack[2:]), "B") and good
    if tick := tick_of(board):
        worst, period, counted_on = tick
        row(board["board"], "tick", worst, period, "instructions")  # its own gate judges it
        if counted_on != board["board"]:
            print(f"{board['board']:14} tick     as counted on {counted_on}, which has the same core")
    else:
        print(f"{board['board']:14} tick     not counted: no emulator has its core and its options")
    return good


def self_test():
    results = [row("a", "flash", 75, 100, "B"), not row("a", "flash", 76, 100, "B")]
    print(f"self test: {sum(results)} of {len(results)} as expected")
    return all(results)


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 0 if self_test() else 1
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--board", required=True)
    parser.add_argument("--stack", nargs="+")
    options = parser.parse_args()
    return 0 if check(json.loads(pathlib.Path(options.board).read_text(encoding="utf-8")), options.stack) else 1


if __name__ == "__main__":
    sys.exit(main())
