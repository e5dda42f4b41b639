#!/usr/bin/env python3
"""The loop of `tactus serve` under a PREEMPT_RT kernel, in an emulated PC whose time is its count of instructions, twice: the
same histograms to the last bucket, no edge missed, no page fault.

    rt_kernel.py PROGRAM [KERNEL]        KERNEL: vmlinuz; else the newest of /boot and of what ./dev rt has fetched
"""
import gzip
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIP = 77
FETCHED = pathlib.Path(__file__).resolve().parents[2] / "build" / "rt-kernel" / "boot"
# One count of instructions is one time: nothing of the host's time, chance or load comes in.
MACHINE = ["-accel", "tcg", "-icount", "shift=0,sleep=off", "-rtc", "base=2026-01-01,clock=vm", "-seed", "1", "-nodefaults",
           "-cpu", "qemu64,-rdrand,-rdseed", "-m", "512", "-display", "none", "-serial", "stdio", "-no-reboot"]
COMMAND_LINE = "console=ttyS0 quiet panic=1 nokaslr"


def newest_kernel():
    found = [path for folder in ("/boot", FETCHED) for path in sorted(pathlib.Path(folder).glob("vmlinuz-*-rt-amd64"))]
    return found[-1] if found else None


def entry(name, mode, data=b"", device=(0, 0)):
    """One file of a cpio archive of the kind newc."""
    fields = (0, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(name) + 1, 0)
    head = b"070701" + b"".join(b"%08x" % field for field in fields) + name.encode() + b"\0"
    return head + b"\0" * (-len(head) % 4) + data + b"\0" * (-len(data) % 4)


def initramfs(program):
    folders = b"".join(entry(name, 0o040755) for name in ("proc", "sys", "dev"))
    return gzip.compress(folders + entry("dev/console", 0o020600, device=(5, 1)) +
                         entry("init", 0o100755, pathlib.Path(program).read_bytes()) + entry("TRAILER!!!", 0), 1)


def boot(kernel, image):
    """@returns what the program has printed."""
    run = subprocess.run(["qemu-system-x86_64", *MACHINE, "-kernel", str(kernel), "-initrd", str(image), "-append", COMMAND_LINE],
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    text = run.stdout.decode(errors="replace").replace("\r", "")
    begin, end = text.find("kernel: "), text.find("\nend\n")
    if begin < 0 or end < 0:
        sys.exit(f"the emulated machine has not come to its end:\n{text[-3000:]}")
    return text[begin:end]


def expect(true, what):
    print(("ok    " if true else "WRONG ") + what)
    return true


def main():
    kernel = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else newest_kernel()
    if kernel is None or shutil.which("qemu-system-x86_64") is None:
        print("SKIPPED: needs qemu-system-x86 and Debian's kernel linux-image-rt-amd64: ./dev rt fetches both")
        return SKIP
    with tempfile.TemporaryDirectory() as folder:
        image = pathlib.Path(folder) / "initramfs"
        image.write_bytes(initramfs(sys.argv[1]))
        first, second = boot(kernel, image), boot(kernel, image)
    print("\n".join(line for line in first.splitlines() if not line.startswith("histogram")))
    counts = {name: int(count) for name, count in re.findall(r"(periods|overrun|missed|page faults|faults|zeros) (\d+)", first)}
    force_N = float(re.search(r"at most ([\d.]+) N", first)[1])
    return 0 if all([expect("PREEMPT_RT" in first and "realtime: yes" in first, "a PREEMPT_RT kernel"),
                     expect("granted: priority 0, memory 0" in first, "priority and locked memory were granted"),
                     expect(counts["periods"] >= 10000, f"{counts['periods']} periods"),
                     expect(counts["missed"] + counts["overrun"] == 0, "none missed, none overrun, in the machine's own time"),
                     expect(counts["page faults"] == 0, "no page fault in the loop"),
                     expect(counts["faults"] == 0 and counts["zeros"] == 1, "no fault, zeros at the end"),
                     expect(force_N > 0.5, f"the hand felt the peg: {force_N} N"),
                     expect("beside it: busy" in first, "beside a thread that kept the processor busy"),
                     expect(first == second, "the second run repeats each bucket of each histogram")]) else 1


if __name__ == "__main__":
    sys.exit(main())
