#!/usr/bin/env python3
"""Fails on every #include that is not an arrow of the architecture.

    include_arrows.py REPOSITORY      checks the sources; one line for each wrong include
    include_arrows.py --self-test     proves that wrong includes are found
"""
import pathlib
import re
import sys
import tempfile

CONTACT = {"core", "contact"}
SOLVE = CONTACT | {"solve"}
COLLIDE = CONTACT | {"collide"}
MECHANISM = SOLVE | {"mechanism"}
STEP = COLLIDE | {"step"}
SCENE = STEP | {"scene"}
STREAM = SCENE | {"stream"}
HAPTIC = SOLVE | SCENE | STREAM | {"haptic"}
SUPERVISE = {"core", "supervise"}
LIB = HAPTIC | MECHANISM | SUPERVISE | {"wire", "device"}

# Module -> modules it may include, itself among them. The most specific folder decides.
ARROWS = {
    "lib/tactus/core": {"core"},
    "lib/tactus/device": {"core", "device"},
    "lib/tactus/contact": CONTACT,
    "lib/tactus/solve": SOLVE,
    "lib/tactus/collide": COLLIDE,
    "lib/tactus/mechanism": MECHANISM,
    "lib/tactus/step": STEP,
    "lib/tactus/scene": SCENE,
    "lib/tactus/stream": STREAM,
    "lib/tactus/haptic": HAPTIC,
    "lib/tactus/supervise": SUPERVISE,
    "lib/tactus/wire": {"core", "wire"},
    "hal/api": {"core", "hal/api"},
    "hal/sim": {"core", "device", "hal/api", "hal/sim"},
    "hal/devices": {"core", "device", "hal/api", "hal/devices"},
    "hal/linux": {"core", "hal/api", "hal/linux"},
    "hal/cortex_m": {"core", "hal/api", "hal/cortex_m"},
    "firmware/io": {"core", "supervise", "wire", "hal/api", "firmware/io"},
    "firmware/servo": LIB | {"hal/api", "firmware/servo"},
    "firmware/boards": {"core", "device", "wire", "hal/api", "hal/cortex_m", "hal/devices", "hal/sim", "firmware/io", "firmware/servo",
                        "firmware/boards"},
    "host_tools": LIB | {"hal/api", "hal/devices", "hal/linux", "hal/sim", "firmware/io", "firmware/servo", "host_tools"},
    "bench": LIB | {"hal/api", "hal/devices", "hal/linux", "hal/sim", "firmware/io", "firmware/servo", "host_tools", "bench"},
    "bench/lu": {"bench", "bench/lu"},  # a program of its own: Eigen as others have it
}

# Every other folder of hal is a chip: it may include this and itself, and boards may include it.
CHIP = {"core", "hal/api", "hal/cortex_m"}

# Outside libraries: only through one module.
# The host tools need eigenvalues at configuration time (host_tools/stability), which no target shall link.
EXTERNAL = {"Eigen/": {"core", "bench/lu", "host_tools"}, "flatbuffers/": {"wire"}}

# What runs in the servo loop, and all that it may have of the standard library: no heap, no streams, no threads, no locale,
# no libm (its results differ between platforms). A header is added here when it is needed and has none of these.
TICK = ("lib/", "hal/", "firmware/")
STANDARD_IN_TICK = set(
    "algorithm array atomic bit concepts cstddef cstdint cstring limits memory numeric span string_view tuple "
    "type_traits utility variant".split())
# What hal/linux asks of the kernel: threads, clocks, memory. No streams, no heap.
POSIX = set("cerrno csignal fcntl.h linux/serial.h poll.h pthread.h sched.h sys/ioctl.h sys/mman.h sys/resource.h termios.h time.h unistd.h".split())

INCLUDE = re.compile(r"^\s*(?:#|%:)\s*(?:/\*.*?\*/\s*)*(?:include|include_next|import)\b\s*(.*)")
FILE_NAME = re.compile(r'"([^"]+)"|<([^>]+)>')
SUFFIXES = {".h", ".inl", ".cc", ".c", ".cpp", ".hpp"}


