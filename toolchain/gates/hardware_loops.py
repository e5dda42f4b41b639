#!/usr/bin/env python3
"""Fails on a loop of the hardware layers whose end no counter guarantees: hardware may never answer.

    hardware_loops.py REPOSITORY      checks the sources; one line for each such loop
    hardware_loops.py --self-test     proves that they are found

A loop ends for certain if its header counts: `for (...; i < n && ...; ++i)`, where the body leaves i alone; over a range;
`while (n-- > 0 && ...)`. Every other loop says what ends it, on its line or the line before: `// ends: the host stops the run`.
"""
import pathlib
import re
import sys
import tempfile

# What runs on a board and touches its registers. hal/api has interfaces, hal/sim no hardware.
FOLDERS = ("hal", "firmware/boards")
NOT_HARDWARE = ("hal/api/", "hal/sim/")
SOURCES = {".h", ".hpp", ".c", ".cc", ".cpp"}
ASSEMBLY = {".s", ".S"}

# What ends a loop that does not count, said on its line or on the one before it.
SAID = re.compile(r"//\s*ends: \S|@\s*ends: \S")

TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
KEYWORD = re.compile(r"\b(for|while|goto)\b")
BACK_IN_ASSEMBLY = re.compile(r"\bb(?:eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)?(?:\.[nw])?\s+(?:\d+b\b|\.(?![\w]))")
STEP = re.compile(r"^(?:\+\+|--)(\w+)$|^(\w+)(?:\+\+|--)$|^(\w+)\s*[+-]=\s*[1-9]\d*$")
COMPARISON = re.compile(r"[^<>=!]([<>]=?|!=)[^<>=]")


def blanked(text):
    """`text` without comments and the contents of literals, every character in its place."""
    blank = lambda match: re.sub(r"[^\n]", " ", match[0]) if match[0][0] == "/" else \
        match[0][0] + re.sub(r"[^\n]", "~", match[0][1:-1]) + match[0][-1]
    return TEXT.sub(blank, text)


def closing(code, begin):
    """The place behind the bracket that closes the one at `begin`."""
    depth = 0
    for at in range(begin, len(code)):
        depth += (code[at] in "([{") - (code[at] in ")]}")
        if depth == 0:
            return at + 1
    return len(code)


def body_at(code, begin):
    """The statement that begins behind `begin`."""
    while begin < len(code) and code[begin].isspace():
        begin += 1
    if code[begin:begin + 1] == "{":
        return code[begin:closing(code, begin)]
    end = code.find(";", begin)
    return code[begin:end]


def parts(code, separator):
    """`code` cut at the separators that stand in no bracket."""
    found, depth, begin, at = [], 0, 0, 0
    while at < len(code):
        depth += (code[at] in "([{") - (code[at] in ")]}")
        if depth == 0 and code.startswith(separator, at):
            found.append(code[begin:at].strip())
            begin = at = at + len(separator)
        else:
            at += 1
    return found + [code[begin:].strip()]


def counts(condition, counter):
    """Whether one of the terms that must all hold compares the counter itself, not what it points to."""
    if len(parts(condition, "||")) > 1:
        return False
    itself = re.compile(rf"(?<![*\w.>\[]){counter}\b(?!\s*(\[|\(|\.|->))")
    return any(itself.search(term) and COMPARISON.search(f" {term} ") for term in parts(condition, "&&"))


def for_is_bounded(header, body):
    clauses = parts(header, ";")
    if len(clauses) == 1:
        return ":" in header  # over a range
    for step in parts(clauses[2], ","):
        match = STEP.match(step)
        counter = match and next(name for name in match.groups() if name)
        if counter and counts(clauses[1], counter) and not re.search(rf"(?<![\w.>*]){counter}\s*=(?!=)", body):
            return True
    return False


def while_is_bounded(header):
    return len(parts(header, "||")) == 1 and any(re.match(r"^(\w+--|--\w+)\s*(>|!=)\s*0$", term) for term in parts(header, "&&"))


def loops_without_end(text, is_assembly):
    """(line, header) of each loop that no counter ends."""
    for match in BACK_IN_ASSEMBLY.finditer(text):
        literal = text.rfind('"', text.rfind("\n", 0, match.start()) + 1, match.start()) >= 0
        if is_assembly or literal:
            yield text.count("\n", 0, match.start()) + 1, match[0]
    code = "" if is_assembly else blanked(text)
    for match in KEYWORD.finditer(code):
        line = code.count("\n", 0, match.start()) + 1
        if match[1] == "goto":
            yield line, "goto"
            continue
        begin = code.index("(", match.end())
        end = closing(code, begin)
        header = code[begin + 1:end - 1]
        bounded = for_is_bounded(header, body_at(code, end)) if match[1] == "for" else while_is_bounded(header)
        if not bounded:
            yield line, f"{match[1]} ({' '.join(text[begin + 1:end - 1].split())})"


