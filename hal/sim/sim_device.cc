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

constexpr double kSubstep_s = SimDevice::kTick_s / SimDevice::kSubsteps;

using Vec3 = Vec<double, 3>;
/// Small rotation that takes `from` to `to`, as 2 vec(to from*): the rotation vector up to its third power.
Vec3 RotationBetween(const Quaternion<double>& from, const Quaternion<double>& to) {
  const Quaternion<double> turn = Multiply<double>(to, Conjugate<double>(from));
  const double sign = turn(0) < 0 ? -2.0 : 2.0;
  return sign * turn.tail<3>();
}

Vec3 Saturated(const float (&command)[3], double limit) {
  Vec3 value;
  for (int i = 0; i < 3; ++i) value(i) = IsFinite(command[i]) ? double{command[i]} : 0.0;
  const double size = Norm<double>(value);
  if (size > limit) value *= limit / size;
  return value;
}

double Quantised(double value, double resolution) {
  return resolution > 0 ? resolution * __builtin_floor(value / resolution + 0.5) : value;
}

struct Axis {
  double mass, stiffness, hand_damping, device_damping, coulomb;
};

/// The velocity at the substep's end: the derivation above.
Vec3 NextVelocity(const Axis& axis, const Vec3& velocity, const Vec3& error, const Vec3& target_velocity,
                  const Vec3& force) {
  const double h = kSubstep_s;
  const double mass = axis.mass + h * (axis.hand_damping + axis.device_damping) + h * h * axis.stiffness;
  const Vec3 push = axis.stiffness * error + axis.hand_damping * target_velocity + force;
  const Vec3 free = (axis.mass * velocity + h * push) / mass;
  const double speed = Norm<double>(free), stop = h * axis.coulomb / mass;
  if (speed <= stop) return Vec3::Zero();
  return free * (1 - stop / speed);
}

}  // namespace

SimDevice::SimDevice(const DeviceParameters& device, const HandParameters& hand, const HandScript& script,
                     std::uint64_t seed)
    : device_(device), hand_(hand), script_(script), random_(seed) {
  const HandTarget start = script_.TargetAt(0);
  state_.p_WH_m = start.p_WS_m;
  state_.q_WH = start.q_WS;
}

SensorFrame SimDevice::Sample() const {
  SensorFrame frame;
  frame.sequence = tick_ + 1;
  for (int i = 0; i < 3; ++i) frame.p_WH_m[i] = static_cast<float>(Quantised(state_.p_WH_m(i), device_.resolution_m));
  Quaternion<double> q =
      state_.q_WH;  // near the device's home pose, half a count on the vector part is half a count of angle
  for (int i = 1; i < 4; ++i) q(i) = Quantised(q(i), device_.resolution_rad / 2);
  q = Normalized<double>(q);
  for (int i = 0; i < 4; ++i) frame.q_WH[i] = static_cast<float>(q(i));
  return frame;
}

void SimDevice::Advance(const CommandFrame& command) {
  const Vec3 force_N = Saturated(command.force_N, device_.max_force_N);
  const Vec3 torque_Nm = Saturated(command.torque_Nm, device_.max_torque_Nm);
  const Vec3 tremor_N = Vec3(Noise(), Noise(), Noise()) * double{hand_.tremor_N};
  const Vec3 tremor_Nm = Vec3(Noise(), Noise(), Noise()) * double{hand_.tremor_Nm};
  for (int i = 0; i < kSubsteps; ++i) {
    const double end_s = tick_ * kTick_s + (i + 1) * kSubstep_s;
    Substep(end_s, force_N + tremor_N, torque_Nm + tremor_Nm);
    const double work_J = kSubstep_s * (force_N.dot(state_.v_WH_mps) + torque_Nm.dot(state_.w_WH_radps));
    given_J_ += Max(0.0, work_J);
    taken_J_ += Max(0.0, -work_J);
  }
  ++tick_;
}

void SimDevice::Substep(double end_s, const Vec3& force_N, const Vec3& torque_Nm) {
  const HandTarget before = script_.TargetAt(Max(0.0, end_s - kSubstep_s)), now = script_.TargetAt(end_s);
  const Axis linear{device_.mass_kg + hand_.mass_kg, hand_.stiffness_N_per_m, hand_.damping_Ns_per_m,
                    device_.damping_Ns_per_m, device_.coulomb_N};
  const Axis angular{device_.inertia_kgm2 + hand_.inertia_kgm2, hand_.stiffness_Nm_per_rad, hand_.damping_Nms_per_rad,
                     device_.damping_Nms_per_rad, device_.coulomb_Nm};

  state_.v_WH_mps =
      NextVelocity(linear, state_.v_WH_mps, now.p_WS_m - state_.p_WH_m, (now.p_WS_m - before.p_WS_m) / kSubstep_s, force_N);
  state_.w_WH_radps = NextVelocity(angular, state_.w_WH_radps, RotationBetween(state_.q_WH, now.q_WS),
                                   RotationBetween(before.q_WS, now.q_WS) / kSubstep_s, torque_Nm);

  state_.p_WH_m += kSubstep_s * state_.v_WH_mps;
  Quaternion<double> half_turn;
  half_turn << 1, 0.5 * kSubstep_s * state_.w_WH_radps;
  state_.q_WH = Normalized<double>(Multiply<double>(half_turn, state_.q_WH));
}

/// Uniform in [-1, 1): SplitMix64 (Steele, Lea & Flood 2014), the top 53 bits.
double SimDevice::Noise() {
  random_ += 0x9E3779B97F4A7C15u;
  std::uint64_t z = random_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1p-52 - 1.0;
}

}  // namespace tactus::hal
