#!/usr/bin/env bash
# ./dev in a checkout of its own, with stand-ins for what takes long or changes the machine: dev_test.sh CASE SOURCE_DIR WORK_DIR
set -euo pipefail
name=$1 source_dir=$2 work_dir=$3
stand_ins=$(dirname "$(readlink -f "$0")")/stand_ins

fail() { echo "$name: $*" >&2; exit 1; }
has() { grep -qF -- "$2" "$1" || fail "'$2' is not in $1: $(cat "$1")"; }
has_not() { ! grep -qF -- "$2" "$1" || fail "'$2' is in $1: $(cat "$1")"; }

# The environment is all that the stand-ins are told.
export TACTUS_NO_INSTALL=1 CALLS=$work_dir/calls MISSING='' NINJA='' PATH=$stand_ins:$PATH

new_checkout() {
  rm -rf "$work_dir"
  mkdir -p "$work_dir/checkout/firmware"
  cp "$source_dir/dev" "$source_dir/CMakePresets.json" "$work_dir/checkout"
  cp -r "$source_dir/firmware/boards" "$work_dir/checkout/firmware"
  cd "$work_dir/checkout"
}

callers_folder() {
  mkdir data
  echo '{"a problem"}' >data/mine.jsonl
  (cd data && ../dev tactus solve mine.jsonl) >out 2>err || fail "$(cat err)"
  has out '{"a problem"}'
  (cd data && ../dev demo --board host) >out 2>err || fail "$(cat err)"
  has out "$PWD/data: run --ticks 10000"
}

copied_checkout() {
  ./dev build host 2>err || fail "$(cat err)"
  cp -r "$work_dir/checkout" "$work_dir/copy"
  touch "$work_dir/copy/build/host/stale"
  cd "$work_dir/copy"
  : >"$CALLS"
  ./dev build host >out 2>err || fail "$(cat err)"
  has err "build/host was configured for $work_dir/checkout: starting it anew"
  has "$CALLS" 'cmake --preset host'
  [ ! -e build/host/stale ] || fail 'a file of the other checkout is still there'
  ln -s "$work_dir/copy" "$work_dir/link"  # the same checkout by another name
  : >"$CALLS"
  (cd "$work_dir/link" && ./dev build host) >out 2>err
  has_not "$CALLS" 'cmake --preset'
}

no_repository() {
  mkdir -p lib build/host
  touch lib/ours.h lib/ours.cc build/host/made.cc
  ./dev format 2>err || fail "$(cat err)"
  has "$CALLS" './lib/ours.cc'
  has "$CALLS" './lib/ours.h'
  has_not "$CALLS" 'made.cc'
}

progress() {
  NINJA='[1/2] Building CXX object solve.cc.o\n[2/2] Linking CXX executable tactus\n' ./dev tactus run >out 2>err
  has err 'host [1/2] Building CXX object solve.cc.o'
  [ "$(cat out)" = "$PWD: run" ] || fail "standard output is not the tool's alone: $(cat out)"
  NINJA='[0/1] Writing the build id, if it has changed\nninja: no work to do.\n' ./dev tactus run >out 2>err
  [ ! -s err ] || fail "there is nothing to build, but it says: $(cat err)"
}

progress_on_a_terminal() {
  NINJA='[1/2] Building CXX object a.o\n[2/2] Linking CXX executable tactus\n' script -qec './dev tactus run >out' seen >/dev/null
  has seen $'\r\e[Khost [1/2] Building CXX object a.o\r\e[Khost [2/2] Linking CXX executable tactus\r\e[K'
}

failed_build() {
  local code=0
  NINJA='[1/2] Building CXX object a.o\nFAILED: a.o\na.cc:1: error: what is this\n' ./dev tactus run >out 2>err || code=$?
  [ $code -eq 2 ] || fail "exit code $code, not 2"
  has err 'a.cc:1: error: what is this'
  [ ! -s out ] || fail "on standard output: $(cat out)"
}

failed_board() {  # of those that are built side by side
  local code=0
  : >"$CALLS"
  NINJA='[1/2] Building CXX object a.o\nFAILED: a.o\na.cc:1: error: what is this\n' ./dev test >out 2>err || code=$?
  [ $code -eq 2 ] || fail "exit code $code, not 2"
  has err 'building mps2-an500 failed'
  has err 'building stm32f405 failed'
  has_not "$CALLS" 'build/host'
}

