#include "hal/mps2/drive_line.h"

#include "hal/mps2/registers.h"

namespace tactus::hal::mps2 {

void DriveLine::DoSet(bool on) noexcept { FpgaIo().led = on ? FpgaIoRegisters::kDriveEnable : 0u; }

}  // namespace tactus::hal::mps2
