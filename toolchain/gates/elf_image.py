"""An ELF file of an Armv7-M target as the gates need it: symbols, words, the calls that its instructions make, and the
functions whose address it stores. Layouts: System V ABI, edition 4.1, chapter 4; relocations: Arm AAELF32, 5.6.1."""
import collections
import pathlib
import re
import struct
import subprocess
import sys

FUNCTION = 2  # st_info: STT_FUNC
NO_BITS, REL, SYMBOL_TABLE = 8, 9, 2  # sh_type
ALLOCATED = 2  # sh_flags: part of the memory of the program
STORES_AN_ADDRESS = {2, 38, 47, 48}  # R_ARM_ABS32, R_ARM_TARGET1, R_ARM_THM_MOVW_ABS_NC, R_ARM_THM_MOVT_ABS

Symbol = collections.namedtuple("Symbol", "name value size kind section")


class ElfImage:
    def __init__(self, file):
        self.file = str(file)
        self.data = pathlib.Path(file).read_bytes()
        if self.data[:6] != b"\x7fELF\x01\x01":
            raise ValueError(f"{file} is no ELF file of a 32-bit little-endian target")
        offset, = struct.unpack_from("<I", self.data, 32)
        size, count, names = struct.unpack_from("<HHH", self.data, 46)
        self.sections = [struct.unpack_from("<10I", self.data, offset + size * i) for i in range(count)]
        self.section_name = [self._text(names, section[0]) for section in self.sections]
        tables = [section for section in self.sections if section[1] == SYMBOL_TABLE]
        self.symbols = [symbol for table in tables for symbol in self._symbols(table)]
        self.value = {symbol.name: symbol.value for symbol in self.symbols if symbol.name}
        self.names_at = {}  # address of a function -> all its names; the compiler folds functions of the same code into one
        self.end_of = {}    # address of a function -> where it ends; the same address: the file does not say
        for symbol in self.symbols:
            if symbol.kind == FUNCTION and symbol.section != 0:
                begin = symbol.value & ~1
                self.names_at.setdefault(begin, set()).add(symbol.name)
                self.end_of[begin] = max(begin + symbol.size, self.end_of.get(begin, 0))
        self.same_code = {name: min(names) for names in self.names_at.values() for name in names}

    def _text(self, table, offset):
        begin = self.sections[table][4] + offset
        return self.data[begin:self.data.index(b"\0", begin)].decode()

    def _symbols(self, section):
        for at in range(section[4], section[4] + section[5], 16):
            name, value, size, info, _, index = struct.unpack_from("<IIIBBH", self.data, at)
            yield Symbol(self._text(section[6], name), value, size, info & 15, index)

    def function_at(self, address):
        """The name of the function that begins at `address`; None: none does."""
        return min(self.names_at.get(address & ~1, ()), default=None)

    def words_of(self, pattern):
        """The words of the one object whose name matches `pattern`."""
        found = {(symbol.value, symbol.size) for symbol in self.symbols
                 if symbol.section != 0 and re.search(pattern, symbol.name)}
        if len(found) != 1:
            raise ValueError(f"{len(found)} objects match {pattern}, there should be one")
        (begin, size), = found
        return [self.word(begin + at) for at in range(0, size, 4)]

    def word(self, address):
        for _, kind, flags, begin, offset, size, *_ in self.sections:
            if flags & ALLOCATED and kind != NO_BITS and begin <= address and address + 4 <= begin + size:
                return struct.unpack_from("<I", self.data, offset + address - begin)[0]
        raise ValueError(f"nothing is stored at 0x{address:08x}")

    def stored_functions(self):
        """(section, function) for each function whose address the relocations of this object store."""
        found = set()
        for section in self.sections:
            target = section[7]
            if section[1] != REL or not self.sections[target][2] & ALLOCATED:
                continue
            for at in range(section[4], section[4] + section[5], 8):
                _, info = struct.unpack_from("<II", self.data, at)
                symbol = self.symbols[info >> 8]
                if info & 0xFF in STORES_AN_ADDRESS and (symbol.kind == FUNCTION or symbol.section == 0):
                    found.add((self.section_name[target], symbol.name))
        return found


LABEL = re.compile(r"^([0-9a-f]+) <(.+)>:$")
INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\t(\S+)\s*([^;@]*)")
BRANCH = re.compile(r"^(bl|b|b(eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)|cbz|cbnz)(\.[nw])?$")
TARGET = re.compile(r"([0-9a-f]+) <")


class Code:
    """Of each function of an image: what it calls, whether it calls through a pointer, what all its instructions together push
    on the stack, and what the largest of them does."""

    def __init__(self, image, objdump):
        self.calls, self.through_pointer, self.pushed_B, self.largest_B = {}, set(), {}, {}
        command = [objdump, "--disassemble", "--no-show-raw-insn", image.file]
        name, end = None, 0
        for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
            if label := LABEL.match(line):
                begin = int(label[1], 16)
                if image.function_at(begin):
                    name = image.function_at(begin)
                    end = image.end_of[begin] if image.end_of[begin] > begin else sys.maxsize
                    self.pushed_B.setdefault(name, 0)
                    self.largest_B.setdefault(name, 0)
            elif (instruction := INSTRUCTION.match(line)) and name and int(instruction[1], 16) < end:
                self._read(image, name, instruction[2], instruction[3].strip())

    def _read(self, image, name, mnemonic, operands):
        if BRANCH.match(mnemonic) and (target := TARGET.search(operands)):
            address = int(target[1], 16)
            callee = image.function_at(address) or (None if self._is_inside(image, address) else f"code at 0x{address:x}")
            if callee not in (None, name) or (callee == name and mnemonic == "bl"):
                self.calls.setdefault(name, set()).add(callee)
        elif mnemonic == "blx" or (mnemonic == "bx" and operands != "lr") or (mnemonic == "mov" and operands.startswith("pc,")):
            self.through_pointer.add(name)
        size_B = pushed_B(mnemonic, operands)
        self.pushed_B[name] += size_B
        self.largest_B[name] = max(size_B, self.largest_B[name])

    def _is_inside(self, image, address):
        """Whether `address` lies in a function, behind its first instruction."""
        return any(begin < address < end for begin, end in image.end_of.items())


def pushed_B(mnemonic, operands):
    """Bytes by which an instruction moves the stack pointer down."""
    if mnemonic.startswith(("push", "vpush")) or (mnemonic.startswith(("stmdb", "vstmdb")) and operands.startswith("sp!")):
        return sum(registers_B(entry.strip()) for entry in operands[operands.index("{") + 1:operands.index("}")].split(","))
    if mnemonic.startswith("sub") and (match := re.match(r"sp, (?:sp, )?#(\d+)$", operands)):
        return int(match[1])
    if mnemonic.startswith("str") and (match := re.search(r"\[sp, #-(\d+)\]!", operands)):
        return int(match[1])
    return 0


def registers_B(entry):
    """Bytes of one entry of a register list, such as r4, d8 or s16-s19."""
    first, _, last = entry.partition("-")
    number = lambda register: {"sl": 10, "fp": 11, "ip": 12}.get(register) or int(register[1:])
    count = number(last) - number(first) + 1 if last else 1
    return count * (8 if first.startswith("d") else 4)
