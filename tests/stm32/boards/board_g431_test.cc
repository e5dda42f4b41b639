#include "hal/cortex_m/reset_cause.h"
#include "tests/stm32/boards/chip_g431.h"

namespace tactus::board {
namespace {

/// Everything that the board sets up, and what reaches its handlers. @returns what of it is not so
std::string WhatIsWrong() {
  Chip chip;
  rig::Findings findings;
  findings.Want(FaultOf([] { Board::SetUp(); }) == FaultCause::kNone, "the board starts");
  findings.Want(chip.power.are_low(), "outputs are off");
  findings.Want(rig::WaitsForItsClocks(chip.machine), "no block is touched before its clock");
  findings.Want(chip.line_is_wired(), "the link's pins");
  findings.Want(rig::IsTimed(chip.tim1, 170e6), "24 kHz, dead time");
  chip.tim8.Run(100'000);  // as long as TIM1 just has
  hal::MotorIo& motors = Board::MotorIo({});
  hal::ByteLink& link = Chip::Link();
  Board::StartClockGuard();
  chip.machine.EndStart();
  findings.Want(!chip.exti.interrupts(), "no edge of before interrupts");
  findings.Want(chip.clock.rcc.Pll_Hz() == 170e6 && chip.clock.rcc.whole(), "170 MHz");
  findings.Want(rig::Exchanges(chip, link), "bytes go both ways");
  findings.Want(rig::GuardChecks(chip.tim3, chip.lines, 29), "the clock is guarded");
  chip.power.OpenContact(false);
  chip.Arm();
  findings.Want(chip.power.are_neutral(), "outputs come on at no current");
  findings.Want(rig::DrivesItsMotor(motors, chip.tim1, [&] { chip.Period(); }), "the motor is that of 6 ohm");
  findings.Want(motors.traits().senses_current, "it says that it measures");
  const std::int32_t before = motors.Read().count[0];
  chip.tim4.Turn(-7);
  hal::MotorReading reading;
  for (const float current_A : {-0.75f, 0.5f}) {
    chip.Period({static_cast<double>(current_A)});
    reading = motors.Read();
    findings.Want(std::abs(reading.current_A[0] - current_A) < 0.012f, "the current is measured");
  }
  findings.Want(chip.encoder_is_wired() && reading.count[0] == before - 7, "the encoder counts");
  findings.Want(!reading.e_stop && !reading.brown_out && !reading.drive_fault, "all is well");
  chip.a.Drive(15, true);
  chip.power.OpenContact(true);  // or its wire has come off
  rig::SupplyFallsTo(chip, 2.0);
  reading = motors.Read();
  findings.Want(chip.power.are_low(), "the break cuts");
  findings.Want(reading.e_stop && reading.brown_out && reading.drive_fault, "what is wrong is read");
  BoardWatchdogs dogs;
  findings.Want(rig::Guards(dogs, chip.independent, chip.window), "both watchdogs bite");
  chip.clock.rcc.regs().csr.bits = 1u << 29;  // IWDGRSTF
  findings.Want(hal::cortex_m::TakeResetCause() == hal::cortex_m::ResetCause::kWatchdog, "why it starts");
  findings.Want((chip.clock.rcc.regs().csr.bits & 1u << 23) != 0, "once");  // RMVF
  findings.Want(chip.machine.violations.empty(), "nothing that the manual forbids");
  return findings.first();
}

TEST(BoardG431, StartsAndDoesWhatItsDocumentSays) { EXPECT_EQ(WhatIsWrong(), ""); }

TEST(BoardG431, IsOffBehindEachFault) {
  for (const FaultCause cause : rig::kFaults) EXPECT_EQ(rig::WhatAFaultLeaves<Chip>(cause), "") << static_cast<int>(cause);
}

// Each step of the current sense or of the comparators that does not end: the fault, and nothing has been switched on.
TEST(BoardG431, IsOffWhereItsCurrentSenseOrItsCutDoesNotStart) {
  void (*const cases[])(Chip&) = {[](Chip& chip) { chip.amplifiers.locked = true; },
                                  [](Chip& chip) { chip.u.never_calibrates = true; },
                                  [](Chip& chip) { chip.v.never_calibrates = true; },
                                  [](Chip& chip) { chip.u.never_ready = true; },
                                  [](Chip& chip) { chip.v.never_ready = true; },
                                  [](Chip& chip) { chip.dac.never_ready = true; },
                                  [](Chip& chip) { chip.comparators.is_blind = true; },
                                  [](Chip& chip) { chip.comparators.takes_nothing = true; },
                                  [](Chip& chip) { chip.comparators.input_V[1] = model::ShuntInput_V(22); }};
  for (const auto fail : cases) {
    Chip chip;
    fail(chip);
    EXPECT_EQ(FaultOf(Chip::SetUp), FaultCause::kPowerStage);
    EXPECT_FALSE(chip.tim1.outputs_on());
    EXPECT_FALSE(chip.tim1.runs());
  }
}

/// Too much current through each shunt. @returns what of it is not so
std::string WhatTooMuchCurrentLeaves() {
  rig::Findings findings;
  for (const std::array<double, 2>& much_A : {std::array{21.0, 0.0}, std::array{-21.0, 21.0}}) {
    Chip chip;
    chip.dac.LeaveUsed(), chip.comparators.LeaveUsed();
    if (const std::string lacking = rig::WhatArmingLacks(chip); !lacking.empty()) return lacking;
    hal::MotorIo& motors = Chip::Motors();
    chip.FlowToGround({19, 19}, 1000);
    chip.FlowToGround({39, 39}, 1.0);  // the ringing behind an edge
    findings.Want(chip.power.are_neutral(), "nothing below, and nothing that is short");
    chip.FlowToGround(much_A, 2);
    findings.Want(chip.power.are_low(), "cut without software");
    findings.Want(motors.Read().drive_fault, "told as a drive fault");
    motors.SetEnable(true);
    findings.Want(chip.IsOff(), "nor does it come on while it flows");
    chip.FlowToGround({0, 0}, 1000);
    chip.Period();
    findings.Want(chip.IsOff(), "nor by itself");
    chip.Arm();
    findings.Want(chip.power.are_neutral(), "but when it is asked to");
    findings.Want(chip.machine.violations.empty(), "nothing that the manual forbids");
  }
  return findings.first();
}

TEST(BoardG431, IsCutByTooMuchCurrentWithoutSoftware) { EXPECT_EQ(WhatTooMuchCurrentLeaves(), ""); }

// Deliberately wrong drivers: a mode that is changed while the DAC is on, a comparator that is set up behind its lock, and a
// choice of the break behind the timer's.
TEST(ComparatorModel, FindsADriverThatSetsUpInTheWrongOrder) {
  Chip chip;
  ASSERT_EQ(rig::WhatArmingLacks(chip), "");
  chip.dac.regs().mcr = 0;
  chip.comparators.regs().csr[0] = 0;
  chip.sources.regs().af2 = 0;
  EXPECT_EQ(chip.machine.violations, std::vector<std::string>{"DAC3: its mode was changed while it was on"});
  chip.FlowToGround({21, 0}, 2);  // none of it was taken
  EXPECT_TRUE(chip.power.are_low());
}

TEST(BoardG431, EachWriteOfTheCutCounts) {
  const auto is_well = [] { return WhatTooMuchCurrentLeaves().empty(); };
  model::ExpectEachWriteCounts(is_well, {}, [](const model::Access& access) {
    return access.block == "COMP" || access.block == "DAC3" || access.block == "TIM1_AF" ||
           (access.block == "TIM1" && access.offset == TACTUS_AT(TimerRegisters, bdtr));
  });
}

// A hand drives the motor backwards: K w / R adds 0.6 A to what the voltage gives, at 0.6/2 of 500 counts a period. Within
// 10 ms the current is the ceiling. Tolerance: two counts of the sense and one of the PWM.
TEST(BoardG431, TheCeilingBoundsTheCurrentAndNotTheVoltage) {
  constexpr double kStall_A = 2, kHand_A = 0.6;
  for (const double sign : {1.0, -1.0}) {
    Chip chip;
    ASSERT_EQ(rig::WhatArmingLacks(chip), "");
    hal::MotorIo& motors = Chip::Motors();
    double flowing_A = 0;
    for (int i = 0; i < 10; ++i) {
      ASSERT_EQ(motors.Write({static_cast<float>(sign), 0, 0, 0, 0, 0}), Status::kOk);
      chip.Period({flowing_A});
      chip.tim4.Turn(static_cast<std::int32_t>(-sign * kHand_A / kStall_A * 500));
      flowing_A = chip.tim1.Drive(0) * kStall_A + sign * kHand_A;
      chip.Period({flowing_A});
      EXPECT_NEAR(static_cast<double>(motors.Read().current_A[0]), flowing_A, 0.012);
    }
    EXPECT_NEAR(flowing_A, sign, 0.012);
  }
}

TEST(BoardG431, IsCutByACoreThatStands) { EXPECT_EQ(rig::WhatALockUpLeaves<Chip>(), ""); }

TEST(BoardG431, DoesNotStartOnASupplyThatIsLow) { EXPECT_EQ(rig::WhatALowSupplyAtStartLeaves<Chip>(), ""); }

TEST(BoardG431, IsOffWhereItsClockDoesNotStart) { rig::ExpectOffWithoutClock<Chip>(); }

TEST(BoardG431, EachBlocksClockCounts) {
  const auto is_well = [] {
    return rig::ForEachFault([](FaultCause cause) { return rig::WhatAFaultLeaves<Chip>(cause).empty(); }) &&
           rig::WithTheSameLoss(rig::WhatALockUpLeaves<Chip>).empty() && WhatIsWrong().empty();
  };
  model::ExpectEachWriteCounts(is_well, {}, [](const model::Access& access) {
    return access.block == "SYSCFG" || access.block == "EXTI" ||
           (access.block == "RCC" && access.offset >= TACTUS_AT(g4::RccRegisters, ahb1enr));
  });
}

}  // namespace
}  // namespace tactus::board
