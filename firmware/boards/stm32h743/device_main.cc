// The servo that drives the board's own motors: an image beside that whose device is at the host.
#include "firmware/boards/device_program.h"
#include "firmware/boards/stm32h743/io_board.h"

using Program = tactus::board::DeviceProgram<tactus::board::IoBoard>;

extern "C" void TickHandler() { Program::OnTick(); }

int main() { Program::Run(); }
