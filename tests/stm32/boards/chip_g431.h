#pragma once
#include "firmware/boards/b-g431b-esc1/board.h"
#include "firmware/boards/b-g431b-esc1/vectors.cc"  // its table has no name that a linker sees
#include "tests/stm32/boards/board_faults.h"
#include "tests/stm32/comparator_model.h"
#include "tests/stm32/fifo_usart_model.h"
#include "tests/stm32/g4_adc_model.h"
#include "tests/stm32/g4_dma_model.h"
#include "tests/stm32/g4_model.h"

// Source: RM0440 2.2.2 (addresses), 7.4 (RCC), tables 91 (DMA requests), 97 (interrupts), 163 (triggers); DS12589 tables 12
// and 13 (pins); UM2516.

namespace tactus::board {

/// The chip and its board on models.
struct Chip {
  explicit Chip(const model::ClockFaults& faults = {}) : clock(machine, faults, 8e6, Places()) {
    const auto& rcc = clock.rcc.regs();
    rig::NeedClocks(rcc.ahb1enr, {{dma, 0}, {mux, 2}});
    rig::NeedClocks(rcc.ahb2enr, {{a, 0}, {b, 1}, {c, 2}, {u, 13}, {v, 13}, {common, 13}, {dac, 18}});
    rig::NeedClocks(rcc.apb1enr1, {{tim3, 1}, {tim4, 2}, {window, 11}, {usart, 17}});
    rig::NeedClocks(rcc.apb2enr, {{syscfg, 0}, {amplifiers, 0}, {comparators, 0}, {tim1, 11}, {tim8, 13}});
    clock.rcc.cut = [this] { tim1.CutFromInside(); };
    clock.pwr.detector.rise = [this] {
      if ((syscfg.regs().cfgr2.bits & 4u) != 0) tim1.CutFromInside();  // PVDL
      exti.Rise();
    };
    usart.accesses_a_byte = 20;
    tim1.has_second_break = true;
    FlowToGround({0, 0}, 0);
    tim1.trigger_output = [this] { tim8.TriggerInput(0); };
    tim8.trigger_output = [this] { Convert(); };
    for (auto* const adc : {&u, &v})  // CCIPR, ADC12SEL: the system clock
      adc->clock_Hz = [&rcc] { return (rcc.ccipr.bits >> 28 & 3u) == 2 ? 170e6 : 0; };
    dma.Reach(Board::Sense().buffer(), 2);
    rig::ReachBuffers(dma, Board::Link().buffers());
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
  void Arm() { rig::ArmBehindOffsets(*this, Motors()); }
  /// A period of the PWM, with this current [A] from U through the motor to V.
  void Period(const std::array<double, 3>& current_A = {}) {
    motor_A = current_A[0];
    for (int step = 0; step < 200; ++step) {
      tim1.Run(2 * 3541 / 170.0 / 200);
      tim8.Run(2 * 3541 / 170.0 / 200);
    }
  }
  /// What the shunts carry while their low sides are on, by amplifiers whose pins are analog.
  void Convert() {
    u.input[3] = Counts(0, {1, 3, 2}, tim1.LowSideIsOnFor(0, u.ScanUs()) ? -motor_A : 0);
    v.input[3] = Counts(1, {7, 5, 6}, tim1.LowSideIsOnFor(1, v.ScanUs()) ? motor_A : 0);
    for (auto* const adc : {&u, &v}) adc->Trigger(model::G4AdcModel::kTim8Trgo);
  }
  double Counts(int amplifier, const std::array<unsigned, 3>& pins, double to_ground_A) const {
    for (const unsigned pin : pins)
      if (a.mode(pin) != model::GpioModel::kAnalog || a.pull(pin) != 0) return 0;
    return amplifiers.Output_V(amplifier, model::ShuntInput_V(to_ground_A)) / 3.3 * 4096;
  }
  /// The shunts carry so much for so long.
  void FlowToGround(const std::array<double, 2>& current_A, double us) {
    for (std::size_t i = 0; i < 2; ++i) comparators.input_V[i] = model::ShuntInput_V(current_A[i]);
    comparators.Act(us);
  }
  void ToBoard(const std::vector<std::uint8_t>& bytes) { rig::SendToBoard(*this, bytes); }
  std::vector<std::uint8_t> FromBoard() { return rig::TakeFromBoard(*this); }
  /// The operator's contact is the break's.
  void OpenEStop(bool open) {
    a.Drive(15, open);
    power.OpenContact(open);
  }
  bool IsOff() const { return power.are_low(); }
  static constexpr double kCount_A = 3.3 / 32768 / (0.003 * 64 / 7);
  static constexpr unsigned kCurrentChannel = 0;  // of the DMA
  static constexpr rig::LinkLines kLink{.usart = 38, .receive = 13, .send = 14, .receives = 2, .sends = 3};
  static constexpr double kDetected_V = 2.6;
  static constexpr bool kSupplyCuts = true;  // without software

  bool encoder_is_wired() const {
    bool all = true;
    for (const unsigned pin : {6u, 7u}) all = all && rig::Wire{b, pin, 2, 1}.is_set_up();
    return all && rig::Wire{b, 8, 2, 2}.is_set_up();
  }
  bool line_is_wired() const { return rig::Wire{b, 3, 7, 1}.is_set_up() && rig::Wire{b, 4, 7, 1}.is_set_up(); }

  double motor_A = 0;
  model::Machine machine;
  model::G4Chip clock;
  model::GpioModel a{machine, "GPIOA", At<Of<GpioRegisters>>(0x48000000)},
      b{machine, "GPIOB", At<Of<GpioRegisters>>(0x48000400)}, c{machine, "GPIOC", At<Of<GpioRegisters>>(0x48000800)};
  model::TimerModel tim1{machine, "TIM1", 170e6, At<Of<TimerRegisters>>(0x40012C00)},
      tim8{machine, "TIM8", 170e6, At<Of<TimerRegisters>>(0x40013400)},
      tim3{machine, "TIM3", 170e6, At<Of<TimerRegisters>>(0x40000400)},
      tim4{machine, "TIM4", 170e6, At<Of<TimerRegisters>>(0x40000800)};
  rig::DetectorLine<g4::ExtiRegisters> exti{
      machine,
      At<Of<g4::ExtiRegisters>>(0x40010400),
      {&Of<g4::ExtiRegisters>::rtsr1, &Of<g4::ExtiRegisters>::imr1, &Of<g4::ExtiRegisters>::pr1}};
  model::Holding<g4::SyscfgRegisters> syscfg{machine, "SYSCFG", At<Of<g4::SyscfgRegisters>>(0x40010000)};
  model::BreakSourceModel sources{machine, tim1, At<Of<g4::BreakSourceRegisters>>(0x40012C60)};
  model::Dac3Model dac{machine, At<Of<g4::DacRegisters>>(0x50001000)};
  model::ComparatorModel comparators{machine, dac, sources, tim1, At<Of<g4::ComparatorRegisters>>(0x40010200)};
  model::AmplifierModel amplifiers{machine, At<Of<g4::AmplifierRegisters>>(0x40010300)};
  model::MuxModel mux{machine, At<Of<hal::stm32::DmaMuxRegisters>>(0x40020800)};
  model::G4DmaModel dma{machine, mux, At<Of<g4::DmaRegisters>>(0x40020000)};
  model::Holding<hal::stm32::ConverterCommonRegisters> common{machine, "ADC12",
                                                              At<Of<hal::stm32::ConverterCommonRegisters>>(0x50000300)};
  model::G4AdcModel u{machine,
                      "ADC1",
                      {dma, model::G4DmaModel::kAdc1, common, clock.rcc.regs().ahb2rstr},
                      At<Of<hal::stm32::ConverterRegisters>>(0x50000000)},
      v{machine,
        "ADC2",
        {dma, model::G4DmaModel::kAdc2, common, clock.rcc.regs().ahb2rstr},
        At<Of<hal::stm32::ConverterRegisters>>(0x50000100)};
  model::FifoUsartModel usart{machine,
                              "USART2",
                              170e6,
                              At<Of<hal::stm32::FifoUsartRegisters>>(0x40004400),
                              {&dma, model::G4DmaModel::kUsart2Receives, model::G4DmaModel::kUsart2Sends}};
  model::IwdgModel independent{machine, 32'000, At<Of<hal::stm32::IwdgRegisters>>(0x40003000)};
  model::WwdgModel window{machine, 170e6, model::WwdgModel::Divider::kBits13To11,
                          At<Of<hal::stm32::WwdgRegisters>>(0x40002C00)};
  rig::Interrupts<decltype(vector_table)> lines{vector_table};
  rig::PowerPins power{
      tim1, {{a, 8, 6, 2}, {a, 9, 6, 2}, {a, 10, 6, 2}}, {{c, 13, 4, 2}, {a, 12, 6, 2}, {b, 15, 4, 2}}, {a, 15, 9, 1}};
};

}  // namespace tactus::board
