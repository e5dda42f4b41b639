#!/usr/bin/env python3
"""The I/O firmware on the emulated board, over its UART: io_firmware.py SCHEMA PROTOCOL_VERSION MACHINE IMAGE simulated|bridges

simulated: the simulated device behind the board's application. The host commands current, one command for each IoState, so that the
board's own time makes the pace and a slow machine does not fail the run. Looked at is what docs/io_firmware.md promises, in board time:
a session, current only behind kOff and kOn, a bad CRC and a replayed sequence refused, zero before 3 ms when the host falls silent, the
fault's name, its end by kClearFault, disarm. One statement holds for every IoState of the run: output_mA > 0 only with a command younger
than 3 ms and in kArmed or kFading.

bridges: the board's own drivers, on a machine without PWM, ADC and encoder inputs: what is not there is told, and nothing goes on.
"""
import fcntl
import os
import pathlib
import re
import select
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import time
import zlib

import corruption_campaign

PATIENCE_S = 60  # of real time, for a loaded machine
TIMEOUT_US, NO_AGE = 3000, 65535
CURRENT_A = 0.5


def stuff(data):
    """COBS [COBS99], with the closing zero."""
    out = bytearray()
    for block in bytes(data).split(b"\0"):
        while len(block) >= 254:
            out += b"\xff" + block[:254]
            block = block[254:]
        out += bytes([len(block) + 1]) + block
    return bytes(out) + b"\0"


