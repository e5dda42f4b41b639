#pragma once
#include "firmware/boards/stm32h743/board.h"
#include "firmware/boards/stm32h743/vectors.cc"  // its table has no name that a linker sees
#include "tests/stm32/boards/board_faults.h"
#include "tests/stm32/fifo_usart_model.h"
#include "tests/stm32/h7_model.h"

// Source: RM0433 2.3.2 (addresses), 8.7 (RCC), table 144 (interrupts); DS12110 tables 9 to 13 (pins); docs/boards.md.

namespace tactus::board {

/// The chip and its board on models.
struct Chip {
  explicit Chip(const model::ClockFaults& faults = {}) : clock(machine, WithClock(faults), 8e6, Places()) {
    const auto& rcc = clock.rcc.regs();
    rig::NeedClocks(rcc.ahb4enr, {{d, 3}, {e, 4}});
    rig::NeedClocks(rcc.apb1lenr, {{tim5, 3}, {usart, 18}});
    rig::NeedClocks(rcc.apb2enr, {{tim1, 0}});
    // Before its clock the window watchdog needs to know what it resets: RM0433 8.7.36, WW1RSC.
    window.has_clock = [&rcc] { return (rcc.apb3enr.bits & 1u << 6) != 0 && (rcc.gcr.bits & 1u) != 0; };
    clock.rcc.cut = [this] { tim1.CutFromInside(); };
    clock.pwr.detector.rise = [this] {
      if ((clock.syscfg.regs().cfgr.bits & 1u << 2) != 0) tim1.CutFromInside();  // PVDL
      exti.Rise();
    };
    usart.accesses_a_byte = 20;
  }
  /// The debugger's clock on OSC_IN (UM2407).
  static model::ClockFaults WithClock(model::ClockFaults faults) {
    faults.clock_on_pin = true;
    return faults;
  }
  static model::H7Chip::Places Places() {
    return {At<Of<h7::RccRegisters>>(0x58024400), At<Of<h7::PwrRegisters>>(0x58024800),
            At<Of<h7::SyscfgRegisters>>(0x58000400), At<Of<h7::FlashRegisters>>(0x52002000)};
  }

  /// The core stands: nothing but hardware acts (CM7L).
  void LockUp() {
    if ((clock.syscfg.regs().cfgr.bits & 1u << 6) != 0) tim1.CutFromInside();
  }

  static void SetUp() { Board::SetUp(); }
  static hal::ByteLink& Link() {
    Board::Link().Start();
    return Board::Link();
  }
  static void Arm() { PowerStage().Set(true); }
  bool IsOff() const { return power.are_low(); }
  static constexpr double kDetected_V = 2.7;
  static constexpr bool kSupplyCuts = true;  // without software

  bool line_is_wired() const { return rig::Wire{d, 8, 7, 1}.is_set_up() && rig::Wire{d, 9, 7, 1}.is_set_up(); }

  model::Machine machine;
  model::H7Chip clock;
  model::GpioModel d{machine, "GPIOD", At<Of<GpioRegisters>>(0x58020C00)},
      e{machine, "GPIOE", At<Of<GpioRegisters>>(0x58021000)};
  model::TimerModel tim1{machine, "TIM1", 240e6, At<Of<TimerRegisters>>(0x40010000)},
      tim5{machine, "TIM5", 240e6, At<Of<TimerRegisters>>(0x40000C00)};
  rig::DetectorLine<h7::ExtiRegisters> exti{
      machine,
      At<Of<h7::ExtiRegisters>>(0x58000000),
      {&Of<h7::ExtiRegisters>::rtsr1, &Of<h7::ExtiRegisters>::cpuimr1, &Of<h7::ExtiRegisters>::cpupr1}};
  model::FifoUsartModel usart{machine, "USART3", 120e6, At<Of<hal::stm32::FifoUsartRegisters>>(0x40004800)};
  model::IwdgModel independent{machine, 32'000, At<Of<hal::stm32::IwdgRegisters>>(0x58004800)};
  model::WwdgModel window{machine, 120e6, model::WwdgModel::Divider::kBits13To11,
                          At<Of<hal::stm32::WwdgRegisters>>(0x50003000)};
  rig::Interrupts<decltype(vector_table)> lines{vector_table};
  rig::PowerPins power{
      tim1, {{e, 9, 1, 2}, {e, 11, 1, 2}, {e, 13, 1, 2}}, {{e, 8, 1, 2}, {e, 10, 1, 2}, {e, 12, 1, 2}}, {e, 15, 1, 1}};
};

}  // namespace tactus::board
