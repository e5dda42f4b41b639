# Arm MPS2 with the AN500 image: Cortex-M7 at 25 MHz, double precision FPU, 4 MB code RAM, 4 MB data RAM. Emulated by QEMU.
set(TACTUS_BOARD_CPU_FLAGS -mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard)
set(TACTUS_BOARD_SCALAR double)
set(TACTUS_BOARD_HAL mps2)
set(TACTUS_BOARD_QEMU_MACHINE mps2-an500)
set(TACTUS_BOARD_EMULATED ON)
set(TACTUS_BOARD_MAIN mps2-an500/main.cc)
