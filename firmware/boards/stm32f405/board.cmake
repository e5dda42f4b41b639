# STM32F405RG, 64 pins: Cortex-M4F at 168 MHz, single precision FPU, 1 MB flash, 128 KB RAM (and 64 KB for the core alone, which
# is left free). An 8 MHz crystal. Pins: docs/boards.md. QEMU models its core, USARTs and four timers as netduinoplus2.
set(TACTUS_BOARD_CPU_FLAGS -mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard)
set(TACTUS_BOARD_SCALAR float)
set(TACTUS_BOARD_HAL stm32)
set(TACTUS_BOARD_SOURCES stm32f405/board.cc stm32f405/vectors.cc stm32_cut_handlers.cc)
set(TACTUS_BOARD_HEADER stm32f405/board.h)
set(TACTUS_BOARD_MAIN stm32f405/main.cc)
set(TACTUS_BOARD_IO_MAIN stm32f405/io_main.cc stm32f405/io_board.cc)  # a second image: the thin I/O firmware
set(TACTUS_BOARD_DEVICE_MAIN stm32f405/device_main.cc stm32f405/io_board.cc)  # a third: the servo drives the board's motors
set(TACTUS_BOARD_QEMU_MACHINE netduinoplus2)
set(TACTUS_BOARD_EMULATOR_WITHOUT_CLOCK ON)  # no flag of its RCC ever rises
set(TACTUS_BOARD_EMULATED OFF)  # the image is for the chip; tactus-emulated.elf beside it is for QEMU
set(TACTUS_BOARD_HANDLERS link=Usart1Handler link=Dma2Stream2Handler link=Dma2Stream7Handler timer=ClockGuardHandler
  cut=CrystalLostHandler cut=SupplyLowHandler cut=WatchdogWarningHandler)
set(TACTUS_BOARD_NULL_GUARD ON)  # nothing may touch address 0 (memory.ld)
set(TACTUS_BOARD_PART "STM32F405RG")
set(TACTUS_BOARD_OPENOCD target/stm32f4x.cfg)
set(TACTUS_BOARD_DFU 0483:df11)
set(TACTUS_BOARD_TICK_GATES ON)
set(TACTUS_BOARD_TICK_RECORD stm32f405/instruction_budget.json)  # hostile_ticks.py --ticks 50000 --seed 2026
set(TACTUS_BOARD_TICK_INSTRUCTIONS 105000)  # 168 MHz, 1.6 cycles an instruction, 1 ms
set(TACTUS_BOARD_TICK_MOST 105000)  # no hostile tick takes more
set(TACTUS_BOARD_TICK_FREE_PERCENT 10)  # not a quarter, as elsewhere
set(TACTUS_BOARD_TICK_FREE_WHY "hostile ticks, 50000 of them; the worst of the demonstration leaves 25 %, and less work means fewer exact answers")
set(TACTUS_BOARD_SCENE_BODIES 0)  # the peg alone: a scene's tick takes 20 kB of stack, 16 are there
