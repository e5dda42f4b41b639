#pragma once
#include <algorithm>

#include "hal/api/watchdog.h"
#include "hal/stm32/bounded_wait.h"
#include "hal/stm32/registers.h"

namespace tactus::hal::stm32 {

namespace watchdog {
inline constexpr std::uint32_t kStart = 0xCCCCu, kUnlock = 0x5555u, kReload = 0xAAAAu;  // IWDG_KR
inline constexpr std::uint32_t kLsi_Hz = 32'000;  // nominal: 17 to 47 kHz in the F405 (data sheet, LSI characteristics)
inline constexpr std::uint32_t kActivate = 1u << 7, kFull = 0x7Fu, kLast = 0x3Fu;  // WWDG_CR: it resets on leaving 0x40
inline constexpr std::uint32_t kEarlyWarning = 1u << 9;                            // WWDG_CFR
inline constexpr std::uint32_t kCountsPerTick = 4096;                              // of PCLK, before the prescaler
}  // namespace watchdog

/// The two watchdogs as one. The independent one has an oscillator of its own: it bites if all clocks of the core stop. The
/// window watchdog bites a loop that feeds too fast as well, and warns by an interrupt one of its counts before, which is
/// time to switch the outputs off and to record. Each is enough to reset the chip. RM0090 21 and 22.
///
/// @tparam kPclk_Hz    of the bus of the window watchdog
/// @tparam kDivider8   WDGTB for a division by 8: F4 has it at bits 8:7, H7 and G4 at 13:11
template <class R, std::uint32_t kPclk_Hz, std::uint32_t kDivider8>
class Watchdogs : public Watchdog {
 public:
  /// A count of the window watchdog: 0.78 ms at 42 MHz.
  static constexpr std::uint32_t kCount_us = std::uint32_t{8} * watchdog::kCountsPerTick / (kPclk_Hz / 1'000'000u);
  static constexpr int kFeedsPerRefresh = 4;   // of the window watchdog: some 4 ms
  static constexpr std::uint32_t kClosed = 2;  // counts after a refresh in which another one resets

  Watchdogs(IwdgRegisters<R>& independent, WwdgRegisters<R>& window) : independent_(independent), window_(window) {}

 private:
  void DoStart(std::uint32_t timeout_us) noexcept override {
    using namespace watchdog;
    independent_.kr = kStart;
    independent_.kr = kUnlock;
    independent_.pr = 0;  // a quarter of the oscillator
    independent_.rlr = std::clamp<std::uint32_t>(timeout_us / 1000u * (kLsi_Hz / 4000u), 1u, 4095u);
    // Five of its clocks; if it takes longer the longer period of before holds until then.
    (void)WaitFor(kTurns, [&] { return independent_.sr == 0; });
    independent_.kr = kReload;
    counts_ = std::clamp<std::uint32_t>(timeout_us / kCount_us, kClosed + 2u, kFull - kLast);
    window_.cfr = (kLast + counts_ - kClosed) | kDivider8 | kEarlyWarning;
    window_.cr = kActivate | (kLast + counts_);
    feeds_ = 0;
  }

  void DoFeed() noexcept override {
    independent_.kr = watchdog::kReload;
    if (++feeds_ < kFeedsPerRefresh) return;
    feeds_ = 0;
    window_.cr = watchdog::kActivate | (watchdog::kLast + counts_);
  }

  static constexpr int kTurns = 100'000;

  IwdgRegisters<R>& independent_;
  WwdgRegisters<R>& window_;
  std::uint32_t counts_ = 0;
  int feeds_ = 0;
};

}  // namespace tactus::hal::stm32
