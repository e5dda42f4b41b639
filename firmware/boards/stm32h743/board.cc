#include "firmware/boards/stm32h743/board.h"

#include "hal/api/last_words.h"
#include "hal/cortex_m/barrier.h"
#include "hal/cortex_m/caches.h"
#include "hal/cortex_m/fault.h"
#include "hal/cortex_m/outputs_safe.h"
#include "hal/cortex_m/reset_cause.h"
#include "hal/cortex_m/systick_clock.h"
#include "hal/stm32/clock_guard.h"
#include "hal/stm32/h7/supply.h"
#include "hal/stm32/pins.h"

namespace tactus::board {
namespace {

using hal::cortex_m::FaultCause;
using hal::stm32::ClockStep;
using hal::stm32::PinMode;
using hal::stm32::PinUse;
using hal::stm32::Pull;
using hal::stm32::SetUpPin;
namespace rcc = h7::rcc;
namespace timer = hal::stm32::timer;

// Pins: docs/boards.md, "stm32h743"; UM2407 has the connectors. Functions: data sheet DS12110, tables 9 to 13.
constexpr PinUse kPortAPins[] = {{3, PinMode::kAnalog}, {15, PinMode::kAlternate, 1, Pull::kUp}};
constexpr PinUse kPortBPins[] = {
    {1, PinMode::kAnalog}, {3, PinMode::kAlternate, 1, Pull::kUp}, {10, PinMode::kAlternate, 1, Pull::kDown}};
constexpr PinUse kPortCPins[] = {{kGateEnable, PinMode::kOutput},          {0, PinMode::kAnalog},
                                 {6, PinMode::kAlternate, 2, Pull::kUp},   {7, PinMode::kAlternate, 2, Pull::kUp},
                                 {8, PinMode::kAlternate, 2, Pull::kDown}, {11, PinMode::kInput, 0, Pull::kUp}};
constexpr PinUse kPortDPins[] = {{8, PinMode::kAlternate, 7, Pull::kUp},
                                 {9, PinMode::kAlternate, 7, Pull::kUp},
                                 {12, PinMode::kAlternate, 2, Pull::kUp},
                                 {13, PinMode::kAlternate, 2, Pull::kUp},
                                 {14, PinMode::kAlternate, 2, Pull::kDown}};
constexpr PinUse kPortEPins[] = {{8, PinMode::kAlternate, 1, Pull::kDown},  {9, PinMode::kAlternate, 1, Pull::kDown},
                                 {10, PinMode::kAlternate, 1, Pull::kDown}, {11, PinMode::kAlternate, 1, Pull::kDown},
                                 {12, PinMode::kAlternate, 1, Pull::kDown}, {13, PinMode::kAlternate, 1, Pull::kDown},
                                 {15, PinMode::kAlternate, 1, Pull::kUp}};  // PE15: the break

constexpr h7::ClockPlan kClockPlan = h7::PlanFor<8'000'000>(hal::stm32::OscillatorPins::kClock);  // from the debugger
constexpr std::uint32_t kDeadTime_ns = 500;
constexpr hal::stm32::PwmOptions kPwmOptions{.half_period = Board::kPwmHalfPeriod,
                                             .dead_time = hal::stm32::DeadTimeCode(kDeadTime_ns, h7::kTimer_Hz)};
// In the memory that DMA1 reaches and the core's cache leaves alone: memory.ld.
[[gnu::section(".shared")]] hal::stm32::LinkBuffers link_buffers;
constexpr std::uint8_t kCutPriority = 0;  // above all: nothing holds it up

void StartClock() {
  const ClockStep step = h7::StartClockTree<Hardware>({h7::Rcc(), h7::Pwr(), h7::Syscfg(), h7::Flash()}, kClockPlan);
  if (step != ClockStep::kDone) ReportFault(FaultCause::kClockTree, static_cast<std::uint32_t>(step), NameOf(step));
}

void SwitchOnBlocks() {
  auto& block = h7::Rcc();
  block.ahb1enr = block.ahb1enr | rcc::kDma1 | rcc::kAdc12;
  block.ahb2enr = block.ahb2enr | rcc::kSram1;
  block.ahb4enr = block.ahb4enr | rcc::kPortA | rcc::kPortB | rcc::kPortC | rcc::kPortD | rcc::kPortE;
  block.apb1lenr = block.apb1lenr | rcc::kTim2 | rcc::kTim3 | rcc::kTim4 | rcc::kTim5 | rcc::kUsart3;
  block.apb2enr = block.apb2enr | rcc::kTim1 | rcc::kTim8;
  block.gcr = block.gcr | rcc::kWwdgResets;  // before its clock, RM0433 8.7.36
  block.apb3enr = block.apb3enr | rcc::kWwdg1;
  hal::cortex_m::WaitForWrites();
}

auto SupplyDetector() { return h7::DetectorAt(h7::kDetect2V7, h7::Pwr(), h7::Exti()); }

void SetUpPins() {
  for (const PinUse& use : kPortCPins) SetUpPin(h7::PortC(), use);  // the gate drivers' line first
  for (const PinUse& use : kPortEPins) SetUpPin(h7::PortE(), use);
  for (const PinUse& use : kPortAPins) SetUpPin(h7::PortA(), use);
  for (const PinUse& use : kPortBPins) SetUpPin(h7::PortB(), use);
  for (const PinUse& use : kPortDPins) SetUpPin(h7::PortD(), use);
}

}  // namespace

void PowerStage::DoSet(bool on) noexcept { SwitchPowerStage(Board::Pwm(), &h7::PortC().bsrr, 1u << kGateEnable, on); }

BoardWatchdogs::BoardWatchdogs() : Watchdogs(h7::Iwdg(), h7::Wwdg()) {}

hal::stm32::MotorPwm<Hardware>& Board::Pwm() {
  static hal::stm32::MotorPwm<Hardware> pwm(h7::Tim1());
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
  hal::cortex_m::EnableCaches();
  hal::stm32::WatchSupply(SupplyDetector());
  h7::BreakOnLockupAndSupply(h7::Syscfg());
  hal::cortex_m::EnableInterrupt(h7::kPvdInterrupt, kCutPriority);
  hal::cortex_m::EnableInterrupt(h7::kWwdgInterrupt, kCutPriority);
  for (const int interrupt : {h7::kUsart3Interrupt, h7::kDma1Stream1Interrupt, h7::kDma1Stream2Interrupt})
    hal::cortex_m::EnableInterrupt(interrupt, hal::cortex_m::kLinkPriority);
}

void Board::StartPowerStage() {
  if (SupplyIsLow(SupplyDetector())) ReportFault(FaultCause::kSupplyLow, 0);
  if (Pwm().Start(kPwmOptions) != Status::kOk) ReportFault(FaultCause::kPowerStage, 0, "TIM1");
}

UsartLink& Board::Link() {
  static UsartLink link(h7::Usart3(), hal::stm32::UsartClockOf<h7::kApb_Hz>(), h7::Dma1(), h7::DmaMux1(), link_buffers);
  return link;
}

void Board::StartClockGuard() {
  hal::stm32::StartGuardTimer(h7::Tim5(), h7::kTimer_Hz);
  hal::cortex_m::EnableInterrupt(h7::kTim5Interrupt, hal::cortex_m::kTimerPriority);
}

extern "C" {

void ClockGuardHandler() {
  h7::Tim5().sr = ~timer::kUpdate;
  hal::cortex_m::CheckClockAdvances();
}
void Usart3Handler() { Board::Link().OnUartInterrupt(); }
void Dma1Stream1Handler() { Board::Link().OnReceiveInterrupt(); }
void Dma1Stream2Handler() { Board::Link().OnSendInterrupt(); }
}

}  // namespace tactus::board

namespace tactus::hal::cortex_m {
ResetCause TakeResetCause() { return stm32::TakeResetFlags(stm32::h7::Rcc().rsr, stm32::h7::kResetFlags); }
}  // namespace tactus::hal::cortex_m

// Registers at constant addresses only: the bridge, the gate drivers, then the words.
extern "C" void OutputsSafe() {
  using namespace tactus::board;
  tactus::hal::stm32::MotorPwm<Hardware>::CutOutputs(h7::Tim1());
  h7::PortC().bsrr = 1u << (kGateEnable + 16u);
  tactus::hal::stm32::SendPastQueues(h7::Usart3(), tactus::hal::kLastWords);
}
