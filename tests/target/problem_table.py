#!/usr/bin/env python3
"""Writes contact problems of a .jsonl file as a C++ table: problem_table.py FILE.jsonl FAMILY problems.inc

The board has no parser; solver_bench.cc includes the table. One spatial body, contacts with fixed obstacles."""
import json
import sys


def numbers(values):
    return ", ".join(repr(float(value)) for value in values)


def main():
    path, family, table = sys.argv[1:]
    problems = [p for p in map(json.loads, open(path, encoding="utf-8")) if p["name"].split("/")[0] == family]
    if not problems:
        sys.exit(f"problem_table.py: {path} has no problems of the family '{family}'")
    sys.stdout = open(table, "w", encoding="utf-8")
    print(f"// {len(problems)} problems of the family {family}; made by problem_table.py")
    print(f"inline constexpr double kStep_s = {problems[0]['step_s']!r}, "
          f"kDirectionOffset_rad = {problems[0]['direction_offset_rad']!r};")
    print(f"inline constexpr int kDirections = {problems[0]['directions']}, kContacts = {len(problems[0]['contacts'])};")
    print("inline constexpr ProblemRow<kContacts> kProblems[] = {")
    for problem in problems:
        (body,) = problem["bodies"]
        print(f"    {{{body['mass_kg']!r},")
        for field in (sum(body["inertia_kgm2"], []), body["position_m"], body["velocity"], body["wrench"]):
            print(f"     {{{numbers(field)}}},")
        print("     {{")
        for contact in problem["contacts"]:
            vectors = ", ".join(f"{{{numbers(contact[field])}}}" for field in ("point_m", "normal", "tangent"))
            print(f"         {{{vectors}, {contact['friction']!r}, {contact['gap_m']!r}}},")
        print("     }}},")
    print("};")


main()
