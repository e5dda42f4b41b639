#pragma once
#include "firmware/servo/board_work.h"
#include "hal/api/device.h"
#include "hal/api/drive_enable.h"
#include "hal/stm32/h7/clock_tree.h"
#include "hal/stm32/h7/uart_link.h"
#include "hal/stm32/link_core.h"
#include "hal/stm32/motor_pwm.h"
#include "hal/stm32/watchdogs.h"

namespace tactus::board {

namespace h7 = hal::stm32::h7;
using hal::stm32::Hardware;

using UsartLink = h7::DmaUartLink<Hardware, hal::stm32::LinkCore, h7::Usart3Streams>;

constexpr std::uint32_t kGateEnable = 10;  ///< PC10

/// The power stage: PWM on TIM1, and the line that enables the gate drivers. OutputsSafe switches both off.
class PowerStage final : public hal::DriveEnable {
 private:
  void DoSet(bool on) noexcept override;
};

constexpr std::uint32_t kWindowDivider8 = 3u << 11;  // WWDG_CFR, RM0433 47.5.2

class BoardWatchdogs final : public hal::stm32::Watchdogs<Hardware, h7::kApb_Hz, kWindowDivider8> {
 public:
  BoardWatchdogs();
};

/// A NUCLEO-H743ZI2 as docs/boards.md wires it.
struct Board {
  static constexpr std::uint32_t kCore_Hz = h7::kCore_Hz;
  static constexpr std::int64_t kWorkPerSecond = servo::kM7WorkPerSecond;
  /// With its tick at -O2 and several bodies' solver at -O3 `stack` takes 412 000 of 480 000 instructions at most, on the
  /// emulated M7; with all of the M7's work it takes 453 000 (docs/boards.md).
  static constexpr std::int64_t kManyWorkPerSecond = 280'000'000;
  using Watchdog = BoardWatchdogs;
  using Drives = PowerStage;

  /// Clock, caches, supply, pins, power stage off. A step of the clock that fails ends the run with that fault (kClockTree).
  static void SetUp();
  /// SetUp in two parts, for what has to be started before the power stage.
  static void SetUpUnpowered();
  static void StartPowerStage();
  static UsartLink& Link();
  static hal::Device* Device() { return nullptr; }
  static void StartClockGuard();
  static void SetFaultFifo(int) {}

  static hal::stm32::MotorPwm<Hardware>& Pwm();
  static constexpr std::uint32_t kPwmHalfPeriod = h7::kTimer_Hz / (2 * 24'000);  ///< 24 kHz, centre-aligned
};

}  // namespace tactus::board
