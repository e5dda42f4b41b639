#pragma once
#include <cstdint>

namespace tactus::hal::mps2 {

/// The emulator's FIFO to the host, for OutputsSafe: the handle is kept in a register of a timer that nobody runs, where no
/// corruption of RAM reaches it. A reset forgets it.
void SetFaultFifo(int handle);

}  // namespace tactus::hal::mps2
