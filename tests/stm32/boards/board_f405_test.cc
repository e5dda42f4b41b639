#include "hal/cortex_m/reset_cause.h"
#include "tests/stm32/boards/chip_f405.h"
#include "tests/stm32/boards/own_device.h"

namespace tactus::board {
namespace {

/// Everything that the board sets up, and what reaches its handlers. @returns what of it is not so
std::string WhatIsWrong() {
  Chip chip;
  rig::Findings findings;
  findings.Want(FaultOf(Chip::SetUp) == FaultCause::kNone, "the board starts");
  findings.Want(chip.IsOff() && !chip.c.was_high(10), "outputs and gate drivers are off");
  findings.Want(rig::WaitsForItsClocks(chip.machine), "no block is touched before its clock");
  findings.Want(chip.line_is_wired(), "the link's pins");
  findings.Want(rig::IsTimed(chip.tim1, 168e6), "24 kHz, dead time");
  hal::ByteLink& link = Chip::Link();
  hal::MotorIo& motors = IoBoard::MotorIo({});
  Board::StartClockGuard();
  chip.machine.EndStart();
  findings.Want(!chip.exti.interrupts(), "no edge of before interrupts");
  findings.Want(chip.clock.rcc.runs_on_pll() && chip.clock.rcc.Pll_Hz() == 168e6, "168 MHz");
  findings.Want(rig::Exchanges(chip, link), "bytes go both ways");
  findings.Want(rig::GuardChecks(chip.tim4, chip.lines, 30), "the clock is guarded");
  chip.power.OpenContact(false);
  chip.Arm();
  findings.Want(chip.power.are_neutral() && chip.gates_are_on(), "outputs come on at no current");
  findings.Want(rig::DrivesItsMotor(motors, chip.tim1, [&] { chip.Period(); }), "the motors are those of 6 ohm");
  const hal::MotorReading before = motors.Read();
  chip.tim2.Turn(-7), chip.tim3.Turn(-11), chip.tim5.Turn(13);
  chip.Period({0.25, -0.5, 0.75});
  hal::MotorReading reading = motors.Read();
  const std::int32_t turned[] = {-7, -11, 13};
  const float current_A[] = {0.25f, -0.5f, 0.75f};
  for (int i = 0; i < 3; ++i) {
    findings.Want(reading.count[i] - before.count[i] == turned[i], "the encoders count");
    findings.Want(std::abs(reading.current_A[i] - current_A[i]) < 0.005f, "the currents are measured");
  }
  findings.Want(chip.encoders_are_wired(), "the encoders' pins");
  for (const unsigned pin : {0u, 1u, 2u})
    findings.Want(chip.c.mode(pin) == model::GpioModel::kAnalog && chip.c.pull(pin) == 0, "the currents' pins");
  findings.Want(chip.c.pull(10) == 0, "the gate drivers' pin");
  findings.Want(!reading.e_stop && !reading.brown_out && !reading.drive_fault, "all is well");
  findings.Want(chip.c.mode(11) == model::GpioModel::kInput && chip.c.pull(11) == 1, "the contact's pin");
  chip.c.Drive(11, true);
  chip.power.OpenContact(true);  // or its wire has come off
  rig::SupplyFallsTo(chip, 2.0);
  reading = motors.Read();
  findings.Want(chip.power.are_low(), "the break cuts");
  findings.Want(reading.e_stop && reading.brown_out && reading.drive_fault, "what is wrong is read");
  motors.SetEnable(false);
  findings.Want(chip.IsOff(), "the gate drivers are off");
  BoardWatchdogs dogs;
  findings.Want(rig::Guards(dogs, chip.independent, chip.window), "both watchdogs bite");
  chip.clock.rcc.regs().csr.bits = 1u << 29;  // IWDGRSTF
  findings.Want(hal::cortex_m::TakeResetCause() == hal::cortex_m::ResetCause::kWatchdog, "why it starts");
  findings.Want((chip.clock.rcc.regs().csr.bits & 1u << 24) != 0, "once");  // RMVF
  findings.Want(chip.machine.violations.empty(), "nothing that the manual forbids");
  return findings.first();
}

TEST(BoardF405, StartsAndDoesWhatItsDocumentSays) { EXPECT_EQ(WhatIsWrong(), ""); }

// The servo that drives the board's own motors, and a current that is not what it asked for: 2 ms, then zeros.
TEST(BoardF405, IsADeviceByItsOwnMotors) { EXPECT_EQ(rig::WhatItsDeviceLacks<Chip>(), ""); }
TEST(BoardF405, WritesZerosUnderAWrongCurrent) {
  const int periods = rig::PeriodsToZeroUnderAWrongCurrent<Chip>();
  EXPECT_TRUE(periods == 2 || periods == 3) << periods;
}

TEST(BoardF405, IsOffBehindEachFault) {
  for (const FaultCause cause : rig::kFaults) EXPECT_EQ(rig::WhatAFaultLeaves<Chip>(cause), "") << static_cast<int>(cause);
}

TEST(BoardF405, CutsTheBridgesThenTheirGatesAndSpeaksLast) {
  rig::ExpectCutsThenGatesThenWords<Chip>("USART1", TACTUS_AT(f4::UsartRegisters, cr1));
}

TEST(BoardF405, ItsLastWordsGoPastARunOfTheDmaAndWhateverTheUsartWasSetTo) {
  for (const bool is_sending : {false, true}) {
    Chip chip;
    ASSERT_EQ(rig::WhatArmingLacks(chip), "");
    if (is_sending)
      ASSERT_EQ(Board::Link().Write(std::vector<std::uint8_t>(200, 9), hal::Lane::kCommand), Status::kOk);
    else
      chip.usart.regs().cr1 = 0;  // a wild write: the USART is off
    const std::size_t before = chip.machine.accesses;
    hal::cortex_m::OutputsSafe();
    EXPECT_LT(chip.machine.accesses - before, 200u);  // a wait ends with the room: 20 accesses a byte
    chip.usart.Send(300);
    const std::vector<std::uint8_t> words = rig::LastWords(), &sent = chip.usart.sent;
    ASSERT_GE(sent.size(), words.size());
    EXPECT_EQ(std::vector<std::uint8_t>(sent.end() - static_cast<std::ptrdiff_t>(words.size()), sent.end()), words);
    chip.dma.Fail(7);
    (void)chip.lines.Fire(70);  // ends the run: one link for every chip of this test
  }
}

TEST(BoardF405, DoesNotStartOnASupplyThatIsLow) { EXPECT_EQ(rig::WhatALowSupplyAtStartLeaves<Chip>(), ""); }

TEST(BoardF405, IsOffWhereItsClockDoesNotStart) { rig::ExpectOffWithoutClock<Chip>(); }

TEST(BoardF405, EachBlocksClockCounts) {
  const auto is_well = [] {
    return rig::ForEachFault([](FaultCause cause) { return rig::WhatAFaultLeaves<Chip>(cause).empty(); }) &&
           WhatIsWrong().empty();
  };
  model::ExpectEachWriteCounts(is_well, {}, [](const model::Access& access) {
    return access.block == "EXTI" || (access.block == "RCC" && access.offset >= TACTUS_AT(f4::RccRegisters, ahb1enr));
  });
}

// The servo's image drives nothing, but its power stage is there.
TEST(BoardF405, ThePowerStageOfTheServosImageComesOnWithItsGatesAndGoesOff) {
  EXPECT_EQ((rig::WhatThePowerStageLacks<Chip, Board, PowerStage>()), "");
}

}  // namespace
}  // namespace tactus::board
