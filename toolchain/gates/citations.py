#!/usr/bin/env python3
"""Fails on a citation of something that does not exist: a section of the theory, an equation, a paper, a test, a bench,
a name.

    citations.py REPOSITORY      checks sources and pages; one line for each citation that leads nowhere
    citations.py --self-test     proves that they are found

- "theory 4", "theory 2.1" anywhere, and "§ 4.3" in docs/theory: a heading of docs/theory has that number, exactly one.
- An equation (15), (6)-(7), (16), (21) in a comment or on a page: one of the theory's own, or of a paper that is named in
  the file, in a header that the file includes, or in one that includes it. How far a paper's equations go stands in PAPERS.
- A paper's key "[Lloyd04]" stands in docs/references.md.
- A page "docs/theory/lcp.md" that is named anywhere is there.
- [T: Suite.Name] in docs/theory is a test, [B: name] a bench of the host tool.
- A name in backticks in docs/theory, and in the column "in the code" of docs/glossary.md, occurs in lib.
"""
import pathlib
import re
import sys
import tempfile

# The last equation of each paper, by a word that names it.
PAPERS = {"Lloyd": 59, "Anitescu": 19, "Baraff94": 37, "Baraff's": 37, "Mattikalli": 61}

SOURCES = {".h", ".hpp", ".inl", ".c", ".cc", ".cpp", ".py", ".cmake", ".txt", ".sh"}
FOLDERS = ("lib", "hal", "firmware", "host_tools", "bench", "tests", "examples", "toolchain", "docs")
SKIPPED = ("toolchain/gates/citations.py",)  # its self test cites what does not exist