def check(root):
    """@returns the faults found under `root`, how many files were read, and how many loops say what ends them."""
    faults, files, said = [], 0, 0
    for source in sorted(path for folder in FOLDERS for path in (root / folder).rglob("*")):
        path = source.relative_to(root).as_posix()
        if source.suffix not in SOURCES | ASSEMBLY or path.startswith(NOT_HARDWARE):
            continue
        files += 1
        text = source.read_text(encoding="utf-8")
        lines, used = text.splitlines(), set()
        for line, header in loops_without_end(text, source.suffix in ASSEMBLY):
            place = next((at for at in (line, line - 1) if at > 0 and SAID.search(lines[at - 1])), None)
            if place is None:
                faults.append(f"{path}:{line}: no counter ends this loop, and nothing says what does: {header}")
            used.add(place)
        stray = [at for at, words in enumerate(lines, 1) if SAID.search(words) and at not in used]
        faults += [f"{path}:{at}: says what ends a loop, and there is none that needs it" for at in stray]
        said += len(used - {None})
    return faults, files, said


SELF_TEST = [  # code, number of faults
    ("for (int i = 0; i < 10; ++i) Read();", 0),
    ("for (int i = 0; i < kTries && (Uart0().state & 1) != 0; ++i) {\n}", 0),
    ("for (; size >= 16; size -= 16, out += 16) Copy();", 0),
    ("for (const auto byte : bytes) Send(byte);", 0),
    ("for (Word* word = begin; word != end; ++word) *word = 0;", 0),
    ("while (n-- > 0 && (Uart0().state & 1) != 0) {}", 0),
    ("// while (true)\nconst char* text = \"while (true)\";", 0),
    ("while ((Uart0().state & 1) != 0) {}", 1),
    ("while (Uart0().state) ;", 1),
    ("do {} while ((Uart0().state & 1) != 0);", 1),
    ("for (;;) {}", 1),
    ("for (; (Uart0().state & 1) != 0;) {}", 1),
    ("for (int i = 0; (Uart0().state & 1) != 0; ++i) {}", 1),
    ("for (int i = 0; i < 10 || (Uart0().state & 1) != 0; ++i) {}", 1),
    ("for (int i = 0; i < 10; ++i) { i = 0; }", 1),
    ("for (int i = 0; i < 10; i += Uart0().data) {}", 1),
    ("for (const char* at = text; *at != 0; ++at) {}", 1),
    ("while (n-- > 0 || (Uart0().state & 1) != 0) {}", 1),
    ("const auto edges = edge_count; while (edges == edge_count) {}", 1),
    ("again: if (Uart0().state & 1) goto again;", 1),
    ('asm volatile("1: ldr r0, [r1]\\n bne 1b");', 1),
    ('asm volatile("b .");', 1),
]


def faults_of_file(name, code):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / name
        source.parent.mkdir(parents=True)
        source.write_text(code + "\n", encoding="utf-8")
        return check(pathlib.Path(folder))[0]


def self_test():
    results = []
    for code, expected in SELF_TEST:
        results.append(len(faults_of_file("hal/chip/a.cc", code)) == expected)
        if not results[-1]:
            print(f"self test: {code}: expected {expected} faults")
    polling = "while (Ready()) {}"
    results.append(faults_of_file("hal/chip/a.cc", polling + "  // ends: why") == [])
    results.append(faults_of_file("hal/chip/a.cc", "// ends: why\n" + polling) == [])
    results.append(len(faults_of_file("hal/chip/a.cc", "// ends: why\n\n" + polling)) == 2)
    results.append("there is none" in faults_of_file("hal/chip/a.cc", "// ends: why")[0])
    results.append(faults_of_file("hal/sim/a.cc", polling) == [])
    results.append(len(faults_of_file("hal/chip/a.S", "1: ldr r0, [r1]\n  bne 1b")) == 1)
    print(f"self test: {sum(results)} of {len(results)} as expected")
    return all(results)


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 0 if self_test() else 1
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    faults, files, said = check(pathlib.Path(sys.argv[1]))
    for fault in faults:
        print(fault)
    print(f"hardware loops: {files} files, {said} say what ends them, {len(faults)} faults")
    return 1 if faults or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
