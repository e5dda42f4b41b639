#!/usr/bin/env python3
"""Renders a shape that only Python knows, through a Tactus controller: contacts are found here at 60 Hz, felt there at 1 kHz.

    streamed_contacts.py unix:PATH | tcp:HOST:PORT | /dev/ttyACM0   [--shape wall|sphere] [--rate HZ] [--seconds S]

Any function that gives a signed distance and its gradient is a shape: distance(p) -> (metres, unit vector out of it). That is what
`trimesh.proximity.signed_distance` with its nearest face's normal gives (with the sign turned: here outside is positive). Python's
standard library only, written from docs/wire.md.

A controller with a device of its own (tactus serve --device sim) is driven by its own clock, and this program only listens to
Telemetry and sends sets. Where the device is at this end of the link, a handle is moved by a script, one sample a tick.
"""
import argparse
import importlib.util
import math
import os
import struct
import time
import zlib

_spec = importlib.util.spec_from_file_location(
    "wire_client", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "wire_client.py"))
wire = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(wire)

STREAM_OPEN, CONTACT_SET, STREAM_REPORT = 16, 17, 144
wire.LAYOUTS[STREAM_REPORT] = (
    "StreamReport", "I session I tick I sequence I age_ticks I ticks I resolved_ticks I swaps I refused B phase 3s reserved "
    "f lift_m 9f body_velocity_mps f load_N d pushed_J d eased_J d withheld_J d surface_J")
OPEN_FORMAT, CONTACT_FORMAT, SET_FORMAT = "<IB3x", "<3f3fff3fi", "<IIII3d4df3fHBBB3x"  # a set's head, before its contacts
PHASES = ["closed", "waiting", "fresh", "fading"]
FIXED = -1


def wall(height_m):
    """The plane z = height."""
    return lambda p: (p[2] - height_m, (0.0, 0.0, 1.0))


def sphere(centre, radius_m):
    def distance(p):
        d = [a - b for a, b in zip(p, centre)]
        length = math.sqrt(sum(x * x for x in d)) or 1e-12
        return length - radius_m, tuple(x / length for x in d)
    return distance


def rotate(q, v):
    """R(q) v of a unit quaternion w, x, y, z."""
    w, x, y, z = q
    t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2],
            v[2] + w * t[2] + x * t[1] - y * t[0]]


class Stream:
    """Sends what `shape` says of the tool's points."""

    def __init__(self, shape, points_T_m, session, friction=0.25, radius_m=0.02, age_limit_ticks=100):
        self.shape, self.points_T_m, self.session = shape, points_T_m, session
        self.friction, self.radius_m, self.age_limit_ticks = friction, radius_m, age_limit_ticks
        self.sequence = 0

    def open_message(self, turns=True):
        return struct.pack(OPEN_FORMAT, self.session, turns)

    def pieces(self, tick, p_WT_m, q_WT):
        """The messages of one set, for the tool's pose after `tick`."""
        contacts = []
        for point_T in self.points_T_m:
            point = [a + b for a, b in zip(p_WT_m, rotate(q_WT, point_T))]
            gap_m, normal = self.shape(point)
            if -0.02 <= gap_m <= 2 * self.radius_m + 0.01:  # farther away it cannot be met while this set holds
                contacts.append(struct.pack(CONTACT_FORMAT, *point, *normal, gap_m, self.friction, 0, 0, 0, FIXED))
        self.sequence += 1
        crc = zlib.crc32(b"".join(contacts))
        for piece in range(2 if len(contacts) > 8 else 1):
            head = struct.pack(SET_FORMAT, self.session, self.sequence, tick, crc, *p_WT_m, *q_WT, self.radius_m, 0, 0, 0,
                               self.age_limit_ticks, 0, len(contacts), piece)
            yield head + b"".join(contacts[8 * piece:8 * piece + 8]).ljust(384, b"\0")


