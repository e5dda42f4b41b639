#!/usr/bin/env python3
"""Presses a peg on a plate through a Tactus controller, and prints the force that the hand would feel.

    wire_client.py unix:PATH | tcp:HOST:PORT | /dev/ttyACM0

Python's standard library only, written from docs/wire.md. The handle goes down beside the hole, rests, and comes up again; each
sample is one tick (pacing kSample), so the controller may be a real board or an emulated one of any speed. A controller with a device
of its own (tactus serve --device sim) is armed and watched for a second.
"""
import os
import socket
import struct
import sys
import zlib

VERSION = 5
HELLO_REQUEST, CONFIG, CONTROL, SAMPLE, ARM = 1, 2, 3, 4, 5
SUBSCRIBE, SCENE_REQUEST, WORKSPACE, SAMPLE_OF_TWO = 9, 10, 11, 12
HELLO, ACK, COMMAND, TELEMETRY, FAULT, STOPPED, CONTACT_EVENT, SCENE_REPLY, WORKSPACE_REPORT, SECOND_COMMAND = (
    129, 130, 131, 132, 133, 134, 139, 140, 141, 142)

# The messages that this client reads, by type: name, then code of `struct` and name of each field, in the order of docs/wire.md.
LAYOUTS = {
    HELLO: ("Hello", "I protocol_version I nonce I compatible B state B link B scalar_bits B max_directions H max_contacts "
            "H max_payload I tick_period_us I core_clock_Hz I work_budget I work_budget_of_many I tick I arm_nonce I config_crc "
            "f max_force_N f max_torque_Nm H max_fade_ticks H max_silence_ticks B device B device_state B scene_bodies "
            "B scene_shapes H config_size H sample_size H command_size H telemetry_size 32s board 32s build"),
    ACK: ("Ack", "I tick H of_sequence B of_type B code B state B reserved H field I arm_nonce d limit"),
    COMMAND: ("Command", "I tick I sample_sequence I sample_age_us I status 3f force_N 3f torque_Nm B state B mode H reserved"),
    TELEMETRY: ("Telemetry", "I tick I sample_sequence I sample_age_us I status I missed_deadlines I bad_frames "
                "I dropped_telemetry B state B mode B fault B solve_status B rung B external H contacts B contacts_dropped "
                "B buttons H pivots I work 3f sample_position_m 4f sample_orientation_wxyz 6d handle_twist_W 3d p_WT_m 4d q_WT "
                "6d tool_twist_W 6d coupling_wrench_W 6d command_wrench_W d min_gap_m d residual d normal_impulse_Ns d gain "
                "d stored_J d dissipated_J d damping_ratio Q state_hash"),
    FAULT: ("Fault", "I tick B code B external H reserved I status I sample_sequence"),
    CONTACT_EVENT: ("ContactEvent", "I tick I missed 3f point_m f impulse_Ns h body_a h body_b B change 3s reserved"),
    SCENE_REPLY: ("SceneReply", "I total I offset I size I crc 480s bytes"),
    WORKSPACE_REPORT: ("WorkspaceReport", "I tick B clutch 3s reserved d scale d force_scale 3d offset_m 4d orientation_wxyz "
                       "4d index_wxyz d lowest_scale d highest_scale d lowest_force_scale d highest_force_scale d highest_offset_m"),
    SECOND_COMMAND: ("SecondCommand", "I tick 3f force_N 3f torque_Nm"),
    STOPPED: ("Stopped", "I ticks I missed_deadlines I good_frames I bad_frames I dropped_telemetry I faults"),
}
DISARM, CLEAR_FAULT, RESET, STOP, E_STOP, PRESS_CLUTCH, RELEASE_CLUTCH, HOME = 2, 3, 4, 5, 6, 7, 8, 9
PACING_BY_CLOCK, PACING_BY_SAMPLE = 0, 1
LOCAL_DEVICE = 1
CHANGES = ["begins", "ends", "slips", "sticks"]

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


CONFIG_FORMAT = "<47d6iBB6x"
ARM_FORMAT, SAMPLE_FORMAT, SUBSCRIBE_FORMAT, WORKSPACE_FORMAT = "<II", "<II3f4f", "<BB2x", "<2d3d4dBB6x"
SAMPLE_OF_TWO_FORMAT = "<II3f4f3f4f"


