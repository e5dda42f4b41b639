#include "hal/sim/faulty_motor_io.h"

#include <limits>
#include <utility>

namespace tactus::hal {

MotorReading FaultyMotorIo::DoRead() noexcept {
  MotorReading reading = motors_.Read();
  reading.e_stop |= faults.e_stop;
  reading.drive_fault |= faults.drive_fault;
  reading.brown_out |= faults.brown_out;
  reading.encoder_fault |= faults.encoder_fault;
  if (faults.swapped[0] >= 0) std::swap(reading.count[faults.swapped[0]], reading.count[faults.swapped[1]]);
  if (faults.inverted_motor >= 0) reading.count[faults.inverted_motor] = -reading.count[faults.inverted_motor];
  if (faults.jumping_motor >= 0) reading.count[faults.jumping_motor] += faults.jump_counts;
  if (faults.frozen_motor >= 0) reading.count[faults.frozen_motor] = last_.count[faults.frozen_motor];
  for (int i = 0; i < traits().motors; ++i) {
    if (faults.current_stuck) reading.current_A[i] = last_.current_A[i];
    if (faults.current_saturated) reading.current_A[i] = 10 * traits().max_current_A[i];
    if (faults.current_absent) reading.current_A[i] = 0;
    if (faults.current_not_finite) reading.current_A[i] = std::numeric_limits<float>::quiet_NaN();
  }
  last_ = reading;
  return reading;
}

Status FaultyMotorIo::DoWrite(const float (&current_A)[kMaxMotors]) noexcept {
  return faults.refuses_writes ? Status::kWouldBlock : motors_.Write(current_A);
}

}  // namespace tactus::hal