# refuses PACKAGE ARGUMENTS...: ./dev asks for PACKAGE, which is missing, and does nothing
refuses() {
  local code=0
  : >"$CALLS"
  MISSING=$1 ./dev "${@:2}" >out 2>err || code=$?
  [ $code -eq 2 ] || fail "./dev ${*:2} without $1: exit code $code, not 2"
  has err "apt-get install $1"
  [ ! -s "$CALLS" ] || fail "./dev ${*:2} without $1 went on: $(cat "$CALLS")"
}

packages() {
  MISSING='g++ libcli11-dev qemu-system-arm libgtest-dev clang-format' ./dev build mps2-an500 2>err || fail "$(cat err)"
  has "$CALLS" 'cmake --preset mps2-an500 -DTACTUS_BUILD_TESTS=OFF'
  MISSING='gcc-arm-none-eabi qemu-system-arm libgtest-dev' ./dev build 2>err || fail "$(cat err)"
  has "$CALLS" 'cmake --preset host -DTACTUS_BUILD_TESTS=OFF'
  refuses gcc-arm-none-eabi build mps2-an500
  refuses flatbuffers-compiler build mps2-an500
  refuses libcli11-dev build host
  refuses qemu-system-arm demo
  refuses libgtest-dev build --tests mps2-an500
  refuses libgtest-dev test
  mkdir firmware/boards/of_mine  # a board without a preset of its own
  touch firmware/boards/of_mine/board.cmake
  ./dev build of_mine 2>err || fail "$(cat err)"
  has "$CALLS" 'cmake --preset any-board -B build/of_mine -DTACTUS_BOARD=of_mine -DTACTUS_BUILD_TESTS=OFF'
  ./dev build --tests mps2-an500 2>err || fail "$(cat err)"
  has "$CALLS" 'cmake --preset mps2-an500 -DTACTUS_BUILD_TESTS=ON'
}

# A small image with a header: small_image FILE BOARD EMULATED. Written without the toolchain, so that the layouts are said twice.
small_image() {
  python3 - "$@" <<'PYTHON'
import struct, sys, zlib
file, board, emulated = sys.argv[1:]
load, code = 0x08000000, b"\x11" * 400
head = lambda crc: struct.pack("<8s24s40s4I", b"TACTUS01", board.encode(), b"1.2.3", load, len(code) + 88, crc, int(emulated))
binary = code[:200] + head(0) + code[200:]
binary = code[:200] + head(zlib.crc32(binary)) + code[200:]
elf = b"\x7fELF\x01\x01\x01" + bytes(9) + struct.pack("<HHIIIIIHHHHHH", 2, 40, 1, load, 52, 84 + len(binary), 0, 52, 32, 1, 40, 1, 0)
open(file, "wb").write(elf + struct.pack("<8I", 1, 84, load, load, len(binary), len(binary), 5, 4) + binary + b"\0" * 40)
open(file.replace(".elf", ".bin"), "wb").write(binary)
PYTHON
}

# flashes CODE ARGUMENTS...: ./dev flash a_board ARGUMENTS ends with CODE
flashes() {
  local code=0 expected=$1
  : >"$CALLS"
  ./dev flash a_board "${@:2}" >out 2>err || code=$?
  [ $code -eq "$expected" ] || fail "flash ${*:2}: exit code $code, not $expected: $(cat out err)"
}

