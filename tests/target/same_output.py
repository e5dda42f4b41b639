#!/usr/bin/env python3
"""Runs two commands; what they print on standard error must be equal: same_output.py COMMAND... -- COMMAND..."""
import subprocess
import sys

split = sys.argv.index("--")
outputs = []
for command in (sys.argv[1:split], sys.argv[split + 1:]):
    run = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=True)
    print(f"$ {command[0]} ...\n{run.stderr}", end="")
    outputs.append(run.stderr)
if outputs[0] != outputs[1]:
    sys.exit("the outputs differ")
if not outputs[0]:
    sys.exit("there is no output")
