tactus_add_board_test(h743 stm32h743 board.cc io_board.cc)
