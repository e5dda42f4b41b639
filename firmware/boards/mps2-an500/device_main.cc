// The servo that drives motors of its board (device_program.h), on a core that an emulator has. The motors, the mechanism
// and the hand on it are emulated on the board too: between them and the servo stand counts and currents.
#include "firmware/boards/device_program.h"
#include "firmware/boards/mps2-an500/board.h"
#include "hal/sim/mechanism_motor_io.h"
#include "hal/sim/peg_in_hole_script.h"

namespace tactus::board {
namespace {

hal::MotorTraits BoardMotors() {
  hal::MotorTraits traits{.motors = 3, .max_step_counts = kMotor.max_step_counts, .senses_current = true};
  for (int i = 0; i < traits.motors; ++i) {
    traits.counts_per_turn[i] = kMotor.counts_per_turn;
    traits.max_current_A[i] = kMotor.max_current_A;
  }
  return traits;
}

struct MotorBoard : Board {
  static hal::MotorIo& MotorIo(const hal::cortex_m::BootOptions& options) {
    using Motors = hal::MechanismMotorIo<BoardMechanism<double>>;
    const auto device = BoardDevice<double>(1e-6 * options.period_us);
    Motors::Options emulated;
    emulated.mechanism = device.mechanism;
    emulated.motors = device.motors;
    emulated.handle = hal::FalconClass();
    emulated.script = hal::PegInHoleScriptOf<double>();
    emulated.period_us = options.period_us;
    static Motors motors(emulated, BoardMotors());
    return motors;
  }
};

using Program = DeviceProgram<MotorBoard>;

}  // namespace
}  // namespace tactus::board

extern "C" void TickHandler() { tactus::board::Program::OnTick(); }

int main() { tactus::board::Program::Run(); }
