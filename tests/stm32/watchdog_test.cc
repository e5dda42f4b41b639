#include <gtest/gtest.h>

#include "hal/stm32/f4/clock_tree.h"
#include "hal/stm32/f4/supply.h"
#include "hal/stm32/g4/supply.h"
#include "hal/stm32/h7/supply.h"
#include "hal/stm32/pins.h"
#include "hal/stm32/watchdogs.h"
#include "tests/stm32/watchdog_model.h"

// Source: RM0090 5, 8, 12, 21, 22; the oscillator's range: data sheet DS8626, LSI characteristics.

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
  model::WwdgModel window{machine, f4::kApb1_Hz};
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

TEST(WatchSupply, ArmsTheEdgeOfAFallingSupplyBehindItsLevel) {
  model::Machine machine;
  model::Holding<f4::PwrRegisters> power(machine, "PWR");
  model::Holding<f4::ExtiRegisters> exti(machine, "EXTI");
  power.regs().cr.bits = f4::pwr::kScale1 | 7u << 5;
  WatchSupply(f4::DetectorAt(f4::kDetect2V7, power.regs(), exti.regs()));
  EXPECT_EQ(power.regs().cr.bits, f4::pwr::kScale1 | f4::pwr::kDetectorOn | 5u << 5);
  EXPECT_EQ(exti.regs().rtsr.bits, kPvdLine);
  EXPECT_EQ(exti.regs().ftsr.bits, 0u);
  const int level = machine.FirstWrite("PWR", 0, f4::pwr::kDetectorOn, f4::pwr::kDetectorOn);
  const int interrupt = machine.FirstWrite("EXTI", TACTUS_AT(f4::ExtiRegisters, imr), kPvdLine, kPvdLine);
  EXPECT_LT(level, interrupt);
}

/// By the offsets of ST's own headers (stm32g431xx.h, stm32h743xx.h: EXTI_TypeDef, PWR_TypeDef, SYSCFG_TypeDef), not by
/// ours.
struct DetectorPlaces {
  std::size_t control, imr, rtsr, pr;
};

template <class Detector>
void ExpectAt(const model::Machine& machine, const Detector& watch, const DetectorPlaces& at) {
  watch();
  EXPECT_GE(machine.FirstWrite("PWR", at.control, 0xFFFFFFFFu, watch.word), 0);
  const int edge = machine.FirstWrite("EXTI", at.rtsr, 1u << 16, 1u << 16);
  const int mask = machine.FirstWrite("EXTI", at.imr, 1u << 16, 1u << 16);
  EXPECT_GE(machine.FirstWrite("EXTI", at.pr, 0xFFFFFFFFu, 1u << 16), 0);
  EXPECT_GE(edge, 0);
  EXPECT_LT(edge, mask);  // no interrupt of an edge that has not been chosen
}

TEST(WatchSupply, WritesWhatG4AndItsHeaderCallPwrAndExti) {
  model::Machine machine;
  model::Holding<g4::PwrRegisters> power(machine, "PWR");
  model::Holding<g4::ExtiRegisters> exti(machine, "EXTI");
  model::Holding<g4::SyscfgRegisters> system(machine, "SYSCFG");
  struct {
    void operator()() const { WatchSupply(g4::DetectorAt(g4::kDetect2V6, p, e)); }
    decltype(power.regs()) p;
    decltype(exti.regs()) e;
    std::uint32_t word = 4u << 1 | 1u;
  } const watch{power.regs(), exti.regs()};
  ExpectAt(machine, watch, {.control = 0x04, .imr = 0x00, .rtsr = 0x08, .pr = 0x14});
  g4::BreakOnLockupAndSupply(system.regs());
  EXPECT_GE(machine.FirstWrite("SYSCFG", 0x1C, 0xFFFFFFFFu, 0x5u), 0);
}

TEST(WatchSupply, WritesWhatH7AndItsHeaderCallPwrAndExti) {
  model::Machine machine;
  model::Holding<h7::PwrRegisters> power(machine, "PWR");
  model::Holding<h7::ExtiRegisters> exti(machine, "EXTI");
  model::Holding<h7::SyscfgRegisters> system(machine, "SYSCFG");
  struct {
    void operator()() const { WatchSupply(h7::DetectorAt(h7::kDetect2V7, p, e)); }
    decltype(power.regs()) p;
    decltype(exti.regs()) e;
    std::uint32_t word = 5u << 5 | 1u << 4;
  } const watch{power.regs(), exti.regs()};
  ExpectAt(machine, watch, {.control = 0x00, .imr = 0x80, .rtsr = 0x00, .pr = 0x88});
  h7::BreakOnLockupAndSupply(system.regs());
  EXPECT_GE(machine.FirstWrite("SYSCFG", 0x18, 0xFFFFFFFFu, 0x44u), 0);
}

TEST(SetUpPin, SetsPullAndFunctionBeforeTheModeAndLeavesOtherPinsAlone) {
  model::Machine machine;
  model::Holding<GpioRegisters> port(machine, "GPIOB");
  port.regs().moder.bits = 0xFFFFFFFFu;
  port.regs().afr[1].bits = 0x11111111u;
  SetUpPin(port.regs(), {12, PinMode::kAlternate, 5, Pull::kUp});
  EXPECT_EQ(port.regs().moder.bits, 0xFEFFFFFFu);
  EXPECT_EQ(port.regs().afr[1].bits, 0x11151111u);
  EXPECT_EQ(port.regs().pupdr.bits, 1u << 24);
  const int function = machine.FirstWrite("GPIOB", TACTUS_AT(GpioRegisters, afr) + 4, 0, 0);
  const int mode = machine.FirstWrite("GPIOB", TACTUS_AT(GpioRegisters, moder), 0, 0);
  EXPECT_LT(function, mode);
}

}  // namespace
}  // namespace tactus::hal::stm32
