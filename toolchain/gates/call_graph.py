"""Who calls whom in an image: from the .ci files of its objects (-fcallgraph-info=su,da) and from its instructions."""
import pathlib
import re
from typing import NamedTuple

import elf_image


class PointerCall(NamedTuple):
    file: str     # where the call is written: a pattern of the path from the repository's root,
    words: str    # and of the line, up to the parenthesis of the call
    targets: str  # what it reaches: a pattern of a function's name; {} stands for the group of `words`; "": nothing


# Every call through a pointer is declared here, or the gates fail. They fail, too, if the image stores the address of a
# function that none of these calls reaches.
POINTER_CALLS = [
    # A virtual function of an interface reaches its overrides, which have its name. Those of a port stand between a device's
    # and its motors', of the same names: classes that are ports are called so.
    PointerCall(r"hal/api/\w+\.h", r"\b(Do[A-Z]\w*)\($", r"(?<!Port)::{}\("),
    PointerCall(r"hal/devices/motor_port\.h", r"\b(Do[A-Z]\w*)\($", r"Port::{}\("),
    PointerCall(r"hal/cortex_m/start_up\.cc", r"\(\*constructor\)\($", r"^_GLOBAL__sub_I_"),
    # The caller's clock: a program on a host may have one, no image does.
    PointerCall(r"lib/tactus/solve/solve_options\.h", r"\bis_left\($", ""),
]

# Destructors stand in tables of virtual functions and are given to __aeabi_atexit, which forgets them.
NEVER_CALLED = re.compile(r"D[012]Ev$")
HANDLER_SECTIONS = (".vectors",)  # what the hardware calls: stack_depth.py reads it

WRITTEN_TOGETHER_s = 300  # a .ci file is not older than its object by more than the assembler takes on a busy machine

NODE = re.compile(r'^node: \{ title: "([^"]+)" label: "([^"]*)"')
EDGE = re.compile(r'^edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"(?: label: "([^"]*)")?')
SIZE = re.compile(r"(\d+) bytes \((static|dynamic|dynamic,bounded)\)")