def format_of(kind):
    return "<" + "".join(LAYOUTS[kind][1].split()[::2])


def unpack(kind, payload):
    """The message as a dict: a number, or a tuple, or bytes, by the field's name."""
    codes = LAYOUTS[kind][1].split()
    values, message = struct.unpack(format_of(kind), payload), {}
    for code, name in zip(codes[::2], codes[1::2]):
        count = int(code[:-1]) if len(code) > 1 and code[-1] != "s" else 1
        message[name] = values[0] if count == 1 else values[:count]
        values = values[count:]
    return message


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
        self.ends_at_fault = True
        port.write(b"\0")  # ends whatever stood on the line before

    def send(self, kind, payload):
        head = struct.pack("<BBH", kind, 0, self.sequence) + payload
        self.port.write(stuff(head + struct.pack("<I", zlib.crc32(head))) + b"\0")
        self.sequence = (self.sequence + 1) & 0xFFFF
        return (self.sequence - 1) & 0xFFFF

    def receive(self):
        """The next good frame of LAYOUTS: type, message. Others are passed over."""
        while True:
            end = self.received.find(0)
            if end < 0:
                self.received += self.port.read()
                continue
            raw = unstuff(self.received[:end])
            del self.received[:end + 1]
            if len(raw) < 8 or zlib.crc32(raw[:-4]) != struct.unpack("<I", raw[-4:])[0]:
                continue
            if raw[1] == 0 and raw[0] in LAYOUTS and struct.calcsize(format_of(raw[0])) == len(raw) - 8:
                return raw[0], unpack(raw[0], raw[4:-4])

    def wait_for(self, kind):
        return self.wait_for_one_of(kind)[1]

    def wait_for_one_of(self, *kinds):
        while True:
            got, message = self.receive()
            if got == FAULT:
                fault = f"fault: code {message['code']}, cause {message['external']}, at tick {message['tick']}"
                if self.ends_at_fault:
                    raise SystemExit(fault)
                print(fault)
            if got == CONTACT_EVENT:
                x, y, z = (1000 * p for p in message["point_m"])
                print(f"tick {message['tick']}: a contact of bodies {message['body_a']} and {message['body_b']} "
                      f"{CHANGES[message['change']]} at {x:.2f} {y:.2f} {z:.2f} mm, {1000 * message['impulse_Ns']:.3f} mN s")
            if got in kinds:
                return got, message

    def hello(self):
        """@returns whether the controller has a device of its own."""
        self.send(HELLO_REQUEST, struct.pack("<II", VERSION, os.getpid()))
        hello = self.wait_for(HELLO)
        if not hello["compatible"]:
            raise SystemExit(f"the controller speaks version {hello['protocol_version']} of the protocol")
        self.nonce = hello["arm_nonce"]
        print(f"{hello['board'].rstrip(bytes(1)).decode()}: {hello['scalar_bits']}-bit numbers, up to {hello['max_contacts']} "
              f"contacts, {hello['max_directions']} friction directions")
        local = hello["device"] == LOCAL_DEVICE
        self.ends_at_fault = not local  # late ticks on a busy machine are a fault: there it goes on without force
        return local

    def ask(self, kind, payload):
        sequence = self.send(kind, payload)
        while True:
            ack = self.wait_for(ACK)
            self.nonce = ack["arm_nonce"]
            if (ack["of_sequence"], ack["of_type"]) == (sequence, kind):
                break
        if ack["code"] != 0:
            raise SystemExit(f"message {kind} refused: code {ack['code']}, field at byte {ack['field']}, bound {ack['limit']}, "
                             f"state {ack['state']}")

    def subscribe(self):
        self.ask(SUBSCRIBE, struct.pack(SUBSCRIBE_FORMAT, 1, 0))

    def scene_crc(self):
        """@returns the checksum of the scene in force, as the image's first piece tells it; 0: the peg and the plate."""
        self.send(SCENE_REQUEST, struct.pack("<I", 0))
        scene = self.wait_for(SCENE_REPLY)
        if scene["total"]:
            print(f"a scene of {scene['total']} bytes is in force")
        return scene["crc"]

    def configure(self, config, scene_crc=0):
        self.ask(CONFIG, config)
        self.config_crc = zlib.crc32(config, scene_crc)

    def workspace(self, scale, force_scale=1, offset_m=(0, 0, 0), orientation_wxyz=(1, 0, 0, 0), button=0, index_turns=1):
        """Scales the hand's way into the scene; behind configure and before arm. control(PRESS_CLUTCH) lets the hand index."""
        message = struct.pack(WORKSPACE_FORMAT, scale, force_scale, *offset_m, *orientation_wxyz, button, index_turns)
        self.ask(WORKSPACE, message)
        self.config_crc = zlib.crc32(message, self.config_crc)

    def arm(self):
        self.ask(ARM, struct.pack(ARM_FORMAT, self.nonce, self.config_crc))

    def control(self, action):
        self.ask(CONTROL, bytes([action, 0, 0, 0]))

    def tick(self, sequence, position_m):
        """One sample; the force on the hand."""
        self.send(SAMPLE, struct.pack(SAMPLE_FORMAT, sequence, 0, *position_m, 1, 0, 0, 0))
        while True:
            command = self.wait_for(COMMAND)
            if command["tick"] != 0:  # 0: zeros without a tick
                return command["force_N"]

    def tick_of_two(self, sequence, first_m, second_m):
        """Samples of both hands of a scene with two tools; the forces on both. Without a SecondCommand the second's is None."""
        self.send(SAMPLE_OF_TWO, struct.pack(SAMPLE_OF_TWO_FORMAT, sequence, 0, *first_m, 1, 0, 0, 0, *second_m, 1, 0, 0, 0))
        second = None
        while True:
            kind, message = self.wait_for_one_of(SECOND_COMMAND, COMMAND)
            if kind == SECOND_COMMAND:
                second = message
            elif message["tick"] != 0:
                told = second is not None and second["tick"] == message["tick"]
                return message["force_N"], second["force_N"] if told else None


