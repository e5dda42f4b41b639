#pragma once
#include <cstdint>

#include "hal/sim/hand_script.h"
#include "hal/sim/parameters.h"
#include "tactus/core/eigen.h"
#include "tactus/core/frames.h"

namespace tactus::hal {

/// The true state of the simulated handle, in W. The controller sees only the quantised SensorFrame.
struct HandleState {
  Vec<double, 3> p_WH_m = Vec<double, 3>::Zero();
  Vec<double, 3> v_WH_mps = Vec<double, 3>::Zero();
  Vec<double, 4> q_WH = Vec<double, 4>::Unit(0);  ///< w, x, y, z
  Vec<double, 3> w_WH_radps = Vec<double, 3>::Zero();
};

/// A force-feedback device in a person's hand, simulated: the same bits for the same seed on every machine.
///
/// Equation  m dv/dt = K (x_s - x) + B (v_s - v) - b v - f_c v/|v| + f + n       f_c: stiction holds while it can
/// Symbols   x handle, x_s where the script wants it, m handle + hand, K B hand, b f_c device, f command, n tremor
/// Method    ten linear-implicit substeps per tick: spring and dampers at the substep's end, then Coulomb friction as the
///           impulse that brings v nearest to zero. The command is held over the tick, saturated with its direction kept.
///           Rotations alike, with an isotropic inertia and the rotation error 2 vec(q_s q*).
/// Cost      no heap, no clock, no libm
class SimDevice {
 public:
  static constexpr int kSubsteps = 10;
  static constexpr double kTick_s = 1e-3;

  SimDevice(const DeviceParameters& device, const HandParameters& hand, const HandScript& script, std::uint64_t seed);

  /// What the encoders read now. The first sample has sequence 1.
  SensorFrame Sample() const;

  /// Lets one tick pass under this command. Not finite components count as zero, as a motor driver without a signal.
  void Advance(const CommandFrame& command);

  const HandleState& state() const { return state_; }
  void set_state(const HandleState& state) { state_ = state; }
  const HandScript& script() const { return script_; }
  /// Since the start.
  double time_s() const { return tick_ * kTick_s; }
  /// Energy that the command gave to the handle, ∫ max(0, f·v + τ·ω) dt, and took from it, ∫ max(0, -(f·v + τ·ω)) dt.
  double given_J() const { return given_J_; }
  double taken_J() const { return taken_J_; }

 private:
  void Substep(double end_s, const Vec<double, 3>& force_N, const Vec<double, 3>& torque_Nm);
  double Noise();

  DeviceParameters device_;
  HandParameters hand_;
  HandScript script_;
  std::uint64_t random_;
  HandleState state_;
  std::uint32_t tick_ = 0;
  double given_J_ = 0, taken_J_ = 0;
};

}  // namespace tactus::hal
