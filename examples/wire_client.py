#!/usr/bin/env python3
"""Presses a peg on a plate through a Tactus controller, and prints the force that the hand would feel.

    wire_client.py unix:PATH | tcp:HOST:PORT | /dev/ttyACM0

Python's standard library only, written from docs/wire.md. The handle goes down beside the hole, rests, and comes up again; each
sample is one tick (pacing kSample), so the controller may be a real board or an emulated one of any speed.
"""
import os
import socket
import struct
import sys
import zlib

VERSION = 5
HELLO_REQUEST, CONFIG, CONTROL, SAMPLE, ARM = 1, 2, 3, 4, 5
HELLO, ACK, COMMAND, TELEMETRY, FAULT, STOPPED = 129, 130, 131, 132, 133, 134
SIZES = {HELLO: 136, ACK: 24, COMMAND: 44, TELEMETRY: 384, FAULT: 16, STOPPED: 24}  # others are passed over
DISARM, CLEAR_FAULT, RESET, STOP, E_STOP = 2, 3, 4, 5, 6
PACING_BY_SAMPLE = 1

CONFIG_DOUBLES = [  # docs/wire.md, section 4: from tool_mass_kg to direction_offset_rad, in the order of the table
    0.1, 3.25e-5, 3.25e-5, 5e-6, 0.01, 0.06,          # tool: mass, inertia, radius, length
    0, 0, 0, 1, 0, 0, 0,                              # scene: position, orientation
    0.0101, 0.03, 0.0002, 0.25, 0.0005, 0.02,         # hole: radius, depth, rim; friction, margin, push out
    0, 0, 0,                                          # gravity
    1500, 3, 1, 0.005,                                # coupling
    0.25, 3e-4, 4e-5, 1e-3,                           # device: mass, inertia, resolution
    3, 0.0005,                                        # passivity
    0.02, 0.01, 0.35, 2, 40, 0, 0, 0, 0.15,           # guard
    0.25, 3000, 60, 8, 0.2,                           # limits
    0.1]                                              # direction offset
CONFIG_INTEGERS = [8, 0, 2000, 3, 10, 0]              # directions, delay of a command, age, hold, silence, telemetry


class Port:
    """A link: a socket, or a serial line at 921 600 baud."""

    def __init__(self, name):
        self.socket, self.file = None, None
        if name.startswith("unix:"):
            self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self.socket.connect(name[5:])
        elif name.startswith("tcp:"):
            host, port = name[4:].rsplit(":", 1)
            self.socket = socket.create_connection((host, int(port)))
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        else:
            import termios
            import tty
            self.file = os.open(name, os.O_RDWR | os.O_NOCTTY)
            tty.setraw(self.file)
            settings = termios.tcgetattr(self.file)
            settings[4] = settings[5] = termios.B921600
            termios.tcsetattr(self.file, termios.TCSANOW, settings)

    def write(self, data):
        self.socket.sendall(data) if self.socket else os.write(self.file, data)

    def read(self):
        data = self.socket.recv(4096) if self.socket else os.read(self.file, 4096)
        if not data:
            raise SystemExit("the controller has closed the link")
        return data


def stuff(data):
    out, block = bytearray(), bytearray()
    for i, byte in enumerate(data):
        if byte:
            block.append(byte)
        if byte == 0 or (len(block) == 254 and i + 1 < len(data)):
            out += bytes([len(block) + 1]) + block
            block.clear()
    return bytes(out + bytes([len(block) + 1]) + block)


def unstuff(stuffed):
    out, i = bytearray(), 0
    while i < len(stuffed):
        code = stuffed[i]
        if i + code > len(stuffed):
            return b""
        out += stuffed[i + 1:i + code]
        i += code
        if code < 255 and i < len(stuffed):
            out.append(0)
    return bytes(out)


