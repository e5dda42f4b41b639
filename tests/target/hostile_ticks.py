#!/usr/bin/env python3
"""Runs hostile ticks on the emulated board and tells what the dearest of them costs.

    hostile_ticks.py --nm NM --counter tick_counter.so --image ELF [--ticks N] [--seed S] [--solves] [--share F] [--most N] [--board WORDS] -- COMMAND...
    hostile_ticks.py --self-test

COMMAND runs the image of hostile_bench.cc under QEMU. One JSON object on standard output:

    ticks, p50, p99, max [instructions], too_dear (above --most instructions), rungs
    beside_work: most instructions that a tick, or a solve, took beyond the work that it counted
    worst_share_of_work: largest ratio of the instructions of a solve to its work (with --solves only)

Exit 1 if a tick is too dear, or with --solves if a solve takes more than --share of its work.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "toolchain" / "gates"))
import instruction_budget

RUNGS = ("none", "warm_verified", "warm_repaired", "cold", "reseeded", "clamped_gaps", "previous_projected",
         "iterate_projected", "frictionless", "rest", "convex_step")  # tactus::Rung


def run(options):
    """@returns instructions, rung and work of every tick or solve."""
    words = f"ticks={options.ticks} seed={options.seed}" + (" solves" if options.solves else "") + " " + options.board
    with tempfile.TemporaryDirectory() as folder:
        counts, plugin = instruction_budget.counter(options, folder)
        board = subprocess.run([*options.command, "-append", words, "-plugin", plugin], capture_output=True, text=True)
        if board.returncode != 0:
            sys.exit(f"the board ended with {board.returncode}: {board.stderr[-1000:]}")
        lines = (line.split() for line in (board.stdout + board.stderr).splitlines())
        instructions = instruction_budget.read(counts)
    answers = [(int(fields[0], 16), int(fields[1], 16)) for fields in lines if len(fields) == 2]
    if len(answers) != len(instructions):
        sys.exit(f"{len(answers)} answers, {len(instructions)} counts")
    return [(count, rung, work) for count, (rung, work) in zip(instructions, answers)]


def report(items, solves, most, share=1):
    """@returns the figures, and whether they are good."""
    counts = [count for count, _, _ in items]
    figures = instruction_budget.summary(counts)
    figures["too_dear"] = sum(count > most for count in counts)
    figures["beside_work"] = max(count - work for count, _, work in items)
    figures["rungs"] = {name: sum(rung == place for _, rung, _ in items) for place, name in enumerate(RUNGS)}
    if solves:
        figures["worst_share_of_work"] = round(max(count / work for count, _, work in items), 4)
    return figures, figures["too_dear"] == 0 and figures.get("worst_share_of_work", 0) <= share


def self_test():
    most = 400_000
    cases = [([(100, 1, 120), (most, 9, most + 1)], True), ([(100, 1, 120), (most + 1, 9, most + 1)], False),
             ([(100, 1, 99)], False)]
    results = [report(items, True, most)[1] == good for items, good in cases]
    results += [report(cases[2][0], True, most, 1.02)[1], not report(cases[2][0], True, most, 1.01)[1]]
    figures, good = report(cases[2][0], False, most)  # of ticks, which do more than solve
    results += [good, figures["rungs"]["warm_verified"] == 1, figures["max"] == 100]
    print(f"self test: {sum(results)} of {len(results)} as expected")
    return all(results)


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 0 if self_test() else 1
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("nm", "counter", "image"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--ticks", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--board", default="", help="more words for the image: work=W contacts=C")
    parser.add_argument("--most", type=int, required=True, help="instructions of a tick")
    parser.add_argument("--solves", action="store_true")
    parser.add_argument("--share", type=float, default=1, help="of its work that a solve may take")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    figures, good = report(run(options), options.solves, options.most, options.share)
    print(json.dumps(figures))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
