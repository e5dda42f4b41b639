#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hal/stm32/f4/clock_tree.h"
#include "hal/stm32/g4/clock_tree.h"
#include "hal/stm32/h7/clock_tree.h"
#include "hal/stm32/watchdogs.h"
#include "tests/stm32/each_write.h"
#include "tests/stm32/watchdog_model.h"

// Source: RM0090 21, 22, RM0433 47, RM0440 44; the oscillator's range: data sheet DS8626, LSI characteristics.

namespace tactus::hal::stm32 {
namespace {

using model::ModelRegister;

struct Rig {
  explicit Rig(double oscillator_Hz = 32'000) : independent(machine, oscillator_Hz) {}
  void Elapse(double us) {
    independent.Elapse(us);
    window.Elapse(us);
  }
  bool reset() const { return independent.reset || window.reset; }

  model::Machine machine;
  model::IwdgModel independent;
  model::WwdgModel window{machine, f4::kApb1_Hz, model::WwdgModel::Divider::kBits8To7};
  Watchdogs<ModelRegister, f4::kApb1_Hz, 3u << 7> dogs{independent.regs(), window.regs()};
};

TEST(Watchdogs, LetALoopRunThatFeedsEachMillisecondWithJitter) {
  for (const double oscillator_Hz : {17'000.0, 32'000.0, 47'000.0}) {
    Rig rig(oscillator_Hz);
    rig.dogs.Start(20'000);
    for (int i = 0; i < 10'000; ++i) {
      rig.Elapse(i % 2 == 0 ? 600 : 1400);
      rig.dogs.Feed();
      ASSERT_FALSE(rig.reset()) << i;
    }
    EXPECT_TRUE(rig.machine.violations.empty());
  }
}

static_assert(decltype(Rig::dogs)::kCount_us == 780);  // 4096 · 8 counts of 42 MHz, RM0090 22.4

// Five clocks of 17 kHz are 141 000 of 480 MHz, and a look at the flag takes two of those at the least.
TEST(Watchdogs, WaitForTheSlowestOscillatorUnderTheFastestCore) {
  Rig rig;
  rig.independent.takes = 70'600;
  rig.dogs.Start(20'000);
  rig.independent.Elapse(21'000);
  EXPECT_TRUE(rig.independent.reset);
}

TEST(Watchdogs, EachBiteALoopThatHangsByItself) {
  for (const bool independent : {false, true}) {
    Rig rig;
    rig.dogs.Start(20'000);
    rig.dogs.Feed();
    int ms = 0;
    while (!(independent ? rig.independent.reset : rig.window.reset) && ms < 100) {
      rig.Elapse(1000);
      ++ms;
    }
    EXPECT_GE(ms, 18);
    EXPECT_LE(ms, 21);
  }
}

TEST(Watchdogs, TheWindowWarnsOneCountBefore) {
  Rig rig;
  rig.dogs.Start(20'000);
  while (!rig.window.warned && !rig.window.reset) rig.Elapse(10);
  EXPECT_FALSE(rig.window.reset);
  rig.Elapse(900);
  EXPECT_TRUE(rig.window.reset);
}

TEST(Watchdogs, TheWindowBitesALoopThatFeedsTooFast) {
  Rig rig;
  rig.dogs.Start(20'000);
  for (int i = 0; i < 8; ++i) {
    rig.Elapse(100);
    rig.dogs.Feed();
  }
  EXPECT_TRUE(rig.window.reset);
  EXPECT_FALSE(rig.independent.reset);
}

/// On a chip whose loader has started the independent one: both let a steady loop run, each bites a loop that hangs, by
/// itself and in its time; the window bites one that is too fast, to the count, and warns. True if all of it is so.
template <std::uint32_t kPclk_Hz, std::uint32_t kDivider8>
class EachWatchdog {
 public:
  explicit EachWatchdog(model::WwdgModel::Divider divider) : divider_(divider) {}

  bool IsWell() const {
    const model::WriteFault fault = model::Machine::next_fault;
    bool well = true;
    for (const auto check : {&Chip::LetsRun, &Chip::IndependentBites, &Chip::WindowBites, &Chip::WindowIsOpenInTime}) {
      model::Machine::next_fault = fault;
      Chip chip(divider_);
      well = (chip.*check)() && well && chip.machine.violations.empty();
    }
    return well;
  }

 private:
  struct Chip {
    explicit Chip(model::WwdgModel::Divider divider) : window(machine, kPclk_Hz, divider) {
      independent.LeaveUsed();
      dogs.Start(kTimeout_us);
      machine.EndStart();
    }
    bool LetsRun() {
      for (int i = 0; i < 200; ++i) {
        independent.Elapse(i % 2 == 0 ? 600 : 1400);
        window.Elapse(i % 2 == 0 ? 600 : 1400);
        dogs.Feed();
      }
      return !independent.reset && !window.reset;
    }
    bool IndependentBites() {
      independent.Elapse(kTimeout_us - 200.0);
      const bool early = independent.reset;
      independent.Elapse(400);
      return !early && independent.reset;
    }
    bool WindowBites() {
      const double counts = std::min(kTimeout_us / Dogs::kCount_us, 64u);
      window.Elapse((counts - 1.2) * window.CountUs());
      const bool early = window.reset || window.warned;
      window.Elapse(0.9 * window.CountUs());
      const bool warned = window.warned && !window.reset;
      window.Elapse(1.2 * window.CountUs());
      return std::abs(window.CountUs() - 32'768e6 / kPclk_Hz) < 1e-6 && !early && warned && window.reset;
    }
    bool WindowIsOpenInTime() {
      window.Elapse(2.1 * window.CountUs());
      for (int i = 0; i < Dogs::kFeedsPerRefresh; ++i) dogs.Feed();
      const bool early = window.reset;
      window.Elapse(1.9 * window.CountUs());
      for (int i = 0; i < Dogs::kFeedsPerRefresh; ++i) dogs.Feed();
      return !early && window.reset;
    }

    using Dogs = Watchdogs<ModelRegister, kPclk_Hz, kDivider8>;
    static constexpr std::uint32_t kTimeout_us = 12'000;
    model::Machine machine;
    model::IwdgModel independent{machine, 32'000};
    model::WwdgModel window;
    Dogs dogs{independent.regs(), window.regs()};
  };
  model::WwdgModel::Divider divider_;
};

TEST(Watchdogs, EachWriteOfTheirStartCounts) {
  using Divider = model::WwdgModel::Divider;
  const std::vector<model::Unseen> kStarted{{"IWDG", 0, 0xCCCC, 0, "the start of one that a loader has started"},
                                            {"IWDG", 0, 0xCCCC, 0xCCCC, "the same: another key does nothing"}};
  model::ExpectEachWriteCounts([] { return EachWatchdog<f4::kApb1_Hz, 3u << 7>(Divider::kBits8To7).IsWell(); }, kStarted);
  model::ExpectEachWriteCounts([] { return EachWatchdog<g4::kCore_Hz, 3u << 11>(Divider::kBits13To11).IsWell(); }, kStarted);
  model::ExpectEachWriteCounts([] { return EachWatchdog<h7::kApb_Hz, 3u << 11>(Divider::kBits13To11).IsWell(); }, kStarted);
}

TEST(Watchdogs, RefreshTheWindowWithEachFourthFeedAndCountAnewFromASecondStart) {
  Rig rig;
  rig.dogs.Start(20'000);
  const auto feed = [&](int feeds) {
    rig.machine.log.clear();
    for (int i = 0; i < feeds; ++i) {
      rig.Elapse(1000);
      rig.dogs.Feed();
    }
    const auto& log = rig.machine.log;
    return std::count_if(log.begin(), log.end(), [](const model::Access& one) { return one.block == "WWDG"; });
  };
  EXPECT_EQ(feed(40), 10);
  EXPECT_EQ(feed(3), 0);
  rig.dogs.Start(20'000);
  EXPECT_EQ(feed(3), 0);  // one would come too early
  EXPECT_EQ(feed(1), 1);
  EXPECT_FALSE(rig.reset());
}

// RM0090 21.4.3: RL has twelve bits. 22.6.1: T counts from 0x40 on; at least two counts more than the closed window's two.
TEST(Watchdogs, KeepTimesThatAreTooShortOrTooLongWithinTheirRegisters) {
  const std::pair<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> cases[] = {{500, {1, 0x43}},
                                                                                     {10'000'000, {4095, 0x7F}}};
  for (const auto& [timeout_us, wanted] : cases) {
    Rig rig;
    rig.dogs.Start(timeout_us);
    EXPECT_EQ(rig.independent.regs().rlr.bits, wanted.first);
    EXPECT_EQ(rig.window.regs().cr.bits, 0x80u | wanted.second);
    EXPECT_EQ(rig.window.regs().cfr.bits & 0x7Fu, wanted.second - 2);
    EXPECT_LT(rig.machine.accesses, 100u);  // the wait ends with the flag, not with its bound
  }
}

TEST(Watchdogs, TheWindowIsChosenBeforeItRuns) {
  Rig rig;
  rig.dogs.Start(20'000);
  EXPECT_LT(rig.machine.FirstWrite("WWDG", TACTUS_AT(WwdgRegisters, cfr), 0, 0),
            rig.machine.FirstWrite("WWDG", TACTUS_AT(WwdgRegisters, cr), 0x80u, 0x80u));
}

TEST(Watchdogs, StartTheIndependentOne) {
  Rig rig;
  EXPECT_FALSE(rig.independent.running);
  rig.dogs.Start(20'000);
  EXPECT_TRUE(rig.independent.running);
}

TEST(Watchdogs, GuardEvenIfThePrescalerNeverArrives) {
  Rig rig;
  rig.independent.never_ready = true;
  rig.dogs.Start(20'000);
  EXPECT_TRUE(rig.independent.running);
  EXPECT_TRUE(rig.window.running());
}

TEST(WatchdogModels, FindADriverWithoutTheKeyOrTheStartAndOneThatIgnoresTheWindow) {
  Rig rig;
  rig.independent.regs().rlr = 79;
  EXPECT_EQ(rig.machine.violations, std::vector<std::string>{"IWDG: written without the key"});
  rig.independent.regs().kr = watchdog::kReload;  // never started
  rig.Elapse(10e6);
  EXPECT_FALSE(rig.reset());
  rig.window.regs().cfr = 0x50;
  rig.window.regs().cr = 0x80u | 0x7Fu;
  EXPECT_FALSE(rig.window.reset);
  rig.window.regs().cr = 0x80u | 0x7Fu;
  EXPECT_TRUE(rig.window.reset);
}

}  // namespace
}  // namespace tactus::hal::stm32
