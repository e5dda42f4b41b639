# Arm MPS2 with the AN386 image: Cortex-M4F at 25 MHz, single precision FPU, 4 MB code RAM, 4 MB data RAM. Emulated by
# QEMU, where a double precision instruction faults. Doubles in software do not: a gate keeps them out of the tick.
set(TACTUS_BOARD_CPU_FLAGS -mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard)
set(TACTUS_BOARD_SCALAR float)
set(TACTUS_BOARD_HAL mps2)
set(TACTUS_BOARD_QEMU_MACHINE mps2-an386)
set(TACTUS_BOARD_EMULATED ON)
set(TACTUS_BOARD_MAIN mps2-an500/main.cc)  # the two images differ in nothing that the program sees
set(TACTUS_BOARD_HEADER mps2-an500/board.h)
set(TACTUS_BOARD_HANDLERS link=Uart0RxHandler link=Uart0TxHandler timer=ClockGuardHandler)
set(TACTUS_BOARD_EMULATED_WATCHDOG ON)
set(TACTUS_BOARD_CORRUPTION_CAMPAIGN ON)
set(TACTUS_BOARD_BENCHES ON)
set(TACTUS_BOARD_PART "MPS2 AN386, emulated")
set(TACTUS_BOARD_TICK_RECORD mps2-an386/instruction_budget.json)
# Of 16 000 hostile solves 8 take more than they count, 1.09 of it at most: paths that end in clamped gaps, or where the work
# does. The ticks keep their bound all the same (Gate.NoTickIsTooDear).
set(TACTUS_BOARD_WORK_SHARE 1.1)
set(TACTUS_BOARD_TICK_INSTRUCTIONS 500000)  # as the emulator runs
