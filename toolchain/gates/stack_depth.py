#!/usr/bin/env python3
"""Fails when the stack could overflow: worst case over all call chains and interrupts, against the linker script's stack.

    stack_depth.py --nm NM IMAGE FOLDER...      FOLDER: where the objects of IMAGE lie
    stack_depth.py --of PATTERN --most BYTES FOLDER...      the functions whose names match, and what they call, alone
    stack_depth.py --self-test COMPILER...      proves that depths are summed up, recursion and unknown calls found

The objects come with .ci files: compile with -fcallgraph-info=su,da. Fails also on recursion, on frames of unknown size, on a frame that could step over the guard below the stack.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

# What the hardware pushes for an exception: 26 words with the floating-point registers, and one to align (Armv7-M, B1.5.7).
EXCEPTION_FRAME_B = 108

# The levels that can interrupt each other, from the background up (hal/cortex_m/interrupts.h). Of a level, one handler
# runs at a time. Faults have a stack of their own.
LEVELS = {
    "background": ["ResetHandler"],
    "tick": ["TickHandler"],
    "link": ["Uart0RxHandler", "Uart0TxHandler"],
    "timer": ["TimerHandler", "ClockGuardHandler"],
}

# A call through a pointer goes to one of these: implementations of the interfaces of hal/api, constructors of statics.
INDIRECT = re.compile(r"::Do[A-Z]\w*\(|_GLOBAL__sub_I")

# From here on nothing returns: outputs to zero, flight record, end. It runs with interrupts off, on what is left.
NO_RETURN = re.compile(r"CheckFailed|ReportFault|EndAfterFault|EndRun|__cxa_pure_virtual|_ZdlPv")
NO_RETURN_B = 1024  # on top of every chain

# What comes without a size: compiler support routines, of which the largest, 64-bit division, pushes 9 words; and the
# failing ends of checks, which the compiler splits off (.part.0) and which only call NO_RETURN.
SMALL = re.compile(r"^(__aeabi_|__\w+[sd]i[234]$|__udivmoddi4)|\.part\.\d+$|\.cold$")
SMALL_B = 64

NODE = re.compile(r'^node: \{ title: "([^"]+)" label: "([^"]*)"')
EDGE = re.compile(r'^edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"')
SIZE = re.compile(r"(\d+) bytes \((static|dynamic|dynamic,bounded)\)")


def symbol(title):
    """A title is FILE:SYMBOL or SYMBOL. Functions of the same name in two files count as one, the worse of both. The two
    names of a constructor mean the same code."""
    return re.sub(r"(?<=[a-zA-Z0-9])C1(?=E|I)", "C2", title.rsplit(":", 1)[-1])


class CallGraph:
    def __init__(self):
        self.frame_B, self.label, self.calls, self.unbounded = {}, {}, {}, []

    def read(self, file):
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            if node := NODE.match(line):
                name, label = symbol(node[1]), node[2]
                self.label.setdefault(name, label.split("\\n")[0])
                if size := SIZE.search(label):
                    self.frame_B[name] = max(int(size[1]), self.frame_B.get(name, 0))
                    if size[2] == "dynamic":
                        self.unbounded.append(name)
            elif edge := EDGE.match(line):
                self.calls.setdefault(symbol(edge[1]), set()).add(symbol(edge[2]))

    def resolve(self):
        """Calls through pointers go to every function that they could reach."""
        targets = {name for name, label in self.label.items() if INDIRECT.search(label) and name in self.frame_B}
        for callees in self.calls.values():
            if "__indirect_call" in callees:
                callees.remove("__indirect_call")
                callees |= targets


class Depth:
    """Depth of the deepest chain below a function, and that chain."""

    def __init__(self, graph):
        self.graph, self.known, self.path, self.faults = graph, {}, [], []

    def of(self, name):
        if name in self.known:
            return self.known[name]
        if name in self.path:
            self.faults.append("recursion: " + " > ".join(self.path[self.path.index(name):] + [name]))
            return 0, []
        if NO_RETURN.search(name):
            return 0, []
        if name not in self.graph.frame_B:
            if not SMALL.search(name):
                self.faults.append(f"no size is known for {name}")
            return SMALL_B, [name]
        self.path.append(name)
        deepest = max((self.of(callee) for callee in sorted(self.graph.calls.get(name, ()))), default=(0, []))
        self.path.pop()
        self.known[name] = (deepest[0] + self.graph.frame_B[name], [name] + deepest[1])
        return self.known[name]


def symbols(nm, image):
    lines = subprocess.run([nm, image], check=True, capture_output=True, text=True).stdout.splitlines()
    return {fields[2]: int(fields[0], 16) for fields in (line.split() for line in lines) if len(fields) == 3}


SELF_TEST = """
extern "C" {
int Outside(int x);
[[gnu::noinline]] int Leaf(int x) { volatile int room[100]; room[x & 63] = x; return room[x & 31]; }
[[gnu::noinline]] int Chain(int x) { volatile int room[50]; room[x & 31] = x; return Leaf(room[1]) + room[0]; }
[[gnu::noinline]] int Twice(int x) { volatile int room[2] = {x}; return room[1] > 0 ? Twice(x - 1) + room[0] : 0; }
[[gnu::noinline]] int Unknown(int x) { volatile int room[2] = {x}; return Outside(x) + room[0]; }
}
"""


def self_test(compiler):
    """Source of the depths: 400 B and 200 B of arrays, and at most 64 B of saved registers for each of the two functions."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "chain.cc"
        source.write_text(SELF_TEST, encoding="utf-8")
        command = [*compiler, "-O2", "-fcallgraph-info=su,da", "-c", source.name, "-o", "chain.o"]
        subprocess.run(command, cwd=folder, check=True)
        graph = CallGraph()
        graph.read(next(pathlib.Path(folder).glob("*.ci")))
    results = []
    for function, fault in (("Chain", ""), ("Twice", "recursion"), ("Unknown", "no size is known for Outside")):
        depth = Depth(graph)
        total_B, chain = depth.of(function)
        print(f"self test: {function}: {total_B} B, {len(chain)} functions, {depth.faults}")
        results.append(depth.faults == [] if fault == "" else any(fault in found for found in depth.faults))
        if function == "Chain":
            results.append(600 <= total_B <= 728 and len(chain) == 2)
    return all(results)


