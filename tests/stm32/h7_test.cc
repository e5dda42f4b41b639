#include <gtest/gtest.h>

#include "hal/stm32/h7/clock_tree.h"
#include "tests/stm32/machine.h"

// Source: RM0433 4.3.8 (flash), 6.6 (supply), 8.5 (clocks).

namespace tactus::hal::stm32 {
namespace {

using model::Holding;
using model::Machine;
using model::ModelRegister;

struct Faults {
  bool no_supply = false, no_overdrive = false, no_crystal = false, no_lock = false, no_wait_states = false,
       no_switch = false;
  int takes = 100;  ///< accesses until a flag rises
  double crystal_Hz = 8e6;
};
constexpr h7::ClockPlan k8MHz = h7::PlanFor<8'000'000>(OscillatorPins::kClock);

/// Blocks whose flags follow one another as the manual has it; the supply, flash and bus rules are checked at the switch.
struct H7 {
  explicit H7(const Faults& f) : faults(f), rcc(*this), pwr(*this), syscfg(machine, "SYSCFG"), flash(*this) {}

  struct Rcc : Holding<h7::RccRegisters> {
    explicit Rcc(H7& chip) : Holding(chip.machine, "RCC"), c(chip) { regs().cr.bits = 1; }
    void Step() override {
      crystal = (regs().cr.bits & h7::rcc::kHseOn) != 0 && !c.faults.no_crystal ? crystal + 1 : 0;
      Flag(h7::rcc::kHseReady, crystal > c.faults.takes);
      lock = (regs().cr.bits & h7::rcc::kPllOn) != 0 && crystal > c.faults.takes && !c.faults.no_lock ? lock + 1 : 0;
      Flag(h7::rcc::kPllReady, lock > c.faults.takes);
      const bool on = (regs().cfgr.bits & 7u) == h7::rcc::kUsePll && lock > c.faults.takes && !c.faults.no_switch;
      regs().cfgr.bits = (regs().cfgr.bits & 7u) | (on ? h7::rcc::kStatusPll : 0u);
    }
    void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
      bits = value;
      if (offset != TACTUS_AT(h7::RccRegisters, cfgr) || value != h7::rcc::kUsePll) return;
      if (!PllIsLegal()) Violate("a PLL beyond its limits");
      if (lock <= c.faults.takes) Violate("switched to a PLL that is not ready");
      if (Pll_Hz() > 400e6 && (c.syscfg.regs().pwrcr.bits & h7::pwr::kOverdrive) == 0) Violate("too fast for the supply");
      if ((c.flash.regs().acr.bits & 15u) < 4) Violate("too few wait states");
      if ((regs().d1cfgr.bits & 15u) != h7::rcc::kAhbBy2) Violate("AHB too fast");
      if ((regs().d2cfgr.bits & 0x770u) != 0x440u || (regs().d3cfgr.bits & 0x70u) != 0x40u) Violate("APB too fast");
    }
    double Input_Hz() const { return c.faults.crystal_Hz / static_cast<double>(regs().pllckselr.bits >> 4 & 63u); }
    double Loop_Hz() const { return Input_Hz() * ((regs().pll1divr.bits & 511u) + 1); }
    double Pll_Hz() const { return Loop_Hz() / ((regs().pll1divr.bits >> 9 & 127u) + 1); }
    bool PllIsLegal() const {  // RM0433 8.7.13, 8.7.14: the input within the range that is told, 1, 2, 4, 8 to twice as much
      const double lowest = 1e6 * (1u << (regs().pllcfgr.bits >> 2 & 3u));
      return Input_Hz() >= lowest && Input_Hz() <= 2 * lowest && Loop_Hz() >= 192e6 && Loop_Hz() <= 960e6;
    }
    void Flag(std::uint32_t flag, bool is) { regs().cr.bits = (regs().cr.bits & ~flag) | (is ? flag : 0u); }
    H7& c;
    int crystal = 0, lock = 0;
  };
  struct Pwr : Holding<h7::PwrRegisters> {
    explicit Pwr(H7& chip) : Holding(chip.machine, "PWR"), c(chip) { regs().cr3.bits = 6; }
    void Step() override {
      const bool overdrive = (c.syscfg.regs().pwrcr.bits & h7::pwr::kOverdrive) != 0;
      const bool settled = (regs().cr3.bits & 7u) == h7::pwr::kLdoOn && (regs().d3cr.bits >> 14) == 3u;
      if (overdrive != was_overdrive) ticks = 0;
      was_overdrive = overdrive;
      ticks = settled ? ticks + 1 : 0;
      const bool stuck = c.faults.no_supply || (overdrive && c.faults.no_overdrive);
      regs().d3cr.bits =
          (regs().d3cr.bits & ~h7::pwr::kScaleReady) | (ticks > c.faults.takes && !stuck ? h7::pwr::kScaleReady : 0u);
    }
    H7& c;
    bool was_overdrive = false;
    int ticks = 0;
  };
  struct Flash : Holding<h7::FlashRegisters> {
    explicit Flash(H7& chip) : Holding(chip.machine, "FLASH"), c(chip) {}
    void Write(std::size_t, std::uint32_t value, std::uint32_t& bits) override {
      bits = c.faults.no_wait_states ? 0 : value;
    }
    H7& c;
  };

