#include "hal/cortex_m/caches.h"
#include "hal/cortex_m/reset_cause.h"
#include "tests/stm32/boards/chip_h743.h"

namespace tactus::board {
namespace {

/// Everything that the board sets up, and what reaches its handlers. @returns what of it is not so
std::string WhatIsWrong() {
  Chip chip;
  rig::Findings findings;
  hal::cortex_m::caches_enabled = 0;
  findings.Want(FaultOf(Chip::SetUp) == FaultCause::kNone, "the board starts");
  findings.Want(chip.power.are_low(), "outputs are off");
  constexpr std::size_t kGcr = TACTUS_AT(h7::RccRegisters, gcr), kApb3Enr = TACTUS_AT(h7::RccRegisters, apb3enr);
  findings.Want(chip.machine.FirstWrite("RCC", kGcr, 1, 1) < chip.machine.FirstWrite("RCC", kApb3Enr, 1u << 6, 1u << 6),
                "what the window watchdog resets, before its clock");  // RM0433 8.7.36
  findings.Want(rig::WaitsForItsClocks(chip.machine), "no block is touched before its clock");
  findings.Want(chip.line_is_wired(), "the link's pins");
  findings.Want(rig::IsTimed(chip.tim1, 240e6), "24 kHz, dead time");
  hal::ByteLink& link = Chip::Link();
  Board::StartClockGuard();
  chip.machine.EndStart();
  findings.Want(!chip.exti.interrupts(), "no edge of before interrupts");
  findings.Want(chip.clock.rcc.runs_on_pll() && chip.clock.rcc.Pll_Hz() == 480e6, "480 MHz");
  findings.Want(hal::cortex_m::caches_enabled == 1, "with caches");
  findings.Want(rig::Exchanges(link, chip.usart, chip.lines, 39), "bytes go both ways");
  findings.Want(rig::GuardChecks(chip.tim5, chip.lines, 50), "the clock is guarded");
  chip.power.OpenContact(false);
  PowerStage drives;
  drives.Set(true);
  findings.Want(chip.power.are_neutral(), "outputs come on at no current");
  drives.Set(false);
  findings.Want(chip.power.are_low(), "and go off");
  drives.Set(true);
  chip.power.OpenContact(true);  // or its wire has come off
  findings.Want(chip.power.are_low(), "the break cuts");
  drives.Set(true);
  findings.Want(chip.power.are_low(), "and keeps them off");
  BoardWatchdogs dogs;
  findings.Want(rig::Guards(dogs, chip.independent, chip.window), "both watchdogs bite");
  chip.clock.rcc.regs().rsr.bits = 1u << 26;  // IWDGRSTF
  findings.Want(hal::cortex_m::TakeResetCause() == hal::cortex_m::ResetCause::kWatchdog, "why it starts");
  findings.Want((chip.clock.rcc.regs().rsr.bits & 1u << 16) != 0, "once");  // RMVF
  findings.Want(chip.machine.violations.empty(), "nothing that the manual forbids");
  return findings.first();
}

TEST(BoardH743, StartsAndDoesWhatItsDocumentSays) { EXPECT_EQ(WhatIsWrong(), ""); }

TEST(BoardH743, IsOffBehindEachFault) {
  for (const FaultCause cause : rig::kFaults) EXPECT_EQ(rig::WhatAFaultLeaves<Chip>(cause), "") << static_cast<int>(cause);
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
