#!/usr/bin/env python3
"""Writes a board's image to a board that is plugged in.

    flash.py --board BOARD.json [--image FILE] [--probe stlink|jlink|dfu] [--dry-run]

BOARD.json is what the board's build wrote (firmware/board.json). Prints the image and what it takes of the part's memories; refuses an
image of another board, for the emulator, not whole, or too large. --dry-run: ends there, with the command that would
write it. Exit 1: refused, or no probe; the last line says why.
"""
import argparse
import json
import pathlib
import shlex
import shutil
import subprocess
import sys

import image

PROBES = {"stlink": "ST-LINK", "jlink": "J-Link", "dfu": "board in its USB boot loader"}
NO_PROBE = {
    "stlink": "no ST-LINK answers: plug it in, and its four wires SWDIO, SWCLK, GND, 3V3; or use --probe jlink or --probe dfu",
    "jlink": "no J-Link answers: plug it in, and its wires SWDIO, SWCLK, GND, VTref; or use --probe stlink or --probe dfu",
    "dfu": "no board in its USB boot loader: hold BOOT0 high, press reset, plug USB in; or use --probe stlink",
}
NEEDS = {"stlink": "openocd", "jlink": "openocd", "dfu": "dfu-util"}


def print_map(board, header, used, memory):
    print(f"image        {header.board}, version {header.version or 'unknown'}, {header.size} B at "
          f"0x{header.load_address:08x}, CRC-32 {header.crc32:08x}")
    print(f"part         {board['part']}")
    for name, (origin, length) in memory.items():
        total = sum(size for _, _, size in used[name])
        print(f"{name:12} 0x{origin:08x} {length // 1024:6} KiB, {total:8} B used, {100 - 100 * total / length:5.1f} % free")
        for section, begin, size in sorted(used[name], key=lambda entry: entry[1]):
            print(f"    {section:12} 0x{begin:08x} {size:8} B")


def command_of(board, probe, elf, address):
    if probe == "dfu":
        if not board.get("dfu"):
            raise image.ImageFault(f"{board['board']} has no USB boot loader that we know: use --probe stlink or --probe jlink")
        # Without ":leave": the boot loader would start the image with its own PLL running, which no store changes.
        return ["dfu-util", "-d", board["dfu"], "-a", "0", "-s", f"0x{address:08x}", "-D",
                str(pathlib.Path(elf).with_suffix(".bin"))]
    if not board.get("openocd"):
        raise image.ImageFault(f"{board['board']} is no board to flash: its board.cmake names no TACTUS_BOARD_OPENOCD")
    if any(character in str(elf) for character in "{}\\"):
        raise image.ImageFault(f"{elf}: OpenOCD takes no path with a brace or a backslash: copy the image elsewhere")
    select = ["-c", "transport select " + ("hla_swd" if probe == "stlink" else "swd")]
    return ["openocd", "-f", f"interface/{probe}.cfg", *select, "-f", board["openocd"], "-c", f"program {{{elf}}} verify reset exit"]


def check_bytes_beside(elf, binary):
    """dfu-util writes the .bin beside the image: it has to be the one that was checked."""
    beside = pathlib.Path(elf).with_suffix(".bin")
    if not beside.is_file() or beside.read_bytes() != bytes(binary):
        raise image.ImageFault(f"{beside}, which dfu-util would write, has not the bytes of {elf}: build both again")


def check(board, file, probe):
    header, address, binary = image.read(file)
    if header.board != board["board"]:
        raise image.ImageFault(f"{file} is an image of the board {header.board}, not of {board['board']}: it would not start there")
    if header.emulated and not board.get("emulated"):
        raise image.ImageFault(f"{file} is built for the emulator: on the chip it would stop at once")
    if probe == "dfu":
        check_bytes_beside(file, binary)
    memory = image.memories(board["memory"])
    used = image.uses(file, memory)
    for name, (_, length) in memory.items():
        if sum(size for _, _, size in used[name]) > length:
            raise image.ImageFault(f"{file} does not fit into {name} of {board['part']}")
    return header, address, used, memory


def probe_is_there(probe, board, command):
    """Where it is not, the tool's own words go to standard error: it may be the user's rights, and not the plug."""
    look = ["dfu-util", "-l"] if probe == "dfu" else [*command[:-2], "-c", "init; exit"]
    looked = subprocess.run(look, capture_output=True, text=True)
    there = f"[{board['dfu']}]" in looked.stdout if probe == "dfu" else looked.returncode == 0
    if not there:
        sys.stderr.write(looked.stdout + looked.stderr)
    return there


def flash(options):
    board = json.loads(pathlib.Path(options.board).read_text(encoding="utf-8"))
    file = options.image or board["image"]
    if not pathlib.Path(file).is_file():
        raise image.ImageFault(f"there is no image {file}")
    if pathlib.Path(file).suffix == ".bin":
        raise image.ImageFault(f"{file} has bytes and no sections: give the .elf beside it")
    header, address, used, memory = check(board, file, options.probe)
    print_map(board, header, used, memory)
    command = command_of(board, options.probe, file, address)
    print("command      " + shlex.join(command), flush=True)
    if options.dry_run:
        print("dry run: nothing has been written")
        return 0
    if shutil.which(command[0]) is None:
        raise image.ImageFault(f"{command[0]} is not installed: apt-get install {NEEDS[options.probe]}")
    if not probe_is_there(options.probe, board, command):
        raise image.ImageFault(NO_PROBE[options.probe])
    result = subprocess.run(command)
    if result.returncode != 0:
        raise image.ImageFault(f"{command[0]} could not write and verify the image: see its words above. Nothing may run "
                               "on the board until it has been written whole")
    done = "written, and not read back (dfu-util does not)" if options.probe == "dfu" else "written and verified"
    print(f"{done}: {header.board}, version {header.version}")
    if options.probe == "dfu":
        print("to start it: pull BOOT0 low again and reset the board, which is still in its boot loader")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--board", required=True)
    parser.add_argument("--image")
    parser.add_argument("--probe", choices=sorted(PROBES), default="stlink")
    parser.add_argument("--dry-run", action="store_true")
    try:
        return flash(parser.parse_args())
    except image.ImageFault as fault:
        print(f"flash: {fault}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
