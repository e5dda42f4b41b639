#pragma once
#include "hal/api/cartesian_motors.h"
#include "hal/sim/emulated_motors.h"
#include "hal/sim/sim_device.h"

namespace tactus::hal {

/// What a motor of the simulated device can do: all its force at this current.
inline constexpr float kSimMaxCurrent_A = 2;

/// Encoders and motors of the simulated device.
constexpr CartesianMotors SimMotors() {
  constexpr DeviceParameters kDevice = FalconClass();
  return {.m_per_count = static_cast<float>(kDevice.resolution_m),
          .rad_per_count = static_cast<float>(kDevice.resolution_rad),
          .N_per_A = static_cast<float>(kDevice.max_force_N) / kSimMaxCurrent_A,
          .Nm_per_A = static_cast<float>(kDevice.max_torque_Nm) / kSimMaxCurrent_A};
}

/// The simulated device and the hand on it at the level of motors, for the I/O firmware: a Read is one period of its loop,
/// and with every whole millisecond the device lives one under the mean of the currents since the last.
template <class Scalar>
class SimMotorIo final : public EmulatedMotors {
 public:
  /// The demo's device, hand and movements. @param period_us  between two Reads; a millisecond is a multiple of it
  SimMotorIo(std::uint32_t period_us, std::uint64_t seed);

  const BasicSimDevice<Scalar>& device() const { return device_; }

 private:
  const MotorTraits& DoTraits() const noexcept override;
  MotorReading DoRead() noexcept override;
  CommandFrame WrenchOf(const float (&sum_A)[kMaxMotors]) const;

  const int reads_per_ms_;
  BasicSimDevice<Scalar> device_;
  float sum_A_[kMaxMotors] = {};
  int reads_ = 0;
};

extern template class SimMotorIo<double>;
extern template class SimMotorIo<float>;

}  // namespace tactus::hal
