#!/usr/bin/env python3
"""Runs two commands; what they print on standard error must be equal: same_output.py [--needs FILE] COMMAND... -- COMMAND...

Without FILE, a board's image, there is nothing to compare: skipped, or failed where TACTUS_REQUIRE_BOARD is set."""
import os
import subprocess
import sys

arguments = sys.argv[1:]
if arguments[0] == "--needs":
    image, arguments = arguments[1], arguments[2:]
    if not os.path.isfile(image):
        why = f"{image} is not built (cmake --build build/BOARD)"
        sys.exit(why if os.environ.get("TACTUS_REQUIRE_BOARD") else print(f"SKIPPED: {why}"))
split = arguments.index("--")
outputs = []
for command in (arguments[:split], arguments[split + 1:]):
    run = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=True)
    print(f"$ {command[0]} ...\n{run.stderr}", end="")
    outputs.append(run.stderr)
if outputs[0] != outputs[1]:
    sys.exit("the outputs differ")
if not outputs[0]:
    sys.exit("there is no output")
