tactus_add_board_test(g431 b-g431b-esc1 board.cc)
