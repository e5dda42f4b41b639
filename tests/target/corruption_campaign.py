#!/usr/bin/env python3
"""Corrupts the board's RAM under force, has it fault, and looks whether force is off afterwards: once for each seed.

    corruption_campaign.py --board NAME --schema tactus.fbs [--corruptions N] [--seed N] [--verbose] -- EMULATOR... campaign.elf

The emulated board does it to itself (campaign_main.cc), half of the seeds with the UART as its link, half with FIFOs. Off
means, seen from outside: after the last Command with a force there are a whole Command of zero force and the Fault kExternal,
kControllerFault, no Command with a force behind them, and the drive-enable line was cleared. Prints one JSON object; exit code
1 if a seed failed. Frames and offsets come from the schema and docs/wire.md, not from the code that is tested.
"""
import argparse
import json
import os
import pathlib
import re
import select
import struct
import subprocess
import sys
import tempfile
import zlib

SEEDS_A_RUN = 50  # a start opens two FIFOs that the emulator never closes; and a loaded machine is slow
LEAST_FORCE_N = 0.1
SIZES = {"ubyte": "B", "ushort": "H", "short": "h", "uint": "I", "ulong": "Q", "int": "i", "long": "q", "float": "f", "double": "d"}


class Schema:
    """Enumerations and structs of tactus.fbs: values, and offset and struct code of each field."""

    def __init__(self, path):
        text = re.sub(r"//.*", "", pathlib.Path(path).read_text(encoding="utf-8"))
        self.enums, self.structs, code = {}, {}, dict(SIZES)
        for name, base, body in re.findall(r"enum (\w+)\s*:\s*(\w+)[^{]*\{([^}]*)\}", text):
            code[name] = SIZES[base]
            self.enums[name] = {key: int(value) for key, value in re.findall(r"(\w+)\s*=\s*(\d+)", body)}
        for name, body in re.findall(r"struct (\w+)[^{]*\{([^}]*)\}", text):
            offset, fields = 0, {}
            for field, array, count, scalar in re.findall(r"(\w+)\s*:\s*(?:\[(\w+):(\d+)\]|(\w+))\s*;", body):
                if scalar in self.structs:  # a message within a message
                    continue
                layout = "<" + (f"{count}{code[array]}" if array else code[scalar])
                fields[field] = (offset, layout)
                offset += struct.calcsize(layout)
            self.structs[name] = fields

    def read(self, message, field, payload):
        offset, layout = self.structs[message][field]
        values = struct.unpack_from(layout, payload, offset)
        return values if len(values) > 1 else values[0]


def unstuff(block):
    """COBS [COBS99], without the closing zero; None: torn."""
    data, at = bytearray(), 0
    while at < len(block):
        code = block[at]
        if code == 0 or at + code > len(block):
            return None
        data += block[at + 1 : at + code]
        at += code
        if code < 255 and at < len(block):
            data.append(0)
    return bytes(data)


def frames_in(stream):
    """(type, payload) of every whole frame."""
    for block in stream.split(b"\0"):
        data = unstuff(block)
        if data is None or len(data) < 8 or data[1] != 0:
            continue
        if zlib.crc32(data[:-4]) == struct.unpack("<I", data[-4:])[0]:
            yield data[0], data[4:-4]


class Host:
    """What a host makes of the frames of one seed."""

    def __init__(self, schema):
        self.schema = schema
        self.types = schema.enums["MessageType"]

    def starts(self, stream):
        """The frames of each start of the board: it begins with the first Hello after last words. (A corrupted script may say
        hello again.)"""
        starts, ended = [], True
        for kind, payload in frames_in(stream):
            if kind == self.types["kHello"] and ended:
                starts.append([])
                ended = False
            ended = ended or kind == self.types["kFault"] and self.is_last_word(payload)
            if starts:
                starts[-1].append((kind, payload))
        return starts

    def force_N(self, payload):
        return max(map(abs, self.schema.read("Command", "force_N", payload)))

    def is_zero(self, payload):
        wrench = self.schema.read("Command", "force_N", payload) + self.schema.read("Command", "torque_Nm", payload)
        return all(component == 0 for component in wrench)

    def is_last_word(self, payload):
        return (self.schema.read("Fault", "code", payload) == self.schema.enums["FaultCode"]["kExternal"]
                and self.schema.read("Fault", "external", payload) == self.schema.enums["ExternalCause"]["kControllerFault"])

    def complaint(self, frames):
        """Why the outputs of a start are not off; None: they are."""
        relevant = [(kind, payload) for kind, payload in frames if kind in (self.types["kCommand"], self.types["kFault"])]
        commands = [payload for kind, payload in relevant if kind == self.types["kCommand"]]
        if not any(self.force_N(payload) > LEAST_FORCE_N for payload in commands):
            return "there was no force to take away"
        for at in range(1, len(relevant)):
            (kind, payload), (kind_before, before) = relevant[at], relevant[at - 1]
            if kind != self.types["kFault"] or not self.is_last_word(payload):
                continue
            if kind_before != self.types["kCommand"] or not self.is_zero(before):
                return "no zero Command before the Fault"
            later = [late for late_kind, late in relevant[at:] if late_kind == self.types["kCommand"]]
            return None if all(map(self.is_zero, later)) else "a force after the Fault"
        return "no Fault of the controller"


