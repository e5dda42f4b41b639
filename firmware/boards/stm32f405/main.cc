#include "firmware/boards/servo_program.h"
#include "firmware/boards/stm32f405/board.h"

using Program = tactus::board::ServoProgram<tactus::board::Board>;

extern "C" void TickHandler() { Program::OnTick(); }

int main() { Program::Run(); }
