#pragma once
#include <string_view>

#include "hal/sim/preset_device.h"
#include "hal/sim/presets.h"
#include "tactus/device/arms.h"

namespace tactus::hal {

// A preset's numbers as the options of its device. D's own frame in W is that of its driver, where it has one.

template <class D>
typename PresetDevice<D>::Options OptionsOf(const DevicePreset& preset, const PresetRequest& request) {
  typename PresetDevice<D>::Options options;
  for (int i = 0; i < D::kMotors; ++i) {
    const auto n = static_cast<std::size_t>(i);
    const PresetJoint& joint = preset.joint[n];
    MotorCalibration<double>& motor = options.motors[n];
    motor.counts_per_turn = joint.counts_per_turn;
    motor.turns_per_joint_turn = joint.turns_per_joint_turn;
    motor.torque_constant_Nm_per_A = joint.torque_constant_Nm_per_A;
    motor.max_current_A = joint.max_current_A;
    motor.continuous_current_A = joint.continuous_current_A;
    motor.thermal_time_s = joint.thermal_time_s;
    options.ripple[n] = {.share = joint.ripple, .cogging_Nm = joint.cogging_Nm, .waves_per_turn = joint.waves_per_turn};
    options.inertia_kgm2(i) = joint.inertia_kgm2;
    options.damping_Nms_per_rad(i) = joint.damping_Nms_per_rad;
    options.coulomb_Nm(i) = joint.coulomb_Nm;
  }
  options.bandwidth_Hz = preset.bandwidth_Hz;
  options.delay_s = 1e-6 * preset.delay_us;
  options.jitter_s = 1e-6 * preset.jitter_us;
  options.count_rad = preset.gimbal_count_rad;
  options.hand = request.hand;
  options.script = request.script;
  options.seed = request.seed;
  options.period_us = request.period_us;
  return options;
}

/// With the posture in which the handle is at W's origin as its home.
template <class Options>
Options AtHome(Options options) {
  HandlePose<double> pose;
  pose.p_DH = options.R_WD.transpose() * Vec<double, 3>(-options.p_WD_m);
  pose.R_DH = options.R_WD.transpose();
  TACTUS_CHECK(options.mechanism.Inverse(pose, &options.home_rad).ok());
  return options;
}

/// Turns D's y up and its z towards the user: W has z up and y away.
inline Mat<double, 3, 3> YUp() {
  Mat<double, 3, 3> R;
  R << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  return R;
}

inline PresetDevice<StamperDelta<double>>::Options DeltaOptions(const DevicePreset& preset, const PresetRequest& request) {
  auto options = OptionsOf<StamperDelta<double>>(preset, request);
  StamperDelta<double>& delta = options.mechanism;
  delta.crank_mass_kg = preset.link_kg;
  delta.platform_mass_kg = preset.handle_kg;
  return options;
}

inline auto FalconOptions(const DevicePreset& preset, const PresetRequest& request) {
  auto options = DeltaOptions(preset, request);
  options.R_WD = YUp();
  options.p_WD_m << 0, 0.110, 0;
  return AtHome(options);
}

/// A delta without offsets, its legs at 90°, -30° and -150°.
inline auto PlainDelta(const DevicePreset& preset, const PresetRequest& request, double crank_m, double shin_m,
                       double base_m) {
  auto options = DeltaOptions(preset, request);
  StamperDelta<double>& delta = options.mechanism;
  delta.crank_m = crank_m;
  delta.shin_m = shin_m;
  delta.hinge_m = delta.platform_out_m = delta.platform_side_m = delta.base_side_m = 0;
  delta.base_out_m = base_m;
  delta.leg_angle_rad << 1.5707963267948966, -0.5235987755982988, -2.6179938779914944;
  return options;
}

inline auto OmegaOptions(const DevicePreset& preset, const PresetRequest& request) {
  auto options = PlainDelta(preset, request, 0.100, 0.165, 0.055);
  options.R_WD = YUp();
  options.p_WD_m << 0, 0.150, 0;
  return AtHome(options);
}

inline auto InverseOptions(const DevicePreset& preset, const PresetRequest& request) {
  auto options = PlainDelta(preset, request, 0.140, 0.200, 0.050);
  options.p_WD_m << 0, 0, -0.190;
  return AtHome(options);
}

inline auto PantographOptions(const DevicePreset& preset, const PresetRequest& request) {
  auto options = OptionsOf<FiveBar<double>>(preset, request);
  options.mechanism.elbow_mass_kg = preset.link_kg;
  options.mechanism.handle_mass_kg = preset.handle_kg;
  options.R_WD = YUp();
  options.p_WD_m << -0.010, 0, -0.085;
  return AtHome(options);
}

inline auto HapkitOptions(const DevicePreset& preset, const PresetRequest& request) {
  auto options = OptionsOf<Hapkit<double>>(preset, request);
  options.mechanism.mass_kg = preset.link_kg;
  options.R_WD << 0, 1, 0, 0, 0, 1, 1, 0, 0;  // the handle goes along W's z at θ = 0
  options.p_WD_m << -options.mechanism.handle_radius_m, 0, 0;
  return options;
}

inline LinkArm<double> WithMasses(LinkArm<double> arm, const DevicePreset& preset) {
  arm.upper_mass_kg = preset.link_kg;
  arm.fore_mass_kg = preset.fore_kg;
  arm.wrist_mass_kg = preset.handle_kg;
  return arm;
}

/// Its gimbal is not measured: nobody has published what a count of it is.
inline auto WoodenOptions(const DevicePreset& preset, const PresetRequest& request) {
  auto options = OptionsOf<LinkArm<double>>(preset, request);
  options.mechanism = WithMasses(WoodenHaptics<double>().arm, preset);
  return AtHome(options);
}

inline auto TouchOptions(const DevicePreset& preset, const PresetRequest& request) {
  auto options = OptionsOf<GimbalArm<double>>(preset, request);
  options.mechanism.arm = WithMasses(Touch<double>().arm, preset);
  options.mechanism.arm.upper_centre_m = 0.040;
  options.mechanism.arm.fore_centre_m = 0.060;
  options.R_WD = YUp();
  options.p_WD_m << 0, 0, -0.060;  // W's origin above the posture of zeros: there its forearm is at its lowest
  return AtHome(options);
}

/// `use`, called with the options of this preset's device: one line a mechanism.
template <class Use>
auto WithPresetOptions(const DevicePreset& preset, const PresetRequest& request, Use use) {
  const std::string_view name = preset.name;
  if (name == "omega3") return use(OmegaOptions(preset, request));
  if (name == "touch") return use(TouchOptions(preset, request));
  if (name == "inverse3") return use(InverseOptions(preset, request));
  if (name == "pantograph") return use(PantographOptions(preset, request));
  if (name == "hapkit") return use(HapkitOptions(preset, request));
  if (name == "woodenhaptics") return use(WoodenOptions(preset, request));
  return use(FalconOptions(preset, request));
}

}  // namespace tactus::hal