class Controller:
    def __init__(self, port):
        self.port, self.sequence, self.received = port, 0, bytearray()
        port.write(b"\0")  # ends whatever stood on the line before

    def send(self, kind, payload):
        head = struct.pack("<BBH", kind, 0, self.sequence) + payload
        self.port.write(stuff(head + struct.pack("<I", zlib.crc32(head))) + b"\0")
        self.sequence = (self.sequence + 1) & 0xFFFF
        return (self.sequence - 1) & 0xFFFF

    def receive(self):
        """The next good frame: type, payload. Bad ones are passed over."""
        while True:
            end = self.received.find(0)
            if end < 0:
                self.received += self.port.read()
                continue
            raw = unstuff(self.received[:end])
            del self.received[:end + 1]
            if len(raw) < 8 or zlib.crc32(raw[:-4]) != struct.unpack("<I", raw[-4:])[0]:
                continue
            if raw[1] == 0 and SIZES.get(raw[0]) == len(raw) - 8:
                return raw[0], raw[4:-4]

    def wait_for(self, kind):
        while True:
            got, payload = self.receive()
            if got == FAULT:
                raise SystemExit(f"fault: code {payload[4]} at tick {struct.unpack_from('<I', payload)[0]}")
            if got == kind:
                return payload

    def hello(self):
        """@returns whether the controller has a device of its own."""
        self.send(HELLO_REQUEST, struct.pack("<II", VERSION, os.getpid()))
        hello = self.wait_for(HELLO)
        version, nonce, compatible, state, link, bits, directions, contacts = struct.unpack_from("<IIIBBBBH", hello)
        if not compatible:
            raise SystemExit(f"the controller speaks version {version} of the protocol")
        self.nonce = struct.unpack_from("<I", hello, 40)[0]
        board = hello[72:104].rstrip(b"\0").decode()
        print(f"{board}: {bits}-bit numbers, up to {contacts} contacts, {directions} friction directions")
        return hello[52] == 1

    def ask(self, kind, payload):
        sequence = self.send(kind, payload)
        while True:
            tick, of_sequence, of_type, code, state, reserved, field, self.nonce, limit = struct.unpack(
                "<IHBBBBHId", self.wait_for(ACK))
            if (of_sequence, of_type) == (sequence, kind):
                break
        if code != 0:
            raise SystemExit(f"message {kind} refused: code {code}, field at byte {field}, bound {limit}, state {state}")

    def configure(self, config):
        self.ask(CONFIG, config)
        self.config_crc = zlib.crc32(config)

    def arm(self):
        self.ask(ARM, struct.pack("<II", self.nonce, self.config_crc))

    def control(self, action):
        self.ask(CONTROL, bytes([action, 0, 0, 0]))

    def tick(self, sequence, position_m):
        """One sample; the force on the hand."""
        self.send(SAMPLE, struct.pack("<II3f4f", sequence, 0, *position_m, 1, 0, 0, 0))
        while True:
            command = struct.unpack("<IIII3f3fBB2x", self.wait_for(COMMAND))
            if command[0] != 0:  # 0: zeros without a tick
                return command[4:7]


def height(t):
    """The tool's middle over the plate: down at 20 mm/s, 0.5 s of rest 2 mm deep, up again. The peg is 60 mm long."""
    return max(0.035 - 0.02 * min(t, 0.35), 0.028) + 0.02 * max(0.0, t - 0.85)


def main(name):
    controller = Controller(Port(name))
    controller.hello()
    integers = CONFIG_INTEGERS[:-2] + [100, 0]  # a silence of 100 ms: Python is late at times
    controller.configure(struct.pack("<47d6iBB6x", *CONFIG_DOUBLES, *integers, 1, PACING_BY_SAMPLE))
    controller.arm()
    for n in range(1200):
        z = height(n * 0.001)
        force = controller.tick(n, (0.05, 0.0, z))
        if n % 50 == 0:
            print(f"{n:5d} ms   handle {1000 * (z - 0.03):6.2f} mm over the plate   force {force[2]:6.3f} N  {'#' * round(10 * force[2])}")
    controller.control(DISARM)
    controller.control(STOP)
    ticks, missed, good, bad, dropped, faults = struct.unpack("<6I", controller.wait_for(STOPPED))
    print(f"{ticks} ticks, {missed} missed deadlines, {bad} bad frames, {faults} faults")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])
