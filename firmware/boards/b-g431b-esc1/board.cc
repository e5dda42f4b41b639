#include "firmware/boards/b-g431b-esc1/board.h"

#include "hal/api/last_words.h"
#include "hal/cortex_m/barrier.h"
#include "hal/cortex_m/fault.h"
#include "hal/cortex_m/outputs_safe.h"
#include "hal/cortex_m/reset_cause.h"
#include "hal/cortex_m/systick_clock.h"
#include "hal/stm32/clock_guard.h"
#include "hal/stm32/g4/over_current.h"
#include "hal/stm32/g4/supply.h"
#include "hal/stm32/motor_pwm.h"
#include "hal/stm32/pins.h"

namespace tactus::board {
namespace {

using hal::cortex_m::FaultCause;
using hal::stm32::ClockStep;
using hal::stm32::PinMode;
using hal::stm32::Pull;
using hal::stm32::SenseStep;
using hal::stm32::SetUpPin;
namespace rcc = g4::rcc;
namespace timer = hal::stm32::timer;
using Pwm = hal::stm32::MotorPwm<Hardware>;

// Pins: UM2516 (schematic MB1419); functions: data sheet DS12589, table 13.
// PA1, PA3, PA2: VINP, VINM, VOUT of OPAMP1 at the shunt of U; PA7, PA5, PA6: of OPAMP2 at that of V (table 12).
constexpr hal::stm32::PinUse kPortAPins[] = {{1, PinMode::kAnalog},
                                             {2, PinMode::kAnalog},
                                             {3, PinMode::kAnalog},
                                             {5, PinMode::kAnalog},
                                             {6, PinMode::kAnalog},
                                             {7, PinMode::kAnalog},
                                             {8, PinMode::kAlternate, 6, Pull::kDown},
                                             {9, PinMode::kAlternate, 6, Pull::kDown},
                                             {10, PinMode::kAlternate, 6, Pull::kDown},
                                             {12, PinMode::kAlternate, 6, Pull::kDown},
                                             {15, PinMode::kAlternate, 9, Pull::kUp}};  // PA15, on J3: the break
constexpr hal::stm32::PinUse kPortBPins[] = {
    {3, PinMode::kAlternate, 7, Pull::kUp},   {4, PinMode::kAlternate, 7, Pull::kUp},
    {6, PinMode::kAlternate, 2, Pull::kUp},   {7, PinMode::kAlternate, 2, Pull::kUp},
    {8, PinMode::kAlternate, 2, Pull::kDown}, {15, PinMode::kAlternate, 4, Pull::kDown}};
constexpr hal::stm32::PinUse kPortCPins[] = {{13, PinMode::kAlternate, 4, Pull::kDown}};

constexpr g4::ClockPlan kClockPlan = g4::PlanFor<8'000'000>();
constexpr std::uint32_t kPwm_Hz = 24'000, kDeadTime_ns = 500;
constexpr hal::stm32::PwmOptions kPwmOptions{.half_period = g4::kCore_Hz / (2 * kPwm_Hz),
                                             .dead_time = hal::stm32::DeadTimeCode(kDeadTime_ns, g4::kCore_Hz),
                                             .second_break = g4::kSecondBreak};
constexpr std::int32_t kCountsPerTurn = 4096;
constexpr std::uint32_t kBreakPin = 1u << 15;  // PA15
// A motor of 6 ohm at 12 V, to 7 300 turns a minute. Whoever has another one changes this line.
constexpr hal::stm32::BridgeMotor kMotor{
    .stall_A = 2, .max_current_A = 1, .counts_per_turn = kCountsPerTurn, .max_step_counts = 500};
// Shunts of 3 mohm (UM2516), amplified by 64/7: 1.5 kohm from the shunt, 2.2 kohm to ground and 22 kohm to 3.3 V at the
// input of gain 16, resistors by memory (docs/boards.md, "What was checked against what"). At rest 0.62 of 3.3 V; 3.7 mA a
// count, and eight samples are added up. OPAMP1's output is channel 3 of ADC1, OPAMP2's channel 3 of ADC2 (DS12589 table
// 12).
constexpr float kGain = 64.0f / 7, kShunt_ohm = 0.003f;
constexpr int kSamples = 8;
constexpr g4::CurrentOptions kCurrents{.channels = {3, 3},
                                       .amperes_per_count = 3.3f / (4096 * kSamples) / (kGain * kShunt_ohm),
                                       .middle = kSamples * 2553,  // 16 (1/22) / (1/1.5 + 1/2.2 + 1/22) of 4096
                                       .most_offset = kSamples * 200,
                                       .lowest = kSamples * 8,
                                       .highest = kSamples * 4087};
// Beyond so much current to ground the comparators cut: half of what the shunts are made for, and far above kMotor's
// ceiling. At the pins 1.7 mV/A above 0.129 V, so that a comparator's offset of some millivolts is some amperes.
constexpr double kCut_A = 20, kSupply_V = 3.3;
constexpr double kCut_V = (kCut_A * 0.003 / 1500 + kSupply_V / 22'000) / (1 / 1500.0 + 1 / 2200.0 + 1 / 22'000.0);
constexpr auto kCutCode = static_cast<std::uint32_t>(kCut_V / kSupply_V * 4096 + 0.5);
constexpr std::uint8_t kCutPriority = 0;  // above all: nothing holds it up

Pwm& ThePwm() {
  static Pwm pwm(g4::Tim1());
  return pwm;
}

void StartClock() {
  const ClockStep step = g4::StartClockTree<Hardware>({g4::Rcc(), g4::Pwr(), g4::Flash()}, kClockPlan);
  if (step != ClockStep::kDone) ReportFault(FaultCause::kClockTree, static_cast<std::uint32_t>(step), NameOf(step));
}

void SwitchOnBlocks() {
  auto& block = g4::Rcc();
  block.ahb1enr = block.ahb1enr | rcc::kDma1 | rcc::kDmaMux;
  block.ahb2enr = block.ahb2enr | rcc::kPortA | rcc::kPortB | rcc::kPortC | rcc::kAdc12 | rcc::kDac3;
  block.apb1enr1 = block.apb1enr1 | rcc::kTim3 | rcc::kTim4 | rcc::kUsart2 | rcc::kWwdg;
  block.apb2enr = block.apb2enr | rcc::kTim1 | rcc::kTim8 | rcc::kSyscfg;
  block.ccipr = block.ccipr | rcc::kAdc12OfSystem;
  hal::cortex_m::WaitForWrites();
}

void StartSense() {
  const SenseStep step = Board::Sense().Start(kPwmOptions.half_period);
  if (step != SenseStep::kDone) ReportFault(FaultCause::kPowerStage, static_cast<std::uint32_t>(step), NameOf(step));
}

void StartOverCurrentCut() {
  const g4::OverCurrentCut<Hardware> cut({g4::Comparators(), g4::Dac3(), g4::Tim1BreakSources()});
  const g4::CutStep step = cut.Start(kCutCode);
  if (step != g4::CutStep::kDone) ReportFault(FaultCause::kPowerStage, static_cast<std::uint32_t>(step), NameOf(step));
}

auto SupplyDetector() { return g4::DetectorAt(g4::kDetect2V6, g4::Pwr(), g4::Exti()); }

}  // namespace

BoardWatchdogs::BoardWatchdogs() : Watchdogs(g4::Iwdg(), g4::Wwdg()) {}

void Board::SetUp() {
  SwitchOnBlocks();
  for (const auto& use : kPortAPins) SetUpPin(g4::PortA(), use);
  for (const auto& use : kPortBPins) SetUpPin(g4::PortB(), use);
  for (const auto& use : kPortCPins) SetUpPin(g4::PortC(), use);
  StartClock();
  hal::stm32::WatchSupply(SupplyDetector());
  g4::BreakOnLockupAndSupply(g4::Syscfg());
  hal::cortex_m::EnableInterrupt(g4::kPvdInterrupt, kCutPriority);
  hal::cortex_m::EnableInterrupt(g4::kWwdgInterrupt, kCutPriority);
  for (const int interrupt : {g4::kUsart2Interrupt, g4::kDma1Channel3Interrupt, g4::kDma1Channel4Interrupt})
    hal::cortex_m::EnableInterrupt(interrupt, hal::cortex_m::kLinkPriority);
  if (SupplyIsLow(SupplyDetector())) ReportFault(FaultCause::kSupplyLow, 0);
  StartSense();
  StartOverCurrentCut();
  if (ThePwm().Start(kPwmOptions) != Status::kOk) ReportFault(FaultCause::kPowerStage, 0, "TIM1");
}

CurrentSense& Board::Sense() {
  static hal::stm32::SampleBuffer<2> buffer;
  static CurrentSense sense({{&g4::Adc1(), &g4::Adc2()},
                             g4::Adc12(),
                             g4::Rcc().ahb2rstr,
                             g4::Amplifiers(),
                             g4::Dma1(),
                             g4::DmaMux(),
                             g4::Tim8(),
                             g4::Tim1()},
                            kCurrents, buffer);
  return sense;
}

Motors& Board::MotorIo(const hal::cortex_m::BootOptions&) {
  static hal::stm32::QuadratureEncoder<Hardware> encoder(g4::Tim4(), {.counts_per_index = kCountsPerTurn});
  static Motors motors({.pwm = ThePwm(), .encoders = {&encoder}, .sense = &Sense()},
                       {g4::PortA().idr, kBreakPin, g4::Pwr().sr2, g4::pwr::kBelowLevel}, {kMotor});
  encoder.Start();
  return motors;
}

UsartLink& Board::Link() {
  static hal::stm32::LinkBuffers buffers;
  static UsartLink link(g4::Usart2(), hal::stm32::UsartClockOf<g4::kCore_Hz>(), g4::Dma1(), g4::DmaMux(), buffers);
  return link;
}

void Board::StartClockGuard() {
  hal::stm32::StartGuardTimer(g4::Tim3(), g4::kCore_Hz);
  hal::cortex_m::EnableInterrupt(g4::kTim3Interrupt, hal::cortex_m::kTimerPriority);
}

extern "C" {

void ClockGuardHandler() {
  g4::Tim3().sr = ~timer::kUpdate;
  hal::cortex_m::CheckClockAdvances();
}
void Usart2Handler() { Board::Link().OnUartInterrupt(); }
void Dma1Channel3Handler() { Board::Link().OnReceiveInterrupt(); }
void Dma1Channel4Handler() { Board::Link().OnSendInterrupt(); }
}

}  // namespace tactus::board

namespace tactus::hal::cortex_m {
ResetCause TakeResetCause() { return stm32::TakeResetFlags(stm32::g4::Rcc().csr, stm32::g4::kResetFlags); }
}  // namespace tactus::hal::cortex_m

// Registers at constant addresses only.
extern "C" void OutputsSafe() {
  using namespace tactus::board;
  Pwm::CutOutputs(g4::Tim1());
  tactus::hal::stm32::SendPastQueues(g4::Usart2(), tactus::hal::kLastWords);
}
