#pragma once
#include "firmware/boards/stm32f405/io_board.h"
#include "firmware/boards/stm32f405/vectors.cc"  // its table has no name that a linker sees
#include "tests/stm32/adc_model.h"
#include "tests/stm32/boards/board_faults.h"
#include "tests/stm32/f4_model.h"
#include "tests/stm32/usart_model.h"

// Source: RM0090 2.3 (addresses), 7.3 (RCC), tables 43 (DMA), 61 (interrupts), 95 (triggers); DS8626 table 9 (pins);
// docs/boards.md.

namespace tactus::board {

/// The I/O image: all that the servo's has, and motors.
struct Chip {
  explicit Chip(const model::ClockFaults& faults = {}) : clock(machine, faults, 8e6, Places()) {
    const auto& rcc = clock.rcc.regs();
    rig::NeedClocks(rcc.ahb1enr, {{a, 0}, {b, 1}, {c, 2}, {dma, 22}});
    rig::NeedClocks(rcc.apb1enr, {{tim2, 0}, {tim3, 1}, {tim4, 2}, {tim5, 3}, {window, 11}});
    rig::NeedClocks(rcc.apb2enr, {{tim1, 0}, {tim8, 1}, {usart, 4}, {adc, 8}, {common, 8}});
    clock.rcc.cut = [this] { tim1.CutFromInside(); };
    clock.pwr.detector.rise = [this] { exti.Rise(); };
    tim1.trigger_output = [this] { tim8.TriggerInput(0); };
    tim8.trigger_output = [this] { adc.Trigger(model::AdcModel::kTim8Trgo); };
    adc.edge_within = [this](double us) { return tim1.EdgeWithin(us); };
    usart.accesses_a_byte = 20;
    dma.Reach(IoBoard::Sense().buffer(), 3);
    rig::ReachBuffers(dma, Board::Link().buffers());
  }
  static model::F4Chip::Places Places() {
    return {At<Of<f4::RccRegisters>>(0x40023800), At<Of<f4::PwrRegisters>>(0x40007000),
            At<Of<f4::FlashRegisters>>(0x40023C00)};
  }

  /// A period of the PWM, with these currents [A] in pins that are analog: 0.4 V/A about half of 3.3 V.
  void Period(const std::array<double, 3>& current_A = {}) {
    for (unsigned i = 0; i < 3; ++i) {
      const double count = 2048 + current_A[i] * 0.4 * 4096 / 3.3;
      adc.input[10 + i] = static_cast<std::uint16_t>(c.mode(i) == model::GpioModel::kAnalog ? count : 0);
    }
    for (int step = 0; step < 50; ++step) {
      tim1.Run(7000.0 / 168 / 50);
      tim8.Run(7000.0 / 168 / 50);
    }
  }

  static void SetUp() { IoBoard::SetUp(); }
  static hal::ByteLink& Link() {
    Board::Link().Start();
    return Board::Link();
  }
  void Arm() { rig::ArmBehindOffsets(*this, Motors()); }
  static hal::MotorIo& Motors() { return IoBoard::MotorIo({}); }
  bool gates_are_on() const { return c.is_high(10); }
  bool IsOff() const { return power.are_low() && !gates_are_on(); }
  model::TimerModel& encoder() { return tim2; }  // the first motor's
  static constexpr double kCount_A = 3.3 / 4096 / 0.4;
  static constexpr unsigned kCurrentChannel = 0;  // of the DMA
  static constexpr rig::LinkLines kLink{.usart = 37, .receive = 58, .send = 70, .receives = 2, .sends = 7};
  static constexpr double kDetected_V = 2.7;
  static constexpr bool kSupplyCuts = false;  // a F405 has no such line

  void ToBoard(const std::vector<std::uint8_t>& bytes) { rig::SendToBoard(*this, bytes); }
  std::vector<std::uint8_t> FromBoard() { return rig::TakeFromBoard(*this); }
  /// The operator's contact and the break's are one (docs/boards.md).
  void OpenEStop(bool open) {
    c.Drive(11, open);
    power.OpenContact(open);
  }
  bool line_is_wired() const { return rig::Wire{b, 6, 7, 1}.is_set_up() && rig::Wire{b, 7, 7, 1}.is_set_up(); }
  bool encoders_are_wired() const {
    const rig::Wire wires[] = {{a, 15, 1, 1}, {b, 3, 1, 1}, {b, 10, 1, 2}, {b, 4, 2, 1}, {b, 5, 2, 1},
                               {b, 0, 2, 2},  {a, 0, 2, 1}, {a, 1, 2, 1},  {a, 2, 2, 2}};
    bool all = true;
    for (const rig::Wire& wire : wires) all = all && wire.is_set_up();
    return all;
  }

  model::Machine machine;
  model::F4Chip clock;
  model::GpioModel a{machine, "GPIOA", At<Of<GpioRegisters>>(0x40020000)},
      b{machine, "GPIOB", At<Of<GpioRegisters>>(0x40020400)}, c{machine, "GPIOC", At<Of<GpioRegisters>>(0x40020800)};
  model::TimerModel tim1{machine, "TIM1", 168e6, At<Of<TimerRegisters>>(0x40010000)},
      tim8{machine, "TIM8", 168e6, At<Of<TimerRegisters>>(0x40010400)},
      tim2{machine, "TIM2", 84e6, At<Of<TimerRegisters>>(0x40000000)},
      tim3{machine, "TIM3", 84e6, At<Of<TimerRegisters>>(0x40000400)},
      tim4{machine, "TIM4", 84e6, At<Of<TimerRegisters>>(0x40000800)},
      tim5{machine, "TIM5", 84e6, At<Of<TimerRegisters>>(0x40000C00)};
  rig::DetectorLine<f4::ExtiRegisters> exti{
      machine,
      At<Of<f4::ExtiRegisters>>(0x40013C00),
      {&Of<f4::ExtiRegisters>::rtsr, &Of<f4::ExtiRegisters>::imr, &Of<f4::ExtiRegisters>::pr}};
  model::DmaModel dma{machine, At<Of<hal::stm32::StreamDmaRegisters>>(0x40026400)};
  model::Holding<f4::AdcCommonRegisters> common{machine, "ADC", At<Of<f4::AdcCommonRegisters>>(0x40012300)};
  model::AdcModel adc{machine, dma, common, At<Of<f4::AdcRegisters>>(0x40012000)};
  model::UsartModel usart{machine, &dma, 84e6, At<Of<f4::UsartRegisters>>(0x40011000)};
  model::IwdgModel independent{machine, 32'000, At<Of<hal::stm32::IwdgRegisters>>(0x40003000)};
  model::WwdgModel window{machine, 42e6, model::WwdgModel::Divider::kBits8To7,
                          At<Of<hal::stm32::WwdgRegisters>>(0x40002C00)};
  rig::Interrupts<decltype(vector_table)> lines{vector_table};
  rig::PowerPins power{
      tim1, {{a, 8, 1, 2}, {a, 9, 1, 2}, {a, 10, 1, 2}}, {{b, 13, 1, 2}, {b, 14, 1, 2}, {b, 15, 1, 2}}, {b, 12, 1, 1}};
};

}  // namespace tactus::board
