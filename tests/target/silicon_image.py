#!/usr/bin/env python3
"""The image for the chip on a machine whose clock never starts: silicon_image.py SECONDS COMMAND...

COMMAND runs the image under QEMU's netduinoplus2, which has no RCC: its flags stay zero, as on a chip whose crystal is broken. Each
start must end in the fault and a reset, and nothing may switch the power stage on. Looked at is what the image writes to blocks that
the emulator has not (-d unimp): RCC_CR.HSEON once a start, TIM1_BDTR never with MOE, GPIOC_BSRR last with the gate drivers off.
"""
import re
import subprocess
import sys
import tempfile

WRITE = re.compile(r"^(.+?): unimplemented device write \(size 4, offset 0x([0-9a-f]+), value 0x([0-9a-f]+)\)")
HSE_ON, MAIN_OUTPUT, GATES_ON, GATES_OFF = 1 << 16, 1 << 15, 1 << 10, 1 << 26
BDTR, BSRR = 0x44, 0x18


def main():
    seconds, command = sys.argv[1], sys.argv[2:]
    with tempfile.NamedTemporaryFile("r") as log:
        subprocess.run(["timeout", "-k", "1", seconds, *command, "-d", "unimp", "-D", log.name], stderr=subprocess.DEVNULL)
        writes = [(match[1], int(match[2], 16), int(match[3], 16)) for match in map(WRITE.match, log) if match]
    starts = sum(block == "RCC" and offset == 0 and value & HSE_ON != 0 for block, offset, value in writes)
    driven = [value for block, offset, value in writes if "RCC" not in block and offset == BDTR and value & MAIN_OUTPUT]
    gates = [value for block, offset, value in writes if block == "GPIOC" and offset == BSRR]
    cuts = sum(value & GATES_OFF != 0 for value in gates)
    print(f"{starts} starts, {len(driven)} writes of MOE, {cuts} times the gate drivers off")
    # Of each start: off with the pins, off in the fault. The last may be cut short by the end of the run.
    return 0 if starts >= 2 and not driven and not any(value & GATES_ON for value in gates) and cuts >= 2 * starts - 2 else 1


if __name__ == "__main__":
    sys.exit(main())
