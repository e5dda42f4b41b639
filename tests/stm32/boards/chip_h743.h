#pragma once
#include "firmware/boards/stm32h743/io_board.h"
#include "firmware/boards/stm32h743/vectors.cc"  // its table has no name that a linker sees
#include "tests/stm32/boards/board_faults.h"
#include "tests/stm32/fifo_usart_model.h"
#include "tests/stm32/h7_adc_model.h"
#include "tests/stm32/h7_dma_model.h"
#include "tests/stm32/h7_model.h"

// Source: RM0433 2.3.2 (addresses), 8.7 (RCC), table 144 (interrupts); DS12110 tables 9 to 13 (pins); docs/boards.md.

namespace tactus::board {

/// The I/O image: all that the servo's has, and motors.
struct Chip {
  explicit Chip(const model::ClockFaults& faults = {}) : clock(machine, WithClock(faults), 8e6, Places()) {
    const auto& rcc = clock.rcc.regs();
    rig::NeedClocks(rcc.ahb1enr, {{dma, 0}, {mux, 0}, {adc, 5}, {common, 5}});
    dma.memory_has_clock = [&rcc] { return (rcc.ahb2enr.bits >> 29 & 1u) != 0; };  // SRAM1
    rig::ReachBuffers(dma, Board::Link().buffers());
    dma.Reach(IoBoard::Sense().buffer(), 3);
    tim1.trigger_output = [this] { tim8.TriggerInput(0); };
    tim8.trigger_output = [this] { adc.Trigger(model::ConverterModel::kTim8Trgo); };
    adc.edge_within = [this](double us) { return tim1.EdgeWithin(us); };
    rig::NeedClocks(rcc.ahb4enr, {{a, 0}, {b, 1}, {c, 2}, {d, 3}, {e, 4}});
    rig::NeedClocks(rcc.apb1lenr, {{tim2, 0}, {tim3, 1}, {tim4, 2}, {tim5, 3}, {usart, 18}});
    rig::NeedClocks(rcc.apb2enr, {{tim1, 0}, {tim8, 1}});
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

  static void SetUp() { IoBoard::SetUp(); }
  static hal::ByteLink& Link() {
    Board::Link().Start();
    return Board::Link();
  }
  static hal::MotorIo& Motors() { return IoBoard::MotorIo({}); }
  void Arm() { rig::ArmBehindOffsets(*this, Motors()); }
  /// A period of the PWM, with these currents [A] in pins that are analog: 0.4 V/A about half of 3.3 V.
  void Period(const std::array<double, 3>& current_A = {}) {
    const bool are_analog[] = {IsAnalog(a, 3), IsAnalog(c, 0), IsAnalog(b, 1)};
    for (std::size_t i = 0; i < 3; ++i)
      adc.input[std::array{15u, 10u, 5u}[i]] = are_analog[i] ? 32768 + current_A[i] / kCount_A : 0;
    for (int step = 0; step < 50; ++step) {
      tim1.Run(2 * 5000 / 240.0 / 50);
      tim8.Run(2 * 5000 / 240.0 / 50);
    }
  }
  static bool IsAnalog(const model::GpioModel& port, unsigned pin) {
    return port.mode(pin) == model::GpioModel::kAnalog && port.pull(pin) == 0;
  }
  void ToBoard(const std::vector<std::uint8_t>& bytes) {
    if (!line_is_cut) rig::SendToBoard(*this, bytes);
  }
  std::vector<std::uint8_t> FromBoard() { return rig::TakeFromBoard(*this); }
  /// The operator's contact and the break's are one (docs/boards.md).
  void OpenEStop(bool open) {
    c.Drive(11, open);
    power.OpenContact(open);
  }
  bool gates_are_on() const { return c.is_high(10); }
  bool IsOff() const { return power.are_low() && !gates_are_on(); }
  model::TimerModel& encoder() { return tim4; }  // the first motor's
  bool line_is_cut = false;                      ///< towards the board
  static constexpr double kCount_A = 3.3 / 65536 / 0.4;
  static constexpr unsigned kCurrentChannel = 0;  // of the DMA
  static constexpr rig::LinkLines kLink{.usart = 39, .receive = 12, .send = 13, .receives = 1, .sends = 2};
  static constexpr double kDetected_V = 2.7;
  static constexpr bool kSupplyCuts = true;  // without software

  bool encoders_are_wired() const {
    const rig::Wire wires[] = {{d, 12, 2, 1}, {d, 13, 2, 1}, {d, 14, 2, 2}, {c, 6, 2, 1}, {c, 7, 2, 1},
                               {c, 8, 2, 2},  {a, 15, 1, 1}, {b, 3, 1, 1},  {b, 10, 1, 2}};
    bool all = true;
    for (const rig::Wire& wire : wires) all = all && wire.is_set_up();
    return all;
  }
  bool line_is_wired() const { return rig::Wire{d, 8, 7, 1}.is_set_up() && rig::Wire{d, 9, 7, 1}.is_set_up(); }

  model::Machine machine;
  model::H7Chip clock;
  model::GpioModel a{machine, "GPIOA", At<Of<GpioRegisters>>(0x58020000)},
      b{machine, "GPIOB", At<Of<GpioRegisters>>(0x58020400)}, c{machine, "GPIOC", At<Of<GpioRegisters>>(0x58020800)};
  model::GpioModel d{machine, "GPIOD", At<Of<GpioRegisters>>(0x58020C00)},
      e{machine, "GPIOE", At<Of<GpioRegisters>>(0x58021000)};
  model::TimerModel tim1{machine, "TIM1", 240e6, At<Of<TimerRegisters>>(0x40010000)},
      tim2{machine, "TIM2", 240e6, At<Of<TimerRegisters>>(0x40000000)},
      tim3{machine, "TIM3", 240e6, At<Of<TimerRegisters>>(0x40000400)},
      tim4{machine, "TIM4", 240e6, At<Of<TimerRegisters>>(0x40000800)},
      tim5{machine, "TIM5", 240e6, At<Of<TimerRegisters>>(0x40000C00)},
      tim8{machine, "TIM8", 240e6, At<Of<TimerRegisters>>(0x40010400)};
  rig::DetectorLine<h7::ExtiRegisters> exti{
      machine,
      At<Of<h7::ExtiRegisters>>(0x58000000),
      {&Of<h7::ExtiRegisters>::rtsr1, &Of<h7::ExtiRegisters>::cpuimr1, &Of<h7::ExtiRegisters>::cpupr1}};
  model::MuxModel mux{machine, At<Of<hal::stm32::DmaMuxRegisters>>(0x40020800)};
  model::H7DmaModel dma{machine, mux, At<Of<hal::stm32::StreamDmaRegisters>>(0x40020000)};
  model::Holding<hal::stm32::ConverterCommonRegisters> common{machine, "ADC12",
                                                              At<Of<hal::stm32::ConverterCommonRegisters>>(0x40022300)};
  model::H7AdcModel adc{machine,
                        {dma, model::H7DmaModel::kAdc1, common, clock.rcc.regs().ahb1rstr},
                        At<Of<hal::stm32::ConverterRegisters>>(0x40022000)};
  model::FifoUsartModel usart{machine,
                              "USART3",
                              120e6,
                              At<Of<hal::stm32::FifoUsartRegisters>>(0x40004800),
                              {&dma, model::H7DmaModel::kUsart3Receives, model::H7DmaModel::kUsart3Sends}};
  model::IwdgModel independent{machine, 32'000, At<Of<hal::stm32::IwdgRegisters>>(0x58004800)};
  model::WwdgModel window{machine, 120e6, model::WwdgModel::Divider::kBits13To11,
                          At<Of<hal::stm32::WwdgRegisters>>(0x50003000)};
  rig::Interrupts<decltype(vector_table)> lines{vector_table};
  rig::PowerPins power{
      tim1, {{e, 9, 1, 2}, {e, 11, 1, 2}, {e, 13, 1, 2}}, {{e, 8, 1, 2}, {e, 10, 1, 2}, {e, 12, 1, 2}}, {e, 15, 1, 1}};
};

}  // namespace tactus::board