flash() {
  cp -r "$source_dir/toolchain" .
  mkdir -p firmware/boards/a_board build/a_board/firmware
  printf '%s\n' 'MEMORY {' 'CODE (rx) : ORIGIN = 0x08000000, LENGTH = 1K' 'DATA (rw) : ORIGIN = 0x20000000, LENGTH = 1K' '}' >firmware/boards/a_board/memory.ld
  touch firmware/boards/a_board/board.cmake
  cat >build/a_board/firmware/board.json <<JSON
{"board": "a_board", "part": "A chip", "openocd": "target/a.cfg", "dfu": "1234:abcd", "emulated": 0,
 "image": "$PWD/build/a_board/firmware/tactus.elf", "memory": "$PWD/firmware/boards/a_board/memory.ld"}
JSON
  small_image build/a_board/firmware/tactus.elf a_board 0
  flashes 0 --dry-run
  has out 'image        a_board, version 1.2.3, 488 B at 0x08000000'
  has out '488 B used,  52.3 % free'
  has out "command      openocd -f interface/stlink.cfg -c 'transport select hla_swd' -f target/a.cfg"
  has out 'nothing has been written'
  has_not "$CALLS" openocd
  flashes 0 --dry-run --probe dfu
  has out 'dfu-util -d 1234:abcd -a 0 -s 0x08000000 -D'
  has_not out ':leave'  # the image would start with the boot loader's clocks
  flashes 0
  has "$CALLS" "program {$PWD/build/a_board/firmware/tactus.elf} verify reset exit"
  has out 'written and verified: a_board'
  flashes 0 --probe jlink
  has "$CALLS" 'openocd -f interface/jlink.cfg -c transport select swd'
  DFU='Found DFU: [1234:abcd] ver=2200' flashes 0 --probe dfu
  has "$CALLS" 'dfu-util -d 1234:abcd'
  has out 'written, and not read back (dfu-util does not): a_board'
  has out 'pull BOOT0 low again and reset the board'
  MISSING=dfu-util flashes 0
  MISSING=openocd DFU='Found DFU: [1234:abcd] ver=2200' flashes 0 --probe dfu
  refuses openocd flash a_board --probe jlink
  refuses dfu-util flash a_board --probe dfu
  mkdir 'a folder'
  cp build/a_board/firmware/tactus.elf 'a folder'
  flashes 0 --image 'a folder/tactus.elf'
  has "$CALLS" "program {$PWD/a folder/tactus.elf} verify reset exit"
  has out "'program {$PWD/a folder/tactus.elf} verify reset exit'"
  cp build/a_board/firmware/tactus.elf beside.elf  # dfu-util writes the .bin that stands beside
  flashes 1 --probe dfu --image beside.elf
  has err 'beside.bin, which dfu-util would write, has not the bytes of'
  echo other >beside.bin
  flashes 1 --dry-run --probe dfu --image beside.elf
  has err 'has not the bytes of'
  flashes 1 --probe dfu
  has err 'no board in its USB boot loader: hold BOOT0 high'
  has_not "$CALLS" 'dfu-util -d'
  PROBE=none flashes 1
  has err 'no ST-LINK answers: plug it in'
  has err 'Error: open failed'
  has_not "$CALLS" 'program '
  PROBE=breaks flashes 1
  has err 'could not write and verify the image'
  small_image other.elf another_board 0
  flashes 1 --image other.elf
  has err 'is an image of the board another_board, not of a_board'
  MISSING=openocd flashes 1 --image other.elf  # what is refused installs no tool first
  has err 'is an image of the board another_board, not of a_board'
  small_image emulated.elf a_board 1
  flashes 1 --image emulated.elf
  has err 'is built for the emulator'
  printf 'x' | dd of=build/a_board/firmware/tactus.elf bs=1 seek=100 conv=notrunc 2>/dev/null
  flashes 1
  has err 'is not whole'
  echo 'no image at all, but long enough to be looked at' >nothing.elf
  flashes 1 --image nothing.elf
  has err 'is no image of Tactus'
  [ ! -s "$CALLS" ] || has_not "$CALLS" openocd
}

check() {
  mkdir -p firmware/servo
  touch firmware/servo/a.cc firmware/servo/b.cc
  ./dev check >out 2>err || fail "$(cat err)"
  for part in 1 2 3 4; do has err "check, part $part of 4"; done
  has err '[1/2] Checking firmware/servo/'
  has err 'every check passed'
  has "$CALLS" 'clang-format --dry-run --Werror'
  has "$CALLS" 'clang-tidy -p build/host-sanitize --quiet firmware/servo/a.cc'
  has "$CALLS" 'cmake --build build/host-sanitize --target tactus_sanitized'
  local code=0
  TIDY='a.cc:1: warning: what is this' ./dev check >out 2>err || code=$?
  [ $code -eq 2 ] || fail "a finding of clang-tidy: exit code $code, not 2"
  has err 'a.cc:1: warning: what is this'
  : >"$CALLS"
  MISSING=clang-tidy ./dev check >out 2>err || fail "$(cat err)"
  has err 'clang-tidy is left out, for it is not installed: apt-get install clang-tidy'
  has_not "$CALLS" clang-tidy
  has err 'every check passed'
}

new_checkout
"$name"