def height(t):
    """The tool's middle over the plate: down at 20 mm/s, 0.5 s of rest 2 mm deep, up again. The peg is 60 mm long."""
    return max(0.035 - 0.02 * min(t, 0.35), 0.028) + 0.02 * max(0.0, t - 0.85)


def config(pacing, telemetry_every_ticks):
    integers = CONFIG_INTEGERS[:-2] + [100, telemetry_every_ticks]  # a silence of 100 ms: Python is late at times
    return struct.pack(CONFIG_FORMAT, *CONFIG_DOUBLES, *integers, 1, pacing)


def play(controller):
    """The device is here: one sample a tick."""
    for n in range(1200):
        z = height(n * 0.001)
        force = controller.tick(n, (0.05, 0.0, z))
        if n % 50 == 0:
            print(f"{n:5d} ms   handle {1000 * (z - 0.03):6.2f} mm over the plate   force {force[2]:6.3f} N  {'#' * round(10 * force[2])}")


def watch(controller, ticks=1000):
    """The controller has a device and a clock of its own: it tells of every tenth tick. A host that says nothing is put out."""
    while True:
        controller.port.write(b"\0")
        telemetry = controller.wait_for(TELEMETRY)
        x, y, z = (1000 * p for p in telemetry["sample_position_m"])
        force = telemetry["command_wrench_W"][:3]
        if telemetry["tick"] % 50 == 0:
            print(f"tick {telemetry['tick']:5d}   handle {x:7.2f} {y:7.2f} {z:7.2f} mm   "
                  f"force {force[0]:6.3f} {force[1]:6.3f} {force[2]:6.3f} N")
        if telemetry["tick"] >= ticks:
            return


def main(name):
    controller = Controller(Port(name))
    local = controller.hello()
    controller.subscribe()
    controller.configure(config(PACING_BY_CLOCK, 10) if local else config(PACING_BY_SAMPLE, 0), controller.scene_crc())
    controller.arm()
    watch(controller) if local else play(controller)
    controller.control(DISARM)
    controller.control(STOP)
    end = controller.wait_for(STOPPED)
    print(f"{end['ticks']} ticks, {end['missed_deadlines']} missed deadlines, {end['bad_frames']} bad frames, {end['faults']} faults")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])
