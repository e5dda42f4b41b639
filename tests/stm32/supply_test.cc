#include <gtest/gtest.h>

#include "hal/stm32/f4/supply.h"
#include "hal/stm32/g4/supply.h"
#include "hal/stm32/h7/supply.h"
#include "tests/stm32/each_write.h"
#include "tests/stm32/f4_model.h"

// Source: RM0090 5, 12, RM0440 6, 10, 15, RM0433 6, 12, 20.

namespace tactus::hal::stm32 {
namespace {

TEST(WatchSupply, ArmsTheEdgeOfAFallingSupplyThenSwitchesTheDetectorOn) {
  model::Machine machine;
  model::Holding<f4::PwrRegisters> power(machine, "PWR");
  model::Holding<f4::ExtiRegisters> exti(machine, "EXTI");
  power.regs().cr.bits = f4::pwr::kScale1 | 7u << 5;
  WatchSupply(f4::DetectorAt(f4::kDetect2V7, power.regs(), exti.regs()));
  EXPECT_EQ(power.regs().cr.bits, f4::pwr::kScale1 | f4::pwr::kDetectorOn | 5u << 5);
  EXPECT_EQ(exti.regs().rtsr.bits, kPvdLine);
  EXPECT_EQ(exti.regs().ftsr.bits, 0u);
  const int on = machine.FirstWrite("PWR", 0, f4::pwr::kDetectorOn, f4::pwr::kDetectorOn);
  const int interrupt = machine.FirstWrite("EXTI", TACTUS_AT(f4::ExtiRegisters, imr), kPvdLine, kPvdLine);
  EXPECT_GE(interrupt, 0);
  EXPECT_LT(interrupt, on);  // an output that is high already has no edge
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

/// A line of someone else.
constexpr std::uint32_t kOther = 1u << 4;

/// The supply is low before the detector is watched, and a loader has left it on: an edge nevertheless, where the line is
/// ready for it.
struct LowAtStart {
  LowAtStart() {
    chip.rcc.regs().apb1enr.bits = 1u << 28;  // PWREN
    chip.pwr.regs().cr.bits = 1u << 14 | 2u << 5 | 1u << 4;
    chip.pwr.detector.supply_V = 2.0;
    chip.pwr.Step();
    chip.pwr.detector.rise = [this] { edges += (exti.regs().rtsr.bits & exti.regs().imr.bits & 1u << 16) != 0 ? 1 : 0; };
    exti.regs().rtsr.bits = exti.regs().imr.bits = kOther;
    WatchSupply(detector);
    chip.pwr.Step();
  }

  /// The interrupt's line with its edge and its mask, and nothing that was pending before; the level that was wanted.
  bool is_well() const {
    const auto& e = exti.regs();
    return edges == 1 && SupplyIsLow(detector) && chip.pwr.regs().cr.bits == (1u << 14 | 5u << 5 | 1u << 4) &&
           e.rtsr.bits == (1u << 16 | kOther) && e.ftsr.bits == 0 && e.imr.bits == (1u << 16 | kOther) &&
           e.pr.bits == 1u << 16;  // written 1: cleared
  }

  model::Machine machine;
  model::F4Chip chip{machine, {}, 8e6};
  model::Holding<f4::ExtiRegisters> exti{machine, "EXTI"};
  SupplyDetector<model::ModelRegister> detector = f4::DetectorAt(f4::kDetect2V7, chip.pwr.regs(), exti.regs());
  int edges = 0;
};

TEST(WatchSupply, TellsASupplyThatIsLowAlready) { EXPECT_EQ(LowAtStart().edges, 1); }

TEST(WatchSupply, SeesItRecover) {
  LowAtStart low;
  low.chip.pwr.detector.supply_V = 3.3;
  EXPECT_FALSE(SupplyIsLow(low.detector));
}

TEST(WatchSupply, EachWriteCountsAndLeavesOtherLinesAlone) {
  model::ExpectEachWriteCounts([] {
    LowAtStart low;
    low.machine.EndStart();
    return low.is_well();
  });
}

}  // namespace
}  // namespace tactus::hal::stm32
