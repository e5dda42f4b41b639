#include <gtest/gtest.h>

#include "hal/stm32/f4/clock_tree.h"
#include "tests/stm32/clock_unseen.h"
#include "tests/stm32/f4_model.h"

// Source of orders, limits and values: RM0090 3.5.1, 5.1.4, 7.2, 7.3.

namespace tactus::hal::stm32 {
namespace {

using model::ClockFaults;
using model::ModelRegister;

constexpr f4::ClockPlan k8MHz = f4::PlanFor<8'000'000>();

struct Chip : private model::Machine, model::F4Chip {
  explicit Chip(const ClockFaults& faults = {}, double crystal_Hz = 8e6)
      : model::F4Chip(static_cast<model::Machine&>(*this), faults, crystal_Hz), machine(*this) {}
  ClockStep Start(const f4::ClockPlan& plan = k8MHz) {
    return f4::StartClockTree(rcc.regs(), pwr.regs(), flash.regs(), plan);
  }

  model::Machine& machine;
};

constexpr std::size_t kCr = TACTUS_AT(f4::RccRegisters, cr), kCfgr = TACTUS_AT(f4::RccRegisters, cfgr);

TEST(ClockTree, RunsAt168MHzFromEachCrystal) {
  const std::pair<double, f4::ClockPlan> crystals[] = {{4e6, f4::PlanFor<4'000'000>()},
                                                       {8e6, k8MHz},
                                                       {12e6, f4::PlanFor<12'000'000>()},
                                                       {25e6, f4::PlanFor<25'000'000>()},
                                                       {26e6, f4::PlanFor<26'000'000>()}};
  for (const auto& [crystal_Hz, plan] : crystals) {
    Chip chip({}, crystal_Hz);
    EXPECT_EQ(chip.Start(plan), ClockStep::kDone);
    EXPECT_TRUE(chip.rcc.runs_on_pll());
    EXPECT_EQ(chip.rcc.Pll_Hz(), 168e6);
    EXPECT_EQ(chip.rcc.Apb1_Hz(), f4::kApb1_Hz);
    EXPECT_EQ(chip.rcc.Apb2_Hz(), f4::kApb2_Hz);
    EXPECT_EQ(chip.flash.wait_states(), 5u);
    EXPECT_TRUE(chip.machine.violations.empty()) << chip.machine.violations[0];
  }
}

// Not a whole number of MHz; below and above what the oscillator takes, DS8626 5.3.8.
static_assert(!f4::UsableCrystal<14'745'600> && !f4::UsableCrystal<3'000'000> && !f4::UsableCrystal<27'000'000>);

constexpr f4::ClockPlan k8MHzClock = f4::PlanFor<8'000'000>(OscillatorPins::kClock);

bool Bypasses(const Chip& chip) {
  return chip.machine.FirstWrite("RCC", kCr, f4::rcc::kHseBypass, f4::rcc::kHseBypass) != -1;
}

TEST(ClockTree, BypassesTheAmplifierForAClock) {
  Chip chip({.clock_on_pin = true});
  EXPECT_EQ(chip.Start(k8MHzClock), ClockStep::kDone);
  EXPECT_TRUE(Bypasses(chip));
  EXPECT_TRUE(chip.machine.violations.empty()) << chip.machine.violations[0];
}

TEST(ClockTree, DoesNotBypassItForACrystal) {
  Chip chip;
  EXPECT_EQ(chip.Start(), ClockStep::kDone);
  EXPECT_FALSE(Bypasses(chip));
}

TEST(ClockTree, NamesTheCrystalWhereAClockWasDeclared) {
  Chip chip;
  EXPECT_EQ(chip.Start(k8MHzClock), ClockStep::kCrystal);
}

/// 168 MHz and what its buses take, and an NMI when the crystal stops: true if all of it is so. The regulator begins at its
/// lower scale, as a part of the 42x has it.
bool ClockIsWell(OscillatorPins pins) {
  Chip chip({.clock_on_pin = pins == OscillatorPins::kClock});
  const f4::ClockPlan plan = pins == OscillatorPins::kClock ? f4::PlanFor<8'000'000>(OscillatorPins::kClock) : k8MHz;
  bool well = chip.Start(plan) == ClockStep::kDone;
  chip.machine.EndStart();
  well = well && chip.rcc.runs_on_pll() && chip.rcc.Pll_Hz() == 168e6 && chip.rcc.Apb1_Hz() == f4::kApb1_Hz &&
         chip.rcc.Apb2_Hz() == f4::kApb2_Hz && chip.rcc.Usb_Hz() == 48e6;
  well = well && chip.flash.regs().acr.bits == 0x705u;  // RM0090 3.9.1: prefetch, both caches, 5 wait states
  bool cut = false;
  chip.rcc.cut = [&] { cut = true; };
  chip.rcc.LoseCrystal();
  (void)WaitFor(10, [&] { return static_cast<std::uint32_t>(chip.rcc.regs().cfgr) == 0xFFFFFFFFu; });
  return well && chip.rcc.nmi && cut && !chip.rcc.stands && !chip.rcc.runs_on_pll() && chip.machine.violations.empty();
}

TEST(ClockTree, EachWriteOfItsStartCounts) {
  for (const OscillatorPins pins : {OscillatorPins::kCrystal, OscillatorPins::kClock})
    model::ExpectEachWriteCounts([=] { return ClockIsWell(pins); },
                                 model::UnseenOfOscillators(0x83, pins == OscillatorPins::kClock));
}

TEST(ClockTree, GoesInTheManualsOrder) {
  Chip chip;
  ASSERT_EQ(chip.Start(), ClockStep::kDone);
  const int crystal = chip.machine.FirstWrite("RCC", kCr, f4::rcc::kHseOn, f4::rcc::kHseOn);
  const int loop = chip.machine.FirstWrite("RCC", kCr, f4::rcc::kPllOn, f4::rcc::kPllOn);
  const int wait_states = chip.machine.FirstWrite("FLASH", 0, 7, 5);
  const int dividers = chip.machine.FirstWrite("RCC", kCfgr, 7u << 10, f4::rcc::kApb1By4);
  const int change = chip.machine.FirstWrite("RCC", kCfgr, 3, f4::rcc::kUsePll);
  const int security = chip.machine.FirstWrite("RCC", kCr, f4::rcc::kSecurityOn, f4::rcc::kSecurityOn);
  EXPECT_LT(0, crystal);
  EXPECT_LT(crystal, loop);
  EXPECT_LT(loop, wait_states);
  EXPECT_LT(wait_states, dividers);
  EXPECT_LT(dividers, change);
  EXPECT_LT(change, security);
}

TEST(ClockTree, WaitsForASlowCrystalAndASlowLoop) {
  Chip chip({.crystal_takes = 30'000, .lock_takes = 30'000, .supply_takes = 35'000, .switch_takes = 30'000});
  EXPECT_EQ(chip.Start(), ClockStep::kDone);
  EXPECT_TRUE(chip.machine.violations.empty());
}

struct Stuck {
  const char* name;
  ClockFaults faults;
  ClockStep step;
};
class EachStuckFlag : public testing::TestWithParam<Stuck> {};

TEST_P(EachStuckFlag, IsNamedWithinItsBoundAndLeavesTheInternalOscillator) {
  Chip chip(GetParam().faults);
  EXPECT_EQ(chip.Start(), GetParam().step);
  EXPECT_FALSE(chip.rcc.runs_on_pll());
  EXPECT_TRUE(chip.machine.violations.empty());
  EXPECT_LT(chip.machine.accesses, 3u * kClockTurns);
  EXPECT_EQ(chip.machine.FirstWrite("RCC", kCr, f4::rcc::kSecurityOn, f4::rcc::kSecurityOn), -1);
}
INSTANTIATE_TEST_SUITE_P(ClockTree, EachStuckFlag,
                         testing::Values(Stuck{"crystal", {.no_crystal = true}, ClockStep::kCrystal},
                                         Stuck{"loop", {.no_lock = true}, ClockStep::kPll},
                                         Stuck{"supply", {.no_supply = true}, ClockStep::kSupply},
                                         Stuck{"wait_states", {.no_wait_states = true}, ClockStep::kWaitState},
                                         Stuck{"change", {.no_switch = true}, ClockStep::kSwitch},
                                         Stuck{"too_slow", {.lock_takes = 10 * kClockTurns}, ClockStep::kPll}),
                         [](const auto& stuck) { return stuck.param.name; });

// The models bite: drivers that are wrong on purpose.

TEST(ClockModel, StandsWithoutTheClockSecurityWhenTheCrystalStops) {
  Chip chip;
  ASSERT_EQ(chip.Start(), ClockStep::kDone);
  chip.rcc.regs().cr.bits &= ~(1u << 19);
  chip.rcc.LoseCrystal();
  EXPECT_TRUE(chip.rcc.stands);
  EXPECT_FALSE(chip.rcc.nmi);
}

TEST(ClockModel, SeesADriverThatDoesNotWaitForTheLoop) {
  Chip chip;
  auto& rcc = chip.rcc.regs();
  chip.flash.regs().acr = f4::kFlashWord;
  rcc.cr = rcc.cr | f4::rcc::kHseOn;
  ASSERT_TRUE(WaitFor(kClockTurns, [&] { return (rcc.cr & f4::rcc::kHseReady) != 0; }));
  rcc.pllcfgr = k8MHz.pll_word;
  rcc.cr = rcc.cr | f4::rcc::kPllOn;
  rcc.cfgr = f4::rcc::kApb1By4 | f4::rcc::kApb2By2 | f4::rcc::kUsePll;
  ASSERT_FALSE(chip.machine.violations.empty());
  EXPECT_EQ(chip.machine.violations.back(), "RCC: switched to a PLL that is not ready");
}

/// All but one step, or one in the wrong place.
std::vector<std::string> Sloppy(bool wait_states, bool dividers, bool supply, std::uint32_t pll_word) {
  Chip chip;
  auto& rcc = chip.rcc.regs();
  rcc.apb1enr = f4::rcc::kPwr;
  if (supply) chip.pwr.regs().cr = f4::pwr::kScale1;
  if (wait_states) chip.flash.regs().acr = f4::kFlashWord;
  rcc.cr = rcc.cr | f4::rcc::kHseOn;
  (void)WaitFor(kClockTurns, [&] { return (rcc.cr & f4::rcc::kHseReady) != 0; });
  rcc.pllcfgr = pll_word;
  rcc.cr = rcc.cr | f4::rcc::kPllOn;
  (void)WaitFor(kClockTurns, [&] { return (rcc.cr & f4::rcc::kPllReady) != 0; });
  const std::uint32_t word = dividers ? f4::rcc::kApb1By4 | f4::rcc::kApb2By2 : 0u;
  rcc.cfgr = word;
  rcc.cfgr = word | f4::rcc::kUsePll;
  return chip.machine.violations;
}

TEST(ClockModel, SeesWhatADriverLeavesOut) {
  const std::uint32_t word = k8MHz.pll_word;
  EXPECT_TRUE(Sloppy(true, true, true, word).empty());
  EXPECT_EQ(Sloppy(false, true, true, word), std::vector<std::string>{"RCC: switched with too few wait states"});
  EXPECT_EQ(Sloppy(true, false, true, word), std::vector<std::string>{"RCC: a bus is too fast"});
  EXPECT_EQ(Sloppy(true, true, false, word), std::vector<std::string>{"RCC: switched with the supply too low"});
  // The loop never locks: an input of 8 MHz is out of its range.
  EXPECT_EQ(Sloppy(true, true, true, (word & ~63u) | 1u).back(), "RCC: switched to a PLL that is not ready");
}

TEST(ClockModel, SeesALoopThatIsChangedWhileItRunsAndABlockWithoutClock) {
  Chip chip;
  chip.pwr.regs().cr = f4::pwr::kScale1;
  chip.rcc.regs().cr = f4::rcc::kPllOn;
  chip.rcc.regs().pllcfgr = 0;
  EXPECT_EQ(chip.machine.violations, std::vector<std::string>{"RCC: the PLL was set up while it is on"});
  EXPECT_FALSE(chip.pwr.scale1());  // its write was lost
}

// Source: RM0090 7.3.21. Power-on sets the brown-out and the pin's flag too.
TEST(ResetFlags, NameTheCauseAndAreCleared) {
  constexpr std::uint32_t kPin = 1u << 26;
  const auto cause_of = [](std::uint32_t flags) {
    Chip chip;
    chip.rcc.regs().csr.bits = flags;
    const cortex_m::ResetCause cause = TakeResetFlags(chip.rcc.regs().csr, f4::kResetFlags);
    EXPECT_NE(chip.machine.FirstWrite("RCC", TACTUS_AT(f4::RccRegisters, csr), f4::rcc::kClearCauses, f4::rcc::kClearCauses),
              -1);
    return cause;
  };
  EXPECT_EQ(cause_of(f4::rcc::kPowerOn | f4::rcc::kBrownOut | kPin), cortex_m::ResetCause::kPowerOn);
  EXPECT_EQ(cause_of(f4::rcc::kBrownOut | kPin), cortex_m::ResetCause::kBrownOut);
  EXPECT_EQ(cause_of(f4::rcc::kIndependentWatchdog | kPin), cortex_m::ResetCause::kWatchdog);
  EXPECT_EQ(cause_of(f4::rcc::kWindowWatchdog | kPin), cortex_m::ResetCause::kWatchdog);
  EXPECT_EQ(cause_of(f4::rcc::kSoftware | kPin), cortex_m::ResetCause::kSoftware);
  EXPECT_EQ(cause_of(0), cortex_m::ResetCause::kUnknown);
}

// Encoders have the place of their home pose behind power-on alone.
TEST(RestartsBehind, AreNoneBehindPowerOnAlone) {
  using cortex_m::ResetCause, cortex_m::RestartsBehind;
  EXPECT_EQ(RestartsBehind(ResetCause::kPowerOn, 1, true), 0u);
  EXPECT_EQ(RestartsBehind(ResetCause::kPowerOn, 0, true), 0u);
  EXPECT_EQ(RestartsBehind(ResetCause::kPowerOn, 3, true), 2u) << "RAM that was kept";
  for (const ResetCause cause :
       {ResetCause::kUnknown, ResetCause::kSoftware, ResetCause::kWatchdog, ResetCause::kLockup, ResetCause::kBrownOut}) {
    EXPECT_EQ(RestartsBehind(cause, 1, true), 1u) << "the number was lost";
    EXPECT_EQ(RestartsBehind(cause, 0, true), 1u);
    EXPECT_EQ(RestartsBehind(cause, 5, true), 4u);
  }
  EXPECT_EQ(RestartsBehind(ResetCause::kUnknown, 1, false), 0u) << "an emulator";
  EXPECT_EQ(RestartsBehind(ResetCause::kWatchdog, 1, false), 1u);
}

}  // namespace
}  // namespace tactus::hal::stm32
