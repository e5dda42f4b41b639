#!/usr/bin/env python3
"""Holds the instructions per servo tick against the record in the repository, in both directions, scenario by scenario.

    instruction_budget.py --budget FILE.json --nm NM --counter tick_counter.so --image ELF --compiler VERSION
                          [--retake] -- COMMAND...
    instruction_budget.py --self-test

COMMAND runs the image of tests/target/scenario_bench.cc under QEMU. Dearer by more than the tolerance fails. Cheaper by more
than that fails too, until the record is taken again (--retake): it is what later changes are measured by. Another compiler
makes other code: then the gate is skipped (77).
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


def compare_all(record, measured):
    """The same for every scenario."""
    if list(record) != list(measured):
        return [f"the record is of {', '.join(record)}, measured were {', '.join(measured)}: take it again"]
    return [f"{name}, {fault}" for name in measured for fault in compare(record[name], measured[name])]


def sort_out(text, counts):
    """The counts of each scenario: of the calls that are marked with # in the image's lines `scenario NAME MARKS`."""
    scenarios, at = {}, 0
    for name, marks in (line.split()[1:] for line in text.splitlines() if line.startswith("scenario ")):
        calls = counts[at:at + len(marks)]
        scenarios[name] = [count for count, mark in zip(calls, marks) if mark == "#"]
        at += len(marks)
        if not scenarios[name]:
            raise ValueError(f"no tick was what the scenario {name} is about")
    if at != len(counts):
        raise ValueError(f"{len(counts)} calls were counted, the image marks {at}")
    return scenarios


def counter(options, folder, markers="tactus_tick"):
    """@returns the file that the counts go to, and what tells QEMU so; counted is from MARKERS_begin to MARKERS_end."""
    symbols = subprocess.run([options.nm, options.image], check=True, capture_output=True, text=True).stdout.split("\n")
    address = {fields[2]: fields[0] for fields in (line.split() for line in symbols) if len(fields) == 3}
    counts = pathlib.Path(folder) / "ticks.txt"
    return counts, (f"{options.counter},begin=0x{address[markers + '_begin']},"
                    f"end=0x{address[markers + '_end']},out={counts}")


def read(counts):
    return [int(line) for line in counts.read_text(encoding="ascii").split()]


def measure(options):
    with tempfile.TemporaryDirectory() as folder:
        counts, plugin = counter(options, folder, "tactus_call")
        run = subprocess.run([*options.command, "-plugin", plugin], check=True, capture_output=True, text=True)
        scenarios = sort_out(run.stdout + run.stderr, read(counts))
    return {name: summary(numbers) for name, numbers in scenarios.items()}


def fails(function, *arguments):
    try:
        function(*arguments)
    except ValueError:
        return True
    return False


def self_test():
    record = {"ticks": 3, "p50": 1000, "p99": 2000, "max": 3000}
    cases = [({}, True), ({"p50": 1031}, False), ({"max": 2909}, False), ({"p99": 2059}, True), ({"ticks": 2}, False)]
    results = [(compare(record, {**record, **change}) == []) == passes for change, passes in cases]
    results.append(summary([5, 1, 2, 4, 3]) == {"ticks": 5, "p50": 3, "p99": 5, "max": 5})
    results.append(compare_all({"a": record}, {"b": record}) != [] and compare_all({"a": record}, {"a": record}) == [])
    results.append(compare_all({"a": record}, {"a": {**record, "max": 3100}}) != [])
    results.append(sort_out("scenario a -##\nno\nscenario b #-\n", [9, 1, 2, 3, 8]) == {"a": [1, 2], "b": [3]})
    results.append(fails(sort_out, "scenario a --", [1, 2]) and fails(sort_out, "scenario a ##", [1, 2, 3]))
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

    measured = measure(options)
    print(f"{'instructions for one call':28}{'ticks':>10}{'p50':>10}{'p99':>10}{'max':>10}")
    for name, figures in measured.items():
        print(f"{name:28}" + "".join(f"{figures[figure]:>10}" for figure in ("ticks", *FIGURES)))
    path = pathlib.Path(options.budget)
    if options.retake:
        path.write_text(json.dumps({"compiler": options.compiler, "scenarios": measured}, indent=2) + "\n", encoding="utf-8")
        return 0
    if not path.is_file():
        print(f"there is no record {path}: cmake --build build/BOARD --target retake_instruction_budget writes it")
        return 1
    record = json.loads(path.read_text(encoding="utf-8"))
    if record["compiler"] != options.compiler:
        print(f"skipped: the record is of compiler {record['compiler']}")
        return 77
    faults = compare_all(record["scenarios"], measured)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
