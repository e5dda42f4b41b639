// The I/O firmware on this board: the second image beside the servo's.
#include "firmware/boards/io_program.h"
#include "firmware/boards/stm32h743/io_board.h"

using Program = tactus::board::IoProgram<tactus::board::IoBoard>;

extern "C" void TickHandler() { Program::OnTick(); }

int main() { Program::Run(); }
