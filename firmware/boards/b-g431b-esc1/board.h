#pragma once
#include "hal/cortex_m/boot.h"
#include "hal/stm32/bridge_motor_io.h"
#include "hal/stm32/g4/clock_tree.h"
#include "hal/stm32/g4/current_sense.h"
#include "hal/stm32/g4/uart_link.h"
#include "hal/stm32/link_core.h"
#include "hal/stm32/watchdogs.h"

namespace tactus::board {

namespace g4 = hal::stm32::g4;
using hal::stm32::Hardware;

using UsartLink = g4::DmaUartLink<Hardware, hal::stm32::LinkCore, g4::Usart2Channels>;

using CurrentSense = g4::CurrentSense<Hardware>;
using Motors = hal::stm32::BridgeMotorIo<Hardware, hal::stm32::OneMotorBetweenTwo, CurrentSense>;

constexpr std::uint32_t kWindowDivider8 = 3u << 11;  // WWDG_CFR, RM0440 44.5.2

class BoardWatchdogs final : public hal::stm32::Watchdogs<Hardware, g4::kCore_Hz, kWindowDivider8> {
 public:
  BoardWatchdogs();
};

/// A B-G431B-ESC1 as docs/boards.md wires it.
struct Board {
  static constexpr std::uint32_t kCore_Hz = g4::kCore_Hz;
  using Watchdog = BoardWatchdogs;

  /// Clock, supply, pins, current sense, over-current cut, power stage off. A step of the clock that fails ends the run with
  /// that fault (kClockTree), one of the sense or of the cut with kPowerStage, before anything drives.
  static void SetUp();
  static UsartLink& Link();
  static CurrentSense& Sense();
  /// One motor on U and V with its current, and its encoder.
  static Motors& MotorIo(const hal::cortex_m::BootOptions&);
  static void StartClockGuard();
};

}  // namespace tactus::board
