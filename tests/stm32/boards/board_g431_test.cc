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
  hal::MotorIo& motors = Board::MotorIo({});
  hal::ByteLink& link = Chip::Link();
  Board::StartClockGuard();
  chip.machine.EndStart();
  findings.Want(!chip.exti.interrupts(), "no edge of before interrupts");
  findings.Want(chip.clock.rcc.Pll_Hz() == 170e6 && chip.clock.rcc.whole(), "170 MHz");
  findings.Want(rig::Exchanges(link, chip.usart, chip.lines, 38), "bytes go both ways");
  findings.Want(rig::GuardChecks(chip.tim3, chip.lines, 29), "the clock is guarded");
  chip.power.OpenContact(false);
  motors.SetEnable(true);
  findings.Want(chip.power.are_neutral(), "outputs come on at no current");
  findings.Want(rig::DrivesItsMotor(motors, chip.tim1, [&] { chip.Period(); }), "the motor is that of 6 ohm");
  const std::int32_t before = motors.Read().count[0];
  chip.tim4.Turn(-7);
  hal::MotorReading reading = motors.Read();
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
