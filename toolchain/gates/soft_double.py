#!/usr/bin/env python3
"""Fails when an interrupt of a board without double hardware reaches a routine that computes with doubles in software.

    soft_double.py --objdump OBJDUMP --source REPOSITORY [--handler LEVEL=NAME]... IMAGE FOLDER...
                                                                  FOLDER: where the objects of IMAGE lie

Nothing faults there: the compiler calls its library, where a division takes some 300 instructions. Its own test:
tests/gates/soft_double_test.py.
"""
import argparse
import re
import sys

import call_graph
import elf_image
import stack_depth

# Arm RTABI32, 4.1.2 (arithmetic, comparison, conversion from and to double), and the names that the compiler has for them.
SOFT_DOUBLE = re.compile(r"^(__aeabi_(d|cd)\w+|__aeabi_(f|h|i|ui|l|ul)2d|__\w*df\w*)$")

# What runs in the tick's interrupt, but in no tick that commands a force; and why.
NOT_IN_A_TICK = {
    r"\bservo::ConfigFromWire\(": "a Config is read at zero output only; the scenario config bounds what it costs",
    r"\bservo::SceneLoader<.*>::Take\(": "a scene is read at zero output only, where a late period does no harm",
    r"\bservo::WorkspaceFromWire\(": "a map is read like a Config: nine numbers; with force on it is refused",
    r"\bservo::TuneFromWire\(": "a Tune is read like a Config; the scenario tune bounds what it costs",
}


def faults_of(graph, levels):
    """@returns (faults, functions looked at)."""
    handlers, faults = stack_depth.handlers_of(graph.image, levels)
    roots = [name for level, names in levels.items() if level != "background" for name in names if name in handlers]
    stop = re.compile("|".join(NOT_IN_A_TICK))
    chains = graph.reachable([graph.name_of(root) for root in roots], stop)
    for name in sorted(chains):
        if SOFT_DOUBLE.match(name) and not SOFT_DOUBLE.match(chains[name][-2]):
            faults.append(f"{name}: " + " > ".join(graph.text_of(caller) for caller in chains[name]))
    return faults + graph.undeclared_calls(chains), len(chains)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--objdump", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--handler", metavar="LEVEL=NAME", action="append", help="of the board, in its vector table")
    parser.add_argument("image")
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    graph = call_graph.CallGraph(elf_image.ElfImage(options.image), options.objdump, options.folders, options.source)
    faults, functions = faults_of(graph, stack_depth.levels_with(options.handler))
    for fault in faults:
        print(fault)
    for pattern, reason in NOT_IN_A_TICK.items():
        print(f"not looked at: {pattern}: {reason}")
    print(f"soft double: {functions} functions in interrupts, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
