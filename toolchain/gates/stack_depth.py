#!/usr/bin/env python3
"""Fails when the stack could overflow: worst case over all call chains and interrupts, against the linker script's stack.

    stack_depth.py --objdump OBJDUMP --source REPOSITORY [--handler LEVEL=NAME]... IMAGE FOLDER...
                                                                  FOLDER: where the objects of IMAGE lie
    stack_depth.py ... --of PATTERN --most BYTES IMAGE FOLDER...      the functions whose names match, and what they call

The objects come with .ci files: compile with -fcallgraph-info=su,da. The handlers are those of the vector table. Fails also
on a handler without a level, a call through a pointer that is not declared (call_graph.py), recursion, frames of unknown
size, a frame that could step over the guard below the stack. Its own test: tests/gates/stack_depth_test.py.
"""
import argparse
import re
import sys

import call_graph
import elf_image

# What the hardware pushes for an exception: 26 words with the floating-point registers, and one to align (Armv7-M, B1.5.7).
EXCEPTION_FRAME_B = 108

# The levels that can interrupt each other, from the background up (hal/cortex_m/interrupts.h). Of a level, one handler
# runs at a time. These are the core's; the board's board.cmake names those of its chip with their levels
# (TACTUS_BOARD_HANDLERS). A handler in the vector table is one of them, or FAULT_HANDLER, which has a stack of its own.
CORE_LEVELS = {
    "background": ["ResetHandler"],
    "tick": ["TickHandler"],
    "link": [],
    "timer": ["TimerHandler"],
    "cut": [],
}
FAULT_HANDLER = "FaultHandler"
VECTOR_TABLE = r"^(_ZN.*L?12)?vector_tableE?$"

# From here on nothing returns: outputs to zero, flight record, end. It runs with interrupts off, on what is left.
FAILS_AGAIN = re.compile(r"^(_ZN6tactus11CheckFailedE|__cxa_pure_virtual|_ZdlPv|tactus_report_fault$)")  # also within the end of a fault: once more
NO_RETURN = re.compile(FAILS_AGAIN.pattern + r"|^_ZN6tactus3hal\w*(11ReportFault|13EndAfterFault|6EndRun)E")


class Depth:
    """Depth of the deepest chain below a function, and that chain; what matches `stop` counts as nothing."""

    def __init__(self, graph, stop):
        self.graph, self.stop, self.known, self.path, self.faults = graph, stop, {}, [], []

    def of(self, name):
        if name in self.known:
            return self.known[name]
        if name in self.path:
            self.faults.append("recursion: " + " > ".join(self.path[self.path.index(name):] + [name]))
            return 0, []
        if self.stop.search(name):
            return 0, []
        if name not in self.graph.frame_B:
            self.faults.append(f"no size is known for {name}")
            return 0, [name]
        self.path.append(name)
        deepest = max((self.of(callee) for callee in sorted(self.graph.calls.get(name, ()))), default=(0, []))
        self.path.pop()
        self.known[name] = (deepest[0] + self.graph.frame_B[name], [name] + deepest[1])
        return self.known[name]


def print_chain(graph, chain):
    for name in chain:
        print(f"    {graph.frame_B.get(name, 0):6} B  {graph.text_of(name)}")


def levels_with(handlers):
    """The levels, with the board's handlers: a list of LEVEL=NAME."""
    levels = {level: list(names) for level, names in CORE_LEVELS.items()}
    for handler in handlers or []:
        level, _, name = handler.partition("=")
        if level not in levels or not name:
            raise ValueError(f"{handler} is not LEVEL=NAME; the levels are {', '.join(levels)}")
        levels[level].append(name)
    return levels


def handlers_of(image, levels):
    """(handlers in the vector table, faults of the table)."""
    table = image.words_of(VECTOR_TABLE)
    faults = [] if table[0] == image.value["stack_top_symbol"] else ["the vector table does not begin with the stack's top"]
    handlers = set()
    for number, word in enumerate(table[1:], 1):
        name = image.function_at(word) if word else None
        if name is not None:
            handlers |= image.names_at[word & ~1]
        elif word or number not in (7, 8, 9, 10, 13):  # reserved by the architecture
            faults.append(f"entry {number} of the vector table, 0x{word:08x}, is no function")
    declared = {handler for level in levels.values() for handler in level}
    for name in sorted(handlers - declared - {FAULT_HANDLER}):
        faults.append(f"the handler {name} has no level: say in TACTUS_BOARD_HANDLERS of the board.cmake what it may interrupt")
    return handlers, faults