  ClockStep Start(const h7::ClockPlan& plan = k8MHz) {
    return h7::StartClockTree<ModelRegister>({rcc.regs(), pwr.regs(), syscfg.regs(), flash.regs()}, plan);
  }
  bool runs_on_pll() const { return (rcc.regs().cfgr.bits & h7::rcc::kStatusMask) == h7::rcc::kStatusPll; }

  Faults faults;
  Machine machine;
  Rcc rcc;
  Pwr pwr;
  Holding<h7::SyscfgRegisters> syscfg;
  Flash flash;
};

TEST(H7ClockTree, RunsAt480MHzFromASlowChipToo) {
  for (const int takes : {1, 100, 15'000}) {
    H7 chip({.takes = takes});
    EXPECT_EQ(chip.Start(), ClockStep::kDone);
    EXPECT_TRUE(chip.runs_on_pll());
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
    H7 chip({.crystal_Hz = crystal_Hz});
    EXPECT_EQ(chip.Start(plan), ClockStep::kDone);
    EXPECT_EQ(chip.rcc.Pll_Hz(), 480e6);
    EXPECT_TRUE(chip.machine.violations.empty()) << chip.machine.violations[0];
  }
}
// No input of 2 or 5 MHz; above what the oscillator takes.
static_assert(!h7::UsableCrystal<27'000'000> && !h7::UsableCrystal<2'000'000> && !h7::UsableCrystal<50'000'000>);

TEST(H7ClockTree, BypassesTheAmplifierForAClockAndNotForACrystal) {
  for (const OscillatorPins pins : {OscillatorPins::kClock, OscillatorPins::kCrystal}) {
    H7 chip({});
    h7::ClockPlan plan = k8MHz;
    plan.pins = pins;
    EXPECT_EQ(chip.Start(plan), ClockStep::kDone);
    const int bypass =
        chip.machine.FirstWrite("RCC", TACTUS_AT(h7::RccRegisters, cr), h7::rcc::kHseBypass, h7::rcc::kHseBypass);
    EXPECT_EQ(bypass != -1, pins == OscillatorPins::kClock);
  }
}

TEST(H7ClockTree, SettlesTheSupplyBeforeTheCrystalAndTheOverdriveBeforeTheLoop) {
  H7 chip({});
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
  const std::pair<Faults, ClockStep> cases[] = {
      {{.no_supply = true}, ClockStep::kSupply},         {{.no_overdrive = true}, ClockStep::kSupply},
      {{.no_crystal = true}, ClockStep::kCrystal},       {{.no_lock = true}, ClockStep::kPll},
      {{.no_wait_states = true}, ClockStep::kWaitState}, {{.no_switch = true}, ClockStep::kSwitch}};
  for (const auto& [faults, step] : cases) {
    H7 chip(faults);
    EXPECT_EQ(chip.Start(), step);
    EXPECT_FALSE(chip.runs_on_pll());
    EXPECT_LT(chip.machine.log.size(), 6u * kClockTurns);
  }
}

TEST(H7Model, FindsALoopWhoseRangeIsNotThatOfItsInput) {
  H7 chip({.crystal_Hz = 25e6});
  h7::ClockPlan plan = h7::PlanFor<25'000'000>();
  plan.range_word = k8MHz.range_word;
  EXPECT_EQ(chip.Start(plan), ClockStep::kDone);
  EXPECT_EQ(chip.machine.violations, std::vector<std::string>{"RCC: a PLL beyond its limits"});
}

TEST(H7Model, FindsADriverWithoutOverdriveWaitStatesOrDividers) {
  H7 chip({.takes = 1});
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
