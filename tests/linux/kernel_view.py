#!/usr/bin/env python3
"""What the kernel sees of `tactus serve`: its loop's system calls, page faults, lateness beside a hog, a stop of the process.

    kernel_view.py TACTUS CASE        CASE: calls, terminal, faults, hog, stopped
"""
import collections
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

SKIP = 77


class Server:
    """`tactus serve` on a socket in `folder`; `before`: a command that it runs under."""

    def __init__(self, tactus, folder, *arguments, before=()):
        self.tactus, self.folder = tactus, pathlib.Path(folder)
        self.address = f"unix:{folder}/s"
        self.process = subprocess.Popen(
            [*before, tactus, "serve", "--listen", self.address, "--json", f"{folder}/json", "--client-timeout", "5000",
             *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("serving"):
            raise SystemExit(f"no server: {line}{self.process.stderr.read()}")

    def touch(self, ticks):
        """A host that watches for so many ticks. @returns the process."""
        return subprocess.Popen([self.tactus, "hil", "--link", self.address, "--device", "local", "--ticks", str(ticks),
                                 "--quiet", "--no-replay"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def end(self):
        """@returns the summary."""
        self.process.communicate(timeout=60)
        return json.loads((self.folder / "json").read_text())


LAST_ZEROS = 5  # periods behind the last that is counted, in which zeros alone are written (ServoLoop::WriteLastZeros)


def expect(true, what):
    print(("ok    " if true else "WRONG ") + what)
    return true


def loop_calls(folder, tactus, *device):
    """Under strace and a host that watches. @returns the calls of the loop's thread between its first and its last wake-up,
    the summary, whether the host was there; None: strace may not trace here."""
    trace = f"{folder}/trace"
    probe = subprocess.run(["strace", "-f", "-o", trace, "true"], capture_output=True, text=True)
    if probe.returncode != 0:
        print(f"SKIPPED: strace may not trace here: {probe.stderr.strip()}")
        return None
    server = Server(tactus, folder, "--ticks", "2500", *device, before=("strace", "-f", "-qq", "-o", trace))
    server.touch(800).communicate(timeout=60)
    summary = server.end()
    by_thread = collections.defaultdict(list)
    for line in pathlib.Path(trace).read_text().splitlines():
        match = re.match(r"(\d+) +(?:<\.\.\. )?(\w+)", line)
        if match and "resumed>" not in line:
            by_thread[match[1]].append((match[2], line))
    loops = [c for c in by_thread.values() if sum("TIMER_ABSTIME" in line for _, line in c) > 1000]
    if not expect(len(loops) == 1, f"one thread sleeps until absolute times; {len(by_thread)} threads"):
        sys.exit(1)
    at = [i for i, (name, _) in enumerate(loops[0]) if name == "clock_nanosleep"]
    counts = collections.Counter(name for name, _ in loops[0][at[0]:at[-1] + 1])
    print(f"{dict(counts)} in {summary['loop']['periods']} periods")
    return counts, summary


def right_calls(counts, summary, most):
    """`most`: calls a period of each name, at most; no other."""
    periods = summary["loop"]["periods"]
    return 0 if all([expect(not set(counts) - set(most), f"no other calls than {list(most)}"),
                     *[expect(counts[name] <= share * (periods + LAST_ZEROS), f"at most {share} {name} a period") for name, share in most.items()],
                     expect(summary["hosts"]["came"] == 1, "the host was there"),
                     expect(summary["histograms"]["compute"]["count"] == periods, "each period counted")]) else 1


def calls(tactus, folder):
    """Between its first and its last wake-up the loop's thread makes one call a period: clock_nanosleep. Nothing else."""
    found = loop_calls(folder, tactus)
    return SKIP if found is None else right_calls(*found, {"clock_nanosleep": 1})


def terminal(tactus, folder):
    """With an I/O board on a terminal: reads until nothing is left, at most four, and one write more; a second write when a
    session or the end of a fault is asked for, at most every 20 ms."""
    board = subprocess.Popen([tactus, "io-emulator", "--pty", f"{folder}/board"], stdout=subprocess.PIPE, text=True)
    try:
        board.stdout.readline()
        found = loop_calls(folder, tactus, "--device", f"tactus-io:{folder}/board")
    finally:
        board.terminate()
        board.wait()
    return SKIP if found is None else right_calls(*found, {"clock_nanosleep": 1, "read": 4, "write": 1.1})


def faults(tactus, folder):
    """No page of the loop is missing, sessions and all, if memory may be locked."""
    server = Server(tactus, folder, "--ticks", "3000")
    for _ in range(2):
        server.touch(500).communicate(timeout=60)
    summary = server.end()
    if summary["realtime"]["memory_result"] != "granted":
        print("SKIPPED: memory may not be locked here: " + summary["realtime"]["memory_result"])
        return SKIP
    loop = summary["loop"]
    return 0 if all([expect(loop["sessions"] >= 2, "two sessions"),
                     expect(loop["minor_page_faults"] + loop["major_page_faults"] == 0, f"no page fault: {loop}")]) else 1


def hog(tactus, folder):
    """Beside a hog on each processor nothing is hidden: each edge has its period or is counted as missed."""
    hogs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count())]
    try:
        begin = time.monotonic()
        server = Server(tactus, folder, "--ticks", "3000")
        summary = server.end()
        wall_s = time.monotonic() - begin
    finally:
        for one in hogs:
            one.kill()
            one.wait()
    loop, wake_up = summary["loop"], summary["histograms"]["wake_up"]
    print(f"priority {summary['realtime']['priority_result']}: {loop}, wake-up at most {wake_up['max_ns'] / 1e6:.2f} ms")
    edges = loop["periods"] + loop["missed"]
    late = sum(count for end_ns, count in wake_up["buckets"] if end_ns > 2_200_000)  # two edges late: at least one had no period
    return 0 if all([expect(3000 <= loop["periods"] <= 3110, "the periods asked for, and a fade"),
                     expect(edges * 1e-3 <= wall_s, f"no edge before its time: {edges} in {wall_s:.2f} s"),
                     expect(loop["missed"] >= late, f"{late} long delays, {loop['missed']} missed"),
                     expect(sum(c for _, c in wake_up["buckets"]) == loop["periods"], "each wake-up counted")]) else 1


def stopped(tactus, folder):
    """A process that is stopped for 200 ms with force out: the edges are missed, that is a fault, and the force fades."""
    server = Server(tactus, folder)
    host = server.touch(100000)
    time.sleep(1)
    server.process.send_signal(signal.SIGSTOP)
    time.sleep(0.2)
    server.process.send_signal(signal.SIGCONT)
    time.sleep(0.5)
    host.send_signal(signal.SIGINT)
    host.communicate(timeout=60)
    server.process.send_signal(signal.SIGTERM)
    summary = server.end()
    loop = summary["loop"]
    return 0 if all([expect(server.process.returncode == 128 + signal.SIGTERM, "it ends in good order"),
                     expect(loop["missed"] >= 150, f"{loop['missed']} edges missed"),
                     expect(loop["faults"] >= 1, f"{loop['faults']} faults"),
                     expect(summary["zeros_written"], "zeros written")]) else 1


def main():
    tactus, case = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        return {"calls": calls, "terminal": terminal, "faults": faults, "hog": hog, "stopped": stopped}[case](tactus, folder)


if __name__ == "__main__":
    sys.exit(main())
