# STM32H743ZI as on the NUCLEO-H743ZI2 (revision V or later): Cortex-M7 at 480 MHz, double precision FPU, 2 MB flash, 128 KB DTCM,
# 64 KB ITCM. 8 MHz from the debugger on OSC_IN. Not emulated: built, linked, sized, its sequences tested on models.
set(TACTUS_BOARD_CPU_FLAGS -mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard)
set(TACTUS_BOARD_SCALAR double)
set(TACTUS_BOARD_HAL stm32)
set(TACTUS_BOARD_SOURCES stm32h743/board.cc stm32h743/vectors.cc stm32_cut_handlers.cc)
set(TACTUS_BOARD_HEADER stm32h743/board.h)
set(TACTUS_BOARD_MAIN stm32h743/main.cc)
set(TACTUS_BOARD_IO_MAIN stm32h743/io_main.cc stm32h743/io_board.cc)  # a second image: the thin I/O firmware
set(TACTUS_BOARD_DEVICE_MAIN stm32h743/device_main.cc stm32h743/io_board.cc)  # a third: the servo drives the board's motors
set(TACTUS_BOARD_EMULATED OFF)
set(TACTUS_BOARD_TICK_NOT_COUNTED "no emulator runs this part. On the emulated Cortex-M7, compiled as here, hostile ticks of the peg take 345053 instructions and the scene stack 411819, of 480000 cycles (docs/boards.md, Ticks)")
set(TACTUS_BOARD_HANDLERS link=Usart3Handler link=Dma1Stream1Handler link=Dma1Stream2Handler timer=ClockGuardHandler
  cut=CrystalLostHandler cut=SupplyLowHandler cut=WatchdogWarningHandler)
set(TACTUS_BOARD_PART "STM32H743ZI")
set(TACTUS_BOARD_OPENOCD target/stm32h7x.cfg)
set(TACTUS_BOARD_DFU 0483:df11)
set(TACTUS_BOARD_SMALL_TICK ON)  # with -O3 its code is 75 kB too large for the ITCM
set(TACTUS_BOARD_SCENE_BODIES 4)
