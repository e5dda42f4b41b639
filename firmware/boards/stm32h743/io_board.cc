#include "firmware/boards/stm32h743/io_board.h"

#include "firmware/boards/three_motors.h"
#include "hal/cortex_m/fault.h"

namespace tactus::board {
namespace {

using hal::stm32::SenseStep;

// PA3, PC0, PB1. 20 mohm in the motor's lead, amplified by 20 about half of 3.3 V: 0.4 V/A; 0.13 mA a count of 16 bits.
constexpr h7::CurrentOptions kCurrents{.channels = {15, 10, 5},
                                       .amperes_per_count = 3.3f / 65536 / 0.4f,
                                       .middle = 32768,
                                       .most_offset = 3200,
                                       .lowest = 128,
                                       .highest = 65407};
// In the memory that DMA1 reaches and the core's cache leaves alone: memory.ld.
[[gnu::section(".shared")]] hal::stm32::SampleBuffer<3> samples;

constexpr std::uint32_t kEStopPin = 1u << 11;  // PC11
// 200 ns: six equal samples at an eighth of 240 MHz (RM0433 39.4.7, ICxF). With the default's 4 it were 50 ns. An edge of
// the fastest motor comes each 2 us.
constexpr std::uint32_t kGlitchFilter = 8;

}  // namespace

h7::CurrentSense<Hardware>& IoBoard::Sense() {
  static h7::CurrentSense<Hardware> sense(
      {h7::Adc1(), h7::Adc12(), h7::Rcc().ahb1rstr, h7::Dma1(), h7::DmaMux1(), h7::Tim8()}, kCurrents, samples);
  return sense;
}

void IoBoard::SetUp() {
  SetUpUnpowered();
  const SenseStep step = Sense().Start(kPwmHalfPeriod);
  if (step != SenseStep::kDone)
    ReportFault(hal::cortex_m::FaultCause::kPowerStage, static_cast<std::uint32_t>(step), NameOf(step));
  StartPowerStage();
}

hal::MotorIo& IoBoard::MotorIo(const hal::cortex_m::BootOptions&) {
  auto& port = h7::PortC();
  static ThreeMotors<h7::CurrentSense<Hardware>> motors(
      {.pwm = Pwm(),
       .encoders = {{{h7::Tim4()}, {h7::Tim3()}, {h7::Tim2(), true}}},
       .glitch_filter = kGlitchFilter,
       .lines = {port.idr, kEStopPin, h7::Pwr().csr1, h7::pwr::kBelowLevel, &port.bsrr, 1u << kGateEnable},
       .sense = &Sense()});
  return motors.Start();
}

}  // namespace tactus::board
