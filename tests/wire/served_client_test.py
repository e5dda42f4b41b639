#!/usr/bin/env python3
"""The Python clients against `tactus serve --device sim`, to their end: served_client_test.py TACTUS CLIENT STREAMED

The controller has a device and a clock of its own, so the clients only arm, watch and stop.
"""
import os
import re
import subprocess
import sys
import tempfile
import time

PATIENCE_S, ATTEMPTS = 60, 10


def wait_for_socket(path, server):
    end = time.monotonic() + PATIENCE_S
    while not os.path.exists(path):
        assert server.poll() is None, "the server has ended"
        assert time.monotonic() < end, "the server does not listen"
        time.sleep(0.05)


def run(link, program, *arguments):
    """What the client prints. On a machine so busy that ticks are late before it has armed, the controller refuses to; and the
    socket is there a moment before the server listens; one that got no turn for half a second is put out."""
    command = [sys.executable, program, link, *arguments]
    for _ in range(ATTEMPTS):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE_S)
        print(done.stdout.decode(), done.stderr.decode())
        if not re.search(r"^message (5|16) refused: code 1,|^ConnectionRefusedError|closed the link", done.stderr.decode(), re.M):
            break
        time.sleep(0.2)
    assert done.returncode == 0, "the client ends well"
    return done.stdout.decode()


def main(tactus, client, streamed):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "link")
        # With the time-out that users have: a client that gives no sign of life is put out each time.
        server = subprocess.Popen([tactus, "serve", "--device", "sim", "--listen", "unix:" + path, "--priority", "0"],
                                  stdout=subprocess.DEVNULL)
        try:
            wait_for_socket(path, server)
            printed = run("unix:" + path, client)
            shown = [int(tick) for tick in re.findall(r"^tick +(\d+) ", printed, re.M)]
            end = re.search(r"^(\d+) ticks, \d+ missed deadlines, 0 bad frames", printed, re.M)
            assert len(shown) >= 10 and shown == sorted(set(shown)), "one line for every 50 ticks that came through"
            assert end and int(end[1]) >= shown[-1], "it stops the controller and hears its last word"
            printed = run("unix:" + path, streamed, "--seconds", "0.5")
            sets = re.search(r"^(\d+) sets sent, (\d+) in force, (\d+) refused", printed, re.M)
            assert sets and int(sets[2]) >= 1, "sets that Python sends come in force"
        finally:
            server.terminate()
            server.wait(PATIENCE_S)


if __name__ == "__main__":
    main(*sys.argv[1:])
