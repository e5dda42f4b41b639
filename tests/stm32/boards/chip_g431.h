#pragma once
#include "firmware/boards/b-g431b-esc1/board.h"
#include "firmware/boards/b-g431b-esc1/vectors.cc"  // its table has no name that a linker sees
#include "tests/stm32/boards/board_faults.h"
#include "tests/stm32/fifo_usart_model.h"
#include "tests/stm32/g4_model.h"

// Source: RM0440 2.2.2 (addresses), 7.4 (RCC), table 97 (interrupts); DS12589 table 13 (pins); UM2516.

namespace tactus::board {

/// The chip and its board on models.
struct Chip {
  explicit Chip(const model::ClockFaults& faults = {}) : clock(machine, faults, 8e6, Places()) {
    const auto& rcc = clock.rcc.regs();
    rig::NeedClocks(rcc.ahb2enr, {{a, 0}, {b, 1}, {c, 2}});
    rig::NeedClocks(rcc.apb1enr1, {{tim3, 1}, {tim4, 2}, {window, 11}, {usart, 17}});
    rig::NeedClocks(rcc.apb2enr, {{syscfg, 0}, {tim1, 11}});
    clock.rcc.cut = [this] { tim1.CutFromInside(); };
    clock.pwr.detector.rise = [this] {
      if ((syscfg.regs().cfgr2.bits & 4u) != 0) tim1.CutFromInside();  // PVDL
      exti.Rise();
    };
    usart.accesses_a_byte = 20;
  }
  static model::G4Chip::Places Places() {
    return {At<Of<g4::RccRegisters>>(0x40021000), At<Of<g4::PwrRegisters>>(0x40007000),
            At<Of<g4::FlashRegisters>>(0x40022000)};
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
  static hal::MotorIo& Motors() { return Board::MotorIo({}); }
  static void Arm() { Motors().SetEnable(true); }
  /// A period of the PWM. The board measures no current.
  void Period(const std::array<double, 3>& = {}) { tim1.Run(2 * 3541 / 170.0); }
  void ToBoard(const std::vector<std::uint8_t>& bytes) { rig::SendToFifo(*this, 38, bytes); }
  std::vector<std::uint8_t> FromBoard() { return rig::TakeFromFifo(*this, 38); }
  /// The operator's contact is the break's.
  void OpenEStop(bool open) {
    a.Drive(15, open);
    power.OpenContact(open);
  }
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
  model::Holding<g4::SyscfgRegisters> syscfg{machine, "SYSCFG", At<Of<g4::SyscfgRegisters>>(0x40010000)};
  model::FifoUsartModel usart{machine, "USART2", 170e6, At<Of<hal::stm32::FifoUsartRegisters>>(0x40004400)};
  model::IwdgModel independent{machine, 32'000, At<Of<hal::stm32::IwdgRegisters>>(0x40003000)};
  model::WwdgModel window{machine, 170e6, model::WwdgModel::Divider::kBits13To11,
                          At<Of<hal::stm32::WwdgRegisters>>(0x40002C00)};
  rig::Interrupts<decltype(vector_table)> lines{vector_table};
  rig::PowerPins power{
      tim1, {{a, 8, 6, 2}, {a, 9, 6, 2}, {a, 10, 6, 2}}, {{c, 13, 4, 2}, {a, 12, 6, 2}, {b, 15, 4, 2}}, {a, 15, 9, 1}};
};

}  // namespace tactus::board
