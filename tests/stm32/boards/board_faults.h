#pragma once
#include "tests/stm32/boards/board_rig.h"
#include "tests/stm32/clock_model.h"

// Each way to a fault, on a board of board_rig.h under current.

namespace tactus::board::rig {

inline constexpr FaultCause kFaults[] = {FaultCause::kSupplyLow, FaultCause::kCrystalLost, FaultCause::kWatchdogWarning,
                                         FaultCause::kUnexpected};

/// The supply falls to this level [V].
template <class Chip>
void SupplyFallsTo(Chip& chip, double level_V) {
  chip.clock.pwr.detector.supply_V = level_V;
  chip.clock.pwr.Step();
}

/// Drives on, behind the 64 samples without current from which the sense has its offsets.
template <class Chip>
void ArmBehindOffsets(Chip& chip, hal::MotorIo& motors) {
  motors.SetEnable(false);  // one object for every chip of this test
  for (int i = 0; i < 64; ++i) {
    chip.Period();
    (void)motors.Read();
  }
  (void)motors.Zero();
  motors.SetEnable(true);
  chip.Period();
}

/// A started board under current. @returns what of it is not so
template <class Chip>
std::string WhatArmingLacks(Chip& chip) {
  Findings findings;
  findings.Want(FaultOf(Chip::SetUp) == FaultCause::kNone, "the board starts");
  (void)Chip::Link();
  chip.machine.EndStart();
  chip.power.OpenContact(false);
  chip.Arm();
  findings.Want(chip.power.are_neutral(), "outputs are on");
  return findings.first();
}

/// Off first, then the words, which take 50 us and more: places in the log.
inline bool CutsBeforeItSpeaks(const Machine& machine) {
  const auto& log = machine.log;
  const auto words = std::find_if(log.begin(), log.end(), [](const auto& one) { return one.block.rfind("USART", 0) == 0; });
  const int cut = machine.FirstWrite("TIM1", TACTUS_AT(hal::stm32::TimerRegisters, bdtr), 1u << 15, 0);  // MOE
  return cut >= 0 && cut < words - log.begin();
}

/// Each way to a fault, on a chip under current: the outputs are off, by hardware where that can, and the host hears of it.
/// Chip has kDetected_V, kSupplyCuts and the models' names.
/// @param to_V  what the supply falls to
template <class Chip>
void Fail(Chip& chip, FaultCause cause, double to_V, Findings* findings) {
  chip.usart.sent.clear();
  if (cause == FaultCause::kSupplyLow) {
    SupplyFallsTo(chip, to_V);
    findings->Want(chip.exti.interrupts(), "the detector interrupts");
  }
  if (cause == FaultCause::kCrystalLost) chip.clock.rcc.LoseCrystal();
  if (cause == FaultCause::kCrystalLost || (cause == FaultCause::kSupplyLow && Chip::kSupplyCuts))
    findings->Want(chip.power.are_low(), "cut without software");
  const bool runs = !chip.power.are_low();
  chip.machine.log.clear();
  const FaultCause told = FaultOf([&] {
    if (cause == FaultCause::kCrystalLost && chip.clock.rcc.nmi) chip.lines.NonMaskable();
    if (cause == FaultCause::kSupplyLow) (void)chip.lines.Fire(1);
    if (cause == FaultCause::kWatchdogWarning) (void)chip.lines.Fire(0);
    if (cause == FaultCause::kUnexpected) chip.lines.Unexpected();
  });
  findings->Want(chip.IsOff(), "all is off");
  findings->Want(!runs || CutsBeforeItSpeaks(chip.machine), "off before the last words");
  findings->Want(told == cause, "the fault is told");
  chip.usart.Send(20);
  findings->Want(chip.usart.sent == LastWords(), "the last words");
}

/// @returns what of it is not so
template <class Chip>
std::string WhatAFaultLeaves(FaultCause cause) {
  Chip chip;
  if (const std::string lacking = WhatArmingLacks(chip); !lacking.empty()) return lacking;
  Findings findings;
  if (cause == FaultCause::kSupplyLow) {
    SupplyFallsTo(chip, Chip::kDetected_V + 0.05);
    findings.Want(!chip.exti.interrupts() && chip.power.are_neutral(), "nothing above the level");
  }
  Fail(chip, cause, Chip::kDetected_V - 0.05, &findings);
  for (const int cut : {0, 1}) findings.Want(chip.lines.priority(cut) == 0, "nothing holds a cut up");
  return findings.first();
}

/// A core that has locked up: hardware alone acts.
template <class Chip>
std::string WhatALockUpLeaves() {
  Chip chip;
  if (const std::string lacking = WhatArmingLacks(chip); !lacking.empty()) return lacking;
  chip.LockUp();
  return chip.power.are_low() ? "" : "cut without software";
}

/// A supply that is low before the board starts: told by the detector's interrupt as soon as that is let through, and by the
/// board's own look at the level; so by each of both alone.
template <class Chip>
std::string WhatALowSupplyAtStartLeaves() {
  Chip chip;
  chip.clock.pwr.detector.supply_V = Chip::kDetected_V - 0.05;
  Findings findings;
  findings.Want(FaultOf(Chip::SetUp) == FaultCause::kSupplyLow, "the start ends in the fault");
  findings.Want(chip.exti.interrupts() && chip.lines.priority(1) == 0, "the detector interrupts");
  findings.Want(!chip.power.timer.outputs_on(), "outputs are off");
  return findings.first();
}

/// The servo's image of a board whose power stage has a line for its gate drivers.
/// @returns what of it is not so
template <class Chip, class Board, class PowerStage>
std::string WhatThePowerStageLacks() {
  Chip chip;
  Findings findings;
  findings.Want(FaultOf(Board::SetUp) == FaultCause::kNone, "the board starts");
  PowerStage stage;
  findings.Want(chip.IsOff(), "off at the start");
  stage.Set(true);
  findings.Want(chip.power.are_neutral() && chip.gates_are_on(), "on, with its gates, at no current");
  stage.Set(false);
  findings.Want(chip.IsOff(), "off");
  stage.Set(true);
  chip.power.OpenContact(true);  // or its wire has come off
  findings.Want(chip.power.are_low(), "the break cuts");
  stage.Set(true);
  findings.Want(chip.IsOff(), "nor does it come on again");
  return findings.first();
}

/// Off in this order: bridges, gate drivers on PC10; the last words behind them.
/// @param usart, first_write  where the words begin
template <class Chip>
void ExpectCutsThenGatesThenWords(const char* usart, std::size_t first_write) {
  Chip chip;
  ASSERT_EQ(WhatArmingLacks(chip), "");
  chip.machine.log.clear();
  hal::cortex_m::OutputsSafe();
  const int cut = chip.machine.FirstWrite("TIM1", TACTUS_AT(hal::stm32::TimerRegisters, bdtr), 1u << 15, 0);  // MOE
  const int gates =
      chip.machine.FirstWrite("GPIOC", TACTUS_AT(hal::stm32::GpioRegisters, bsrr), 1u << 26, 1u << 26);  // PC10 low
  const int words = chip.machine.FirstWrite(usart, first_write, 0, 0);
  EXPECT_GE(cut, 0);
  EXPECT_LT(cut, gates);
  EXPECT_LT(gates, words);
}

template <class Chip>
void ExpectOffWithoutClock() {
  const std::pair<hal::stm32::model::ClockFaults, const char*> cases[] = {
      {{.no_crystal = true}, "crystal"}, {{.no_lock = true}, "loop"}, {{.no_switch = true}, "switch"}};
  for (const auto& [faults, what] : cases) {
    Chip chip(faults);
    EXPECT_EQ(FaultOf(Chip::SetUp), FaultCause::kClockTree) << what;
    EXPECT_FALSE(chip.tim1.outputs_on()) << what;
  }
}

/// `run` on a machine that loses what the next one was to lose; and so does that one.
template <class Run>
auto WithTheSameLoss(Run run) {
  const hal::stm32::model::WriteFault fault = Machine::next_fault;
  auto result = run();
  Machine::next_fault = fault;
  return result;
}
template <class Check>
bool ForEachFault(Check check) {
  bool all = true;
  for (const FaultCause cause : kFaults) all = WithTheSameLoss([&] { return check(cause); }) && all;
  return all;
}

}  // namespace tactus::board::rig