class CallGraph:
    """@param source  the repository, for the lines of calls through pointers."""

    def __init__(self, image, objdump, folders, source, pointer_calls=POINTER_CALLS):
        self.image, self.source, self.pointer_calls = image, pathlib.Path(source), pointer_calls
        self.frame_B, self.label, self.calls, self.sites, self.undeclared_targets = {}, {}, {}, {}, []
        self.unbounded, self.stale = set(), []
        self.objects = [file for folder in folders for file in sorted(pathlib.Path(folder).rglob("*"))
                        if file.suffix in (".o", ".obj")]
        for file in self.objects:
            self._read_beside(file)
        self._add(elf_image.Code(image, objdump))
        self._resolve()
        self._find_undeclared()

    def name_of(self, title):
        """A title is FILE:SYMBOL or SYMBOL. Functions of the same name in two files count as one, the worse of both; so do
        those that the compiler made one, and the two names of a constructor."""
        symbol = re.sub(r"(?<=[a-zA-Z0-9])C1(?=E|I)", "C2", title.rsplit(":", 1)[-1])
        return self.image.same_code.get(symbol, symbol)

    def _read_beside(self, file):
        """The compiler writes an object and its .ci file together; of assembly there is none."""
        calls = file.with_suffix(".ci")
        if calls.is_file():
            self._read(calls)
        elif file.with_suffix("").suffix in (".s", ".S"):
            return
        if not calls.is_file() or calls.stat().st_mtime < file.stat().st_mtime - WRITTEN_TOGETHER_s:
            self.stale.append(f"{calls} is missing or older than its object: a compiler cache did not bring it back (ccache "
                              "before 4.10). Delete the object and build with CCACHE_RECACHE=1")

    def _read(self, file):
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            if node := NODE.match(line):
                name, label = self.name_of(node[1]), node[2]
                if size := SIZE.search(label):
                    self.label[name] = label.split("\\n")[0]
                    self.frame_B[name] = max(int(size[1]), self.frame_B.get(name, 0))
                    if size[2] == "dynamic":
                        self.unbounded.add(name)
            elif edge := EDGE.match(line):
                caller = self.name_of(edge[1])
                if edge[2] == "__indirect_call":
                    self.sites.setdefault(caller, set()).add(edge[3] or "")
                else:
                    self.calls.setdefault(caller, set()).add(self.name_of(edge[2]))

    def _add(self, code):
        """What the .ci files do not tell: assembly, the compiler's support routines, parts split off a function."""
        for caller, callees in code.calls.items():
            self.calls.setdefault(caller, set()).update(callees)
        for name, pushed_B in code.pushed_B.items():
            self.frame_B[name] = max(self.frame_B.get(name, pushed_B), code.largest_B[name])
        self.hidden = {name for name in code.through_pointer if name not in self.sites}

    def _resolve(self):
        self.reached, self.undeclared = set(), {}
        for caller, sites in self.sites.items():
            for site in sites:
                targets = self._targets(site)
                if targets is None:
                    self.undeclared.setdefault(caller, set()).add(site)
                else:
                    self.calls.setdefault(caller, set()).update(targets)
                    self.reached |= targets

    def _targets(self, site):
        """What the call at FILE:LINE:COLUMN reaches; None: it is not declared."""
        file, line, words = self._line(site)
        present = set(self.image.same_code.values())
        for call in self.pointer_calls:
            found = re.findall(call.words, words) if re.fullmatch(call.file, file) else []
            if found and call.targets:
                pattern = re.compile(call.targets.replace("{}", found[-1]))
                return {name for name in self.frame_B.keys() & present  # an object may have overrides that the image has not
                        if pattern.search(self.label.get(name, name)) or pattern.search(name)}
            if found:
                return set()
        return None

    def _line(self, site):
        """Path from the repository's root, line and the words up to the column of FILE:LINE:COLUMN."""
        if site.count(":") < 2:
            return "", 0, ""
        file, line, column = site.rsplit(":", 2)
        parts = pathlib.PurePath(file).parts
        for begin in range(len(parts)):
            path = pathlib.PurePath(*parts[begin:])
            if not path.is_absolute() and ".." not in path.parts and (self.source / path).is_file():
                text = (self.source / path).read_text(encoding="utf-8").splitlines()[int(line) - 1]
                return path.as_posix(), int(line), text[:int(column)]
        return file, int(line), ""

    def _find_undeclared(self):
        """Functions that a pointer can hold, but that no declared call reaches."""
        for file in self.objects:
            for section, symbol in sorted(elf_image.ElfImage(file).stored_functions()):
                name = self.name_of(symbol)
                if symbol not in self.image.same_code or section in HANDLER_SECTIONS or NEVER_CALLED.search(symbol):
                    continue
                if name not in self.reached and not self._may_be_called(name):
                    self.undeclared_targets.append(f"{self.text_of(name)}: its address is stored ({file.name}, {section}), "
                                                   "and no declared call through a pointer reaches it")

    def _may_be_called(self, name):
        """Whether a declared call could reach it, though none in this image does: an interface's function that nobody uses."""
        patterns = [call.targets.replace("{}", r"Do[A-Z]\w*") for call in self.pointer_calls if call.targets]
        return any(re.search(pattern, self.label.get(name, name)) for pattern in patterns)

    def text_of(self, name):
        return self.label.get(name, name)[:150]

    def reachable(self, roots, stop=None):
        """What can be called from `roots`, each with a chain of callers; `stop`: a pattern not to go through."""
        chain = {root: [root] for root in roots}
        queue = list(roots)
        for name in queue:
            for callee in sorted(self.calls.get(name, ())):
                if callee not in chain and not (stop and stop.search(self.label.get(callee, callee))):
                    chain[callee] = chain[name] + [callee]
                    queue.append(callee)
        return chain

    def undeclared_calls(self, used):
        """The faults of calls through pointers in the functions `used`, and of what tells of them."""
        faults = list(self.stale)
        for name in sorted(used):
            for site in sorted(self.undeclared.get(name, ())):
                faults.append(f"a call through a pointer that is not declared in POINTER_CALLS: {site or 'unknown place'}, "
                              f"in {self.text_of(name)}")
            if name in self.hidden:
                faults.append(f"a call through a pointer of which only the instructions tell: {self.text_of(name)}")
        return faults
