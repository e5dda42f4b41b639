#!/usr/bin/env python3
"""Breaks toolchain/gates/soft_double.py on purpose: small images whose tick computes with doubles, or does not.

    soft_double_test.py --objdump OBJDUMP COMPILER...      with the flags of a board without double hardware
"""
import sys

import small_image
import soft_double
import stack_depth

CODE = """
struct Link { virtual void DoDivide() { d = d / e; } };
Link the_link;
Link* volatile link = &the_link;
namespace servo { [[gnu::noinline]] void ConfigFromWire(int) { d = f; } }
[[gnu::noinline]] void Far() { d = d * e; }
[[gnu::noinline]] void Near() { Far(); }
"""

# Name, what TickHandler does, words of the fault ("": there is none).
CASES = [
    ("single precision", "f = f / g; i = static_cast<int>(f);", ""),
    ("a division", "d = d / e;", "__aeabi_ddiv: void TickHandler()"),
    ("a sum", "d = d + e;", "__adddf3"),
    ("a comparison", "i = d < e;", "__aeabi_dcmp"),
    ("widening", "d = f;", "__aeabi_f2d"),
    ("narrowing", "f = static_cast<float>(d);", "__aeabi_d2f"),
    ("an integer", "d = i;", "__aeabi_i2d"),
    ("in a function below", "Near();", "void TickHandler() > void Near() > void Far() > __aeabi_dmul"),
    ("behind a virtual call", "link->DoDivide();", "__aeabi_ddiv"),
    ("what is no tick", "servo::ConfigFromWire(3);", ""),
]


def main():
    objdump, compiler = sys.argv[2], sys.argv[3:]
    failed = 0
    for name, tick, expected in CASES:
        graph = small_image.graph_of(objdump, compiler, CODE, {"TICK": tick})
        faults, _ = soft_double.faults_of(graph, stack_depth.levels_with(["link=Uart0RxHandler"]))
        failed += small_image.report(name, faults, expected)
    print(f"{len(CASES) - failed} of {len(CASES)} as expected")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
