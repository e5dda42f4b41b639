#pragma once
#include "hal/api/drive_enable.h"

namespace tactus::hal::mps2 {

/// LED 0 in place of the enable line of drives. OutputsSafe clears it before all else.
class DriveLine final : public DriveEnable {
 private:
  void DoSet(bool on) noexcept override;
};

}  // namespace tactus::hal::mps2
