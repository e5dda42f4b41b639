tactus_add_board_test(f405 stm32f405 board.cc io_board.cc)
