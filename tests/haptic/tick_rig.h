#pragma once
// A loop around Tick() for the tests: handle poses in, commands and telemetry out.
#include <memory>

#include "firmware/servo/servo_tick.h"

namespace tactus::test {

template <class Scalar>
struct TickRig {
  Config<Scalar> config;
  // On the heap: the state holds the solver, tens of kilobytes.
  std::unique_ptr<State<Scalar>> state = std::make_unique<State<Scalar>>();
  CommandFrame command;
  Telemetry<Scalar> telemetry;
  std::uint32_t sequence = 0;

  /// Armed, at full force from the first tick on.
  TickRig() {
    config.limits.soft_start_s = config.period_s;
    (void)Arm(state.get());  // a fresh state has no fault
  }

  /// A scripted handle is not quantised. With this its estimate is the sample itself, and statics are exact; without it the
  /// estimate of the default device needs half a second to settle on a handle that yields to no force.
  void UseIdealSensor() { config.device.resolution_m = config.device.resolution_rad = Scalar(0); }

  /// The next sample of a handle at this pose, q about 1 for no rotation.
  SensorFrame Sample(double x_m, double y_m, double z_m, const Vec<double, 3>& rotation_rad = Vec<double, 3>::Zero()) {
    SensorFrame sample;
    sample.sequence = ++sequence;
    const double p_m[3] = {x_m, y_m, z_m};
    const Quaternion<double> q = ExpMap(rotation_rad);
    for (int i = 0; i < 3; ++i) sample.p_WH_m[i] = static_cast<float>(p_m[i]);
    for (int i = 0; i < 4; ++i) sample.q_WH[i] = static_cast<float>(q(i));
    return sample;
  }

  Status Step(const SensorFrame& sample) { return Tick(sample, config, state.get(), &command, &telemetry); }
  Status Step(double x_m, double y_m, double z_m, const Vec<double, 3>& rotation_rad = Vec<double, 3>::Zero()) {
    return Step(Sample(x_m, y_m, z_m, rotation_rad));
  }

  /// Largest error of the force that the default device's estimate may make: it stays within 1.5 counts of the sample.
  double BandForce_N() const {
    return 1.5 * static_cast<double>(config.device.resolution_m * config.coupling.stiffness_N_per_m);
  }

  Vec<double, 3> Force() const {
    const Vec<Scalar, 3> force_N = telemetry.command_wrench_W.template head<3>();
    return force_N.template cast<double>();
  }
};

/// A hand that pushes a peg into the hole, stirs and twists it, and draws it out: one round takes 4 s. Poses of 1 kHz ticks.
struct InsertionPose {
  double x_m, y_m, z_m;
  Vec<double, 3> rotation_rad;
};
InsertionPose Insertion(int tick);

}  // namespace tactus::test
