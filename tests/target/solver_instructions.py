#!/usr/bin/env python3
"""Tells how many instructions each solver needs on the board, and holds the figures against the record.

    solver_instructions.py --record FILE.json --nm NM --counter tick_counter.so --image ELF --compiler VERSION
                           [--show | --retake] -- COMMAND...

COMMAND runs the image of solver_bench.cc under QEMU. Without --show or --retake the figures must be those of the record,
as instruction_budget.py means it: two-sided, and skipped (77) for another compiler.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "toolchain" / "gates"))
import instruction_budget


def measure(options):
    """@returns the figures of every solver, by name, in the order of the image."""
    with tempfile.TemporaryDirectory() as folder:
        counts, plugin = instruction_budget.counter(options, folder)
        run = subprocess.run([*options.command, "-plugin", plugin], check=True, capture_output=True, text=True)
        text = run.stdout + run.stderr
        solvers = [line[len("solver "):].strip() for line in text.splitlines() if line.startswith("solver ")]
        numbers = instruction_budget.read(counts)
    return {solver: instruction_budget.summary(numbers[place :: len(solvers)]) for place, solver in enumerate(solvers)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("record", "nm", "counter", "image", "compiler"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--retake", action="store_true")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()

    solvers = measure(options)
    print(f"{'instructions for one solve':28}{'p50':>10}{'p99':>10}{'max':>10}")
    for name, figures in solvers.items():
        print(f"{name:28}{figures['p50']:>10}{figures['p99']:>10}{figures['max']:>10}")
    path = pathlib.Path(options.record)
    if options.retake:
        path.write_text(json.dumps({"compiler": options.compiler, "solvers": solvers}, indent=2) + "\n", encoding="utf-8")
    if options.show or options.retake:
        return 0
    if not path.is_file():
        print(f"there is no record {path}: cmake --build build/BOARD --target retake_solver_instructions writes it")
        return 1
    record = json.loads(path.read_text(encoding="utf-8"))
    if record["compiler"] != options.compiler:
        print(f"skipped: the record is of compiler {record['compiler']}")
        return 77
    if set(record["solvers"]) != set(solvers):
        print("the record is of other solvers: take it again")
        return 1
    faults = [f"{name}, {fault}" for name, figures in solvers.items()
              for fault in instruction_budget.compare(record["solvers"][name], figures)]
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
