#include "firmware/boards/stm32f405/io_board.h"

#include "hal/cortex_m/fault.h"
#include "hal/sim/sim_motor_io.h"

namespace tactus::board {
namespace {

using hal::stm32::EncoderOptions;
using Encoder = hal::stm32::QuadratureEncoder<Hardware>;

constexpr std::int32_t kCountsPerTurn = 4096;
constexpr EncoderOptions kNarrow{.counts_per_index = kCountsPerTurn},
    kWide{.is_32_bit = true, .counts_per_index = kCountsPerTurn};
// Motors of 6 ohm at 12 V, to 7 300 turns a minute. Whoever has others changes this line.
constexpr hal::stm32::BridgeMotor kMotor{
    .stall_A = 2, .max_current_A = 1, .counts_per_turn = kCountsPerTurn, .max_step_counts = 500};
// PC0, PC1, PC2. 20 mohm in the motor's lead, amplified by 20 about half of 3.3 V: 0.4 V/A.
constexpr f4::CurrentOptions kCurrents{.channels = {10, 11, 12}, .amperes_per_count = 3.3f / 4096 / 0.4f};
constexpr std::uint32_t kEStopPin = 1u << 11;  // PC11

hal::MotorIo& BridgeMotors() {
  static Encoder first(f4::Tim2(), kWide), second(f4::Tim3(), kNarrow), third(f4::Tim5(), kWide);
  auto& port = f4::PortC();
  static IoBoard::Motors motors({.pwm = Board::Pwm(), .encoders = {&first, &second, &third}, .sense = &IoBoard::Sense()},
                                {port.idr, kEStopPin, f4::Pwr().csr, f4::pwr::kBelowLevel, &port.bsrr, 1u << kGateEnable},
                                {kMotor, kMotor, kMotor});
  for (Encoder* const encoder : {&first, &second, &third}) encoder->Start();
  return motors;
}

}  // namespace

f4::CurrentSense<Hardware>& IoBoard::Sense() {
  static f4::CurrentSense<Hardware> sense({f4::Adc1(), f4::AdcCommon(), f4::Dma2(), f4::Tim8()}, kCurrents);
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
