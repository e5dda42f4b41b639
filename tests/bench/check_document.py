#!/usr/bin/env python3
"""The instructions of single solves stand in docs/benchmarks.md as each board's record has them.

    check_document.py SOURCE_DIR [--update]

--update writes the table anew, after a record was taken again.
"""
import json
import pathlib
import re
import sys

BOARDS = ("mps2-an500", "mps2-an386")
FIGURES = ("p50", "p99")


def records(root):
    files = [root / "firmware" / "boards" / board / "solver_instructions.json" for board in BOARDS]
    return [json.loads(file.read_text(encoding="utf-8"))["solvers"] for file in files]


def with_figures(document, solvers):
    """@returns the document with the row of each solver as the records have it."""
    for name in solvers[0]:
        cells = "".join(f" {board[name][figure]:,} |".replace(",", " ") for board in solvers for figure in FIGURES)
        document, count = re.subn(rf"^\| {re.escape(name)} \|([^|]*\|){{{len(BOARDS) * len(FIGURES)}}}",
                                  f"| {name} |{cells}", document, flags=re.MULTILINE)
        if count != 1:
            sys.exit(f"docs/benchmarks.md has {count} rows for '{name}', not one")
    return document


def main():
    root = pathlib.Path(sys.argv[1])
    path = root / "docs" / "benchmarks.md"
    document = path.read_text(encoding="utf-8")
    recorded = with_figures(document, records(root))
    if sys.argv[2:] == ["--update"]:
        path.write_text(recorded, encoding="utf-8")
    elif recorded != document:
        differing = [line for line, other in zip(document.splitlines(), recorded.splitlines()) if line != other]
        sys.exit("\n".join(["docs/benchmarks.md has other figures than the boards' records; give --update:", *differing]))


if __name__ == "__main__":
    main()