def add_chips(root):
    for folder in sorted(path for path in (root / "hal").glob("*") if path.is_dir()):
        name = f"hal/{folder.name}"
        if name not in ARROWS:
            ARROWS[name] = CHIP | {name}
            ARROWS["firmware/boards"].add(name)


def module_of_file(path):
    """The module a source belongs to: (folder, name), or None for tests and examples, which may include everything."""
    for folder in sorted(ARROWS, key=len, reverse=True):
        if path.startswith(folder + "/"):
            return folder, folder.removeprefix("lib/tactus/")
    return None


def module_of_include(include):
    """The module an include points to; None: not ours."""
    if include.startswith("tactus/"):
        return include.split("/")[1]
    for folder in sorted(ARROWS, key=len, reverse=True):
        if include.startswith(folder + "/"):
            return folder
    return "tests" if include.startswith(("tests/", "toolchain/")) else None


def is_public(include, published):
    """A header in a module's own folder, or one in a folder below it that the module's README.md lists."""
    below = include.split("/")[2:]
    return not include.startswith("tactus/") or len(below) == 1 or "/".join(below) in published.get(include.split("/")[1], ())


def fault_of(path, include, quoted, published):
    """Why `path` may not include `include`; None: it may."""
    folder, module = module_of_file(path)
    target = module_of_include(include)
    if path.endswith(".inl"):
        return "an .inl includes nothing: its header does"
    if target is not None and include.endswith(".inl"):
        is_own = path.endswith(".h") and "lib/" + include.rpartition("/")[0] == path.rpartition("/")[0]
        return None if is_own else f"{include} belongs to the header beside it"
    if target is not None and not include.endswith(".h"):
        return f"{include} is no header: this gate does not read it"
    if target is not None:
        if target not in ARROWS[folder]:
            return f"{module} may not use {target}"
        if target != module and not is_public(include, published):
            return f"{include} is private to {target}"
        return None
    for prefix, users in EXTERNAL.items():
        if include.startswith(prefix):
            return None if module in users else f"{prefix[:-1]} is included through {'/'.join(sorted(users))} only"
    if not path.startswith(TICK):
        return None
    if quoted:
        return "includes are written from the root: \"tactus/...\", \"hal/...\", \"firmware/...\""
    if folder == "hal/linux" and include in POSIX:
        return None
    return None if include in STANDARD_IN_TICK else f"<{include}> has no place in the servo loop"


def fault_of_line(path, line, published):
    """What is wrong with this line; None: nothing."""
    directive = INCLUDE.match(line)
    if directive is None:
        return None
    name = FILE_NAME.match(directive[1])
    if name is None:
        return f"an include without a file name: {directive[1]}"
    return fault_of(path, name[1] or name[2], name[1] is not None, published)


def published_headers(root):
    """Module -> the headers in folders below it that its README.md lists for others."""
    return {readme.parent.name: set(re.findall(r"`([\w/]+\.h)`", readme.read_text(encoding="utf-8")))
            for readme in (root / "lib/tactus").glob("*/README.md")}


def check(root):
    """@returns the faults found under `root`, and how many files were read."""
    faults, files, published = [], 0, published_headers(root)
    add_chips(root)
    for top in ("lib", "hal", "firmware", "host_tools", "bench"):
        for source in sorted((root / top).rglob("*")):
            path = source.relative_to(root).as_posix()
            if source.suffix not in SUFFIXES:
                continue
            if module_of_file(path) is None:
                faults.append(f"{path}:1: in a folder that is no module: add it to ARROWS of this gate")
                continue
            files += 1
            for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
                fault = fault_of_line(path, line, published)
                if fault is not None:
                    faults.append(f"{path}:{number}: {fault}")
    return faults, files


