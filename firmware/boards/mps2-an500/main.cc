#include "firmware/boards/mps2-an500/board.h"
#include "firmware/boards/servo_program.h"

using Program = tactus::board::ServoProgram<tactus::board::Board>;

extern "C" void TickHandler() { Program::OnTick(); }

int main() { Program::Run(); }
