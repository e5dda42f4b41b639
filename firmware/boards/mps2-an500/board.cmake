# Arm MPS2 with the AN500 image: Cortex-M7 at 25 MHz, double precision FPU, 4 MB code RAM, 4 MB data RAM. Emulated by QEMU.
set(TACTUS_BOARD_CPU_FLAGS -mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard)
set(TACTUS_BOARD_SCALAR double)
set(TACTUS_BOARD_HAL mps2)
set(TACTUS_BOARD_QEMU_MACHINE mps2-an500)
set(TACTUS_BOARD_EMULATED ON)
set(TACTUS_BOARD_MAIN mps2-an500/main.cc)
set(TACTUS_BOARD_DEVICE_MAIN mps2-an500/device_main.cc)  # the servo with motors on the board, emulated there too
set(TACTUS_BOARD_HEADER mps2-an500/board.h)
set(TACTUS_BOARD_HANDLERS link=Uart0RxHandler link=Uart0TxHandler timer=ClockGuardHandler)
set(TACTUS_BOARD_EMULATED_WATCHDOG ON)
set(TACTUS_BOARD_CORRUPTION_CAMPAIGN ON)
set(TACTUS_BOARD_BENCHES ON)
set(TACTUS_BOARD_PART "MPS2 AN500, emulated")
set(TACTUS_BOARD_TICK_RECORD mps2-an500/instruction_budget.json)
set(TACTUS_BOARD_TICK_INSTRUCTIONS 500000)  # as the emulator runs
set(TACTUS_BOARD_SCENE_GRIDS ON)  # two images of 0.5 MB: the one in force, and the one that comes
