#pragma once
#include "hal/api/device.h"
#include "hal/api/drive_enable.h"
#include "hal/stm32/f4/clock_tree.h"
#include "hal/stm32/f4/uart_link.h"
#include "hal/stm32/link_core.h"
#include "hal/stm32/motor_pwm.h"
#include "hal/stm32/watchdogs.h"

namespace tactus::board {

namespace f4 = hal::stm32::f4;
using hal::stm32::Hardware;

// USART1, by DMA; in the image for the emulator, which has no DMA, by an interrupt for each byte.
#if TACTUS_EMULATED
using UsartLink = f4::InterruptUartLink<Hardware, hal::stm32::LinkCore>;
#else
using UsartLink = f4::DmaUartLink<Hardware, hal::stm32::LinkCore, f4::Usart1Streams>;
#endif

constexpr std::uint32_t kGateEnable = 10;  ///< PC10

/// The power stage: PWM on TIM1, and the line that enables the gate drivers. OutputsSafe switches both off.
class PowerStage final : public hal::DriveEnable {
 private:
  void DoSet(bool on) noexcept override;
};

constexpr std::uint32_t kWindowDivider8 = 3u << 7;  // WWDG_CFR, RM0090 22.6.2

class BoardWatchdogs final : public hal::stm32::Watchdogs<Hardware, f4::kApb1_Hz, kWindowDivider8> {
 public:
  BoardWatchdogs();
};

/// A board with an STM32F405 as docs/boards.md wires it.
struct Board {
  static constexpr std::uint32_t kCore_Hz = f4::kCore_Hz;
  static constexpr std::int64_t kWorkPerSecond = kCore_Hz * 10ll / 16;  ///< 1.6 cycles an instruction
  static constexpr int kTickContacts = 5;                               ///< docs/boards.md, "Ticks"
  static constexpr int kTickBesideSolver = 41'000;                      ///< [instructions]
  using Watchdog = BoardWatchdogs;
  using Drives = PowerStage;

  /// Clock, supply, pins, power stage off. A step of the clock that fails ends the run with that fault (kClockTree), outputs
  /// off; in the image for the emulator, which has no clock tree, it is counted.
  static void SetUp();
  /// SetUp in two parts, for what has to be started before the power stage.
  static void SetUpUnpowered();
  static void StartPowerStage();
  static UsartLink& Link();
  static hal::Device* Device() { return nullptr; }
  static void StartClockGuard();
  static void SetFaultFifo(int handle);

  static hal::stm32::MotorPwm<Hardware>& Pwm();
  static constexpr std::uint32_t kPwmHalfPeriod = f4::kApb2Timer_Hz / (2 * 24'000);  ///< 24 kHz, centre-aligned
};

}  // namespace tactus::board
