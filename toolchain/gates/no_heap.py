#!/usr/bin/env python3
"""Fails when an image, or a library that goes into one, names the heap, exceptions, or a C function that may use them.

    no_heap.py --nm NM FILE...
    no_heap.py --nm NM --self-test COMPILER...     proves that a `new`, a malloc and a throw are found
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

FORBIDDEN = re.compile(
    r"^(_*(malloc|calloc|realloc|free|sbrk|aligned_alloc|memalign)(_r)?"  # the C heap
    r"|_Zn[wa].*|_Zda.*"                                                  # new, new[], delete[]
    r"|__cxa_(throw|rethrow|allocate_exception|begin_catch|guard_acquire)|_Unwind_.*"
    r"|_ZSt\d+__throw_.*|_ZNSt8functionI.*|_ZNSt17bad_function_call.*"
    r"|v?s?n?f?printf|puts|exit|abort|atexit|__errno)$")

SELF_TEST = {
    "new": "int* Make() { return new int(3); }",
    "malloc": "#include <cstdlib>\nvoid* Make() { return std::malloc(3); }",
    "throw": "void Make() { throw 3; }",
}
CLEAN = "struct A { virtual ~A() = default; }; A a; int Twice(int x) { return 2 * x; }"


def forbidden_symbols(nm, file):
    output = subprocess.run([nm, "--format=posix", file], check=True, capture_output=True, text=True).stdout
    return sorted({line.split()[0] for line in output.splitlines() if line.split() and FORBIDDEN.match(line.split()[0])})


def self_test(nm, compiler):
    ok = True
    with tempfile.TemporaryDirectory() as folder:
        for name, code in {**SELF_TEST, "clean": CLEAN}.items():
            source, result = pathlib.Path(folder) / f"{name}.cc", pathlib.Path(folder) / f"{name}.o"
            source.write_text(code, encoding="utf-8")
            subprocess.run([*compiler, "-c", str(source), "-o", str(result)], check=True)
            found = forbidden_symbols(nm, str(result))
            print(f"self test: {name}: {', '.join(found) or 'nothing'}")
            ok = ok and (found == []) == (name == "clean")
    return ok


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nm", required=True)
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("files", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if options.self_test:
        return 0 if self_test(options.nm, options.files) else 1
    faults = [(file, symbol) for file in options.files for symbol in forbidden_symbols(options.nm, file)]
    for file, symbol in faults:
        print(f"{file}: {symbol}")
    print(f"no heap: {len(options.files)} files, {len(faults)} forbidden symbols")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
