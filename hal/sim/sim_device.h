#pragma once
#include <cstdint>

#include "hal/sim/hand_script.h"
#include "hal/sim/parameters.h"
#include "tactus/core/eigen.h"
#include "tactus/core/frames.h"

namespace tactus::hal {

/// The true state of the simulated handle, in W. The controller sees only the quantised SensorFrame.
template <class Scalar>
struct BasicHandleState {
  Vec<Scalar, 3> p_WH_m = Vec<Scalar, 3>::Zero();
  Vec<Scalar, 3> v_WH_mps = Vec<Scalar, 3>::Zero();
  Vec<Scalar, 4> q_WH = Vec<Scalar, 4>::Unit(0);  ///< w, x, y, z
  Vec<Scalar, 3> w_WH_radps = Vec<Scalar, 3>::Zero();
};
using HandleState = BasicHandleState<double>;

/// A force-feedback device in a person's hand, simulated: the same bits for the same seed on every machine. In single
/// precision for boards without double.
///
/// Equation  m dv/dt = K (x_s - x) + B (v_s - v) - b v - f_c v/|v| + f + n       f_c: stiction holds while it can
/// Symbols   x handle, x_s where the script wants it, m handle + hand, K B hand, b f_c device, f command, n tremor
/// Method    ten linear-implicit substeps per tick: spring and dampers at the substep's end, then Coulomb friction as the
///           impulse that brings v nearest to zero. The command is held over the tick, saturated with its direction kept.
///           Rotations alike, with an isotropic inertia and the rotation error 2 vec(q_s q*).
/// Cost      no heap, no clock, no libm
template <class Scalar>
class BasicSimDevice {
 public:
  static constexpr int kSubsteps = 10;
  static constexpr double kTick_s = 1e-3;  ///< by default

  /// @param period_us  that one Advance lets pass
  BasicSimDevice(const DeviceParameters& device, const HandParameters& hand, const BasicHandScript<Scalar>& script,
                 std::uint64_t seed, std::uint32_t period_us = 1000);

  /// What the encoders read now. The first sample has sequence 1.
  SensorFrame Sample() const;

  /// Lets one tick pass under this command. Not finite components count as zero, as a motor driver without a signal.
  void Advance(const CommandFrame& command);

  /// From now on the hand's springs and dampers are these, and it pushes so; its masses and unrest stay.
  void ChangeHand(const HandParameters& hand, const Vec<Scalar, 3>& push_N);

  /// That one Advance lets pass.
  Scalar period_s() const { return tick_s_; }
  const BasicHandleState<Scalar>& state() const { return state_; }
  void set_state(const BasicHandleState<Scalar>& state) { state_ = state; }
  const BasicHandScript<Scalar>& script() const { return script_; }
  /// Since the start.
  Scalar time_s() const { return static_cast<Scalar>(tick_) * tick_s_; }
  /// The movement that is under way; the script has one.
  const BasicHandMove<Scalar>& move() const { return script_.MoveAt(script_time_s()); }
  /// Energy that the command gave to the handle, ∫ max(0, f·v + τ·ω) dt, and took from it, ∫ max(0, -(f·v + τ·ω)) dt.
  Scalar given_J() const { return given_J_; }
  Scalar taken_J() const { return taken_J_; }

 private:
  using Vec3 = Vec<Scalar, 3>;

  /// Mechanics of handle and hand along one axis, in the numbers of the target.
  struct Axis {
    Scalar mass, stiffness, hand_damping, device_damping, coulomb;
  };
  Vec3 NextVelocity(const Axis& axis, const Vec3& velocity, const Vec3& error, const Vec3& target_velocity,
                    const Vec3& force) const;
  Scalar script_time_s() const { return static_cast<Scalar>(script_tick_) * tick_s_; }
  void Substep(Scalar end_s, const Vec3& force_N, const Vec3& torque_Nm);
  Scalar Noise();

  Scalar tick_s_, substep_s_;
  Axis linear_, angular_;
  Scalar resolution_m_, resolution_rad_, max_force_N_, max_torque_Nm_, tremor_N_, tremor_Nm_;
  BasicHandScript<Scalar> script_;
  std::uint64_t random_;
  BasicHandleState<Scalar> state_;
  std::uint32_t tick_ = 0;
  std::uint32_t script_tick_ = 0, script_ticks_ = 0;  ///< within the script, which begins again: small numbers stay exact
  Scalar given_J_ = 0, taken_J_ = 0;
  bool pushes_ = false;  ///< ChangeHand() was called
  Vec3 push_N_ = Vec3::Zero();
};
using SimDevice = BasicSimDevice<double>;

extern template class BasicSimDevice<double>;
extern template class BasicSimDevice<float>;

}  // namespace tactus::hal
