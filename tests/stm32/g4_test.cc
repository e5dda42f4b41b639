#include <gtest/gtest.h>

#include "hal/stm32/g4/clock_tree.h"
#include "tests/stm32/machine.h"

// Source: RM0440 3.3.3 (flash), 6.1.5 (supply), 7.2, 7.4 (clocks).

namespace tactus::hal::stm32 {
namespace {

using model::Holding;
using model::Machine;
using model::ModelRegister;

struct Faults {
  bool no_range = false, no_crystal = false, no_lock = false, no_wait_states = false, no_switch = false;
  int takes = 100;  ///< accesses until a flag rises
  double crystal_Hz = 8e6;
};
constexpr g4::ClockPlan k8MHz = g4::PlanFor<8'000'000>();

struct G4 {
  explicit G4(const Faults& f) : faults(f), rcc(*this), pwr(*this), flash(*this) {}

  struct Rcc : Holding<g4::RccRegisters> {
    explicit Rcc(G4& chip) : Holding(chip.machine, "RCC"), c(chip) {}
    void Step() override {
      crystal = (regs().cr.bits & g4::rcc::kHseOn) != 0 && !c.faults.no_crystal ? crystal + 1 : 0;
      Flag(g4::rcc::kHseReady, crystal > c.faults.takes);
      lock = (regs().cr.bits & g4::rcc::kPllOn) != 0 && crystal > c.faults.takes && !c.faults.no_lock ? lock + 1 : 0;
      Flag(g4::rcc::kPllReady, lock > c.faults.takes);
      const bool wants = (regs().cfgr.bits & 3u) == g4::rcc::kUsePll && lock > c.faults.takes;
      on_pll = wants && !c.faults.no_switch ? on_pll + 1 : 0;
      regs().cfgr.bits = (regs().cfgr.bits & ~g4::rcc::kStatusMask) | (on_pll > 0 ? g4::rcc::kStatusPll : 0u);
    }
    void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
      const bool was_halved = (bits & g4::rcc::kAhbBy2) != 0;
      bits = value;
      if (offset != TACTUS_AT(g4::RccRegisters, cfgr) || (value & 3u) != g4::rcc::kUsePll) return;
      const bool halved = (value & g4::rcc::kAhbBy2) != 0;
      if (on_pll == 0 && !PllIsLegal()) Violate("a PLL beyond its limits");
      if (on_pll == 0 && lock <= c.faults.takes) Violate("switched to a PLL that is not ready");
      if (on_pll == 0 && (c.flash.regs().acr.bits & 15u) < 4) Violate("too few wait states");
      if (on_pll == 0 && !halved) Violate("from below 80 MHz to above in one step");
      if (on_pll > 0 && was_halved && !halved && on_pll < 50) Violate("whole clock within the microsecond");
      if ((c.pwr.regs().cr5.bits & g4::pwr::kNoBoost) != 0) Violate("above 150 MHz without boost");
    }
    double Input_Hz() const { return c.faults.crystal_Hz / ((regs().pllcfgr.bits >> 4 & 15u) + 1); }
    double Loop_Hz() const { return Input_Hz() * (regs().pllcfgr.bits >> 8 & 127u); }
    double Pll_Hz() const { return Loop_Hz() / (2 * ((regs().pllcfgr.bits >> 25 & 3u) + 1)); }
    bool PllIsLegal() const {  // RM0440 7.4.4
      return Input_Hz() >= 2.66e6 && Input_Hz() <= 16e6 && Loop_Hz() >= 96e6 && Loop_Hz() <= 344e6;
    }
    void Flag(std::uint32_t flag, bool is) { regs().cr.bits = (regs().cr.bits & ~flag) | (is ? flag : 0u); }
    G4& c;
    int crystal = 0, lock = 0, on_pll = 0;
  };
  struct Pwr : Holding<g4::PwrRegisters> {
    explicit Pwr(G4& chip) : Holding(chip.machine, "PWR"), c(chip) { regs().cr5.bits = g4::pwr::kNoBoost; }
    void Step() override {
      if (c.faults.no_range) regs().sr2.bits = g4::pwr::kRangeChanges;
    }
    G4& c;
  };
  struct Flash : Holding<g4::FlashRegisters> {
    explicit Flash(G4& chip) : Holding(chip.machine, "FLASH"), c(chip) {}
    void Write(std::size_t, std::uint32_t value, std::uint32_t& bits) override {
      bits = c.faults.no_wait_states ? 0 : value;
    }
    G4& c;
  };

  ClockStep Start(const g4::ClockPlan& plan = k8MHz) {
    return g4::StartClockTree<ModelRegister>({rcc.regs(), pwr.regs(), flash.regs()}, plan);
  }

  Faults faults;
  Machine machine;
  Rcc rcc;
  Pwr pwr;
  Flash flash;
};

TEST(G4ClockTree, RunsAt170MHzByTheHalfClock) {
  for (const int takes : {1, 100, 15'000}) {
    G4 chip({.takes = takes});
    EXPECT_EQ(chip.Start(), ClockStep::kDone);
    EXPECT_GT(chip.rcc.on_pll, 0);
    EXPECT_EQ(chip.rcc.Pll_Hz(), 170e6);
    EXPECT_EQ(chip.rcc.regs().cfgr.bits & 0xF0u, 0u);
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
    G4 chip({.crystal_Hz = crystal_Hz});
    EXPECT_EQ(chip.Start(plan), ClockStep::kDone);
    EXPECT_EQ(chip.rcc.Pll_Hz(), 170e6);
    EXPECT_TRUE(chip.machine.violations.empty()) << chip.machine.violations[0];
  }
}
// No input of 4 or 5 MHz; above what the oscillator takes.
static_assert(!g4::UsableCrystal<26'000'000> && !g4::UsableCrystal<2'000'000> && !g4::UsableCrystal<52'000'000>);

TEST(G4ClockTree, BypassesTheAmplifierForAClock) {
  G4 chip({});
  EXPECT_EQ(chip.Start(g4::PlanFor<8'000'000>(OscillatorPins::kClock)), ClockStep::kDone);
  constexpr std::uint32_t kBypass = g4::rcc::kHseBypass;
  EXPECT_NE(chip.machine.FirstWrite("RCC", TACTUS_AT(g4::RccRegisters, cr), kBypass, kBypass), -1);
}

TEST(G4ClockTree, NamesEachFlagThatDoesNotCome) {
  const std::pair<Faults, ClockStep> cases[] = {{{.no_range = true}, ClockStep::kSupply},
                                                {{.no_crystal = true}, ClockStep::kCrystal},
                                                {{.no_lock = true}, ClockStep::kPll},
                                                {{.no_wait_states = true}, ClockStep::kWaitState},
                                                {{.no_switch = true}, ClockStep::kSwitch}};
  for (const auto& [faults, step] : cases) {
    G4 chip(faults);
    EXPECT_EQ(chip.Start(), step);
    EXPECT_EQ(chip.rcc.on_pll, 0);
    EXPECT_LT(chip.machine.log.size(), 6u * kClockTurns);
  }
}

TEST(G4Model, FindsALoopBeyondItsLimits) {
  G4 chip({.crystal_Hz = 24e6});
  EXPECT_EQ(chip.Start(k8MHz), ClockStep::kDone);
  EXPECT_EQ(chip.machine.violations, std::vector<std::string>{"RCC: a PLL beyond its limits"});
}

TEST(G4Model, FindsADriverThatSwitchesInOneStepWithoutBoost) {
  G4 chip({.takes = 1});
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
