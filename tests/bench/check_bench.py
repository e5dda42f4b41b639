#!/usr/bin/env python3
"""Runs one bench with --quick and checks what it wrote; times are not judged.

    check_bench.py TACTUS BENCH     BENCH `usage`: wrong arguments get a message and exit code 2
"""
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

# Rows that may have failures or wrong answers: foreign solvers, and Baraff's friction, which has no proof.
FOREIGN = re.compile("Siconos|Bullet|DART")
# Tables of a bench that cannot be empty.
TABLES = {
    "lloyd": ["all", "times", "of-lu", "pivots", "growth", "paper"],
    "baraff": ["frictionless", "friction"],
    "motion": ["agreement"],
    "peers": ["friction", "frictionless"],
    "anitescu-hart": ["first-step", "runs", "pyramid", "pyramid-found"],
    "round": ["block", "sequences", "cold"],
    "feel": ["noise", "delay", "damping", "stiffness", "zwidth", "preset-zwidth", "bias", "runaway", "small", "bounces", "holds"],
    "presets": ["handle", "delay", "touch"],
    "safety": ["faults"],
}


def run(tactus, *arguments):
    return subprocess.run([tactus, "bench", *arguments], capture_output=True, text=True)


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def check_usage(tactus):
    with tempfile.TemporaryDirectory() as folder:
        occupied = pathlib.Path(folder) / "file"
        occupied.write_text("")
        for arguments, words in [(["nonsense"], "no bench 'nonsense'"), ([], "NAME"), (["motion", "--nonsense"], "nonsense"),
                                 (["motion", "--quick", "--out", str(occupied / "below")], "below"),
                                 (["motion", "--quick", "--out", folder, "--json", folder], "cannot be written"),
                                 (["all", "--json", "x.json"], "--json")]:
            result = run(tactus, *arguments)
            check(result.returncode == 2, f"{arguments}: exit code {result.returncode}, not 2")
            check(words in result.stderr, f"{arguments}: '{words}' is not in '{result.stderr}'")
        help_text = run(tactus, "--help")
        check(help_text.returncode == 0, "--help fails")
        page = pathlib.Path(__file__).resolve().parents[2] / "build" / "bench"  # wherever the command is run
        check(str(page) in help_text.stdout, f"'{page}' is not in '{help_text.stdout}'")


def check_answers(name, table):
    for row in table["rows"]:
        if FOREIGN.search(str(row.get("solver", ""))):
            continue
        check(row.get("wrong", 0) == 0, f"{name}: a wrong answer: {row}")


def check_goals(report, result):
    """The exit code says whether every goal is met."""
    checks = report.get("checks", [])
    for one in checks:
        check([key for key in one if key != "binding"] == ["name", "value", "unit", "goal", "met"], f"another shape: {one}")
        check(re.fullmatch(r"(<=|>=|<|>) \S+|stated", one["goal"]), f"no goal: {one}")
        check(isinstance(one["met"], bool), f"neither met nor not: {one}")
    good = all(one["met"] or not one.get("binding", True) for one in checks)
    check(result.returncode == (0 if good else 1), f"exit code {result.returncode}\n{result.stdout}\n{result.stderr}")


def check_bench(tactus, bench):
    with tempfile.TemporaryDirectory() as folder:
        out, file = pathlib.Path(folder), pathlib.Path(folder) / "copy.json"
        result = run(tactus, bench, "--quick", "--out", folder, "--json", str(file))
        check(file.exists(), f"exit code {result.returncode}\n{result.stdout}\n{result.stderr}")
        report = json.loads(file.read_text(encoding="utf-8"))
        check(report == json.loads((out / f"{bench}.json").read_text(encoding="utf-8")), "the two JSON files differ")
        check(report["wrong"] == [], report["wrong"])
        check_goals(report, result)
        for name in TABLES.get(bench, []):
            check(name in report["tables"], f"no table {name}")
        for name, table in report["tables"].items():
            check(table["rows"], f"table {name} is empty")
            check_answers(name, table)
        rows = list(csv.DictReader((out / f"{bench}.csv").open(encoding="utf-8")))
        check(len(rows) == len(next(iter(report["tables"].values()))["rows"]), "CSV and JSON have other numbers of rows")
        page = (out / "index.html").read_text(encoding="utf-8")
        check(not re.search(r"(src|href)=\"(?!#)", page), "the page needs something else")
        check(result.stderr.strip(), "nothing about progress")
        print(result.stdout)


if __name__ == "__main__":
    if sys.argv[2] == "usage":
        check_usage(sys.argv[1])
    else:
        check_bench(sys.argv[1], sys.argv[2])
