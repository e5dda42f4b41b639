#include "firmware/boards/stm32h743/io_board.h"

#include "firmware/boards/three_motors.h"

namespace tactus::board {
namespace {

constexpr std::uint32_t kEStopPin = 1u << 11;  // PC11
// 200 ns: six equal samples at an eighth of 240 MHz (RM0433 39.4.7, ICxF). With the default's 4 it were 50 ns. An edge of
// the fastest motor comes each 2 us.
constexpr std::uint32_t kGlitchFilter = 8;

}  // namespace

hal::MotorIo& IoBoard::MotorIo(const hal::cortex_m::BootOptions&) {
  auto& port = h7::PortC();
  static ThreeMotors<> motors(
      {.pwm = Pwm(),
       .encoders = {{{h7::Tim4()}, {h7::Tim3()}, {h7::Tim2(), true}}},
       .glitch_filter = kGlitchFilter,
       .lines = {port.idr, kEStopPin, h7::Pwr().csr1, h7::pwr::kBelowLevel, &port.bsrr, 1u << kGateEnable}});
  return motors.Start();
}

}  // namespace tactus::board
