#include "firmware/boards/b-g431b-esc1/board.h"
#include "firmware/boards/b-g431b-esc1/vectors.cc"  // its table has no name that a linker sees
#include "hal/cortex_m/reset_cause.h"
#include "tests/stm32/boards/board_faults.h"
#include "tests/stm32/fifo_usart_model.h"
#include "tests/stm32/g4_model.h"

// Source: RM0440 2.2.2 (addresses), 7.4 (RCC), table 97 (interrupts); DS12589 table 13 (pins); UM2516.

namespace tactus::board {
namespace {

using hal::stm32::GpioRegisters;
using hal::stm32::TimerRegisters;
using hal::stm32::model::Holding;
using rig::At;
using rig::FaultCause;
using rig::FaultOf;
namespace model = hal::stm32::model;
template <template <class> class Registers>
using Of = Registers<model::ModelRegister>;

struct Chip {
  explicit Chip(const model::ClockFaults& faults = {}) : clock(machine, faults, 8e6, Places()) {
    const auto& rcc = clock.rcc.regs();
    const auto on = [&rcc](const model::ModelRegister& word, unsigned bit) { return (word.bits >> bit & 1u) != 0; };
    a.has_clock = [=, &rcc] { return on(rcc.ahb2enr, 0); };
    b.has_clock = [=, &rcc] { return on(rcc.ahb2enr, 1); };
    c.has_clock = [=, &rcc] { return on(rcc.ahb2enr, 2); };
    tim1.has_clock = [=, &rcc] { return on(rcc.apb2enr, 11); };
    syscfg.has_clock = [=, &rcc] { return on(rcc.apb2enr, 0); };
    tim3.has_clock = [=, &rcc] { return on(rcc.apb1enr1, 1); };
    tim4.has_clock = [=, &rcc] { return on(rcc.apb1enr1, 2); };
    window.has_clock = [=, &rcc] { return on(rcc.apb1enr1, 11); };
    usart.has_clock = [=, &rcc] { return on(rcc.apb1enr1, 17); };
    clock.rcc.cut = [this] { tim1.CutFromInside(); };
    usart.accesses_a_byte = 20;
  }
  static model::G4Chip::Places Places() {
    return {At<Of<g4::RccRegisters>>(0x40021000), At<Of<g4::PwrRegisters>>(0x40007000),
            At<Of<g4::FlashRegisters>>(0x40022000)};
  }

  /// The supply falls to this level [V]: RM0440 6.4.2, PLS; PVDL of SYSCFG_CFGR2 cuts without software.
  void SupplyFallsTo(double level_V) {
    constexpr double kLevels_V[] = {2.0, 2.2, 2.4, 2.5, 2.6, 2.8, 2.9, 0};
    const std::uint32_t word = clock.pwr.regs().cr2.bits;
    if ((word & 1u) == 0 || level_V > kLevels_V[word >> 1 & 7u]) return;
    clock.pwr.SetSupplyLow(true);
    if ((syscfg.regs().cfgr2.bits & 4u) != 0) tim1.CutFromInside();
    exti.Rise();
  }
  /// The core stands: nothing but hardware acts (CLL).
  void LockUp() {
    if ((syscfg.regs().cfgr2.bits & 1u) != 0) tim1.CutFromInside();
  }
  static void SetUp() { Board::SetUp(); }
  static hal::ByteLink& Link() {
    Board::Link().Start();
    return Board::Link();
  }
  static void Arm() { Board::MotorIo({}).SetEnable(true); }
  bool IsOff() const { return power.are_low(); }
  static constexpr double kDetected_V = 2.6;
  static constexpr bool kSupplyCuts = true;  // without software

  bool encoder_is_wired() const {
    bool all = true;
    for (const unsigned pin : {6u, 7u}) all = all && rig::Wire{b, pin, 2, 1}.is_set_up();
    return all && rig::Wire{b, 8, 2, 2}.is_set_up();
  }
  bool line_is_wired() const { return rig::Wire{b, 3, 7, 1}.is_set_up() && rig::Wire{b, 4, 7, 1}.is_set_up(); }

