#pragma once
#include "hal/api/watchdog.h"

namespace tactus::hal::mps2 {

/// The CMSDK watchdog: the first expiry is an NMI (outputs to zero, flight record), the second resets the controller.
class CmsdkWatchdog final : public Watchdog {
 private:
  void DoStart(std::uint32_t timeout_us) noexcept override;
  void DoFeed() noexcept override;
};

}  // namespace tactus::hal::mps2