def drive_lines(trace):
    """For each time that the drive-enable line was switched on, whether it was switched off afterwards."""
    times = []
    for data in re.findall(r"mps2_fpgaio_write .*offset 0x0 data 0x(\w+)", trace):
        if int(data, 16) & 1 == 0:
            times[-1:] = [True] if times else []
        elif not times or times[-1]:  # a program that runs wild may switch on twice
            times.append(False)
    return times


def run_board(command, folder, by_fifo, first, count):
    """@returns (the bytes that left the board, the FPGA's trace, causes of the faults)."""
    uart, trace = folder / "uart", folder / "trace"
    uart.write_bytes(b"")
    trace.write_bytes(b"")
    serial = "none" if by_fifo else f"file:{uart}"
    at = command.index("-serial")
    command = command[: at + 1] + [serial] + command[at + 2 :]
    link = f"fifo:{folder}" if by_fifo else "uart"
    command += ["-append", f"link={link} seed={first} count={count} after_fault=reset"]
    at = command.index("-kernel")
    command[at:at] = ["-trace", "mps2_fpgaio_write", "-D", str(trace)]
    ends = []
    if by_fifo:
        for name in ("h2g", "g2h"):
            if not (folder / name).exists():
                os.mkfifo(folder / name)
            ends.append(os.open(folder / name, os.O_RDWR | os.O_NONBLOCK))
    stream = bytearray()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as board:
        said, open_ends = bytearray(), [board.stdout.fileno()] + ends[1:]
        while True:
            ready, _, _ = select.select(open_ends, [], [], 90)
            for end in ready:
                data = os.read(end, 1 << 16)
                (stream if end in ends else said).extend(data)
                if end not in ends and not data:
                    open_ends.remove(end)
            if len(open_ends) == len(ends[1:]) and not (set(ready) & set(ends)) or not ready:
                break
        board.wait()
    for end in ends:
        os.close(end)
    if not by_fifo:
        stream = uart.read_bytes()
    text = said.decode(errors="replace")
    causes = [int(value, 16) for value in re.findall(r"cause=(\w{16})", text)]
    if board.returncode != 0:
        print(f"seed {first + len(causes)}: the emulator ended with {board.returncode}: {text[-300:]}", file=sys.stderr)
    return bytes(stream), trace.read_text(encoding="utf-8", errors="replace"), causes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--board", required=True)
    parser.add_argument("--schema", required=True)
    parser.add_argument("--corruptions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1, help="the first one; each corruption has the next")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    host = Host(Schema(options.schema))
    raised, off, first_failure, histogram = 0, 0, None, {}
    with tempfile.TemporaryDirectory() as name:
        seed, end, by_fifo = options.seed, options.seed + options.corruptions, False
        most = min(SEEDS_A_RUN, (options.corruptions + 1) // 2)
        while seed < end:
            count = min(end - seed, most)
            stream, trace, causes = run_board(options.command, pathlib.Path(name), by_fifo, seed, count)
            starts, lines = host.starts(stream), drive_lines(trace)
            done = len(causes) if len(causes) == count else len(causes) + 1
            for i in range(done):
                why = "the board did not start" if i >= len(starts) else host.complaint(starts[i])
                why = why or (None if i < len(lines) and lines[i] else "the drive-enable line is on")
                cause = causes[i] if i < len(causes) else 0
                histogram[cause] = histogram.get(cause, 0) + 1
                raised += cause != 0
                off += why is None
                if why is not None:
                    first_failure = seed + i if first_failure is None else first_failure
                    print(f"seed {seed + i}: {why}", file=sys.stderr)
            seed, by_fifo = seed + done, not by_fifo
    if options.verbose:
        print("causes:", dict(sorted(histogram.items())), file=sys.stderr)
    print(json.dumps({"board": options.board, "corruptions": options.corruptions, "faults_raised": raised,
                      "outputs_off": off, "first_failure_seed": first_failure}))
    return 0 if off == raised == options.corruptions else 1


if __name__ == "__main__":
    sys.exit(main())
