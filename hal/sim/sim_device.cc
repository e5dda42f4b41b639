// The handle with the hand on it, over a substep of length h, with x_s, v_s from the script:
//
//     m (v1 - v0) = h [K (x_s - x0 - h v1) + B (v_s - v1) - b v1 + f] + j         |j| ≤ h f_c, j against v1
//
// Without friction:   v* = (m v0 + h [K (x_s - x0) + B v_s + f]) / m*,   m* = m + h (B + b) + h² K,
// and the friction impulse that brings v nearest to zero:   v1 = v* - min(h f_c / m*, |v*|) v*/|v*|.
// So stiction needs no threshold: a force below f_c leaves v1 = 0 exactly.
#include "hal/sim/sim_device.h"

#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"

namespace tactus::hal {
namespace {

/// Small rotation that takes `from` to `to`, as 2 vec(to from*): the rotation vector up to its third power.
template <class Scalar>
Vec<Scalar, 3> RotationBetween(const Quaternion<Scalar>& from, const Quaternion<Scalar>& to) {
  const Quaternion<Scalar> turn = Multiply<Scalar>(to, Conjugate<Scalar>(from));
  const Scalar sign = turn(0) < 0 ? Scalar(-2) : Scalar(2);
  return sign * turn.template tail<3>();
}

template <class Scalar>
Vec<Scalar, 3> Saturated(const float (&command)[3], Scalar limit) {
  Vec<Scalar, 3> value;
  for (int i = 0; i < 3; ++i) value(i) = IsFinite(command[i]) ? static_cast<Scalar>(command[i]) : Scalar(0);
  const Scalar size = Norm<Scalar>(value);
  if (size > limit) value *= limit / size;
  return value;
}

template <class Scalar>
Scalar Quantised(Scalar value, Scalar resolution) {
  return resolution > 0 ? resolution * Floor(value / resolution + Scalar(0.5)) : value;
}

}  // namespace

/// The velocity at the substep's end: the derivation above.
template <class Scalar>
auto BasicSimDevice<Scalar>::NextVelocity(const Axis& axis, const Vec3& velocity, const Vec3& error,
                                          const Vec3& target_velocity, const Vec3& force) const -> Vec3 {
  const Scalar h = substep_s_;
  const Scalar mass = axis.mass + h * (axis.hand_damping + axis.device_damping) + h * h * axis.stiffness;
  const Vec3 push = axis.stiffness * error + axis.hand_damping * target_velocity + force;
  const Vec3 free = (axis.mass * velocity + h * push) / mass;
  const Scalar speed = Norm<Scalar>(free), stop = h * axis.coulomb / mass;
  if (speed <= stop) return Vec3::Zero();
  return free * (1 - stop / speed);
}

template <class Scalar>
BasicSimDevice<Scalar>::BasicSimDevice(const DeviceParameters& device, const HandParameters& hand,
                                       const BasicHandScript<Scalar>& script, std::uint64_t seed, std::uint32_t period_us)
    : tick_s_(Scalar(period_us / 1e6)),
      substep_s_(Scalar(period_us / 1e6 / kSubsteps)),
      linear_{Scalar(device.mass_kg + hand.mass_kg), Scalar(hand.stiffness_N_per_m.value),
              Scalar(hand.damping_Ns_per_m.value), Scalar(device.damping_Ns_per_m.value), Scalar(device.coulomb_N.value)},
      angular_{Scalar(device.inertia_kgm2 + hand.inertia_kgm2), Scalar(hand.stiffness_Nm_per_rad.value),
               Scalar(hand.damping_Nms_per_rad.value), Scalar(device.damping_Nms_per_rad.value),
               Scalar(device.coulomb_Nm.value)},
      resolution_m_(Scalar(device.resolution_m.value)),
      resolution_rad_(Scalar(device.resolution_rad.value)),
      max_force_N_(Scalar(device.max_force_N.value)),
      max_torque_Nm_(Scalar(device.max_torque_Nm.value)),
      tremor_N_(Scalar(hand.tremor_N.value)),
      tremor_Nm_(Scalar(hand.tremor_Nm.value)),
      script_(script),
      random_(seed),
      script_ticks_(static_cast<std::uint32_t>(script.duration_s() / tick_s_ + Scalar(0.5))) {
  const HandTarget<Scalar> start = script_.TargetAt(0);
  state_.p_WH_m = start.p_WS_m;
  state_.q_WH = start.q_WS;
}

template <class Scalar>
SensorFrame BasicSimDevice<Scalar>::Sample() const {
  SensorFrame frame;
  frame.sequence = tick_ + 1;
  for (int i = 0; i < 3; ++i) frame.p_WH_m[i] = static_cast<float>(Quantised(state_.p_WH_m(i), resolution_m_));
  // Near the device's home pose, half a count on the vector part is half a count of angle.
  Quaternion<Scalar> q = state_.q_WH;
  for (int i = 1; i < 4; ++i) q(i) = Quantised(q(i), resolution_rad_ / 2);
  q = Normalized<Scalar>(q);
  for (int i = 0; i < 4; ++i) frame.q_WH[i] = static_cast<float>(q(i));
  return frame;
}

template <class Scalar>
void BasicSimDevice<Scalar>::Advance(const CommandFrame& command) {
  const Vec3 force_N = Saturated<Scalar>(command.force_N, max_force_N_);
  const Vec3 torque_Nm = Saturated<Scalar>(command.torque_Nm, max_torque_Nm_);
  Vec3 tremor_N, tremor_Nm;  // one number after the other: the order of a call's arguments is the compiler's
  for (int i = 2; i >= 0; --i) tremor_N(i) = Noise() * tremor_N_;
  for (int i = 2; i >= 0; --i) tremor_Nm(i) = Noise() * tremor_Nm_;
  if (pushes_) tremor_N += push_N_;
  for (int i = 0; i < kSubsteps; ++i) {
    const Scalar end_s = script_time_s() + static_cast<Scalar>(i + 1) * substep_s_;
    Substep(end_s, force_N + tremor_N, torque_Nm + tremor_Nm);
    const Scalar work_J = substep_s_ * (force_N.dot(state_.v_WH_mps) + torque_Nm.dot(state_.w_WH_radps));
    given_J_ += Max(Scalar(0), work_J);
    taken_J_ += Max(Scalar(0), -work_J);
  }
  ++tick_;
  if (++script_tick_ >= script_ticks_) script_tick_ = 0;
}

template <class Scalar>
void BasicSimDevice<Scalar>::ChangeHand(const HandParameters& hand, const Vec<Scalar, 3>& push_N) {
  linear_.stiffness = Scalar(hand.stiffness_N_per_m.value);
  linear_.hand_damping = Scalar(hand.damping_Ns_per_m.value);
  angular_.stiffness = Scalar(hand.stiffness_Nm_per_rad.value);
  angular_.hand_damping = Scalar(hand.damping_Nms_per_rad.value);
  pushes_ = true;
  push_N_ = push_N;
}

template <class Scalar>
void BasicSimDevice<Scalar>::Substep(Scalar end_s, const Vec3& force_N, const Vec3& torque_Nm) {
  const Scalar h = substep_s_;
  const HandTarget<Scalar> before = script_.TargetAt(Max(Scalar(0), end_s - h)), now = script_.TargetAt(end_s);
  state_.v_WH_mps =
      NextVelocity(linear_, state_.v_WH_mps, now.p_WS_m - state_.p_WH_m, (now.p_WS_m - before.p_WS_m) / h, force_N);
  state_.w_WH_radps = NextVelocity(angular_, state_.w_WH_radps, RotationBetween<Scalar>(state_.q_WH, now.q_WS),
                                   RotationBetween<Scalar>(before.q_WS, now.q_WS) / h, torque_Nm);

  state_.p_WH_m += h * state_.v_WH_mps;
  Quaternion<Scalar> half_turn;
  half_turn << 1, Scalar(0.5) * h * state_.w_WH_radps;
  state_.q_WH = Normalized<Scalar>(Multiply<Scalar>(half_turn, state_.q_WH));
}

/// Uniform in [-1, 1): SplitMix64 (Steele, Lea & Flood 2014), as many of the top bits as the number holds.
template <class Scalar>
Scalar BasicSimDevice<Scalar>::Noise() {
  random_ += 0x9E3779B97F4A7C15u;
  std::uint64_t z = random_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  z ^= z >> 31;
  if constexpr (sizeof(Scalar) == sizeof(double)) return static_cast<Scalar>(z >> 11) * Scalar(0x1p-52) - Scalar(1);
  return static_cast<Scalar>(static_cast<std::uint32_t>(z >> 40)) * Scalar(0x1p-23) - Scalar(1);
}

#ifndef TACTUS_FLOAT_ONLY
template class BasicSimDevice<double>;
#endif
template class BasicSimDevice<float>;

}  // namespace tactus::hal
