# B-G431B-ESC1 (UM2516): STM32G431CB, Cortex-M4F at 170 MHz, single precision FPU, 128 KB flash, 32 KB RAM; one motor with
# its current, one encoder. Not emulated: built, linked, sized, its sequences tested on models.
set(TACTUS_BOARD_CPU_FLAGS -mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard)
set(TACTUS_BOARD_SCALAR float)
set(TACTUS_BOARD_HAL stm32)
set(TACTUS_BOARD_SOURCES b-g431b-esc1/board.cc b-g431b-esc1/vectors.cc stm32_cut_handlers.cc)
set(TACTUS_BOARD_HEADER b-g431b-esc1/board.h)
set(TACTUS_BOARD_MAIN b-g431b-esc1/main.cc)
set(TACTUS_BOARD_APPLICATION tactus::io tactus::build_id)  # the thin I/O firmware, not the servo
set(TACTUS_BOARD_EMULATED OFF)
set(TACTUS_BOARD_TICK_NOT_COUNTED "the I/O firmware solves nothing, and no bench counts it")
set(TACTUS_BOARD_HANDLERS link=Usart2Handler link=Dma1Channel3Handler link=Dma1Channel4Handler
  timer=ClockGuardHandler cut=CrystalLostHandler cut=SupplyLowHandler cut=WatchdogWarningHandler)
set(TACTUS_BOARD_PART "STM32G431CB on B-G431B-ESC1")
set(TACTUS_BOARD_OPENOCD target/stm32g4x.cfg)
