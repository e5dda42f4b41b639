#include "hal/cortex_m/caches.h"
#include "hal/cortex_m/reset_cause.h"
#include "tests/stm32/boards/chip_h743.h"
#include "tests/stm32/boards/own_device.h"

namespace tactus::board {
namespace {

/// Everything that the board sets up, and what reaches its handlers. @returns what of it is not so
std::string WhatIsWrong() {
  Chip chip;
  rig::Findings findings;
  hal::cortex_m::caches_enabled = 0;
  findings.Want(FaultOf(Chip::SetUp) == FaultCause::kNone, "the board starts");
  findings.Want(chip.IsOff() && !chip.c.was_high(10), "outputs and gate drivers are off");
  constexpr std::size_t kGcr = TACTUS_AT(h7::RccRegisters, gcr), kApb3Enr = TACTUS_AT(h7::RccRegisters, apb3enr);
  findings.Want(chip.machine.FirstWrite("RCC", kGcr, 1, 1) < chip.machine.FirstWrite("RCC", kApb3Enr, 1u << 6, 1u << 6),
                "what the window watchdog resets, before its clock");  // RM0433 8.7.36
  findings.Want(rig::WaitsForItsClocks(chip.machine), "no block is touched before its clock");
  findings.Want(chip.line_is_wired(), "the link's pins");
  findings.Want(rig::IsTimed(chip.tim1, 240e6), "24 kHz, dead time");
  chip.tim8.Run(100'000);  // as long as TIM1 just has
  hal::ByteLink& link = Chip::Link();
  hal::MotorIo& motors = Chip::Motors();
  Board::StartClockGuard();
  chip.machine.EndStart();
  findings.Want(!chip.exti.interrupts(), "no edge of before interrupts");
  findings.Want(chip.clock.rcc.runs_on_pll() && chip.clock.rcc.Pll_Hz() == 480e6, "480 MHz");
  findings.Want(hal::cortex_m::caches_enabled == 1, "with caches");
  findings.Want(rig::Exchanges(chip, link), "bytes go both ways");
  findings.Want(rig::GuardChecks(chip.tim5, chip.lines, 50), "the clock is guarded");
  chip.power.OpenContact(false);
  chip.Arm();
  findings.Want(chip.power.are_neutral() && chip.gates_are_on(), "outputs come on at no current");
  findings.Want(rig::DrivesItsMotor(motors, chip.tim1, [&] { chip.Period(); }), "the motors are those of 6 ohm");
  const hal::MotorReading before = motors.Read();
  chip.tim4.Turn(-7), chip.tim3.Turn(-11), chip.tim2.Turn(13);
  chip.Period({0.25, -0.5, 0.75});
  hal::MotorReading reading = motors.Read();
  const std::int32_t turned[] = {-7, -11, 13};
  const float current_A[] = {0.25f, -0.5f, 0.75f};
  for (int i = 0; i < 3; ++i) {
    findings.Want(reading.count[i] - before.count[i] == turned[i], "the encoders count");
    findings.Want(std::abs(reading.current_A[i] - current_A[i]) < 0.001f, "the currents are measured");
  }
  findings.Want(motors.traits().senses_current, "it says that it measures");
  findings.Want(chip.encoders_are_wired(), "the encoders' pins");
  findings.Want(chip.c.pull(10) == 0, "the gate drivers' pin");
  findings.Want(!reading.e_stop && !reading.brown_out && !reading.drive_fault, "all is well");
  findings.Want(chip.c.mode(11) == model::GpioModel::kInput && chip.c.pull(11) == 1, "the contact's pin");
  chip.c.Drive(11, true);
  chip.power.OpenContact(true);  // or its wire has come off
  rig::SupplyFallsTo(chip, 2.0);
  reading = motors.Read();
  findings.Want(chip.power.are_low(), "the break cuts");
  findings.Want(reading.e_stop && reading.brown_out && reading.drive_fault, "what is wrong is read");
  motors.SetEnable(true);
  findings.Want(chip.IsOff(), "and keeps them off");
  BoardWatchdogs dogs;
  findings.Want(rig::Guards(dogs, chip.independent, chip.window), "both watchdogs bite");
  chip.clock.rcc.regs().rsr.bits = 1u << 26;  // IWDGRSTF
  findings.Want(hal::cortex_m::TakeResetCause() == hal::cortex_m::ResetCause::kWatchdog, "why it starts");
  findings.Want((chip.clock.rcc.regs().rsr.bits & 1u << 16) != 0, "once");  // RMVF
  findings.Want(chip.machine.violations.empty(), "nothing that the manual forbids");
  return findings.first();
}

TEST(BoardH743, StartsAndDoesWhatItsDocumentSays) { EXPECT_EQ(WhatIsWrong(), ""); }

// The servo that drives the board's own motors, and a current that is not what it asked for: 2 ms, then zeros.
TEST(BoardH743, IsADeviceByItsOwnMotors) { EXPECT_EQ(rig::WhatItsDeviceLacks<Chip>(), ""); }
TEST(BoardH743, WritesZerosUnderAWrongCurrent) {
  const int periods = rig::PeriodsToZeroUnderAWrongCurrent<Chip>();
  EXPECT_TRUE(periods == 2 || periods == 3) << periods;
}

TEST(BoardH743, IsOffBehindEachFault) {
  for (const FaultCause cause : rig::kFaults) EXPECT_EQ(rig::WhatAFaultLeaves<Chip>(cause), "") << static_cast<int>(cause);
}

// Each step of the current sense that does not end: the fault, and nothing has been switched on.
TEST(BoardH743, IsOffWhereItsCurrentSenseDoesNotStart) {
  void (*const cases[])(Chip&) = {[](Chip& chip) { chip.adc.never_regulates = true; },
                                  [](Chip& chip) { chip.adc.never_calibrates = true; },
                                  [](Chip& chip) { chip.adc.never_ready = true; },
                                  [](Chip& chip) { chip.dma.never_stops = true, chip.dma.LeaveUsed(0); }};
  for (const auto fail : cases) {
    Chip chip;
    fail(chip);
    EXPECT_EQ(FaultOf(Chip::SetUp), FaultCause::kPowerStage);
    EXPECT_TRUE(!chip.tim1.outputs_on() && !chip.tim1.runs() && !chip.gates_are_on());
  }
}

// A sense that fails under current: told as no number, and the drives stay off until it has learned its offsets anew.
TEST(BoardH743, SaysThatItsCurrentSenseHasFailedAndDoesNotComeOnWithout) {
  void (*const cases[])(Chip&) = {[](Chip& chip) { chip.adc.stalled = true; }, [](Chip& chip) { chip.dma.stands = 1u; }};
  for (const auto fail : cases) {
    Chip chip;
    ASSERT_EQ(rig::WhatArmingLacks(chip), "");
    hal::MotorIo& motors = Chip::Motors();
    (void)motors.Read();  // the last good one
    fail(chip);
    for (int i = 1; i <= 3; ++i) {
      chip.Period();
      EXPECT_EQ(std::isnan(motors.Read().current_A[0]), i == 3);
    }
    motors.SetEnable(false);
    motors.SetEnable(true);
    EXPECT_TRUE(chip.IsOff());
    chip.adc.stalled = false, chip.dma.stands = 0;
    motors.SetEnable(false);
    (void)motors.Read();  // it begins anew
    for (int i = 0; i < 64; ++i) chip.Period(), (void)motors.Read();
    motors.SetEnable(true);
    EXPECT_TRUE(chip.power.timer.outputs_on());
  }
}

/// A board under current, and its motors' encoders. One object of motors for every chip of this test, so counts go on.
struct Turning {
  Turning() {
    EXPECT_EQ(rig::WhatArmingLacks(chip), "");
    motors = &Chip::Motors();
    for (std::size_t i = 0; i < 3; ++i) start[i] = Read().count[i];
  }
  hal::MotorReading Read() { return motors->Read(); }
  /// By 500 counts a period, an edge each 2 us: the fastest that the board declares. False: what was read is not that.
  bool Turn(std::size_t motor, std::int32_t counts) {
    constexpr std::int32_t kMost = 500, kClocks = 480;
    bool well = true;
    for (std::int32_t left = counts; left != 0; left -= std::clamp(left, -kMost, kMost)) {
      timers[motor]->Turn(std::clamp(left, -kMost, kMost), kClocks);
      well = well && !Read().encoder_fault;
    }
    at[motor] += counts;
    return well && IsThere();
  }
  bool IsThere() {
    const hal::MotorReading reading = Read();
    bool all = true;
    for (std::size_t i = 0; i < 3; ++i) all = all && reading.count[i] - start[i] == at[i];
    return all;
  }

  Chip chip;
  hal::MotorIo* motors = nullptr;
  std::array<model::TimerModel*, 3> timers{&chip.tim4, &chip.tim3, &chip.tim2};
  std::array<std::int32_t, 3> start{}, at{};
};

TEST(BoardH743, CountsEachMotorBothWaysOverTheWrapOfItsTimer) {
  Turning turning;
  for (std::size_t motor = 0; motor < 3; ++motor)
    for (const std::int32_t counts : {-70'000, 140'000}) EXPECT_TRUE(turning.Turn(motor, counts)) << motor;
}

TEST(BoardH743, ChecksEachIndexAndLosesNoCountUnseen) {
  constexpr std::int32_t kTurn = 4096, kSlack = 2;
  for (std::size_t motor = 0; motor < 3; ++motor) {
    Turning turning;
    const auto index_after = [&](std::int32_t counts) {
      const bool turned = turning.Turn(motor, counts);
      turning.timers[motor]->IndexEdge();
      return turned && !turning.Read().encoder_fault;
    };
    EXPECT_TRUE(index_after(100)) << motor;
    EXPECT_TRUE(index_after(kTurn) && index_after(-3 * kTurn) && index_after(kTurn + kSlack)) << motor;
    EXPECT_FALSE(index_after(kTurn + kSlack + 1)) << motor;
    EXPECT_TRUE(turning.Read().encoder_fault) << motor;  // and it stays while the drives are on
    for (std::size_t other = 0; other < 3; ++other)
      if (other != motor) turning.timers[other]->Turn(5), turning.at[other] += 5;
    EXPECT_TRUE(turning.IsThere()) << motor;
  }
}

TEST(BoardH743, CountsNoPulseThatIsShorterThan200ns) {
  constexpr int kShort = 47, kLong = 48;  // clocks of 240 MHz
  for (std::size_t motor = 0; motor < 3; ++motor) {
    Turning turning;
    for (const int input : {1, 2}) {
      for (int i = 0; i < 10; ++i) turning.timers[motor]->Glitch(input, kShort);
      EXPECT_TRUE(turning.IsThere()) << motor;
      turning.timers[motor]->Glitch(input, kLong);
      ++turning.at[motor];
      EXPECT_TRUE(turning.IsThere()) << motor;
    }
    turning.timers[motor]->IndexEdge();
    EXPECT_TRUE(turning.Turn(motor, 100));
    turning.timers[motor]->Glitch(3, kShort);
    EXPECT_FALSE(turning.Read().encoder_fault) << motor;
    turning.timers[motor]->Glitch(3, kLong);
    EXPECT_TRUE(turning.Read().encoder_fault) << motor;  // an index where there is none
  }
}

TEST(BoardH743, CutsTheBridgesThenTheirGatesAndSpeaksLast) {
  rig::ExpectCutsThenGatesThenWords<Chip>("USART3", TACTUS_AT(hal::stm32::FifoUsartRegisters, cr1));
}

// The servo's image drives nothing, but its power stage is there.
TEST(BoardH743, ThePowerStageOfTheServosImageComesOnWithItsGatesAndGoesOff) {
  EXPECT_EQ((rig::WhatThePowerStageLacks<Chip, Board, PowerStage>()), "");
}

TEST(BoardH743, IsCutByACoreThatStands) { EXPECT_EQ(rig::WhatALockUpLeaves<Chip>(), ""); }

TEST(BoardH743, DoesNotStartOnASupplyThatIsLow) { EXPECT_EQ(rig::WhatALowSupplyAtStartLeaves<Chip>(), ""); }

TEST(BoardH743, IsOffWhereItsClockDoesNotStart) { rig::ExpectOffWithoutClock<Chip>(); }

TEST(BoardH743, EachBlocksClockCounts) {
  const auto is_well = [] {
    return rig::ForEachFault([](FaultCause cause) { return rig::WhatAFaultLeaves<Chip>(cause).empty(); }) &&
           rig::WithTheSameLoss(rig::WhatALockUpLeaves<Chip>).empty() && WhatIsWrong().empty();
  };
  model::ExpectEachWriteCounts(is_well, {}, [](const model::Access& access) {
    return access.block == "SYSCFG" || access.block == "EXTI" ||
           (access.block == "RCC" && access.offset >= TACTUS_AT(h7::RccRegisters, gcr));
  });
}

}  // namespace
}  // namespace tactus::board
