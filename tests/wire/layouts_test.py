#!/usr/bin/env python3
"""The layouts of the Python clients against the tables of docs/wire.md: layouts_test.py CLIENT STREAMED DOCUMENT

A test of the document holds those tables to the schema, so a field that moves cannot stay behind in a client.
"""
import importlib.util
import re
import struct
import sys

CODES = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q", "i16": "h", "i32": "i", "f32": "f", "f64": "d"}


def load(path):
    spec = importlib.util.spec_from_file_location("module", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Document:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.tables = dict(re.findall(r"<!-- schema: (\w+) -->\n(.*?)<!-- end -->", file.read(), re.S))

    def rows(self, name):
        return [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in self.tables[name].splitlines()[2:]]

    def fields(self, name):
        """(offset, code, count, name) of each field, and the size of the message."""
        found = []
        for offset, kind, field, *_ in self.rows(name)[:-1]:
            code, count = re.fullmatch(r"(\w+?)(?:\[(\d+)\])?(?: \w+)?", kind).groups()
            found.append((int(offset), CODES.get(code, code), int(count or 1), field))
        return found, int(self.rows(name)[-1][0])

    def numbers(self, name):
        return {row[1]: int(row[0]) for row in self.rows(name)}


def check_layout(document, name, layout):
    """Each field in its place, of its type, under its name."""
    codes, offset, found = layout.split(), 0, []
    for code, field in zip(codes[::2], codes[1::2]):
        count = int(code[:-1] or 1)
        found.append((offset, "B" if code[-1] == "s" else code[-1], count, field))
        offset += struct.calcsize("<" + code)
    expected, size = document.fields(name)
    assert found == expected, f"{name}: {[pair for pair in zip(found, expected) if pair[0] != pair[1]]}"
    assert offset == size, f"{name}: {offset} bytes, not {size}"


def check_format(document, name, form, fields=None):
    """A message that is only written: the same types in the same places. Padding in it stands for `reserved` alone."""
    expected, size = document.fields(name)
    expected = [field for field in expected if field[3] != "reserved"][:fields]
    wanted = [(offset + i * struct.calcsize("<" + code), code) for offset, code, count, _ in expected for i in range(count)]
    found, offset = [], 0
    for count, code in re.findall(r"(\d*)([a-zA-Z])", form):
        for _ in range(int(count or 1)):
            if code != "x":
                found.append((offset, code))
            offset += struct.calcsize("<" + code)
    assert found == wanted, f"{name}: {found} and {wanted}"
    assert fields or offset == size, f"{name}: {offset} bytes, not {size}"


def main(client_path, streamed_path, document_path):
    document, client, streamed = Document(document_path), load(client_path), load(streamed_path)
    types = document.numbers("MessageType")
    layouts = {**client.LAYOUTS, **streamed.wire.LAYOUTS}
    assert len(layouts) >= 7
    for kind, (name, layout) in layouts.items():
        assert types["k" + name] == kind, name
        check_layout(document, name, layout)
    check_format(document, "Config", client.CONFIG_FORMAT)
    check_format(document, "Arm", client.ARM_FORMAT)
    check_format(document, "Sample", client.SAMPLE_FORMAT)
    check_format(document, "Subscribe", client.SUBSCRIBE_FORMAT)
    check_format(document, "Workspace", client.WORKSPACE_FORMAT)
    check_format(document, "StreamOpen", streamed.OPEN_FORMAT)
    check_format(document, "StreamedContact", streamed.CONTACT_FORMAT)
    heads = [field[3] for field in document.fields("ContactSet")[0] if field[3] != "reserved"].index("contact_0")
    check_format(document, "ContactSet", streamed.SET_FORMAT, heads)
    assert struct.calcsize(streamed.SET_FORMAT) == next(f[0] for f in document.fields("ContactSet")[0] if f[3] == "contact_0")
    sent = {"HelloRequest": client.HELLO_REQUEST, "Config": client.CONFIG, "Control": client.CONTROL, "Sample": client.SAMPLE,
            "Arm": client.ARM, "Subscribe": client.SUBSCRIBE, "Workspace": client.WORKSPACE,
            "StreamOpen": streamed.STREAM_OPEN, "ContactSet": streamed.CONTACT_SET}
    assert all(types["k" + name] == kind for name, kind in sent.items())
    actions = document.numbers("Action")
    names = {"kDisarm": client.DISARM, "kClearFault": client.CLEAR_FAULT, "kReset": client.RESET, "kStop": client.STOP,
             "kEStop": client.E_STOP, "kPressClutch": client.PRESS_CLUTCH, "kReleaseClutch": client.RELEASE_CLUTCH,
             "kHome": client.HOME}
    assert all(actions[name] == value for name, value in names.items())
    assert document.numbers("DeviceKind")["kLocal"] == client.LOCAL_DEVICE
    assert document.numbers("Pacing") == {"kClock": client.PACING_BY_CLOCK, "kSample": client.PACING_BY_SAMPLE}
    changes = document.numbers("ContactChange")
    assert [f"k{change.capitalize()}" for change in client.CHANGES] == sorted(changes, key=changes.get)
    phases = document.numbers("StreamPhase")
    assert [f"k{phase.capitalize()}" for phase in streamed.PHASES] == sorted(phases, key=phases.get)
    print(f"{len(layouts)} messages are read as docs/wire.md has them")


if __name__ == "__main__":
    main(*sys.argv[1:])