class Renderer(wire.Controller):
    """A controller that is told contacts, and what it says on the way."""

    def __init__(self, port, stream):
        super().__init__(port)
        self.stream, self.report, self.pose, self.refused = stream, None, None, []
        self.force_N, self.rendered = (0.0, 0.0, 0.0), 0

    def receive(self):
        kind, message = super().receive()
        if kind == STREAM_REPORT:
            self.report = dict(message, phase=PHASES[message["phase"]])
        if kind == wire.TELEMETRY:  # tool's pose after its tick, force as commanded: docs/wire.md
            self.pose = message["tick"], message["p_WT_m"], message["q_WT"]
            self.force_N = message["command_wrench_W"][:3]
        if kind == wire.ACK and message["of_type"] == CONTACT_SET and message["code"] != 0:
            self.refused.append(message["code"])
        return kind, message

    def open_stream(self, turns=True):
        message = self.stream.open_message(turns)
        self.ask(STREAM_OPEN, message)
        self.config_crc = zlib.crc32(message, self.config_crc)

    def render(self):
        """One set for the last pose that was heard."""
        if self.pose is not None:
            for piece in self.stream.pieces(*self.pose):
                self.send(CONTACT_SET, piece)
            self.rendered += 1


def height(t):
    """The tool's middle over the plane: down at 100 mm/s, 0.5 s of rest 3 mm deep, up again."""
    return max(0.040 - 0.1 * max(0.0, t - 0.2), 0.027) + 0.1 * max(0.0, t - 0.85)


def play(controller, rate_Hz, ticks):
    """The device is here: a script moves the handle, each sample is a tick. Sets go out 60 times a second of the device's time."""
    due = 0.0
    for n in range(ticks):
        z = height(n * 0.001)
        force = controller.tick(n, (0.0, 0.0, z))
        due += rate_Hz / 1000
        if due >= 1:
            due -= 1
            controller.render()
        if n % 50 == 0:
            phase = controller.report["phase"] if controller.report else "-"
            print(f"{n:5d} ms   handle {1000 * (z - 0.03):6.2f} mm over the wall   force {force[2]:6.3f} N   {phase:8s}"
                  f"{'#' * round(10 * force[2])}")


def watch(controller, rate_Hz, seconds):
    """The controller has a device and a clock of its own."""
    end, due, shown = time.monotonic() + seconds, time.monotonic(), time.monotonic()
    while time.monotonic() < end:
        controller.wait_for(wire.TELEMETRY)
        now = time.monotonic()
        if now >= due:
            due = max(due + 1 / rate_Hz, now - 1 / rate_Hz)
            controller.render()
        if now >= shown:
            shown += 0.25
            x, y, z = controller.pose[1]
            force = math.sqrt(sum(f * f for f in controller.force_N))
            phase = controller.report["phase"] if controller.report else "-"
            print(f"tool {1000 * x:6.1f} {1000 * y:6.1f} {1000 * z:6.1f} mm   force {force:6.3f} N   {phase}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("link")
    parser.add_argument("--shape", choices=["wall", "sphere"], default="wall")
    parser.add_argument("--rate", type=float, default=60.0, help="sets a second, 30 to 200")
    parser.add_argument("--seconds", type=float, default=1.2)
    options = parser.parse_args()
    shape = wall(0.0) if options.shape == "wall" else sphere((0.0, 0.0, -0.05), 0.05)
    stream = Stream(shape, [(0.0, 0.0, -0.03)], session=os.getpid() & 0xFFFF | 1)  # the middle of the peg's bottom
    controller = Renderer(wire.Port(options.link), stream)
    local = controller.hello()
    controller.configure(wire.config(wire.PACING_BY_CLOCK if local else wire.PACING_BY_SAMPLE, 1), controller.scene_crc())
    controller.open_stream()
    controller.arm()
    if local:
        watch(controller, options.rate, options.seconds)
    else:
        play(controller, options.rate, int(1000 * options.seconds))
    controller.control(wire.DISARM)
    report = controller.report or dict.fromkeys(("swaps", "resolved_ticks", "pushed_J", "withheld_J"), 0)
    controller.control(wire.STOP)
    controller.wait_for(wire.STOPPED)
    print(f"{controller.rendered} sets sent, {report['swaps']} in force, {len(controller.refused)} refused; "
          f"{report['resolved_ticks']} ticks solved anew; pushed {1e6 * report['pushed_J']:.3f} uJ, withheld {1e6 * report['withheld_J']:.3f} uJ")


if __name__ == "__main__":
    main()
