#!/usr/bin/env python3
"""Runs a command and holds its end against what is expected: expect.py EXIT_CODE WORDS COMMAND...

WORDS must stand in what the command prints, on standard output or error, in this order, separated by '|'; '' expects
nothing.
"""
import subprocess
import sys

expected_code, words, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
print(run.stdout, end="")
at = 0
for word in filter(None, words.split("|")):
    at = run.stdout.find(word, at)
    if at < 0:
        sys.exit(f"'{word}' was expected")
if run.returncode != expected_code:
    sys.exit(f"exit code {run.returncode}, expected {expected_code}")