def absent_handlers(handlers, levels):
    """@returns the faults: of the board's handlers those that its vector table has not."""
    of_board = {name for level, names in levels.items() for name in names if name not in CORE_LEVELS[level]}
    return [f"the handler {name} is named in TACTUS_BOARD_HANDLERS and is not in the vector table"
            for name in sorted(of_board - handlers)]


def check_image(graph, levels, verbose=False):
    """@returns the faults of an image."""
    image = graph.image
    handlers, faults = handlers_of(image, levels)
    faults += absent_handlers(handlers, levels)
    depth, total_B = Depth(graph, NO_RETURN), 0
    for level, names in levels.items():
        present = [graph.name_of(name) for name in names if name in handlers]
        deepest_B, chain = max((depth.of(name) for name in present), default=(0, []))
        deepest_B += EXCEPTION_FRAME_B if present and level != "background" else 0
        total_B += deepest_B
        print(f"{level:12} {deepest_B:7} B")
        print_chain(graph, chain if verbose else [])

    end = Depth(graph, FAILS_AGAIN)
    end_B, chain = max((end.of(name) for name in list(graph.frame_B) if NO_RETURN.search(name) and not FAILS_AGAIN.search(name)),
                       default=(0, []))
    print(f"end          {end_B:7} B")
    print_chain(graph, chain if verbose else [])
    fault_B, _ = end.of(graph.name_of(FAULT_HANDLER))

    value, used = image.value, set(depth.known) | set(end.known)
    stack_B = value["stack_top_symbol"] - value["stack_bottom_symbol"]
    fault_top = value["fault_stack_top_symbol"]  # its bottom is the top of the stack below it
    fault_stack_B = fault_top - max(at for name, at in value.items() if name.endswith("stack_top_symbol") and at < fault_top)
    guard_B = value["stack_bottom_symbol"] - value["stack_guard_symbol"]
    largest = max(used, key=lambda name: graph.frame_B[name])
    total_B += end_B + EXCEPTION_FRAME_B  # a fault, or the watchdog's NMI, comes on top of all
    faults += depth.faults + end.faults + graph.undeclared_calls(used) + graph.undeclared_targets
    faults += [f"a frame of variable size: {graph.text_of(name)}" for name in sorted(graph.unbounded & used)]
    if total_B > stack_B:
        faults.append(f"the stack is too small: {total_B} B could be used, it has {stack_B} B")
    if fault_B > fault_stack_B:
        faults.append(f"the fault stack is too small: {fault_B} B could be used, it has {fault_stack_B} B")
    if graph.frame_B[largest] > guard_B:
        faults.append(f"a frame of {graph.frame_B[largest]} B steps over the guard of {guard_B} B: {graph.text_of(largest)}")
    print(f"worst case   {total_B:7} B of {stack_B} B; largest frame {graph.frame_B[largest]} B, guard {guard_B} B; "
          f"in a fault {fault_B} B of {fault_stack_B} B")
    return faults


def check_functions(graph, pattern, most_B, verbose):
    """@returns the faults of the functions whose names match `pattern`."""
    depth, found = Depth(graph, NO_RETURN), False
    for name in [name for name, label in graph.label.items() if re.search(pattern, label)]:
        found = True
        deepest_B, chain = depth.of(name)
        print(f"{deepest_B} B of {most_B} B: {graph.text_of(name)}")
        if verbose or deepest_B > most_B:
            print_chain(graph, chain)
        if deepest_B > most_B:
            depth.faults.append(f"{deepest_B - most_B} B too many")
    return depth.faults + graph.undeclared_calls(depth.known) if found else [f"no function matches {pattern}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--objdump", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--handler", metavar="LEVEL=NAME", action="append", help="of the board, in its vector table")
    parser.add_argument("--of", metavar="PATTERN")
    parser.add_argument("--most", metavar="BYTES", type=int)
    parser.add_argument("--verbose", action="store_true", help="print the deepest chains")
    parser.add_argument("image")
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    graph = call_graph.CallGraph(elf_image.ElfImage(options.image), options.objdump, options.folders, options.source)
    if options.of:
        faults = check_functions(graph, options.of, options.most, options.verbose)
    else:
        faults = check_image(graph, levels_with(options.handler), options.verbose)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
