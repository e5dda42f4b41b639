#pragma once
#include <cstdint>

// Peripherals of the MPS2 FPGA images AN385, AN386 and AN500 (Arm DAI 0385, 0386, 0500; CMSDK: Arm DDI 0479).

namespace tactus::hal::mps2 {

using Register = volatile std::uint32_t;

inline constexpr std::uint32_t kCore_Hz = 25'000'000;  // SYSCLK of the images

struct UartRegisters {
  Register data;
  Register state;    ///< kTxFull, kRxFull, kTxOverrun, kRxOverrun
  Register control;  ///< kTxEnable, ...
  Register interrupt_clear;
  Register baud_divider;  ///< of the core clock; at least 16

  static constexpr std::uint32_t kTxFull = 1, kRxFull = 2, kTxOverrun = 4, kRxOverrun = 8;                      // state
  static constexpr std::uint32_t kTxEnable = 1, kRxEnable = 2, kTxInterruptEnable = 4, kRxInterruptEnable = 8;  // control
  static constexpr std::uint32_t kTxInterrupt = 1, kRxInterrupt = 2;                                            // clear
};

struct WatchdogRegisters {
  Register load, value, control, interrupt_clear, raw_status, masked_status;
  Register gap[(0xC00 - 0x18) / 4];
  Register lock;

  static constexpr std::uint32_t kInterruptEnable = 1, kResetEnable = 2;  // control
  static constexpr std::uint32_t kUnlock = 0x1ACCE551u;
};
static_assert(sizeof(WatchdogRegisters) == 0xC04);

/// CMSDK timer: counts down from `reload`, an interrupt at each zero.
struct TimerRegisters {
  Register control, value, reload, interrupt_clear;

  static constexpr std::uint32_t kEnable = 1, kInterruptEnable = 8;  // control
};

/// Buttons and LEDs of the FPGA.
struct FpgaIoRegisters {
  Register led;

  static constexpr std::uint32_t kDriveEnable = 1;  // LED 0 stands for the drives' enable line, which this board has not
};

/// CMSDK system controller: only what ended the last run. A bit is cleared by writing it.
struct ResetInformation {
  Register causes;

  static constexpr std::uint32_t kSoftware = 1, kWatchdog = 2, kLockup = 4;
};

inline UartRegisters& Uart0() { return *reinterpret_cast<UartRegisters*>(0x40004000u); }
inline WatchdogRegisters& WatchdogTimer() { return *reinterpret_cast<WatchdogRegisters*>(0x40008000u); }

inline TimerRegisters& Timer0() { return *reinterpret_cast<TimerRegisters*>(0x40000000u); }
inline TimerRegisters& Timer1() { return *reinterpret_cast<TimerRegisters*>(0x40001000u); }
inline FpgaIoRegisters& FpgaIo() { return *reinterpret_cast<FpgaIoRegisters*>(0x40028000u); }
inline ResetInformation& ResetInfo() { return *reinterpret_cast<ResetInformation*>(0x4001F010u); }

inline constexpr int kUart0RxInterrupt = 0, kUart0TxInterrupt = 1, kTimer0Interrupt = 8;
inline constexpr int kInterrupts = 32;

}  // namespace tactus::hal::mps2
