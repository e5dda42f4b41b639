"""An image of a board: what of its ELF file is written to flash, the header in it (hal/cortex_m/image_header.h), the memory of the
part that it was linked for (memory.ld). Layout of ELF: System V ABI, edition 4.1, chapters 4 and 5."""
import contextlib
import pathlib
import re
import struct
import sys
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "gates"))
import elf_image  # noqa: E402

MAGIC = b"TACTUS01"
HEADER = struct.Struct("<8s24s40s4I")  # magic, board, version, load address, size, CRC, emulated
CRC_AT = 8 + 24 + 40 + 8               # [B] in the header
LOAD = 1                               # p_type
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20}


class ImageFault(Exception):
    """A sentence for who flashes."""


@contextlib.contextmanager
def refusing_damage(file):
    """Offsets and sizes that lead out of the file, names that are none: a sentence, whatever they break."""
    try:
        yield
    except (struct.error, IndexError, ValueError, OverflowError) as fault:
        raise ImageFault(f"{file} is damaged: {fault}. Build it again") from fault


def text(field):
    return field.split(b"\0", 1)[0].decode("ascii", "replace")


class Header:
    def __init__(self, raw):
        magic, board, version, self.load_address, self.size, self.crc32, self.emulated = HEADER.unpack(raw)
        if magic != MAGIC:
            raise ImageFault("this is no image of Tactus: its header is not there")
        self.board, self.version = text(board), text(version)


def segments(data):
    """(physical address, offset in the file, size) of what is loaded and has bytes, by address."""
    offset, = struct.unpack_from("<I", data, 28)
    size, count = struct.unpack_from("<HH", data, 42)
    entries = [struct.unpack_from("<8I", data, offset + size * i) for i in range(count)]
    return sorted((entry[3], entry[1], entry[4]) for entry in entries if entry[0] == LOAD and entry[4] > 0)


def flat(data):
    """(load address, bytes) of what is written to flash; gaps are 0xFF."""
    loaded = segments(data)
    begin, end = loaded[0][0], max(at + size for at, _, size in loaded)
    if end - begin > 1 << 26:
        raise ImageFault("the image is not in one memory")
    binary = bytearray(b"\xff" * (end - begin))
    for at, offset, size in loaded:
        binary[at - begin:at - begin + size] = data[offset:offset + size]
    return begin, binary


def crc_of(binary, header_at):
    blank = bytearray(binary)
    blank[header_at + CRC_AT:header_at + CRC_AT + 4] = bytes(4)
    return zlib.crc32(blank)


def read(file):
    """(header, load address, bytes) of a stamped ELF or binary file. @raises ImageFault: it is none, or not whole."""
    data = pathlib.Path(file).read_bytes()
    with refusing_damage(file):
        begin, binary = flat(data) if data[:4] == b"\x7fELF" else (None, bytearray(data))
    at = binary.find(MAGIC)
    if at < 0 or at + HEADER.size > len(binary):
        raise ImageFault(f"{file} is no image of Tactus: its header is not there")
    header = Header(bytes(binary[at:at + HEADER.size]))
    if begin is not None and begin != header.load_address:
        raise ImageFault(f"{file} says that it loads at 0x{header.load_address:08x}, and loads at 0x{begin:08x}")
    if header.size != len(binary) or header.crc32 != crc_of(binary, at):
        raise ImageFault(f"{file} is not whole: its size or its checksum is not what its header says. Build it again")
    return header, header.load_address, bytes(binary)


def number(text):
    """What a linker script's sum of numbers is: 0x20000, 96K + 32K. @raises ValueError: another expression."""
    total = 0
    for term in text.split("+"):
        parts = re.fullmatch(r"\s*(0[xX][0-9a-fA-F]+|[0-9]+)([KM]?)\s*", term)
        if not parts:
            raise ValueError(text)
        total += int(parts[1], 0) * UNITS[parts[2]]
    return total


def memories(memory_ld):
    """{name: (origin, length)} of a linker script's MEMORY. @raises ImageFault: a line of it that this does not read."""
    script = re.sub(r"/\*.*?\*/", "", pathlib.Path(memory_ld).read_text(encoding="utf-8"), flags=re.DOTALL)
    block = re.search(r"\bMEMORY\s*\{(.*?)\}", script, re.DOTALL)
    line = re.compile(r"(\w+)\s*(?:\([^)]*\))?\s*:\s*(?:ORIGIN|org|o)\s*=\s*([^,]+),\s*(?:LENGTH|len|l)\s*=\s*(.+)")
    found = {}
    for text in filter(None, map(str.strip, block[1].splitlines() if block else [])):
        parts = line.fullmatch(text)
        try:
            found[parts[1]] = (number(parts[2]), number(parts[3]))
        except (TypeError, ValueError):
            raise ImageFault(f"{memory_ld}: '{text}' is not read here: write NAME (rwx) : ORIGIN = 0x20000000, LENGTH = 128K") from None
    for name in ("CODE", "DATA"):
        if name not in found or found[name][1] == 0:
            raise ImageFault(f"{memory_ld}: there is no {name} in its MEMORY")
    return found


def uses(file, memory):
    """{name: [(section, begin, bytes)]}: what of each memory the sections of an ELF file take; what flash holds for RAM too."""
    with refusing_damage(file):
        image = elf_image.ElfImage(file)
    taken = {name: [] for name in memory}
    place = lambda at: next((name for name, (origin, length) in memory.items() if origin <= at < origin + length), None)
    for index, section in enumerate(image.sections):
        _, kind, flags, begin, _, size, *_ = section
        if flags & elf_image.ALLOCATED and size > 0 and place(begin):
            taken[place(begin)].append((image.section_name[index], begin, size))
    for at, offset, size in segments(image.data):
        name = place(at)
        if name and not any(begin <= at < begin + length for _, begin, length in taken[name]):
            taken[name].append(("for RAM", at, size))
    return taken