  model::Machine machine;
  model::G4Chip clock;
  model::GpioModel a{machine, "GPIOA", At<Of<GpioRegisters>>(0x48000000)},
      b{machine, "GPIOB", At<Of<GpioRegisters>>(0x48000400)}, c{machine, "GPIOC", At<Of<GpioRegisters>>(0x48000800)};
  model::TimerModel tim1{machine, "TIM1", 170e6, At<Of<TimerRegisters>>(0x40012C00)},
      tim3{machine, "TIM3", 170e6, At<Of<TimerRegisters>>(0x40000400)},
      tim4{machine, "TIM4", 170e6, At<Of<TimerRegisters>>(0x40000800)};
  rig::DetectorLine<g4::ExtiRegisters> exti{
      machine,
      At<Of<g4::ExtiRegisters>>(0x40010400),
      {&Of<g4::ExtiRegisters>::rtsr1, &Of<g4::ExtiRegisters>::imr1, &Of<g4::ExtiRegisters>::pr1}};
  Holding<g4::SyscfgRegisters> syscfg{machine, "SYSCFG", At<Of<g4::SyscfgRegisters>>(0x40010000)};
  model::FifoUsartModel usart{machine, "USART2", 170e6, At<Of<hal::stm32::FifoUsartRegisters>>(0x40004400)};
  model::IwdgModel independent{machine, 32'000, At<Of<hal::stm32::IwdgRegisters>>(0x40003000)};
  model::WwdgModel window{machine, 170e6, model::WwdgModel::Divider::kBits13To11,
                          At<Of<hal::stm32::WwdgRegisters>>(0x40002C00)};
  rig::Interrupts<decltype(vector_table)> lines{vector_table};
  rig::PowerPins power{
      tim1, {{a, 8, 6, 2}, {a, 9, 6, 2}, {a, 10, 6, 2}}, {{c, 13, 4, 2}, {a, 12, 6, 2}, {b, 15, 4, 2}}, {a, 15, 9, 1}};
};

/// Everything that the board sets up, and what reaches its handlers. @returns what of it is not so
std::string WhatIsWrong() {
  Chip chip;
  rig::Findings findings;
  findings.Want(FaultOf([] { Board::SetUp(); }) == FaultCause::kNone, "the board starts");
  findings.Want(chip.power.are_low(), "outputs are off");
  findings.Want(chip.line_is_wired(), "the link's pins");
  hal::MotorIo& motors = Board::MotorIo({});
  hal::ByteLink& link = Chip::Link();
  Board::StartClockGuard();
  chip.machine.EndStart();
  findings.Want(!chip.exti.interrupts(), "no edge of before interrupts");
  findings.Want(chip.clock.rcc.Pll_Hz() == 170e6 && chip.clock.rcc.whole(), "170 MHz");
  findings.Want(rig::Exchanges(link, chip.usart, chip.lines, 38), "bytes go both ways");
  findings.Want(rig::GuardChecks(chip.tim3, chip.lines, 29), "the clock is guarded");
  chip.power.OpenContact(false);
  motors.SetEnable(true);
  findings.Want(chip.power.are_neutral(), "outputs come on at no current");
  const std::int32_t before = motors.Read().count[0];
  chip.tim4.Turn(-7);
  hal::MotorReading reading = motors.Read();
  findings.Want(chip.encoder_is_wired() && reading.count[0] == before - 7, "the encoder counts");
  findings.Want(!reading.e_stop && !reading.brown_out && !reading.drive_fault, "all is well");
  chip.a.Drive(15, true);
  chip.power.OpenContact(true);  // or its wire has come off
  chip.clock.pwr.SetSupplyLow(true);
  reading = motors.Read();
  findings.Want(chip.power.are_low(), "the break cuts");
  findings.Want(reading.e_stop && reading.brown_out && reading.drive_fault, "what is wrong is read");
  BoardWatchdogs dogs;
  findings.Want(rig::Guards(dogs, chip.independent, chip.window), "both watchdogs bite");
  chip.clock.rcc.regs().csr.bits = 1u << 29;  // IWDGRSTF
  findings.Want(hal::cortex_m::TakeResetCause() == hal::cortex_m::ResetCause::kWatchdog, "why it starts");
  findings.Want((chip.clock.rcc.regs().csr.bits & 1u << 23) != 0, "once");  // RMVF
  findings.Want(chip.machine.violations.empty(), "nothing that the manual forbids");
  return findings.first();
}

TEST(BoardG431, StartsAndDoesWhatItsDocumentSays) { EXPECT_EQ(WhatIsWrong(), ""); }

TEST(BoardG431, IsOffBehindEachFault) {
  for (const FaultCause cause : rig::kFaults) EXPECT_EQ(rig::WhatAFaultLeaves<Chip>(cause), "") << static_cast<int>(cause);
}

TEST(BoardG431, IsCutByACoreThatStands) { EXPECT_EQ(rig::WhatALockUpLeaves<Chip>(), ""); }

TEST(BoardG431, IsOffWhereItsClockDoesNotStart) { rig::ExpectOffWithoutClock<Chip>(); }

TEST(BoardG431, EachBlocksClockCounts) {
  const auto is_well = [] {
    return rig::ForEachFault([](FaultCause cause) { return rig::WhatAFaultLeaves<Chip>(cause).empty(); }) &&
           rig::WithTheSameLoss(rig::WhatALockUpLeaves<Chip>).empty() && WhatIsWrong().empty();
  };
  model::ExpectEachWriteCounts(is_well, {}, [](const model::Access& access) {
    return access.block == "SYSCFG" || access.block == "EXTI" ||
           (access.block == "RCC" && access.offset >= TACTUS_AT(g4::RccRegisters, ahb1enr));
  });
}

}  // namespace
}  // namespace tactus::board
