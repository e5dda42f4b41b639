#!/usr/bin/env python3
"""examples/streamed_contacts against the plate on board: streamed_client_test.py SERVER EXAMPLE

A wall that Python renders at 60 Hz, pressed at 100 mm/s, and the plate of the Config at the same heights: the force differs by
2 % of its largest at most.
"""
import importlib.util
import os
import re
import subprocess
import sys
import tempfile


def load(path):
    spec = importlib.util.spec_from_file_location("streamed", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Server:
    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory()
        self.link = "unix:" + os.path.join(self.folder.name, "link")
        self.process = subprocess.Popen([program, self.link[5:]], stdout=subprocess.PIPE)
        assert self.process.stdout.readline() == b"ready\n"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


def forces(example, server, streamed, ticks=1100):
    """The force of each tick. The plate on board is felt 50 mm beside its hole."""
    stream = example.Stream(example.wall(0.0), [(0.0, 0.0, -0.03)], session=3)
    controller = example.Renderer(example.wire.Port(server.link), stream)
    controller.hello()
    controller.configure(example.wire.config(example.wire.PACING_BY_SAMPLE, 1))
    if streamed:
        controller.open_stream()
    controller.arm()
    felt, due = [], 0.0
    for n in range(ticks):
        felt.append(controller.tick(n, (0.05, 0.0, example.height(n * 0.001)))[2])
        due += 0.06
        if streamed and due >= 1:
            due -= 1
            controller.render()
    assert not controller.refused, controller.refused
    if streamed:
        assert controller.report["phase"] == "fresh" and controller.report["swaps"] >= 64
        assert controller.report["ticks"] - controller.report["resolved_ticks"] < 40, "from the first set on each tick is solved anew"
        assert controller.report["pushed_J"] < 1e-5
    return felt


def main(program, path):
    example = load(path)
    with Server(program) as server:
        streamed = forces(example, server, True)
    with Server(program) as server:
        on_board = forces(example, server, False)
    worst = max(abs(a - b) for a, b in zip(streamed, on_board))
    print(f"largest force {max(on_board):.3f} N, largest difference {worst:.6f} N")
    assert abs(on_board[800] - 4.5) < 0.05, "1500 N/m times 3 mm"
    assert worst <= 0.02 * max(on_board), "a person could tell the streamed wall from the one on board"
    with Server(program) as server:
        run = subprocess.run([sys.executable, path, server.link, "--shape", "sphere"], stdout=subprocess.PIPE, check=True)
        assert server.process.wait(10) == 0, "the controller did not end well"
    printed = run.stdout.decode()
    print(printed)
    felt = dict(re.findall(r"^ *(\d+) ms .* force +(-?[\d.]+) N", printed, re.M))
    assert abs(float(felt["800"]) - 4.5) < 0.05, "the top of the sphere is where the wall is"
    assert re.search(r"^\d\d sets sent, \d\d in force, 0 refused", printed, re.M)


if __name__ == "__main__":
    main(*sys.argv[1:])