class Host:
    """The host's end of the line."""

    def __init__(self, schema, version, line):
        self.schema, self.version, self.line = schema, version, line
        self.types, self.rest, self.frames, self.commands, self.session = schema.enums["MessageType"], b"", 0, 0, 0
        self.states, self.hello = [], None

    def value(self, enum, name):
        return self.schema.enums[enum][name]

    def name(self, enum, value):
        return next(key for key, number in self.schema.enums[enum].items() if number == value)

    def message(self, name, size, **fields):
        payload = bytearray(size)
        for field, value in fields.items():
            offset, layout = self.schema.structs[name][field]
            struct.pack_into(layout, payload, offset, *(value if isinstance(value, list) else [value]))
        return self.frame(name, payload)

    def frame(self, name, payload):
        self.frames = (self.frames + 1) & 0xFFFF
        data = struct.pack("<BBH", self.types["k" + name], 0, self.frames) + payload
        return stuff(data + struct.pack("<I", zlib.crc32(data)))

    def command(self, outputs, current_A=0.0, sequence=None):
        if sequence is None:
            self.commands += 1
            sequence = self.commands
        return self.message("IoCommand", 36, session=self.session, sequence=sequence, current_A=[current_A] * 6,
                            outputs=self.value("IoOutputs", outputs))

    def control(self, action):
        self.line.sendall(self.message("Control", 4, action=self.value("Action", action)))

    def next_state(self):
        """The next IoState, as a dictionary; a hello on the way is kept."""
        count, deadline = len(self.states), time.monotonic() + PATIENCE_S
        while len(self.states) == count:
            if time.monotonic() > deadline:
                raise SystemExit("the board is silent")
            block = self.next_block()
            for kind, payload in corruption_campaign.frames_in(block):
                if kind == self.types["kIoState"]:
                    self.states.append(self.look_at(self.fields("IoState", payload)))
                elif kind == self.types["kIoHello"]:
                    self.hello = self.fields("IoHello", payload)
                    self.session, self.commands = self.hello["session"], 0
        return self.states[-1]

    def next_block(self):
        while b"\0" not in self.rest:
            more = self.line.recv(4096)
            if not more:
                raise SystemExit("the board has hung up")
            self.rest += more
        block, self.rest = self.rest.split(b"\0", 1)
        return block + b"\0"

    def fields(self, message, payload):
        return {field: self.schema.read(message, field, payload) for field in self.schema.structs[message]}

    def look_at(self, state):
        """What holds in every state of every run."""
        for field, enum in (("state", "State"), ("fault", "IoFault"), ("answer", "IoAnswer")):
            state[field] = self.name(enum, state[field])
        if state["output_mA"] > 0:
            expect(state["state"] in ("kArmed", "kFading"), f"current in {state}")
            expect(state["command_age_us"] < TIMEOUT_US, f"current of an old command: {state}")
        return state

    def say_hello(self):
        """Asked again until it is answered: the emulated USART drops what comes before it is set up."""
        for nonce in range(1, 10 * PATIENCE_S):
            self.line.sendall(b"\0" + self.message("HelloRequest", 8, protocol_version=self.version, nonce=nonce))
            if select.select([self.line], [], [], 0.1)[0]:
                break
        while self.hello is None or self.hello["nonce"] != nonce:
            self.next_state()
        expect(self.hello["compatible"] == 1, "another protocol version")

    def keeps_pace(self):
        """All states that have come were looked at, and the board has taken all that was sent."""
        unread = struct.unpack("i", fcntl.ioctl(self.line, termios.TIOCOUTQ, bytes(4)))[0]
        return unread == 0 and b"\0" not in self.rest and not select.select([self.line], [], [], 0)[0]

    def until(self, wanted, bytes_of=None, most=1000):
        """Answers each state with bytes_of(), until one is as wanted; on a machine without time only the newest, when the last answer has
        been taken. Else there would be more of both, until both ends' buffers are full and wait for each other."""
        answered = not bytes_of
        for _ in range(most):
            if bytes_of and self.keeps_pace():
                self.line.sendall(bytes_of())
                answered = True
            state = self.next_state()
            if answered and wanted(state):
                return state
        raise SystemExit(f"never as wanted; last: {self.states[-1]}")

    def drive(self):
        """kOff in kIdle, then kOn until the current is there. A machine without time for us gets the board's time-out: then again."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            if self.states and self.states[-1]["state"] == "kFaulted":
                self.control("kClearFault")
            self.until(lambda s: s["state"] == "kIdle", lambda: self.command("kOff"))
            full = lambda s: s["output_mA"] == round(1000 * CURRENT_A)
            state = self.until(lambda s: full(s) or s["state"] == "kFaulted", lambda: self.command("kOn", CURRENT_A))
            if full(state):
                return
            expect(state["fault"] == "kCommandTimeout", f"{state}")
        raise SystemExit("this machine never gives the loop 3 ms in time")


def expect(good, what):
    if not good:
        raise SystemExit(what)


def refuses_bad_frames(host):
    host.until(lambda s: s["state"] == "kIdle", lambda: host.command("kOff"))
    before = host.states[-1]
    torn = bytearray(host.command("kOn", CURRENT_A))
    torn[-3] ^= 0x10 if torn[-3] != 0x10 else 0x20  # in the CRC, and no zero
    host.line.sendall(bytes(torn))
    state = host.until(lambda s: s["answer"] == "kWrongChecksum")
    expect(state["bad_frames"] == before["bad_frames"] + 1 and state["output_mA"] == 0, f"{state}")
    host.line.sendall(host.command("kOff", sequence=host.commands - 1))  # replayed
    state = host.until(lambda s: s["answer"] == "kNotNewer")
    expect(state["refused_frames"] == before["refused_frames"] + 1, f"{state}")
    print(f"refused: a wrong CRC ({state['bad_frames']}), a replayed command ({state['refused_frames']})")


def falls_silent(host):
    host.drive()
    last_on = None
    state = host.states[-1]
    while state["state"] != "kFaulted":
        last_on = state if state["output_mA"] > 0 else last_on
        state = host.next_state()
    off = next(s for s in host.states[host.states.index(last_on) + 1:] if s["output_mA"] == 0)
    taken_us = last_on["time_us"] - last_on["command_age_us"]
    zero_us = (off["time_us"] - taken_us) & 0xFFFFFFFF
    expect(state["fault"] == "kCommandTimeout", f"{state}")
    expect(off["command_sequence"] == last_on["command_sequence"], "another command came in between")
    expect(zero_us <= TIMEOUT_US, f"zero only {zero_us} us after the last command")
    print(f"silence: zero {zero_us} us of board time after the last command, {state['fault']}")
    host.line.sendall(host.command("kOn", CURRENT_A))
    state = host.until(lambda s: s["answer"] == "kWrongState")
    expect(state["state"] == "kFaulted" and state["output_mA"] == 0, f"{state}")


def replays_while_armed(host):
    """A replayed command keeps nothing alive."""
    host.drive()
    again = host.command("kOn", CURRENT_A)
    host.line.sendall(again)
    state = host.until(lambda s: s["state"] == "kFaulted", lambda: again)
    expect(state["fault"] == "kCommandTimeout", f"{state}")
    print("replayed while armed: time-out all the same")


def disarms(host):
    for _ in range(20):  # as in drive(): on a machine without time the board's time-out comes before the order
        host.drive()
        host.control("kDisarm")
        state = host.until(lambda s: s["state"] == "kIdle" or s["state"] == "kFaulted")
        if state["fault"] != "kCommandTimeout":
            break
    expect(state["state"] == "kIdle" and state["fault"] == "kNone" and state["output_mA"] == 0, f"{state}")
    print("disarmed: faded, idle, no fault")


def simulated(host):
    expect(host.hello["motors"] == 6 and host.hello["command_timeout_us"] == TIMEOUT_US, f"{host.hello}")
    refuses_bad_frames(host)
    falls_silent(host)
    replays_while_armed(host)
    disarms(host)
    counts = {state["count"] for state in host.states}
    expect(len(counts) > 1, "the simulated hand never moved")


def bridges(host):
    expect(host.hello["motors"] == 3, f"{host.hello}")
    for _ in range(80):
        host.line.sendall(host.command("kOff"))
        host.next_state()
        host.line.sendall(host.command("kOn", CURRENT_A))
        host.next_state()
    faults = sorted({state["fault"] for state in host.states} - {"kNone"})
    expect(faults != [], "what is not there is not told")
    expect(all(state["output_mA"] == 0 for state in host.states[1:]), "current through a power stage that is not there")
    print(f"the board's own drivers without their hardware: {', '.join(faults)}; never a current")


def main():
    schema, version, machine, image, what = sys.argv[1:]
    version = int(re.search(r"kProtocolVersion = (\d+)", pathlib.Path(version).read_text(encoding="utf-8"))[1])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "uart")
        command = ["qemu-system-arm", "-machine", machine, "-display", "none", "-monitor", "none", "-semihosting-config",
                   "enable=on,target=native", "-icount", "shift=0", "-chardev", f"socket,id=u,path={path},server=on,wait=on",
                   "-serial", "chardev:u", "-kernel", image, "-append", "device=local" if what == "simulated" else "none"]
        board = subprocess.Popen(command)
        try:
            line = socket.socket(socket.AF_UNIX)
            line.settimeout(PATIENCE_S)
            deadline = time.monotonic() + PATIENCE_S
            while line.connect_ex(path) != 0:
                expect(time.monotonic() < deadline, "the emulator does not start")
                time.sleep(0.01)
            host = Host(corruption_campaign.Schema(schema), version, line)
            host.say_hello()
            {"simulated": simulated, "bridges": bridges}[what](host)
            print(f"{len(host.states)} states")
        finally:
            board.kill()
            board.wait()


if __name__ == "__main__":
    main()
