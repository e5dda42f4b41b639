#pragma once
#include <type_traits>

#include "firmware/servo/board_work.h"
#include "hal/mps2/clock_guard.h"
#include "hal/mps2/drive_line.h"
#include "hal/mps2/outputs_safe.h"
#include "hal/mps2/registers.h"
#include "hal/mps2/uart_link.h"
#include "hal/mps2/watchdog.h"

namespace tactus::hal {
class Device;
}

namespace tactus::board {

/// The MPS2 boards. The two images differ in nothing that the program sees.
struct Board {
  static constexpr std::uint32_t kCore_Hz = hal::mps2::kCore_Hz;
  static constexpr std::int64_t kWorkPerSecond = servo::kM7WorkPerSecond;  ///< its emulator runs 500 instructions in 1 µs
  static constexpr std::int64_t kLeastTickWork = std::is_same_v<TACTUS_BOARD_SCALAR, float> ? 0 : servo::kM7LeastTickWork;
  static constexpr std::int64_t kManyWorkPerSecond =
      std::is_same_v<TACTUS_BOARD_SCALAR, float> ? servo::kM4fManyWorkPerSecond : 1000ll * kWorkBudgetOfMany;
  using Watchdog = hal::mps2::CmsdkWatchdog;
  using Drives = hal::mps2::DriveLine;

  static void SetUp() {}
  static hal::mps2::UartLink& Link() { return hal::mps2::UartLink::Instance(); }
  static hal::Device* Device() { return nullptr; }
  static void StartClockGuard() { hal::mps2::StartClockGuard(); }
  static void SetFaultFifo(int handle) { hal::mps2::SetFaultFifo(handle); }
};

}  // namespace tactus::board
