#include <gtest/gtest.h>

#include "hal/stm32/g4/clock_tree.h"
#include "tests/stm32/clock_unseen.h"
#include "tests/stm32/g4_model.h"

// Source: RM0440 3.3.3 (flash), 6.1.5 (supply), 7.2, 7.4 (clocks).

namespace tactus::hal::stm32 {
namespace {

using model::ClockFaults;
using model::ModelRegister;

constexpr g4::ClockPlan k8MHz = g4::PlanFor<8'000'000>();

struct G4 : private model::Machine, model::G4Chip {
  explicit G4(const ClockFaults& faults = {}, double crystal_Hz = 8e6)
      : model::G4Chip(static_cast<model::Machine&>(*this), faults, crystal_Hz), machine(*this) {}
  ClockStep Start(const g4::ClockPlan& plan = k8MHz) {
    return g4::StartClockTree<ModelRegister>({rcc.regs(), pwr.regs(), flash.regs()}, plan);
  }
  model::Machine& machine;
};

/// Each flag after so many accesses.
ClockFaults Takes(int accesses) {
  return {.crystal_takes = accesses, .lock_takes = accesses, .supply_takes = accesses, .switch_takes = accesses};
}

TEST(G4ClockTree, RunsAt170MHzByTheHalfClock) {
  for (const int takes : {1, 100, 15'000}) {
    G4 chip(Takes(takes));
    EXPECT_EQ(chip.Start(), ClockStep::kDone);
    EXPECT_TRUE(chip.rcc.runs_on_pll());
    EXPECT_EQ(chip.rcc.Pll_Hz(), 170e6);
    EXPECT_TRUE(chip.rcc.whole());
    EXPECT_TRUE(chip.machine.violations.empty()) << chip.machine.violations[0];
  }
}

TEST(G4ClockTree, RunsAt170MHzFromEachCrystal) {
  const std::pair<double, g4::ClockPlan> crystals[] = {{4e6, g4::PlanFor<4'000'000>()},
                                                       {16e6, g4::PlanFor<16'000'000>()},
                                                       {24e6, g4::PlanFor<24'000'000>()},
                                                       {25e6, g4::PlanFor<25'000'000>()},
                                                       {48e6, g4::PlanFor<48'000'000>()}};
  for (const auto& [crystal_Hz, plan] : crystals) {
    G4 chip({}, crystal_Hz);
    EXPECT_EQ(chip.Start(plan), ClockStep::kDone);
    EXPECT_EQ(chip.rcc.Pll_Hz(), 170e6);
    EXPECT_TRUE(chip.machine.violations.empty()) << chip.machine.violations[0];
  }
}
// No input of 4 or 5 MHz; above what the oscillator takes.
static_assert(!g4::UsableCrystal<26'000'000> && !g4::UsableCrystal<2'000'000> && !g4::UsableCrystal<52'000'000>);

TEST(G4ClockTree, BypassesTheAmplifierForAClockAndNotForACrystal) {
  constexpr g4::ClockPlan kClock = g4::PlanFor<8'000'000>(OscillatorPins::kClock);
  for (const bool clock : {true, false}) {
    G4 chip({.clock_on_pin = clock});
    EXPECT_EQ(chip.Start(kClock), clock ? ClockStep::kDone : ClockStep::kCrystal);
  }
}

/// 170 MHz on all buses, and an NMI when the crystal stops: true if all of it is so. The regulator begins in its slow range.
bool ClockIsWell(OscillatorPins pins) {
  G4 chip({.clock_on_pin = pins == OscillatorPins::kClock});
  chip.pwr.LeaveSlow();
  const g4::ClockPlan plan = pins == OscillatorPins::kClock ? g4::PlanFor<8'000'000>(OscillatorPins::kClock) : k8MHz;
  bool well = chip.Start(plan) == ClockStep::kDone;
  chip.machine.EndStart();
  well = well && chip.rcc.runs_on_pll() && chip.rcc.Pll_Hz() == 170e6 && chip.rcc.whole() && chip.pwr.boosted();
  well = well && chip.flash.regs().acr.bits == 0x40704u;  // RM0440 3.7.1: debugger, prefetch, both caches, 4 wait states
  bool cut = false;
  chip.rcc.cut = [&] { cut = true; };
  chip.rcc.LoseCrystal();
  return well && chip.rcc.nmi && cut && !chip.rcc.stands && chip.machine.violations.empty();
}

TEST(G4ClockTree, EachWriteOfItsStartCounts) {
  for (const OscillatorPins pins : {OscillatorPins::kCrystal, OscillatorPins::kClock})
    model::ExpectEachWriteCounts([=] { return ClockIsWell(pins); },
                                 model::UnseenOfOscillators(0x500, pins == OscillatorPins::kClock));
}

TEST(G4ClockTree, NamesEachFlagThatDoesNotCome) {
  const std::pair<ClockFaults, ClockStep> cases[] = {{{.no_supply = true}, ClockStep::kSupply},
                                                     {{.no_crystal = true}, ClockStep::kCrystal},
                                                     {{.no_lock = true}, ClockStep::kPll},
                                                     {{.no_wait_states = true}, ClockStep::kWaitState},
                                                     {{.no_switch = true}, ClockStep::kSwitch}};
  for (const auto& [faults, step] : cases) {
    G4 chip(faults);
    chip.pwr.LeaveSlow();
    EXPECT_EQ(chip.Start(), step);
    EXPECT_FALSE(chip.rcc.runs_on_pll());
    EXPECT_LT(chip.machine.accesses, 6u * kClockTurns);
  }
}

TEST(G4Model, FindsALoopBeyondItsLimits) {
  G4 chip({}, 24e6);
  EXPECT_EQ(chip.Start(k8MHz), ClockStep::kPll);  // it never locks
}

TEST(G4Model, FindsADriverThatSwitchesInOneStepWithoutBoost) {
  G4 chip(Takes(1));
  auto& rcc = chip.rcc.regs();
  rcc.cr = g4::rcc::kHseOn;
  rcc.pllcfgr = k8MHz.pll_word;
  rcc.cr = g4::rcc::kHseOn | g4::rcc::kPllOn;
  (void)WaitFor(kClockTurns, [&] { return (rcc.cr & g4::rcc::kPllReady) != 0; });
  rcc.cfgr = g4::rcc::kUsePll;
  EXPECT_EQ(chip.machine.violations,
            (std::vector<std::string>{"RCC: too few wait states", "RCC: from below 80 MHz to above in one step",
                                      "RCC: above 150 MHz without boost"}));
}

}  // namespace
}  // namespace tactus::hal::stm32
