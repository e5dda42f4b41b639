#include "firmware/boards/stm32f405/board.h"

#include "hal/api/last_words.h"
#include "hal/cortex_m/barrier.h"
#include "hal/cortex_m/fault.h"
#include "hal/cortex_m/outputs_safe.h"
#include "hal/cortex_m/reset_cause.h"
#include "hal/cortex_m/semihosting.h"
#include "hal/cortex_m/systick_clock.h"
#include "hal/stm32/clock_guard.h"
#include "hal/stm32/f4/supply.h"
#include "hal/stm32/pins.h"

namespace tactus::board {
namespace {

using hal::cortex_m::FaultCause;
using hal::stm32::ClockStep;
using hal::stm32::PinMode;
using hal::stm32::PinUse;
using hal::stm32::Pull;
using hal::stm32::SetUpPin;
namespace rcc = f4::rcc;
namespace timer = hal::stm32::timer;

// Pins: docs/boards.md, "stm32f405". Functions: data sheet DS8626, table 9.
constexpr PinUse kPortAPins[] = {{0, PinMode::kAlternate, 2, Pull::kUp},   {1, PinMode::kAlternate, 2, Pull::kUp},
                                 {2, PinMode::kAlternate, 2, Pull::kDown}, {8, PinMode::kAlternate, 1, Pull::kDown},
                                 {9, PinMode::kAlternate, 1, Pull::kDown}, {10, PinMode::kAlternate, 1, Pull::kDown},
                                 {15, PinMode::kAlternate, 1, Pull::kUp}};
constexpr PinUse kPortBPins[] = {{0, PinMode::kAlternate, 2, Pull::kDown},  {3, PinMode::kAlternate, 1, Pull::kUp},
                                 {4, PinMode::kAlternate, 2, Pull::kUp},    {5, PinMode::kAlternate, 2, Pull::kUp},
                                 {6, PinMode::kAlternate, 7, Pull::kUp},    {7, PinMode::kAlternate, 7, Pull::kUp},
                                 {10, PinMode::kAlternate, 1, Pull::kDown}, {12, PinMode::kAlternate, 1, Pull::kUp},
                                 {13, PinMode::kAlternate, 1, Pull::kDown}, {14, PinMode::kAlternate, 1, Pull::kDown},
                                 {15, PinMode::kAlternate, 1, Pull::kDown}};
constexpr PinUse kPortCPins[] = {{0, PinMode::kAnalog},
                                 {1, PinMode::kAnalog},
                                 {2, PinMode::kAnalog},
                                 {kGateEnable, PinMode::kOutput},
                                 {11, PinMode::kInput, 0, Pull::kUp}};

constexpr f4::ClockPlan kClockPlan = f4::PlanFor<8'000'000>();
constexpr std::uint32_t kDeadTime_ns = 500;
constexpr hal::stm32::PwmOptions kPwmOptions{.half_period = Board::kPwmHalfPeriod,
                                             .dead_time = hal::stm32::DeadTimeCode(kDeadTime_ns, f4::kApb2Timer_Hz)};

// The emulator's timers count 1 GHz, divided by their prescaler.
constexpr std::uint32_t kGuardTimer_Hz = TACTUS_EMULATED ? 1'000'000'000 : f4::kApb1Timer_Hz;

constexpr std::uint8_t kCutPriority = 0;  // above all: nothing holds it up

void StartClock() {
  const ClockStep step = f4::StartClockTree(f4::Rcc(), f4::Pwr(), f4::Flash(), kClockPlan);
  if (step == ClockStep::kDone) return;
  if constexpr (TACTUS_EMULATED) {
    hal::cortex_m::semihosting::Print("tactus: the emulator's clock: ");
    hal::cortex_m::semihosting::Print(NameOf(step));
    hal::cortex_m::semihosting::Print("; going on\n");
  } else {
    ReportFault(FaultCause::kClockTree, static_cast<std::uint32_t>(step), NameOf(step));
  }
}

void SwitchOnBlocks() {
  auto& block = f4::Rcc();
  block.ahb1enr = block.ahb1enr | rcc::kPortA | rcc::kPortB | rcc::kPortC | rcc::kDma2;
  block.apb1enr = block.apb1enr | rcc::kTim2 | rcc::kTim3 | rcc::kTim4 | rcc::kTim5 | rcc::kWwdg;
  block.apb2enr = block.apb2enr | rcc::kTim1 | rcc::kTim8 | rcc::kUsart1 | rcc::kAdc1;
  hal::cortex_m::WaitForWrites();  // two clocks until a block listens (RM0090 7.3.10, errata ES0182 2.1.13)
}

auto SupplyDetector() { return f4::DetectorAt(f4::kDetect2V7, f4::Pwr(), f4::Exti()); }

void SetUpPins() {
  for (const PinUse& use : kPortCPins) SetUpPin(f4::PortC(), use);  // the gate drivers' line first
  for (const PinUse& use : kPortAPins) SetUpPin(f4::PortA(), use);
  for (const PinUse& use : kPortBPins) SetUpPin(f4::PortB(), use);
}

/// Where the link's interrupts are not used the emulator never raises them.
void EnableLinkInterrupts() {
  for (const int interrupt : {f4::kUsart1Interrupt, f4::kDma2Stream2Interrupt, f4::kDma2Stream7Interrupt})
    hal::cortex_m::EnableInterrupt(interrupt, hal::cortex_m::kLinkPriority);
}

void EnableCut(int interrupt) { hal::cortex_m::EnableInterrupt(interrupt, kCutPriority); }

/// The emulator's FIFO: its handle is kept in a register that nothing else uses (SetFaultFifo).
void WriteLastWordsToFifo() {
  const auto handle = static_cast<int>(static_cast<std::uint32_t>(f4::Tim4().ccr4));
  if (TACTUS_EMULATED && handle != 0) hal::cortex_m::semihosting::Write(handle, hal::kLastWords);
}

}  // namespace

void PowerStage::DoSet(bool on) noexcept { SwitchPowerStage(Board::Pwm(), &f4::PortC().bsrr, 1u << kGateEnable, on); }

BoardWatchdogs::BoardWatchdogs() : Watchdogs(f4::Iwdg(), f4::Wwdg()) {}

hal::stm32::MotorPwm<Hardware>& Board::Pwm() {
  static hal::stm32::MotorPwm<Hardware> pwm(f4::Tim1());
  return pwm;
}

void Board::SetUp() {
  SetUpUnpowered();
  StartPowerStage();
}

void Board::SetUpUnpowered() {
  SwitchOnBlocks();
  SetUpPins();
  StartClock();
  hal::stm32::WatchSupply(SupplyDetector());
  EnableCut(f4::kPvdInterrupt);
  EnableCut(f4::kWwdgInterrupt);
  EnableLinkInterrupts();
}

void Board::StartPowerStage() {
  if (SupplyIsLow(SupplyDetector())) ReportFault(FaultCause::kSupplyLow, 0);
  if (Pwm().Start(kPwmOptions) != Status::kOk && !TACTUS_EMULATED) ReportFault(FaultCause::kPowerStage, 0, "TIM1");
}

UsartLink& Board::Link() {
  constexpr auto kClock = hal::stm32::UsartClockOf<f4::kApb2_Hz>();
#if TACTUS_EMULATED
  static UsartLink link(f4::Usart1(), kClock);
#else
  static hal::stm32::LinkBuffers buffers;
  static UsartLink link(f4::Usart1(), kClock, f4::Dma2(), buffers);
#endif
  return link;
}

void Board::StartClockGuard() {
  hal::stm32::StartGuardTimer(f4::Tim4(), kGuardTimer_Hz);
  hal::cortex_m::EnableInterrupt(f4::kTim4Interrupt, hal::cortex_m::kTimerPriority);
}

void Board::SetFaultFifo(int handle) { f4::Tim4().ccr4 = static_cast<std::uint32_t>(handle); }

extern "C" {

void ClockGuardHandler() {
  f4::Tim4().sr = ~timer::kUpdate;
  hal::cortex_m::CheckClockAdvances();
}

#if TACTUS_EMULATED
void Usart1Handler() { Board::Link().OnInterrupt(); }
void Dma2Stream2Handler() {}
void Dma2Stream7Handler() {}
#else
void Usart1Handler() { Board::Link().OnUartInterrupt(); }
void Dma2Stream2Handler() { Board::Link().OnReceiveInterrupt(); }
void Dma2Stream7Handler() { Board::Link().OnSendInterrupt(); }
#endif
}

}  // namespace tactus::board

namespace tactus::hal::cortex_m {
ResetCause TakeResetCause() { return stm32::TakeResetFlags(stm32::f4::Rcc().csr, stm32::f4::kResetFlags); }
}  // namespace tactus::hal::cortex_m

// Registers at constant addresses only: the bridge, the gate drivers, then the words.
extern "C" void OutputsSafe() {
  using namespace tactus::board;
  tactus::hal::stm32::MotorPwm<Hardware>::CutOutputs(f4::Tim1());
  f4::PortC().bsrr = 1u << (kGateEnable + 16u);
  f4::SendPastQueues<f4::Usart1Streams>(f4::Usart1(), f4::Dma2(), tactus::hal::kLastWords);
  WriteLastWordsToFifo();
}
