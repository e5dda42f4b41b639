#!/usr/bin/env python3
"""examples/wire_client.py against a controller in a process of its own: client_test.py SERVER CLIENT DOCUMENT"""
import importlib.util
import os
import re
import subprocess
import sys
import tempfile


def start_values(document):
    """The numbers of the table "field, value, lowest, highest", from the first double to the last integer."""
    with open(document, encoding="utf-8") as file:
        table = file.read().split("| field | value | lowest | highest | and |\n|---|---|---|---|---|\n")[1].split("\n\n")[0]
    cells = [line.split("|")[2] for line in table.splitlines()]
    return [float(number) for cell in cells[:-2] for number in cell.split(",")]


def main(server, client, document):
    spec = importlib.util.spec_from_file_location("client", client)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    values = start_values(document)
    assert module.CONFIG_DOUBLES + module.CONFIG_INTEGERS[:-1] == values[:-1], "the client starts with other values"

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "link")
        controller = subprocess.Popen([server, path], stdout=subprocess.PIPE)
        try:
            assert controller.stdout.readline() == b"ready\n"
            run = subprocess.run([sys.executable, client, "unix:" + path], stdout=subprocess.PIPE, check=True)
            assert controller.wait(10) == 0, "the controller did not end well"
        finally:
            controller.kill()
    printed = run.stdout.decode()
    print(printed)
    forces = {int(t): float(f) for t, f in re.findall(r"^ *(\d+) ms .* force +(-?[\d.]+) N", printed, re.M)}
    assert abs(forces[800] - 3.0) < 0.01, "1500 N/m times 2 mm at rest are 3 N"
    assert max(abs(forces[0]), abs(forces[100]), abs(forces[1150])) < 0.02, "there is no force in the air"
    events = re.findall(r"^tick \d+: a contact of bodies 0 and -1 (begins|ends) at", printed, re.M)
    assert events[0] == "begins" and events[-1] == "ends", "down on the plate, and up again"
    end = re.search(r"^(\d+) ticks, 0 missed deadlines, 0 bad frames, 0 faults$", printed, re.M)
    assert end and 1200 <= int(end[1]) <= 1222, "1200 samples, and the clock's ticks while the force fades for 20 ms"


if __name__ == "__main__":
    main(*sys.argv[1:])