SELF_TEST = [  # file, line, expected words ("" : allowed)
    ("lib/tactus/solve/a.h", '#include "tactus/contact/b.h"', ""),
    ("lib/tactus/contact/a.h", '#include "tactus/solve/b.h"', "contact may not use solve"),
    ("lib/tactus/core/a.h", '#include "hal/api/clock.h"', "core may not use hal/api"),
    ("lib/tactus/device/a.h", '#include "tactus/contact/b.h"', "device may not use contact"),
    ("lib/tactus/collide/a.h", '  #  include "tactus/step/b.h"', "collide may not use step"),
    ("lib/tactus/haptic/a.h", '#include "tactus/collide/internal/b.h"', "private to collide"),
    ("lib/tactus/haptic/a.h", '#include "tactus/solve/lemke/b.h"', "private to solve"),
    ("lib/tactus/haptic/a.h", '#include "tactus/solve/lemke/listed.h"', ""),
    ("lib/tactus/solve/a.h", '#include "tactus/solve/lemke/b.h"', ""),
    ("lib/tactus/solve/lemke/a.h", '#include "tactus/solve/lemke/a.inl"', ""),
    ("lib/tactus/solve/lemke/a.h", '#include "tactus/solve/convex/a.inl"', "beside it"),
    ("lib/tactus/solve/lemke/a.inl", '#include "tactus/solve/lemke/a.h"', "includes nothing"),
    ("lib/tactus/haptic/a.h", "#include <Eigen/Dense>", "is included through"),
    ("lib/tactus/core/a.h", "#include <Eigen/Core>", ""),
    ("lib/tactus/core/a.h", "#include <cmath>", "no place in the servo loop"),
    ("firmware/servo/a.cc", "#include <vector>", "no place in the servo loop"),
    ("lib/tactus/core/a.h", "#include <forward_list>", "no place in the servo loop"),
    ("lib/tactus/core/a.h", "#include <memory_resource>", "no place in the servo loop"),
    ("hal/cortex_m/a.cc", "#include <charconv>", "no place in the servo loop"),
    ("hal/mps2/a.cc", "#include <boost/asio.hpp>", "no place in the servo loop"),
    ("lib/tactus/core/a.h", "#include HEADER", "without a file name"),
    ("lib/tactus/core/a.h", "%:/**/include <vector>", "no place in the servo loop"),
    ("lib/tactus/core/a.h", '#include "tactus/core/b.inc"', "is no header"),
    ("lib/tactus/core/a.h", "#include <algorithm>", ""),
    ("firmware/servo/a.cc", '#include "hal/mps2/b.h"', "firmware/servo may not use hal/mps2"),
    ("hal/mps2/a.cc", '#include "b.h"', "written from the root"),
    ("hal/sim/a.cc", "#include <vector>", "no place in the servo loop"),
    ("host_tools/a.cc", "#include <vector>", ""),
    ("hal/linux/a.cc", "#include <pthread.h>", ""),
    ("hal/linux/a.cc", "#include <thread>", "no place in the servo loop"),
    ("hal/sim/a.cc", "#include <pthread.h>", "no place in the servo loop"),
    ("host_tools/x/a.cc", '#include "hal/cortex_m/b.h"', "host_tools may not use hal/cortex_m"),
    ("bench/a.cc", '#include "host_tools/b.h"', ""),
    ("host_tools/a.cc", '#include "bench/b.h"', "host_tools may not use bench"),
    ("hal/new_chip/a.cc", '#include "hal/cortex_m/b.h"', ""),
    ("hal/new_chip/a.cc", '#include "firmware/servo/b.h"', "hal/new_chip may not use firmware/servo"),
    ("firmware/unknown/a.cc", "#include <array>", "no module"),
]


def self_test():
    failed = 0
    for path, line, words in SELF_TEST:
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / path
            source.parent.mkdir(parents=True)
            source.write_text(line + "\n", encoding="utf-8")
            readme = pathlib.Path(folder) / "lib/tactus/solve/README.md"
            readme.parent.mkdir(parents=True, exist_ok=True)
            readme.write_text("`lemke/listed.h`\n", encoding="utf-8")
            faults, _ = check(pathlib.Path(folder))
        if (words == "") != (faults == []) or (faults and words not in faults[0]):
            print(f"self test: {path}: {line}: expected '{words or 'no fault'}', got {faults}")
            failed += 1
    print(f"self test: {len(SELF_TEST) - failed} of {len(SELF_TEST)} as expected")
    return failed == 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 0 if self_test() else 1
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    faults, files = check(pathlib.Path(sys.argv[1]))
    for fault in faults:
        print(fault)
    if files == 0:
        print(f"no sources under {sys.argv[1]}")
    print(f"include arrows: {files} files, {len(faults)} faults")
    return 1 if faults or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