def read_graph(folders):
    graph = CallGraph()
    for folder in folders:
        for file in pathlib.Path(folder).rglob("*.ci"):
            graph.read(file)
    graph.resolve()
    return graph


def print_chain(graph, chain):
    for name in chain:
        print(f"    {graph.frame_B.get(name, SMALL_B):6} B  {graph.label.get(name, name)[:150]}")


def check_functions(graph, pattern, most_B, verbose):
    depth, found = Depth(graph), False
    for name in [name for name, label in graph.label.items() if name in graph.frame_B and re.search(pattern, label)]:
        found = True
        deepest_B, chain = depth.of(name)
        print(f"{deepest_B} B of {most_B} B: {graph.label[name][:150]}")
        if verbose or deepest_B > most_B:
            print_chain(graph, chain)
        if deepest_B > most_B:
            depth.faults.append(f"{deepest_B - most_B} B too many")
    faults = depth.faults if found else [f"no function matches {pattern}"]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


def main():
    if sys.argv[1:2] == ["--self-test"]:
        return 0 if self_test(sys.argv[2:]) else 1
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nm")
    parser.add_argument("--of", metavar="PATTERN")
    parser.add_argument("--most", metavar="BYTES", type=int)
    parser.add_argument("--verbose", action="store_true", help="print the deepest chains")
    parser.add_argument("paths", nargs="+")
    options = parser.parse_args()
    if options.of:
        return check_functions(read_graph(options.paths), options.of, options.most, options.verbose)
    image, *folders = options.paths

    graph = read_graph(folders)
    depth, total_B, faults = Depth(graph), 0, []
    for level, handlers in LEVELS.items():
        deepest_B, chain = max(depth.of(handler) for handler in handlers)
        deepest_B += EXCEPTION_FRAME_B if level != "background" else 0
        total_B += deepest_B
        print(f"{level:12} {deepest_B:7} B")
        print_chain(graph, chain if options.verbose else [])
    total_B += NO_RETURN_B

    used = set(depth.known)
    table = symbols(options.nm, image)
    stack_B = table["stack_size_symbol"]
    guard_B = table["stack_bottom_symbol"] - table["stack_guard_symbol"]
    largest = max(used, key=lambda name: graph.frame_B[name], default=None)
    faults += depth.faults + [f"a frame of variable size: {name}" for name in graph.unbounded if name in used]
    if total_B > stack_B:
        faults.append(f"the stack is too small: {total_B} B could be used, it has {stack_B} B")
    if largest and graph.frame_B[largest] > guard_B:
        faults.append(f"a frame of {graph.frame_B[largest]} B steps over the guard of {guard_B} B: {graph.label[largest]}")
    print(f"worst case   {total_B:7} B of {stack_B} B; largest frame {graph.frame_B.get(largest, 0)} B, guard {guard_B} B")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