CONTINUED = re.compile(r"\n[ \t]*(?:///?[!<]?|#|\*)?[ \t]*")
LIST = r"\d{1,2}(?:\.\d{1,2})?(?![\d%])(?:(?:, | and | to |-)\d{1,2}(?:\.\d{1,2})?(?![\d%. ]*[%\d]))*"
SECTION = re.compile(r"\b[Tt]heory(?:\.md)?[,:]?\s+(?:sections?\s+)?(" + LIST + ")")
PAGE = re.compile(r"\bdocs/[\w/]+\.md\b")
SIGN = re.compile(r"§\s?(\d{1,2}(?:\.\d{1,2})?)")
NUMBER = re.compile(r"\d{1,2}(?:\.\d{1,2})?")
HEADING = re.compile(r"^#{1,4} (\d+(?:\.\d+)?)\.? ", re.MULTILINE)
EQUATION = re.compile(r"(?:^|(?<=[\s,\[:;/-]))\((\d{1,2})\)(?:-\((\d{1,2})\))?(?=$|[\s,.:;/\])-])", re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
OWN_EQUATION = re.compile(r"^ {4}.*\((\d{1,2})\)$", re.MULTILINE)
TEST = re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)|TYPED_TEST\(\s*(\w+),\s*(\w+)\)|RC_GTEST_PROP\(\s*(\w+),\s*(\w+)")
MARK = re.compile(r"\b([TB]): ([\w, .-]+?)(?=[\];])")
CODE_SPAN = re.compile(r"`([^`\n]+)`")
PAPER = re.compile(r"\[([A-Z][A-Za-z]+\d{2})\]")
NAME = re.compile(r"[A-Za-z_]\w*(?:::\w+)*$")


class Tree:
    def __init__(self, root):
        self.root = root
        self.files = {}
        for folder in FOLDERS:
            for path in sorted((root / folder).rglob("*")):
                name = path.relative_to(root).as_posix()
                if path.suffix in SOURCES | {".md"} and path.is_file() and name not in SKIPPED:
                    self.files[name] = path.read_text(errors="replace")
        for page in ("README.md",):
            if (root / page).is_file():
                self.files[page] = (root / page).read_text()
        self.theory = {name: text for name, text in self.files.items() if name.startswith("docs/theory/")}
        self.words = set()
        for name, text in self.files.items():
            if name.startswith("lib/") and not name.endswith(".md"):
                self.words.update(re.findall(r"\w+", text))

        self.neighbours = {name: set() for name in self.files}
        for name, text in self.files.items():
            for include in INCLUDE.findall(text):
                for folder in ("", "lib/", "host_tools/", "bench/", "hal/"):
                    if folder + include in self.files:
                        self.neighbours[name].add(folder + include)
                        self.neighbours[folder + include].add(name)

    def around(self, name):
        """The text of a file, of what it includes and of the headers that include it."""
        texts = [self.files[other] for other in sorted(self.neighbours[name]) if not other.endswith((".c", ".cc", ".cpp"))]
        return "\n".join([self.files[name], *texts])


def sections_of(tree, faults):
    found = {}
    for name, text in tree.theory.items():
        for number in HEADING.findall(text):
            if number in found:
                faults.append(f"{name}: section {number} stands in {found[number]} too")
            found[number] = name
    return found


def check_sections(tree, faults):
    sections = sections_of(tree, faults)
    for name, text in tree.files.items():
        flat = CONTINUED.sub(" ", text)
        cited = [number for match in SECTION.finditer(flat) for number in NUMBER.findall(match[1])]
        if name in tree.theory or name == "docs/glossary.md":
            cited += SIGN.findall(flat)
        faults += [f"{name}: theory {number} does not exist" for number in cited if number not in sections]


def check_pages(tree, faults):
    for name, text in tree.files.items():
        faults += [f"{name}: no page {page}" for page in sorted(set(PAGE.findall(text))) if not (tree.root / page).exists()]


def check_equations(tree, faults):
    own = {int(n) for text in tree.theory.values() for n in OWN_EQUATION.findall(text)}
    for name, text in tree.files.items():
        if name.endswith(".md"):
            prose = text
        elif pathlib.Path(name).suffix in SOURCES - {".py", ".cmake", ".txt", ".sh"}:
            prose = "\n".join(COMMENT.findall(text))
        else:
            continue
        cited = {int(n) for match in EQUATION.finditer(prose) for n in match.groups() if n}
        if not cited - own:
            continue
        named = tree.around(name)
        last = max((last for paper, last in PAPERS.items() if paper in named), default=0)
        faults += [f"{name}: equation ({n}) is none of the theory, nor of a paper that is named there"
                   for n in sorted(cited - own) if n > last or n == 0]


def check_papers(tree, faults):
    listed = set(PAPER.findall(tree.files.get("docs/references.md", "")))
    for name, text in tree.files.items():
        faults += [f"{name}: docs/references.md has no [{key}]" for key in sorted(set(PAPER.findall(text)) - listed)]


def check_marks(tree, faults):
    tests = set()
    for name, text in tree.files.items():
        if name.startswith("tests/"):
            tests.update(".".join(part for part in match if part) for match in TEST.findall(text))
    benches = "".join(text for name, text in tree.files.items() if name.endswith("bench_registry.cc"))
    for name, text in tree.theory.items():
        for kind, list_of_names in MARK.findall(CONTINUED.sub(" ", text)):
            for cited in (part.strip() for part in list_of_names.split(",")):
                if cited in ("Suite.Name", "name"):  # the legend
                    continue
                exists = cited in tests if kind == "T" else f'"{cited}"' in benches
                if not exists:
                    faults.append(f"{name}: no {'test' if kind == 'T' else 'bench'} {cited}")


def check_name(tree, page, name, faults):
    if "/" in name:
        if not any((tree.root / folder / name).exists() for folder in ("", "docs", "lib/tactus")):
            faults.append(f"{page}: no file {name}")
    elif NAME.match(name) and any(part not in tree.words for part in name.split("::")):
        faults.append(f"{page}: {name} is no name in lib")


def glossary_names(text):
    """The names in the column "in the code" of each table."""
    column = None
    for line in text.splitlines():
        cells = re.split(r"(?<!\\)\|", line)[1:-1]
        if not cells:
            column = None
        elif column is None:
            column = next((i for i, cell in enumerate(cells) if cell.strip() == "in the code"), -1)
        elif 0 <= column < len(cells):
            yield from CODE_SPAN.findall(cells[column])


def check_names(tree, faults):
    for page, text in tree.theory.items():
        if page == "docs/theory/README.md":
            continue  # names of gates and commands
        for name in CODE_SPAN.findall(text):
            if not name.startswith("tactus ") and not name in ("jammed", "reseeds"):
                check_name(tree, page, name, faults)
    glossary = tree.files.get("docs/glossary.md", "")
    names = list(glossary_names(glossary))
    if not names:
        faults.append('docs/glossary.md: no column "in the code"')
    for name in names:
        if not NAME.match(name):
            faults.append(f"docs/glossary.md: `{name}` is not one name")
        check_name(tree, "docs/glossary.md", name, faults)


def faults_of(root):
    tree, faults = Tree(root), []
    for check in (check_sections, check_pages, check_equations, check_papers, check_marks, check_names):
        check(tree, faults)
    return faults


GOOD = {
    "docs/theory/model.md": "# 1. Model\n\n## 1.1 Signs\n\n    a = b        (1)\n\n`Solve` § 1.1 [T: Solver.Solves; B: speed]\n",
    "docs/references.md": "[Lloyd04] Lloyd. [Baraff94] Baraff.\n",
    "docs/glossary.md": "| symbol | in the code |\n|---|---|\n| θ | `theta` |\n",
    "lib/a.h": "// [Lloyd04] (18), theory 1,\n// section 1.1; theory 1.1. f(99) is no equation\nvoid Solve(int theta);\n",
    "lib/b.h": '#include "a.h"\n// (1), (17)-(18)\n',
    "lib/c.h": '#include "c.inl"\n// [Baraff94]\n',
    "lib/c.inl": "// (37)\n",
    "tests/a_test.cc": "TEST(Solver, Solves) {}  // theory 1: 100 % of them\n",
    "host_tools/bench_registry.cc": '{"speed"}',
}
BROKEN = [  # file, what is put at its end, words of the fault
    ("lib/a.h", "// theory 7\n", "theory 7 does not exist"),
    ("lib/a.h", "// docs/theory,\n/// section 1.4\n", "theory 1.4 does not exist"),
    ("lib/a.h", "// docs/theory/model.md is a page, docs/theory.md is not\n", "no page docs/theory.md"),
    ("tests/a_test.cc", "// Tolerance: theory 14.1.\n", "theory 14.1 does not exist"),
    ("docs/theory/model.md", "§ 3\n", "theory 3 does not exist"),
    ("docs/theory/model.md", "## 1.1 Again\n", "section 1.1 stands in"),
    ("lib/b.h", "// (60)\n", "equation (60)"),
    ("lib/b.h", "// (17)-(61)\n", "equation (61)"),
    ("lib/c.inl", "// (38)\n", "equation (38)"),
    ("tests/a_test.cc", "// (2)\n", "equation (2)"),
    ("lib/a.h", "// [Nobody99]\n", "has no [Nobody99]"),
    ("docs/theory/model.md", "[T: Solver.Fails]\n", "no test Solver.Fails"),
    ("docs/theory/model.md", "[T: Solver.Solves,\n  Solver.Loops]\n", "no test Solver.Loops"),
    ("docs/theory/model.md", "[B: looks]\n", "no bench looks"),
    ("docs/theory/model.md", "`Sovle`\n", "Sovle is no name in lib"),
    ("docs/theory/model.md", "`solve/none.h`\n", "no file solve/none.h"),
    ("docs/glossary.md", "| φ | `phi` |\n", "phi is no name in lib"),
    ("docs/glossary.md", "| φ | `theta` or `phi` |\n", "phi is no name in lib"),
]


def faults_with(file=None, more=""):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in GOOD.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text + (more if name == file else ""))
        return faults_of(root)


def self_test():
    failed = [f"the good tree: {fault}" for fault in faults_with()]
    for file, more, words in BROKEN:
        faults = faults_with(file, more)
        if len(faults) != 1 or words not in faults[0]:
            failed.append(f"{file} with {more!r}: {faults}, not one with '{words}'")
    print("\n".join(failed) or f"{len(BROKEN)} broken citations found")
    return 1 if failed else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    faults = faults_of(pathlib.Path(sys.argv[1]))
    print("\n".join(faults) or "every citation leads somewhere")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
