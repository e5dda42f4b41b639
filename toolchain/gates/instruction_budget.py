#!/usr/bin/env python3
"""Holds the instructions per servo tick against the record in the repository, in both directions.

    instruction_budget.py --budget FILE.json --nm NM --counter tick_counter.so --image ELF --compiler VERSION
                          [--retake] -- COMMAND...
    instruction_budget.py --self-test

COMMAND runs the image under QEMU. Dearer by more than the tolerance fails. Cheaper by more than that fails too, until
the record is taken again (--retake): it is what later changes are measured by. Another compiler makes other code: then
the gate is skipped (77).
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

TOLERANCE = 0.03  # a change of the code elsewhere moves the compiler's choices by 1 to 2 %
FIGURES = ("p50", "p99", "max")


def summary(counts):
    ordered = sorted(counts)
    at = lambda part: ordered[min(len(ordered) - 1, int(part * len(ordered)))]
    return {"ticks": len(ordered), "p50": at(0.5), "p99": at(0.99), "max": ordered[-1]}


def compare(record, measured):
    """@returns what is wrong; empty: within the tolerance."""
    faults = []
    if measured["ticks"] != record["ticks"]:
        faults.append(f"{measured['ticks']} ticks, the record has {record['ticks']}: not the same run")
    for figure in FIGURES:
        change = measured[figure] / record[figure] - 1
        if abs(change) > TOLERANCE:
            remedy = "make it cheaper, or say why and take the record again" if change > 0 else "good: take the record again"
            faults.append(f"{figure}: {measured[figure]} instructions, {change:+.1%} from {record[figure]}: {remedy}")
    return faults


def counter(options, folder):
    """@returns the file that the counts go to, and what tells QEMU so."""
    symbols = subprocess.run([options.nm, options.image], check=True, capture_output=True, text=True).stdout.split("\n")
    address = {fields[2]: fields[0] for fields in (line.split() for line in symbols) if len(fields) == 3}
    counts = pathlib.Path(folder) / "ticks.txt"
    return counts, (f"{options.counter},begin=0x{address['tactus_tick_begin']},"
                    f"end=0x{address['tactus_tick_end']},out={counts}")


def read(counts):
    return [int(line) for line in counts.read_text(encoding="ascii").split()]


def measure(options):
    with tempfile.TemporaryDirectory() as folder:
        counts, plugin = counter(options, folder)
        subprocess.run([*options.command, "-plugin", plugin], check=True)
        return summary(read(counts))


def self_test():
    record = {"ticks": 3, "p50": 1000, "p99": 2000, "max": 3000}
    cases = [({}, True), ({"p50": 1031}, False), ({"max": 2909}, False), ({"p99": 2059}, True), ({"ticks": 2}, False)]
    results = [(compare(record, {**record, **change}) == []) == passes for change, passes in cases]
    results.append(summary([5, 1, 2, 4, 3]) == {"ticks": 5, "p50": 3, "p99": 5, "max": 5})
    print(f"self test: {sum(results)} of {len(results)} as expected")
    return all(results)


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 0 if self_test() else 1
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("budget", "nm", "counter", "image", "compiler"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--retake", action="store_true")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()

    measured = {"compiler": options.compiler, **measure(options)}
    print("measured: " + json.dumps(measured))
    path = pathlib.Path(options.budget)
    if options.retake:
        path.write_text(json.dumps(measured, indent=2) + "\n", encoding="utf-8")
        return 0
    record = json.loads(path.read_text(encoding="utf-8"))
    print("record:   " + json.dumps(record))
    if record["compiler"] != options.compiler:
        print(f"skipped: the record is of compiler {record['compiler']}")
        return 77
    faults = compare(record, measured)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
