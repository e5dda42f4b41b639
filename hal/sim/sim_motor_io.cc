#include "hal/sim/sim_motor_io.h"

#include "hal/sim/peg_in_hole_script.h"
#include "tactus/core/check.h"
#include "tactus/core/scalar.h"

namespace tactus::hal {
namespace {

// A handle at 7 m/s, far beyond any hand's; the device moves once a millisecond.
constexpr MotorTraits kTraits{.motors = kMaxMotors,
                              .max_current_A = {kSimMaxCurrent_A, kSimMaxCurrent_A, kSimMaxCurrent_A, kSimMaxCurrent_A,
                                                kSimMaxCurrent_A, kSimMaxCurrent_A},
                              .max_step_counts = 200,
                              .senses_current = true};

template <class Scalar>
std::int32_t Count(Scalar value, Scalar per_count) {
  return static_cast<std::int32_t>(Floor(value / per_count + Scalar(0.5)));
}

}  // namespace

template <class Scalar>
SimMotorIo<Scalar>::SimMotorIo(std::uint32_t period_us, std::uint64_t seed)
    : reads_per_ms_(static_cast<int>(1000 / period_us)),
      device_(FalconClass(), RelaxedHand(), PegInHoleScriptOf<Scalar>(), seed) {
  TACTUS_CHECK(1000 % period_us == 0);
}

/// F and τ = J(φ)⁻ᵀ of the motors' torques, as CartesianMotors has them, of the mean of the currents.
template <class Scalar>
CommandFrame SimMotorIo<Scalar>::WrenchOf(const float (&sum_A)[kMaxMotors]) const {
  constexpr CartesianMotors kMotors = SimMotors();
  const Vec<Scalar, 3> motors_Nm =
      Scalar(kMotors.Nm_per_A) / Scalar(reads_per_ms_) * Vec<Scalar, 3>(sum_A[3], sum_A[4], sum_A[5]);
  const Vec<Scalar, 3> torque_Nm =
      InverseRotationJacobian<Scalar>(LogMap<Scalar>(device_.state().q_WH)).transpose() * motors_Nm;
  CommandFrame command;
  for (int i = 0; i < 3; ++i) {
    command.force_N[i] = kMotors.N_per_A * sum_A[i] / static_cast<float>(reads_per_ms_);
    command.torque_Nm[i] = static_cast<float>(torque_Nm(i));
  }
  return command;
}

template <class Scalar>
const MotorTraits& SimMotorIo<Scalar>::DoTraits() const noexcept {
  return kTraits;
}

template <class Scalar>
MotorReading SimMotorIo<Scalar>::DoRead() noexcept {
  constexpr CartesianMotors kMotors = SimMotors();
  for (int i = 0; i < kMaxMotors; ++i) sum_A_[i] += flowing_A(i);
  if (++reads_ == reads_per_ms_) {
    reads_ = 0;
    device_.Advance(WrenchOf(sum_A_));
    for (float& sum : sum_A_) sum = 0;
  }
  const BasicHandleState<Scalar>& state = device_.state();
  const Vec<Scalar, 3> rotation_rad = LogMap<Scalar>(state.q_WH);
  MotorReading reading;
  for (int i = 0; i < 3; ++i) {
    reading.count[i] = Count(state.p_WH_m(i), Scalar(kMotors.m_per_count));
    reading.count[3 + i] = Count(rotation_rad(i), Scalar(kMotors.rad_per_count));
  }
  for (int i = 0; i < kMaxMotors; ++i) reading.current_A[i] = flowing_A(i);
  return reading;
}

#ifndef TACTUS_FLOAT_ONLY
template class SimMotorIo<double>;
#endif
template class SimMotorIo<float>;

}  // namespace tactus::hal
