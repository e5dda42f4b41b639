#!/usr/bin/env python3
"""Two hands carry a box through a Tactus controller, and feel its weight.

    tactus serve --device host --scene carry --listen unix:/tmp/tactus.sock
    two_hands.py unix:/tmp/tactus.sock

Both devices are here: a script moves the handles, each pair of samples is one tick (docs/wire.md, SampleOfTwo). The handles press from both
sides by 1 mm of the coupling's spring, lift the box by 30 mm and hold it.
"""
import sys

import wire_client as wire

TICKS = 2500


def ramp(t, begin, end):
    return min(max((t - begin) / (end - begin), 0.0), 1.0)


def handles(t):
    """Where both are at t [s]: [m]. The box has 40 mm, the finger tips a radius of 10 mm."""
    x = 0.04 - 0.011 * ramp(t, 0.2, 0.6)
    z = 0.005 + 0.03 * ramp(t, 1.0, 1.8)
    return (-x, 0.0, z), (x, 0.0, z)


def main(link):
    controller = wire.Controller(wire.Port(link))
    if controller.hello():
        raise SystemExit("the controller has devices of its own: start it with --device host")
    controller.configure(wire.config(wire.PACING_BY_SAMPLE, 0), controller.scene_crc())
    controller.arm()
    for n in range(TICKS):
        left, right = controller.tick_of_two(n, *handles(n * 0.001))
        if right is None:
            raise SystemExit("no SecondCommand has come: the scene has one tool, give the server --scene carry")
        if n % 100 == 0:
            print(f"{n:5d} ms   left {left[0]:6.3f} {left[2]:6.3f} N   right {right[0]:6.3f} {right[2]:6.3f} N   "
                  f"carried {-left[2] - right[2]:6.3f} N")
    controller.control(wire.DISARM)
    controller.control(wire.STOP)
    controller.wait_for(wire.STOPPED)
    print(f"held still, both carry {-left[2] - right[2]:.3f} N: the box of 100 g and two finger tips of 30 g weigh {0.16 * 9.81:.3f} N")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])
