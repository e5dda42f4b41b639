#include "tests/support/hostile_ticks.h"

#include <memory>

#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"
#include "tactus/haptic/validate.h"

namespace tactus::test {

// As likely in one decade as in the next.
template <class Scalar>
Scalar HostileTicks<Scalar>::Decades(double low, int decades) {
  for (int i = random_.Integer(0, decades - 1); i > 0; --i) low *= 10;
  return Uniform(low, 10 * low);
}

template <class Scalar>
auto HostileTicks<Scalar>::Vector(Scalar size) -> Vec3 {
  const double s = static_cast<double>(size);
  return {Uniform(-s, s), Uniform(-s, s), Uniform(-s, s)};
}

template <class Scalar>
template <class... Choices>
Scalar HostileTicks<Scalar>::OneOf(Choices... choices) {
  const double all[] = {choices...};
  return static_cast<Scalar>(all[random_.Integer(0, sizeof...(choices) - 1)]);
}

template <class Scalar>
void HostileTicks<Scalar>::Prepare(State<Scalar>* state) {
  if (tick_++ % kEpisode_ticks == 0) Begin(state);
  if (state->fault != Fault::kNone) {  // on with it: a tick that only fades is no adversary
    ClearFault(state);
    (void)Arm(state);
  }
  MoveHand();
  PutTool(state);
}

template <class Scalar>
void HostileTicks<Scalar>::Begin(State<Scalar>* state) {
  hostility_ = static_cast<Hostility>(random_.Integer(0, kHostilityCount - 1));
  constexpr int kMostDraws = 20;  // ranges may be narrower one day
  for (int draw = 0; draw < kMostDraws; ++draw) {
    DrawConfig();
    if (!Validate(config_)) break;
    config_ = {};
  }
  config_.work = work_;
  DrawPose(&home_m_, &home_rad_);
  hand_m_ = home_m_;
  hand_rad_ = home_rad_;
  std::destroy_at(state);  // in place: a temporary would not fit on a board's stack
  std::construct_at(state);
  (void)Arm(state);
}

template <class Scalar>
void HostileTicks<Scalar>::DrawConfig() {
  config_ = {};
  config_.directions = random_.Chance(0.7) ? kServoCapacity.directions : random_.Integer(3, kServoCapacity.directions);
  config_.direction_offset_rad = Uniform(-3, 3);
  DrawTool();
  DrawScene();
  DrawHand();
}

template <class Scalar>
void HostileTicks<Scalar>::DrawTool() {
  ToolConfig<Scalar>& tool = config_.tool;
  const bool extreme = hostility_ == Hostility::kExtreme;
  tool.mass_kg = extreme ? Decades(1e-3, 4) : Decades(0.01, 2);
  const Scalar arm2_m2 = extreme ? Decades(1e-5, 4) : Decades(1e-5, 2);
  const Scalar flat = hostility_ == Hostility::kNeedle ? Decades(1e-5, 5) : Uniform(0.1, 1.9);
  constexpr Scalar kLeast_kgm2 = Scalar(1e-8);  // what a Config may have
  tool.inertia_kgm2 = (tool.mass_kg * arm2_m2 * Vec3(Scalar(1), Scalar(1), Min(flat, Scalar(1.9)))).cwiseMax(kLeast_kgm2);
  if (hostility_ == Hostility::kNeedle) {
    tool.radius_m = Decades(1e-4, 2);
    tool.length_m = Decades(1e-3, 2);
  }
}

template <class Scalar>
void HostileTicks<Scalar>::DrawScene() {
  SceneConfig<Scalar>& scene = config_.scene;
  const Scalar clearance_m = Decades(1e-7, 4);
  const bool tight = hostility_ == Hostility::kJam && random_.Chance(0.5);
  scene.hole_radius_m = config_.tool.radius_m + (tight ? -Min(clearance_m, config_.tool.radius_m / 2) : clearance_m);
  scene.hole_depth_m = Uniform(0.3, 1) * config_.tool.length_m;
  scene.rim_radius_m = Min(Decades(1e-5, 2), scene.hole_depth_m / 2);
  scene.friction = OneOf(0.0, 0.05, 0.25, 0.5, 1.0, 2.0);
  scene.max_push_out_mps = Decades(0.001, 2);
  scene.margin_m = hostility_ == Hostility::kFull ? Scalar(0.01) : Decades(1e-5, 3);
  if (random_.Chance(0.3)) scene.gravity_W_mps2 = Vector(Scalar(20));
  if (hostility_ == Hostility::kExtreme) {
    scene.friction = OneOf(1e-9, 2.0);
    scene.max_push_out_mps = OneOf(1e-4, 0.1);
  }
}

template <class Scalar>
void HostileTicks<Scalar>::DrawHand() {
  CouplingConfig<Scalar>& coupling = config_.coupling;
  const bool extreme = hostility_ == Hostility::kExtreme;
  coupling.stiffness_N_per_m = extreme ? Decades(1, 4) : Decades(100, 2);
  coupling.damping_Ns_per_m = extreme ? Decades(1e-3, 5) : Decades(0.1, 2);
  coupling.angular_stiffness_Nm_per_rad = extreme ? Decades(1e-3, 4) : Decades(0.01, 3);
  coupling.angular_damping_Nms_per_rad = extreme ? Decades(1e-6, 5) : Decades(1e-3, 2);
  config_.guard.max_speed_mps = OneOf(2.0, 5.0);
  config_.guard.max_speed_radps = OneOf(40.0, 100.0);
  pull_m_ = Vector(OneOf(1e-4, 2e-3, 0.02));
  turn_rad_ = Vector(OneOf(0.01, 0.1, 1.0));
}

// Where tools stick: in the hole, in its mouth, on the plate; a little askew, a little inside.
template <class Scalar>
void HostileTicks<Scalar>::DrawPose(Vec3* p_m, Vec3* rotation_rad) {
  const ToolConfig<Scalar>& tool = config_.tool;
  const Scalar half_m = tool.length_m / 2, depth_m = config_.scene.hole_depth_m;
  const Scalar slack_m = Abs(config_.scene.hole_radius_m - tool.radius_m), inside_m = OneOf(0.0, 1e-7, 1e-5, 1e-4);
  *p_m = Vector(slack_m + inside_m);
  *rotation_rad = Vector(slack_m / tool.length_m * OneOf(0.0, 1.0, 4.0));
  switch (random_.Integer(0, 3)) {
    case 0: (*p_m)(2) = half_m - depth_m - inside_m; return;       // on the floor of the hole
    case 1: (*p_m)(2) = half_m - Uniform(0, 1) * depth_m; return;  // half in
    case 2:
      *p_m = Vec3(tool.radius_m * Uniform(-2, 2), Scalar(0), half_m - inside_m);
      return;  // on the plate, over the mouth
    default:   // on its side
      (*p_m)(2) = tool.radius_m - inside_m;
      (*rotation_rad)(0) = Scalar(1.5707963) + Uniform(-0.01, 0.01);
  }
}

template <class Scalar>
void HostileTicks<Scalar>::PutTool(State<Scalar>* state) {
  const bool anew = hostility_ == Hostility::kGarbage || random_.Chance(0.05);
  if (!state->tool_placed || !(anew || state->placed_inside)) return;
  Vec3 rotation_rad;
  DrawPose(&state->tool.p_WT_m, &rotation_rad);
  state->tool.q_WT = ExpMap(rotation_rad);
  state->tool.twist_W.template head<3>() = Vector(OneOf(0.0, 0.01, 1.0));
  state->tool.twist_W.template tail<3>() = Vector(OneOf(0.0, 0.1, 30.0));
  state->placed_inside = false;
}

// As fast as the guard lets a hand be, to where it pulls.
template <class Scalar>
void HostileTicks<Scalar>::MoveHand() {
  const GuardConfig<Scalar>& guard = config_.guard;
  constexpr Scalar kNearly = Scalar(0.97);
  const Scalar most_m = kNearly * Min(guard.max_jump_m, guard.max_speed_mps * config_.period_s);
  const Scalar most_rad = kNearly * Min(guard.max_jump_rad, guard.max_speed_radps * config_.period_s);
  if (hostility_ == Hostility::kRough) {
    pull_m_ = Vector(Scalar(0.02));
    turn_rad_ = Vector(Scalar(1));
  } else if (random_.Chance(0.1)) {
    pull_m_ = Vector(OneOf(1e-4, 2e-3, 0.02));
  }
  const Scalar way = hostility_ == Hostility::kAlternating && tick_ % 2 == 0 ? Scalar(-1) : Scalar(1);
  const Vec3 step_m = home_m_ + way * pull_m_ - hand_m_, step_rad = home_rad_ + way * turn_rad_ - hand_rad_;
  hand_m_ += step_m * Min(Scalar(1), most_m / (Norm(step_m) + Scalar(1e-9)));
  hand_rad_ += step_rad * Min(Scalar(1), most_rad / (Norm(step_rad) + Scalar(1e-9)));
  const Quaternion<Scalar> q = ExpMap(hand_rad_);
  ++sample_.sequence;
  for (int i = 0; i < 3; ++i) sample_.p_WH_m[i] = static_cast<float>(hand_m_(i));
  for (int i = 0; i < 4; ++i) sample_.q_WH[i] = static_cast<float>(q(i));
}

template class HostileTicks<double>;
template class HostileTicks<float>;

}  // namespace tactus::test
