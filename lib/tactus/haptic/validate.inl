namespace tactus {

namespace internal {

/// Checks each field that it is shown, and keeps the first fault.
template <class Scalar>
class ConfigCheck {
 public:
  void operator()(const ConfigField& field, Scalar x) {
    Within(field, x);
    const bool not_tiny = x == Scalar(0) || Abs(x) >= Scalar(kLeastNumber);
    Require(not_tiny, field.name, "must be 0 or its magnitude at least", kLeastNumber);
  }
  template <int kRows>
  void operator()(const ConfigField& field, const Vec<Scalar, kRows>& x) {
    for (int i = 0; i < kRows; ++i) Within(field, x(i));
  }
  void operator()(const ConfigField& field, int x) { Within(field, x); }
  void operator()(const ConfigField&, bool) {}

  void Require(bool holds, const char* field, const char* what, double limit) {
    if (!holds && !fault_) fault_ = {.field = field, .what = what, .limit = limit};
  }
  const ConfigFault& fault() const { return fault_; }

 private:
  template <class Number>
  void Within(const ConfigField& field, Number x) {
    Require(x >= static_cast<Number>(field.lowest), field.name, "must be at least", field.lowest);
    Require(x <= static_cast<Number>(field.highest), field.name, "must be at most", field.highest);
  }

  ConfigFault fault_;
};

template <class Scalar>
void CheckShapes(const Config<Scalar>& config, ConfigCheck<Scalar>* check) {
  const Vec<Scalar, 3>& J = config.tool.inertia_kgm2;
  const Scalar largest = J.maxCoeff(), others = J.sum() - largest;
  const Scalar slack = Scalar(1e-6) * J.sum();  // rounding of a flat body's equality
  check->Require(largest <= others + slack, "tool_inertia_kgm2", "must not be above the sum of the other two, here",
                 static_cast<double>(others));
  const Scalar norm2 = config.scene.q_WS.squaredNorm();
  check->Require(Abs(norm2 - Scalar(1)) < Scalar(1e-3), "scene_q_WS", "must be a unit quaternion: of length", 1);
  check->Require(config.scene.rim_radius_m < config.scene.hole_depth_m, "scene_rim_radius_m",
                 "must be below the hole's depth", static_cast<double>(config.scene.hole_depth_m));
}

template <class Scalar>
void CheckFriction(const SceneConfig<Scalar>& scene, ConfigCheck<Scalar>* check) {
  (*check)(kStaticFrictionField, scene.static_friction);
  (*check)(kViscousFrictionField, scene.viscous_friction_Ns_per_m);
  check->Require(scene.static_friction == Scalar(0) || scene.static_friction >= scene.friction, kStaticFrictionField.name,
                 "must be 0 or, for a contact at rest holds no less, at least", static_cast<double>(scene.friction));
}

template <class Scalar>
void CheckDamping(const Config<Scalar>& config, ConfigCheck<Scalar>* check) {
  const CouplingConfig<Scalar>& coupling = config.coupling;
  const bool enabled = config.passivity.enabled;
  const char* const what = "must, for the passivity controller multiplies it, be at least";
  check->Require(!enabled || coupling.damping_Ns_per_m > Scalar(0), "coupling_damping_Ns_per_m", what, kLeastNumber);
  check->Require(!enabled || coupling.angular_damping_Nms_per_rad > Scalar(0), "coupling_angular_damping_Nms_per_rad", what,
                 kLeastNumber);
}

template <class Scalar>
void CheckStable(const Config<Scalar>& config, const DeviceLimits& device, ConfigCheck<Scalar>* check) {
  const auto require = [&](const StableStiffness* stable, Scalar K, Scalar B, const char* field) {
    if (stable == nullptr) return;
    const double highest = stable->At(static_cast<double>(B)), slack = 1 + 1e-6;  // rounding of the equality
    check->Require(static_cast<double>(K) <= highest * slack, field, "must, to be stable with its damping, be at most",
                   highest);
  };
  const CouplingConfig<Scalar>& coupling = config.coupling;
  require(device.stable, coupling.stiffness_N_per_m, coupling.damping_Ns_per_m, "coupling_stiffness_N_per_m");
  require(device.angular_stable, coupling.angular_stiffness_Nm_per_rad, coupling.angular_damping_Nms_per_rad,
          "coupling_angular_stiffness_Nm_per_rad");
}

/// A tool that is made lighter than the scene's springs let it be would swing faster than the loop follows.
template <class Scalar>
void CheckSprings(const Config<Scalar>& config, ConfigCheck<Scalar>* check) {
  if (!HasWorld(config)) return;
  const Scalar mass_kg = config.world->least_tool_mass_kg, moment_kgm2 = config.world->least_tool_moment_kgm2;
  const Scalar slack = Scalar(1) + Scalar(1e-6);  // rounding of the equality
  const char* const what = "must, for the springs of the scene at 1 kHz, be at least";
  check->Require(config.tool.mass_kg * slack >= mass_kg, "tool_mass_kg", what, static_cast<double>(mass_kg));
  check->Require(config.tool.inertia_kgm2.minCoeff() * slack >= moment_kgm2, "tool_inertia_kgm2", what,
                 static_cast<double>(moment_kgm2));
}

template <class Scalar>
void CheckFading(const Config<Scalar>& config, ConfigCheck<Scalar>* check) {
  const LimitConfig<Scalar>& limits = config.limits;
  const Scalar ramp_down_s = config.guard.ramp_down_s;
  const Scalar slack = Scalar(1) + Scalar(1e-6);  // rounding of the equality
  const char* const what = "must reach the maximum within guard_ramp_down_s: at least";
  check->Require(limits.max_force_rate_N_per_s * ramp_down_s * slack >= limits.max_force_N, "limits_max_force_rate_N_per_s",
                 what, static_cast<double>(limits.max_force_N / ramp_down_s));
  check->Require(limits.max_torque_rate_Nm_per_s * ramp_down_s * slack >= limits.max_torque_Nm,
                 "limits_max_torque_rate_Nm_per_s", what, static_cast<double>(limits.max_torque_Nm / ramp_down_s));
}

}  // namespace internal

template <class Scalar>
ConfigFault ValidateWorkspace(const WorkspaceConfig<Scalar>& workspace) noexcept {
  internal::ConfigCheck<Scalar> check;
  check(kScaleField, workspace.scale);
  check(kForceScaleField, workspace.force_scale);
  check(kWorkspaceOffsetField, workspace.offset_m);
  check(kAlignmentField, workspace.q_WD);
  const Scalar norm2 = workspace.q_WD.squaredNorm();
  check.Require(Abs(norm2 - Scalar(1)) < Scalar(1e-3), kAlignmentField.name, "must be a unit quaternion: of length", 1);
  check(kClutchButtonField, workspace.clutch_button);
  return check.fault();
}

template <class Scalar>
ConfigFault Validate(const Config<Scalar>& config, const DeviceLimits& device) noexcept {
  internal::ConfigCheck<Scalar> check;
  check(kPeriodField, config.period_s);
  ForEachField(device, config, check);
  internal::CheckShapes(config, &check);
  internal::CheckFriction(config.scene, &check);
  internal::CheckDamping(config, &check);
  internal::CheckStable(config, device, &check);
  internal::CheckSprings(config, &check);
  internal::CheckFading(config, &check);
  return check.fault();
}

}  // namespace tactus
