#!/usr/bin/env python3
"""Fills in the header of an image that has been linked, and writes the bytes for flash beside it: stamp.py IMAGE.elf"""
import pathlib
import struct
import sys

import image

VERSION_SYMBOL = "_ZN6tactus5servo8kBuildIdE"


def version_of(elf):
    begin = elf.value.get(VERSION_SYMBOL)
    if begin is None:
        return b""
    version = b""
    for at in range(0, 36, 4):  # no farther than its zero: it may be the last that is stored
        version += struct.pack("<I", elf.word(begin + at))
        if b"\0" in version:
            break
    return version.split(b"\0", 1)[0]


def stamp(file):
    path = pathlib.Path(file)
    elf = image.elf_image.ElfImage(path)
    data = bytearray(elf.data)
    header_at = elf.value["image_header"]
    begin, binary = image.flat(data)
    in_flash = header_at - begin
    magic, board, _, _, _, _, emulated = image.HEADER.unpack_from(binary, in_flash)
    fields = lambda crc: image.HEADER.pack(magic, board, version_of(elf), begin, len(binary), crc, emulated)
    binary[in_flash:in_flash + image.HEADER.size] = fields(0)
    whole = fields(image.crc_of(binary, in_flash))
    binary[in_flash:in_flash + image.HEADER.size] = whole
    offset, = [offset + header_at - at for at, offset, size in image.segments(data) if at <= header_at < at + size]
    data[offset:offset + image.HEADER.size] = whole
    path.write_bytes(data)
    path.with_suffix(".bin").write_bytes(binary)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    stamp(sys.argv[1])
