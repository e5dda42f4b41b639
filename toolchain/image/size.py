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
import tempfile

import image

QUARTER = 25  # percent
GATES = pathlib.Path(__file__).resolve().parents[1] / "gates"


def row(board, what, used, length, unit, accepted=QUARTER, why=""):
    """A line, and whether a quarter is free, or at least the percent that the board's file accepts with its reason."""
    least = min(accepted, QUARTER) if why else QUARTER
    free = 100 * (length - used)
    text = f"{board:14} {what:8} {used:9} of {length:9} {unit}, {free / length:5.1f} % free"
    if free < least * length:
        text += f"   LESS THAN THE {least} % ACCEPTED: {why}" if least < QUARTER else "   LESS THAN A QUARTER"
    elif free < QUARTER * length:
        text += f"   below a quarter, {least} % accepted: {why}"
    print(text)
    return free >= least * length


def stack_of(board, objdump, source, folders):
    """(worst case, size) [B], as the stack gate has them."""
    handlers = [f"--handler={handler}" for handler in board["handlers"]]
    command = [sys.executable, str(GATES / "stack_depth.py"), "--objdump", objdump, "--source", source, *handlers,
               board["image"], *folders]
    gate = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r"^worst case\s+(\d+) B of (\d+) B", gate.stdout, re.MULTILINE)
    if gate.returncode != 0 or not found:
        sys.exit(f"{board['board']}: the stack gate fails:\n{gate.stdout}{gate.stderr}")
    return int(found[1]), int(found[2])


def tick_of(board):
    """(worst tick, what a period has) [instructions], the board it was counted on; None: there is no record."""
    record = pathlib.Path(board["tick_record"])
    if not record.is_file():
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
        free = int(board["tick_free_percent"] or QUARTER)
        good = row(board["board"], "tick", worst, period, "instructions", free, board["tick_free_why"]) and good
        if counted_on != board["board"]:
            print(f"{board['board']:14} tick     as counted on {counted_on}: right if core, work, contacts and SMALL_TICK are the same")
    else:
        print(f"{board['board']:14} tick     not counted: {board['tick_not_counted']}")
    return good


def memories_are_read():
    """A line without attributes counts, and one that is not understood is refused."""
    code, odd = "CODE (rx) : ORIGIN = 0x0, LENGTH = 1M\n", "DATA : ORIGIN = 0x20000000, LENGTH = SIZE\n"
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / "memory.ld"
        script.write_text("MEMORY {\n" + code + odd.replace("SIZE", "0x8000 /* 32 KB */") + "}\n", encoding="utf-8")
        good = image.memories(script) == {"CODE": (0, 1 << 20), "DATA": (0x20000000, 0x8000)}
        for wrong in (code + odd, code):
            script.write_text("MEMORY {\n" + wrong + "}\n", encoding="utf-8")
            try:
                image.memories(script)
                good = False
            except image.ImageFault as fault:
                print(f"refused: {fault}")
    return good


def self_test():
    results = [row("a", "flash", 75, 100, "B"), not row("a", "flash", 76, 100, "B"),
               row("a", "tick", 90, 100, "instructions", 10, "said why"),
               not row("a", "tick", 91, 100, "instructions", 10, "said why"),
               not row("a", "tick", 90, 100, "instructions", 10, ""),
               not row("a", "tick", 76, 100, "instructions", 90, ""), row("a", "tick", 75, 100, "instructions", 90, "why"),
               image.number("0x20000") == 131072, image.number("96K + 32K") == 131072, memories_are_read()]
    print(f"self test: {sum(results)} of {len(results)} as expected")
    return all(results)


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 0 if self_test() else 1
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--board", required=True)
    parser.add_argument("--stack", nargs="+")
    options = parser.parse_args()
    try:
        return 0 if check(json.loads(pathlib.Path(options.board).read_text(encoding="utf-8")), options.stack) else 1
    except image.ImageFault as fault:
        print(f"size: {fault}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
