#include "firmware/boards/b-g431b-esc1/board.h"
#include "firmware/boards/io_program.h"

using Program = tactus::board::IoProgram<tactus::board::Board>;

extern "C" void TickHandler() { Program::OnTick(); }

int main() { Program::Run(); }
