#include "firmware/boards/stm32f405/io_board.h"

#include "firmware/boards/three_motors.h"
#include "hal/cortex_m/fault.h"
#include "hal/sim/sim_motor_io.h"

namespace tactus::board {
namespace {

// PC0, PC1, PC2. 20 mohm in the motor's lead, amplified by 20 about half of 3.3 V: 0.4 V/A.
constexpr f4::CurrentOptions kCurrents{.channels = {10, 11, 12}, .amperes_per_count = 3.3f / 4096 / 0.4f};
constexpr std::uint32_t kEStopPin = 1u << 11;  // PC11
constexpr std::uint32_t kGlitchFilter = 4;     // 143 ns: six equal samples at half of 84 MHz (RM0090 18.4.7, ICxF)

hal::MotorIo& BridgeMotors() {
  auto& port = f4::PortC();
  static ThreeMotors<f4::CurrentSense<Hardware>> motors(
      {.pwm = Board::Pwm(),
       .encoders = {{{f4::Tim2(), true}, {f4::Tim3()}, {f4::Tim5(), true}}},
       .glitch_filter = kGlitchFilter,
       .lines = {port.idr, kEStopPin, f4::Pwr().csr, f4::pwr::kBelowLevel, &port.bsrr, 1u << kGateEnable},
       .sense = &IoBoard::Sense()});
  return motors.Start();
}

}  // namespace

f4::CurrentSense<Hardware>& IoBoard::Sense() {
  static hal::stm32::SampleBuffer<3> buffer;
  static f4::CurrentSense<Hardware> sense({f4::Adc1(), f4::AdcCommon(), f4::Dma2(), f4::Tim8()}, kCurrents, buffer);
  return sense;
}

void IoBoard::SetUp() {
  SetUpUnpowered();
  if (Sense().Start(kPwmHalfPeriod) != Status::kOk) ReportFault(hal::cortex_m::FaultCause::kPowerStage, 0, "ADC1");
  StartPowerStage();
}

hal::MotorIo& IoBoard::MotorIo(const hal::cortex_m::BootOptions& options) {
  if constexpr (TACTUS_EMULATED) {
    constexpr std::uint64_t kHandSeed = 1;
    static hal::SimMotorIo<float> simulated(options.period_us, kHandSeed);
    if (options.local_device) return simulated;
  }
  return BridgeMotors();
}

}  // namespace tactus::board
