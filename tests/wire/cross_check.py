#!/usr/bin/env python3
"""Frames by the functions that docs/wire.md prints against frames by the library, both ways: cross_check.py PIPE DOCUMENT"""
import random
import re
import struct
import subprocess
import sys
import zlib

SIZES = {1: 8, 2: 408, 3: 4, 4: 36, 5: 8, 6: 136, 129: 136, 130: 24, 131: 44, 132: 384, 133: 16, 134: 24, 135: 408, 136: 408,
         7: 36, 137: 156, 138: 64, 224: 8}


def random_frames(rng, count):
    for _ in range(count):
        kind = rng.choice(list(SIZES))
        zeros = rng.choice([0.0, 0.01, 0.5, 1.0])
        payload = bytes(0 if rng.random() < zeros else rng.randrange(1, 256) for _ in range(SIZES[kind]))
        yield kind, rng.randrange(65536), payload


def main(pipe, document):
    with open(document, encoding="utf-8") as file:
        code = re.search(r"```python\n(def stuff.*?)```", file.read(), re.S).group(1)
    page = {"struct": struct, "zlib": zlib}
    exec(code, page)

    frames = list(random_frames(random.Random(3), 2000))
    ours = b"".join(page["frame"](*frame) for frame in frames)
    lines = "".join(f"{kind} {sequence} {payload.hex()}\n" for kind, sequence, payload in frames)

    theirs = subprocess.run([pipe, "encode"], input=lines.encode(), stdout=subprocess.PIPE, check=True).stdout
    assert theirs == ours, "the library encodes otherwise than the document"

    decoded = subprocess.run([pipe, "decode"], input=ours, stdout=subprocess.PIPE, check=True).stdout.decode()
    assert decoded == lines + "bad 0\n", "the library decodes the document's frames to something else"

    for (kind, sequence, payload), piece in zip(frames, theirs.split(b"\0")):
        raw = page["unstuff"](piece)
        assert raw[:-4] == struct.pack("<BBH", kind, 0, sequence) + payload
        assert struct.unpack("<I", raw[-4:])[0] == zlib.crc32(raw[:-4])
    print(f"{len(frames)} frames are equal, {len(ours)} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
