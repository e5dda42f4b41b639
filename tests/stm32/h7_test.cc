#include <gtest/gtest.h>

#include "hal/stm32/h7/clock_tree.h"
#include "tests/stm32/clock_unseen.h"
#include "tests/stm32/h7_model.h"

// Source: RM0433 4.3.8 (flash), 6.6 (supply), 8.5 (clocks).

namespace tactus::hal::stm32 {
namespace {

using model::ClockFaults;
using model::ModelRegister;

constexpr h7::ClockPlan k8MHz = h7::PlanFor<8'000'000>();

struct H7 : private model::Machine, model::H7Chip {
  explicit H7(const ClockFaults& faults = {}, double crystal_Hz = 8e6)
      : model::H7Chip(static_cast<model::Machine&>(*this), faults, crystal_Hz), machine(*this) {}
  ClockStep Start(const h7::ClockPlan& plan = k8MHz) {
    return h7::StartClockTree<ModelRegister>({rcc.regs(), pwr.regs(), syscfg.regs(), flash.regs()}, plan);
  }
  model::Machine& machine;
};

/// Each flag after so many accesses.
ClockFaults Takes(int accesses) {
  return {.crystal_takes = accesses, .lock_takes = accesses, .supply_takes = accesses, .switch_takes = accesses};
}

TEST(H7ClockTree, RunsAt480MHzFromASlowChipToo) {
  for (const int takes : {1, 100, 15'000}) {
    H7 chip(Takes(takes));
    EXPECT_EQ(chip.Start(), ClockStep::kDone);
    EXPECT_TRUE(chip.rcc.runs_on_pll());
    EXPECT_EQ(chip.rcc.Pll_Hz(), 480e6);
    EXPECT_TRUE(chip.machine.violations.empty()) << chip.machine.violations[0];
  }
}

TEST(H7ClockTree, RunsAt480MHzFromEachCrystal) {
  const std::pair<double, h7::ClockPlan> crystals[] = {{4e6, h7::PlanFor<4'000'000>()},
                                                       {16e6, h7::PlanFor<16'000'000>()},
                                                       {25e6, h7::PlanFor<25'000'000>()},
                                                       {26e6, h7::PlanFor<26'000'000>()},
                                                       {48e6, h7::PlanFor<48'000'000>()}};
  for (const auto& [crystal_Hz, plan] : crystals) {
    H7 chip({}, crystal_Hz);
    EXPECT_EQ(chip.Start(plan), ClockStep::kDone);
    EXPECT_EQ(chip.rcc.Pll_Hz(), 480e6);
    EXPECT_TRUE(chip.machine.violations.empty()) << chip.machine.violations[0];
  }
}
// No input of 2 or 5 MHz; above what the oscillator takes.
static_assert(!h7::UsableCrystal<27'000'000> && !h7::UsableCrystal<2'000'000> && !h7::UsableCrystal<50'000'000>);

TEST(H7ClockTree, BypassesTheAmplifierForAClockAndNotForACrystal) {
  constexpr h7::ClockPlan kClock = h7::PlanFor<8'000'000>(OscillatorPins::kClock);
  for (const bool clock : {true, false}) {
    H7 chip({.clock_on_pin = clock});
    EXPECT_EQ(chip.Start(kClock), clock ? ClockStep::kDone : ClockStep::kCrystal);
  }
}

/// 480 MHz, and an NMI when the crystal stops: true if all of it is so. The model's Pwr and Rcc find every bus, level and
/// wait state that does not bear it.
bool ClockIsWell(OscillatorPins pins) {
  H7 chip({.clock_on_pin = pins == OscillatorPins::kClock});
  const h7::ClockPlan plan = pins == OscillatorPins::kClock ? h7::PlanFor<8'000'000>(OscillatorPins::kClock) : k8MHz;
  bool well = chip.Start(plan) == ClockStep::kDone;
  chip.machine.EndStart();
  well = well && chip.rcc.runs_on_pll() && chip.rcc.Pll_Hz() == 480e6;
  bool cut = false;
  chip.rcc.cut = [&] { cut = true; };
  chip.rcc.LoseCrystal();
  return well && chip.rcc.nmi && cut && !chip.rcc.stands && chip.machine.violations.empty();
}

TEST(H7ClockTree, EachWriteOfItsStartCounts) {
  for (const OscillatorPins pins : {OscillatorPins::kCrystal, OscillatorPins::kClock}) {
    auto unseen = model::UnseenOfOscillators(0x25, pins == OscillatorPins::kClock);
    unseen.push_back({"RCC", 0x2C, 0x10004, 4, "an input of 2 MHz, which ends one range and begins the next"});
    model::ExpectEachWriteCounts([=] { return ClockIsWell(pins); }, unseen);
  }
}

TEST(H7ClockTree, SettlesTheSupplyBeforeTheCrystalAndTheOverdriveBeforeTheLoop) {
  H7 chip;
  ASSERT_EQ(chip.Start(), ClockStep::kDone);
  constexpr std::size_t kCr = TACTUS_AT(h7::RccRegisters, cr);
  const int scale = chip.machine.FirstWrite("PWR", TACTUS_AT(h7::PwrRegisters, d3cr), 3u << 14, 3u << 14);
  const int overdrive = chip.machine.FirstWrite("SYSCFG", TACTUS_AT(h7::SyscfgRegisters, pwrcr), 1, 1);
  const int loop = chip.machine.FirstWrite("RCC", kCr, h7::rcc::kPllOn, h7::rcc::kPllOn);
  const int wait_states = chip.machine.FirstWrite("FLASH", 0, 15, 4);
  EXPECT_LT(0, scale);
  EXPECT_LT(scale, overdrive);
  EXPECT_LT(overdrive, loop);
  EXPECT_LT(loop, wait_states);
}

TEST(H7ClockTree, NamesEachFlagThatDoesNotCome) {
  const std::pair<ClockFaults, ClockStep> cases[] = {
      {{.no_supply = true}, ClockStep::kSupply},    {{.no_scale = true}, ClockStep::kSupply},
      {{.no_overdrive = true}, ClockStep::kSupply}, {{.no_crystal = true}, ClockStep::kCrystal},
      {{.no_lock = true}, ClockStep::kPll},         {{.no_wait_states = true}, ClockStep::kWaitState},
      {{.no_switch = true}, ClockStep::kSwitch}};
  for (const auto& [faults, step] : cases) {
    H7 chip(faults);
    EXPECT_EQ(chip.Start(), step);
    EXPECT_FALSE(chip.rcc.runs_on_pll());
    EXPECT_LT(chip.machine.accesses, 6u * kClockTurns);
  }
}

TEST(H7Model, FindsALoopWhoseRangeIsNotThatOfItsInput) {
  H7 chip({}, 25e6);
  h7::ClockPlan plan = h7::PlanFor<25'000'000>();
  plan.range_word = k8MHz.range_word;
  EXPECT_EQ(chip.Start(plan), ClockStep::kPll);  // it never locks
}

TEST(H7Model, FindsADriverWithoutOverdriveWaitStatesOrDividers) {
  H7 chip(Takes(1));
  auto& rcc = chip.rcc.regs();
  rcc.cr = h7::rcc::kHseOn;
  rcc.pllckselr = k8MHz.source_word;
  rcc.pllcfgr = k8MHz.range_word;
  rcc.pll1divr = k8MHz.dividers_word;
  rcc.cr = h7::rcc::kHseOn | h7::rcc::kPllOn;
  (void)WaitFor(kClockTurns, [&] { return (rcc.cr & h7::rcc::kPllReady) != 0; });
  rcc.cfgr = h7::rcc::kUsePll;
  EXPECT_EQ(chip.machine.violations, (std::vector<std::string>{"RCC: too fast for the supply", "RCC: too few wait states",
                                                               "RCC: AHB too fast", "RCC: APB too fast"}));
}

}  // namespace
}  // namespace tactus::hal::stm32
