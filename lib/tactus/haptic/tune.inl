namespace tactus {

namespace internal {

inline constexpr double kTuneRate_N_per_s = 20, kTuneRate_Nm_per_s = 0.4;    ///< of the force that a change makes
inline constexpr double kTuneShare = 0.05;                                   ///< of the larger value, in a period
inline constexpr double kReleaseRate_mps = 0.005, kReleaseRate_radps = 0.2;  ///< of the springs' offset
inline constexpr double kReleasePower_W = 0.005;                             ///< … while force is on it

/// `now`, moved towards `wanted` by at most 5 % of the larger one, and at most so that |change| · gain ≤ step. 5 % of itself
/// alone would never bring a number to zero.
template <class Scalar>
Scalar Slew(Scalar now, Scalar wanted, Scalar gain, Scalar step) {
  Scalar most = Max(Scalar(kTuneShare) * Max(Abs(now), Abs(wanted)), Scalar(kLeastNumber));
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

/// What Tune() looks at in a hand.
template <class Scalar>
struct Strain {
  Vec<Scalar, 6> strain_W;  ///< e - o at the coming sample
  Vec<Scalar, 6> slip_W;    ///< of the handle on the tool
};

template <class Scalar, Capacity kCapacity>
Strain<Scalar> StrainOf(const Config<Scalar>& config, const State<Scalar, kCapacity>& state) {
  return {ExpectedStrain(config, state), HandTwist(state) - AsHand(state.tool.twist_W, config, state)};
}

/// Of a second hand, which has no map and no clutch.
template <class Scalar>
Strain<Scalar> StrainOf(const Config<Scalar>& config, const HandMemory<Scalar>& second) {
  const HandleState<Scalar>& handle = second.handle.handle();
  const Vec<Scalar, 6> error_W = CouplingError(handle, second.tool) + config.period_s * handle.twist_W;
  return {error_W - second.rest_W, handle.twist_W - second.tool.twist_W};
}

/// Shares of the strain by which the springs' offset moves.
template <class Scalar>
struct RestShare {
  Scalar linear, angular;
};

/// A spring's stiffness one period on; up at constant force, with its rest moved.
/// @param[in] strain  |e - o|
/// @returns the share of the strain by which the rest is to move
template <class Scalar>
Scalar TuneSpring(Scalar wanted, Scalar strain, Scalar step, Scalar* stiffness) {
  const Scalar before = *stiffness;
  *stiffness = Slew(before, wanted, wanted > before ? Scalar(0) : strain, step);
  return *stiffness > before ? Scalar(1) - before / *stiffness : Scalar(0);
}

/// A spring and its damper.
template <class Scalar>
struct SpringDamper {
  Scalar stiffness, damping;
};

/// One period on: K down first, then B, then K up. So K is the lower one of both ends while B moves. Let S(B) be the largest
/// stable K, and S have one maximum: then S(B) ≥ min(S(B₀), S(B₁)) ≥ min(K₀, K₁) on the way, without knowing S.
/// @param[in] strain, slip  |e - o|, |v_H - v_T|
/// @returns as TuneSpring
template <class Scalar>
Scalar TunePair(const SpringDamper<Scalar>& wanted, Scalar strain, Scalar slip, Scalar step, SpringDamper<Scalar>* now) {
  const bool softens = wanted.stiffness < now->stiffness;
  if (softens || wanted.damping == now->damping) return TuneSpring(wanted.stiffness, strain, step, &now->stiffness);
  now->damping = Slew(now->damping, wanted.damping, slip, step);
  return Scalar(0);
}

/// The larger length of two vectors' upper or lower halves.
template <class Scalar>
Scalar LargerHead(const Vec<Scalar, 6>& a, const Vec<Scalar, 6>& b) {
  const Vec<Scalar, 3> of_a = a.template head<3>(), of_b = b.template head<3>();
  return Max(Norm(of_a), Norm(of_b));
}
template <class Scalar>
Scalar LargerTail(const Vec<Scalar, 6>& a, const Vec<Scalar, 6>& b) {
  const Vec<Scalar, 3> of_a = a.template tail<3>(), of_b = b.template tail<3>();
  return Max(Norm(of_a), Norm(of_b));
}

/// The coupling is both hands': the one that it would change more bounds the step.
/// @param[in] a, b  of the hands; where one is all, twice the same
template <class Scalar>
RestShare<Scalar> TuneCoupling(const CouplingConfig<Scalar>& wanted, const Strain<Scalar>& a, const Strain<Scalar>& b,
                               Scalar period_s, CouplingConfig<Scalar>* coupling) {
  const Scalar step_N = Scalar(kTuneRate_N_per_s) * period_s, step_Nm = Scalar(kTuneRate_Nm_per_s) * period_s;
  SpringDamper<Scalar> linear{coupling->stiffness_N_per_m, coupling->damping_Ns_per_m};
  SpringDamper<Scalar> angular{coupling->angular_stiffness_Nm_per_rad, coupling->angular_damping_Nms_per_rad};
  const RestShare<Scalar> share{
      TunePair({wanted.stiffness_N_per_m, wanted.damping_Ns_per_m}, LargerHead(a.strain_W, b.strain_W),
               LargerHead(a.slip_W, b.slip_W), step_N, &linear),
      TunePair({wanted.angular_stiffness_Nm_per_rad, wanted.angular_damping_Nms_per_rad}, LargerTail(a.strain_W, b.strain_W),
               LargerTail(a.slip_W, b.slip_W), step_Nm, &angular)};
  *coupling = {.stiffness_N_per_m = linear.stiffness,
               .damping_Ns_per_m = linear.damping,
               .angular_stiffness_Nm_per_rad = angular.stiffness,
               .angular_damping_Nms_per_rad = angular.damping};
  return share;
}

/// What a Tune does to a hand: the springs' offset moves, and the observer's book with it.
template <class Scalar>
void MoveSprings(const Vec<Scalar, 6>& strain_W, const RestShare<Scalar>& share, const Config<Scalar>& before,
                 const Config<Scalar>& after, HandMemory<Scalar>* hand) {
  const Vec<Scalar, 6> rest_before_W = hand->rest_W;
  const Scalar before_J = StoredEnergy(strain_W, hand->tool, before);
  hand->rest_W.template head<3>() += strain_W.template head<3>() * share.linear;
  hand->rest_W.template tail<3>() += strain_W.template tail<3>() * share.angular;
  const Vec<Scalar, 6> strain_after_W = strain_W + rest_before_W - hand->rest_W;
  hand->passivity.stored_J += StoredEnergy(strain_after_W, hand->tool, after) - before_J;
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
template <class Scalar>
void ReleaseRest(const Vec<Scalar, 6>& error_W, const Config<Scalar>& config, HandMemory<Scalar>* state) {
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
  const internal::Strain<Scalar> strain = internal::StrainOf(*config, *state);
  internal::Strain<Scalar> of_second = strain;
  const bool two_hands = HasSecondHand(*config);
  if constexpr (kServoScene.hands > 1) {
    if (two_hands) of_second = internal::StrainOf<Scalar>(*config, state->second);
  }
  const Config<Scalar> before = *config;
  const internal::RestShare<Scalar> share =
      internal::TuneCoupling(wanted.coupling, strain, of_second, config->period_s, &config->coupling);
  internal::TuneScene(wanted, config);
  internal::TuneLimits(wanted.limits, config->period_s, &config->limits);
  internal::MoveSprings<Scalar>(strain.strain_W, share, before, *config, state);
  if constexpr (kServoScene.hands > 1) {
    if (two_hands)
      internal::MoveSprings<Scalar>(of_second.strain_W, share, ConfigOfSecond(before), ConfigOfSecond(*config),
                                    &state->second);
  }
  return internal::IsTuned(wanted, TuneOf(*config)) ? Status::kOk : Status::kWouldBlock;
}

}  // namespace tactus
