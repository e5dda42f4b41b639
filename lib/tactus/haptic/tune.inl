namespace tactus {

namespace internal {

inline constexpr double kTuneRate_N_per_s = 20, kTuneRate_Nm_per_s = 0.4;    ///< of the force that a change makes
inline constexpr double kTuneShare = 0.05;                                   ///< of the larger value, in a period
inline constexpr double kReleaseRate_mps = 0.005, kReleaseRate_radps = 0.2;  ///< of the springs' offset
inline constexpr double kReleasePower_W = 0.005;                             ///< … while force is on it

/// `now`, moved towards `wanted` by at most 5 % of the larger one, and at most so that |change| · gain ≤ step.
template <class Scalar>
Scalar Slew(Scalar now, Scalar wanted, Scalar gain, Scalar step) {
  Scalar most = Scalar(kTuneShare) * Max(Abs(now), Abs(wanted));
  if (most * gain > step) most = step / gain;
  return now + Clamp(wanted - now, -most, most);
}

/// Twist of the virtual handle, as the hand has it: none while a clutch holds it.
template <class Scalar, Capacity kCapacity>
Vec<Scalar, 6> HandTwist(const State<Scalar, kCapacity>& state) {
  return state.workspace.clutch == ClutchPhase::kHeld ? state.workspace.held.twist_W : state.handle.handle().twist_W;
}

/// Error of the springs at the coming sample, if the handle goes on as it does; without their offset.
template <class Scalar, Capacity kCapacity>
Vec<Scalar, 6> ExpectedStrain(const Config<Scalar>& config, const State<Scalar, kCapacity>& state) {
  const HandleState<Scalar> handle = VirtualHandle(state.handle.handle(), config, state);
  return AsHand(CouplingError(handle, state.tool), config, state) + config.period_s * HandTwist(state) - state.rest_W;
}

/// A spring's stiffness one period on; up at constant force, with its rest moved.
/// @param[in]     strain  e - o
/// @param[in,out] rest    o
template <class Scalar>
void TuneSpring(Scalar wanted, const Vec<Scalar, 3>& strain, Scalar step, Scalar* stiffness, Vec<Scalar, 3>* rest) {
  const Scalar before = *stiffness;
  *stiffness = Slew(before, wanted, wanted > before ? Scalar(0) : Norm(strain), step);
  if (*stiffness > before) *rest += strain * (Scalar(1) - before / *stiffness);
}

template <class Scalar, Capacity kCapacity>
void TuneCoupling(const CouplingConfig<Scalar>& wanted, const Vec<Scalar, 6>& strain_W, Config<Scalar>* config,
                  State<Scalar, kCapacity>* state) {
  const Scalar period_s = config->period_s;
  CouplingConfig<Scalar>* const coupling = &config->coupling;
  const Scalar step_N = Scalar(kTuneRate_N_per_s) * period_s, step_Nm = Scalar(kTuneRate_Nm_per_s) * period_s;
  const Vec<Scalar, 6> slip_W = HandTwist(*state) - AsHand(state->tool.twist_W, *config, *state);
  const Vec<Scalar, 3> strain_m = strain_W.template head<3>(), strain_rad = strain_W.template tail<3>(),
                       slip_mps = slip_W.template head<3>(), slip_radps = slip_W.template tail<3>();
  Vec<Scalar, 3> rest_m = state->rest_W.template head<3>(), rest_rad = state->rest_W.template tail<3>();
  TuneSpring(wanted.stiffness_N_per_m, strain_m, step_N, &coupling->stiffness_N_per_m, &rest_m);
  TuneSpring(wanted.angular_stiffness_Nm_per_rad, strain_rad, step_Nm, &coupling->angular_stiffness_Nm_per_rad, &rest_rad);
  state->rest_W << rest_m, rest_rad;
  coupling->damping_Ns_per_m = Slew(coupling->damping_Ns_per_m, wanted.damping_Ns_per_m, Norm(slip_mps), step_N);
  coupling->angular_damping_Nms_per_rad =
      Slew(coupling->angular_damping_Nms_per_rad, wanted.angular_damping_Nms_per_rad, Norm(slip_radps), step_Nm);
}

template <class Scalar>
void TuneScene(const TuneConfig<Scalar>& wanted, Config<Scalar>* config) {
  const Scalar step_N = Scalar(kTuneRate_N_per_s) * config->period_s;
  ToolConfig<Scalar>* const tool = &config->tool;
  SceneConfig<Scalar>* const scene = &config->scene;
  scene->friction = Slew(scene->friction, wanted.friction, config->limits.max_force_N, step_N);
  const Scalar phi = config->workspace.force_scale;
  tool->mass_kg = Slew(tool->mass_kg, wanted.tool_mass_kg, phi * Norm(scene->gravity_W_mps2), step_N);
  // Along a straight line: a body's moments stay a body's moments.
  Vec<Scalar, 3> inertia_change_kgm2 = wanted.tool_inertia_kgm2 - tool->inertia_kgm2;
  (void)ClampNorm(Scalar(kTuneShare) * Max(Norm(tool->inertia_kgm2), Norm(wanted.tool_inertia_kgm2)), &inertia_change_kgm2);
  tool->inertia_kgm2 += inertia_change_kgm2;
  Vec<Scalar, 3> gravity_change_mps2 = wanted.gravity_W_mps2 - scene->gravity_W_mps2;
  (void)ClampNorm(step_N / (phi * tool->mass_kg), &gravity_change_mps2);
  scene->gravity_W_mps2 += gravity_change_mps2;
}

template <class Scalar>
void TuneLimits(const LimitConfig<Scalar>& wanted, Scalar period_s, LimitConfig<Scalar>* limits) {
  const Scalar force_N = limits->max_force_N + Scalar(kTuneRate_N_per_s) * period_s;
  const Scalar torque_Nm = limits->max_torque_Nm + Scalar(kTuneRate_Nm_per_s) * period_s;
  *limits = wanted;
  limits->max_force_N = Min(wanted.max_force_N, force_N);
  limits->max_torque_Nm = Min(wanted.max_torque_Nm, torque_Nm);
}

template <class Scalar>
bool IsTuned(const TuneConfig<Scalar>& a, const TuneConfig<Scalar>& b) {
  return a.coupling.stiffness_N_per_m == b.coupling.stiffness_N_per_m &&
         a.coupling.damping_Ns_per_m == b.coupling.damping_Ns_per_m &&
         a.coupling.angular_stiffness_Nm_per_rad == b.coupling.angular_stiffness_Nm_per_rad &&
         a.coupling.angular_damping_Nms_per_rad == b.coupling.angular_damping_Nms_per_rad && a.friction == b.friction &&
         a.tool_mass_kg == b.tool_mass_kg && a.tool_inertia_kgm2 == b.tool_inertia_kgm2 &&
         a.gravity_W_mps2 == b.gravity_W_mps2 && a.limits.max_force_N == b.limits.max_force_N &&
         a.limits.max_torque_Nm == b.limits.max_torque_Nm;
}

template <class Scalar>
void PutTune(const TuneConfig<Scalar>& tune, Config<Scalar>* config) {
  config->coupling = tune.coupling;
  config->scene.friction = tune.friction;
  config->tool.mass_kg = tune.tool_mass_kg;
  config->tool.inertia_kgm2 = tune.tool_inertia_kgm2;
  config->scene.gravity_W_mps2 = tune.gravity_W_mps2;
  config->limits = tune.limits;
}

/// A spring's offset, given back for one period.
template <class Scalar>
void ReleaseOffset(Scalar force, Scalar rate, Scalar period_s, Vec<Scalar, 3>* rest) {
  if (force * rate > Scalar(kReleasePower_W)) rate = Scalar(kReleasePower_W) / force;
  const Scalar length = Norm(*rest), step = rate * period_s;
  *rest = length > step ? Vec<Scalar, 3>(*rest * (Scalar(1) - step / length)) : Vec<Scalar, 3>(Vec<Scalar, 3>::Zero());
}

/// Gives the springs' offset back. @param[in] error_W  e of this sample
template <class Scalar, Capacity kCapacity>
void ReleaseRest(const Vec<Scalar, 6>& error_W, const Config<Scalar>& config, State<Scalar, kCapacity>* state) {
  if (state->rest_W.isZero(Scalar(0))) return;
  const Vec<Scalar, 6> strain_W = error_W - state->rest_W;
  const Vec<Scalar, 3> strain_m = strain_W.template head<3>(), strain_rad = strain_W.template tail<3>();
  Vec<Scalar, 3> rest_m = state->rest_W.template head<3>(), rest_rad = state->rest_W.template tail<3>();
  ReleaseOffset(config.coupling.stiffness_N_per_m * Norm(strain_m), Scalar(kReleaseRate_mps), config.period_s, &rest_m);
  ReleaseOffset(config.coupling.angular_stiffness_Nm_per_rad * Norm(strain_rad), Scalar(kReleaseRate_radps), config.period_s,
                &rest_rad);
  state->rest_W << rest_m, rest_rad;
  const Vec<Scalar, 6> after_W = error_W - state->rest_W;
  state->passivity.stored_J += StoredEnergy(after_W, state->tool, config) - StoredEnergy(strain_W, state->tool, config);
}

}  // namespace internal

template <class Scalar>
TuneConfig<Scalar> TuneOf(const Config<Scalar>& config) noexcept {
  return {.coupling = config.coupling,
          .friction = config.scene.friction,
          .tool_mass_kg = config.tool.mass_kg,
          .tool_inertia_kgm2 = config.tool.inertia_kgm2,
          .gravity_W_mps2 = config.scene.gravity_W_mps2,
          .limits = config.limits};
}

template <class Scalar>
ConfigFault ValidateTune(const TuneConfig<Scalar>& wanted, const Config<Scalar>& config,
                         const DeviceLimits& device) noexcept {
  Config<Scalar> candidate = config;
  internal::PutTune(wanted, &candidate);
  return Validate(candidate, device);
}

template <class Scalar, Capacity kCapacity>
Status Tune(const TuneConfig<Scalar>& wanted, Config<Scalar>* config, State<Scalar, kCapacity>* state) noexcept {
  const Vec<Scalar, 6> strain_W = internal::ExpectedStrain(*config, *state);
  const Vec<Scalar, 6> rest_before_W = state->rest_W;
  const Scalar before_J = StoredEnergy(strain_W, state->tool, *config);
  internal::TuneCoupling(wanted.coupling, strain_W, config, state);
  internal::TuneScene(wanted, config);
  internal::TuneLimits(wanted.limits, config->period_s, &config->limits);
  const Vec<Scalar, 6> strain_after_W = strain_W + rest_before_W - state->rest_W;
  state->passivity.stored_J += StoredEnergy(strain_after_W, state->tool, *config) - before_J;
  return internal::IsTuned(wanted, TuneOf(*config)) ? Status::kOk : Status::kWouldBlock;
}

}  // namespace tactus
