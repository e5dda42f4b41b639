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

template <class Scalar>
const MotorTraits& SimMotorIo<Scalar>::DoTraits() const noexcept {
  return kTraits;
}

template <class Scalar>
MotorReading SimMotorIo<Scalar>::DoRead() noexcept {
  constexpr CartesianMotors kMotors = SimMotors();
  for (int i = 0; i < kMaxMotors; ++i) sum_A_[i] += enabled_ ? written_A_[i] : 0.0f;
  if (++reads_ == reads_per_ms_) {
    reads_ = 0;
    CommandFrame command;
    for (int i = 0; i < 3; ++i) {
      command.force_N[i] = kMotors.N_per_A * sum_A_[i] / static_cast<float>(reads_per_ms_);
      command.torque_Nm[i] = kMotors.Nm_per_A * sum_A_[3 + i] / static_cast<float>(reads_per_ms_);
    }
    for (float& sum : sum_A_) sum = 0;
    device_.Advance(command);
  }
  const BasicHandleState<Scalar>& state = device_.state();
  const Scalar sign = state.q_WH(0) < 0 ? Scalar(-1) : Scalar(1);
  MotorReading reading;
  for (int i = 0; i < 3; ++i) {
    reading.count[i] = Count(state.p_WH_m(i), Scalar(kMotors.m_per_count));
    reading.count[3 + i] = Count(sign * state.q_WH(1 + i), Scalar(0.5f * kMotors.rad_per_count));
  }
  for (int i = 0; i < kMaxMotors; ++i) reading.current_A[i] = enabled_ ? written_A_[i] : 0.0f;
  return reading;
}

template <class Scalar>
Status SimMotorIo<Scalar>::DoWrite(const float (&current_A)[kMaxMotors]) noexcept {
  for (int i = 0; i < kMaxMotors; ++i) written_A_[i] = current_A[i];
  return Status::kOk;
}

template <class Scalar>
Status SimMotorIo<Scalar>::DoZero() noexcept {
  for (float& current : written_A_) current = 0;
  return Status::kOk;
}

template <class Scalar>
float SimMotorIo<Scalar>::largest_A() const {
  float largest = 0;
  for (const float current : written_A_) largest = Max(largest, Abs(current));
  return largest;
}

#ifndef TACTUS_FLOAT_ONLY
template class SimMotorIo<double>;
#endif
template class SimMotorIo<float>;

}  // namespace tactus::hal
