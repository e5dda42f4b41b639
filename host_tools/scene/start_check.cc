#include "host_tools/scene/start_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>
#include <utility>

#include "host_tools/session/servo_config.h"
#include "tactus/haptic/config.h"
#include "tactus/haptic/workspace.h"
#include "tactus/scene/prepared_scene.h"
#include "tactus/scene/scene_contacts.h"
#include "tactus/scene/scene_joints.h"
#include "tactus/scene/scene_state.h"

namespace tactus::host {
namespace {

/// Moves that lead out of the workspace; a handle overshoots a little.
void LookAtHand(const std::vector<hal::HandMove>& moves, const char* whose, std::vector<std::string>* findings) {
  constexpr double kOvershoot_m = 0.005;
  const double radius_m = PegInHoleConfig().guard.workspace_radius_m;
  for (const hal::HandMove& move : moves) {
    const double far_m = std::hypot(move.p_m[0], move.p_m[1], move.p_m[2]) + std::abs(move.circle_m);
    if (far_m > radius_m - kOvershoot_m)
      findings->push_back(
          fmt::format("the {}'s \"{}\" goes {:.3g} m from the origin; at {:g} m the workspace ends, with a fault", whose,
                      move.name, far_m, radius_m));
  }
}

/// Joints of a tool that starts where they would not let it be. (Of other bodies LoadScene refuses them.)
void LookAtJoints(const PreparedScene<double>& scene, const SceneState<double>& state, std::vector<std::string>* findings) {
  constexpr double kSlight = 1e-3;  // m or rad: the hand is no rail
  for (int i = 0; i < scene.links.size(); ++i) {
    const auto& link = scene.links[i];
    const double at = internal::PoseOf<double, kServoScene>(scene, i, state).Coordinate();
    const bool is_below = link.has_low && at < link.low - kSlight, is_above = link.has_high && at > link.high + kSlight;
    if (!is_below && !is_above) continue;
    if (link.kind == JointKind::kRope && is_above) {
      findings->push_back(
          fmt::format("joints[{}], a rope of {:g} m, starts {:.3g} m long: the tool starts in the hand", i, link.high, at));
      continue;
    }
    const bool turns = internal::IsAngle(link.kind);
    const double unit = turns ? 180 / std::numbers::pi : 1;
    findings->push_back(
        fmt::format("joints[{}] starts at {:.3g} {}, beside its stops, {:.3g} to {:.3g}: the tool starts in "
                    "the hand",
                    i, at * unit, turns ? "degrees" : "m", link.low * unit, link.high * unit));
  }
}

/// From the surface of a convex shape to its middle; 0: it has none, or is not convex.
double HalfThickness_m(const Shape<double>& shape) {
  switch (shape.kind) {
    case ShapeKind::kSphere:
    case ShapeKind::kCapsule: return shape.radius_m;
    case ShapeKind::kBox: return shape.half_m.minCoeff();
    case ShapeKind::kCylinder:
    case ShapeKind::kCone: return std::min(shape.half_m(0), shape.half_m(2));
    default: return 0;
  }
}

/// Soft bodies that the hand's force goes through: behind the middle the nearest way out is the far side.
void LookAtSoftBodies(const SceneFile& file, const PreparedScene<double>& scene, std::vector<std::string>* findings) {
  const double most_N = PegInHoleConfig().limits.max_force_N;
  for (const auto& tool : scene.parts) {
    if (tool.body != kTool && (scene.hands == 1 || tool.body != kSecondTool)) continue;
    for (const auto& other : scene.parts) {
      const double K = scene.laws[scene.law_of[tool.material][other.material]].stiffness_N_per_m;
      const double half_m = HalfThickness_m(other.shape), through_N = K * (half_m + HalfThickness_m(tool.shape));
      if (other.body == tool.body || !(K > 0) || half_m == 0 || through_N >= most_N) continue;
      const std::string finding = fmt::format(
          "\"{}\" on \"{}\" yields with {:g} N/m: one point that carries {:.2g} N is past the middle of what is "
          "{:.3g} m thick, and comes out on the other side",
          file.materials[tool.material], file.materials[other.material], K, through_N, 2 * half_m);
      const bool is_new = std::find(findings->begin(), findings->end(), finding) == findings->end();
      if (is_new) findings->push_back(finding);
    }
  }
}

constexpr double kSlight_m = 2 * kPlacedInside_m;  // what lies on something may be in it by rounding

bool IsTool(const PreparedScene<double>& scene, int body) {
  return body == kTool || (scene.hands > 1 && body == kSecondTool);
}

/// What starts inside of what, by its deepest point; what rests on something soft is as deep as its weight takes it.
struct StartContacts {
  std::vector<StartOverlap> overlaps;
  bool has_no_way_out = false;  ///< too deep for a grid
};

StartContacts LookAtContacts(const PreparedScene<double>& scene, SceneState<double>* state) {
  constexpr double kPeriod_s = 1e-3;
  FixedVector<Contact<double, 6>, kServoScene.candidates> contacts;
  const SceneContacts<double> found = FindContacts(scene, kPeriod_s, 0.0, kPeriod_s, state, &contacts);
  std::map<std::pair<int, int>, double> deepest_m;
  for (const Contact<double, 6>& contact : contacts) {
    const bool rests = contact.compliance_mps_per_Ns > 0 && !IsTool(scene, contact.a) && !IsTool(scene, contact.b);
    if (rests) continue;
    double& depth_m = deepest_m[{contact.a, contact.b}];  // a path is of the world here
    depth_m = std::max(depth_m, -GapOf(scene, contact, kPeriod_s));
  }
  StartContacts start{.overlaps = {}, .has_no_way_out = found.deep > 0};
  for (const auto& [bodies, depth_m] : deepest_m) {
    if (depth_m > kSlight_m) start.overlaps.push_back({bodies.first, bodies.second, depth_m});
  }
  return start;
}

/// A scene as it starts; nullptr: it is none.
struct StartingScene {
  PreparedScene<double> scene;
  SceneState<double> state;
};
std::unique_ptr<StartingScene> Start(const Scene<>& of) {
  auto start = std::make_unique<StartingScene>();
  if (Prepare(of, &start->scene)) return nullptr;  // LoadScene refuses it
  start->scene.room = RoomOf(kServoScene);
  start->scene.room.contacts = kServoScene.candidates;  // all are looked at
  Restart(start->scene, &start->state);
  return start;
}

}  // namespace

std::vector<StartOverlap> OverlapsAtStart(const Scene<>& of) {
  const std::unique_ptr<StartingScene> start = Start(of);
  if (!start) return {};
  std::vector<StartOverlap> overlaps = LookAtContacts(start->scene, &start->state).overlaps;
  std::erase_if(overlaps, [&](const StartOverlap& overlap) {
    return IsTool(start->scene, overlap.a) || IsTool(start->scene, overlap.b) ||
           overlap.depth_m <= std::max(of.margin_m, kSlight_m);
  });
  return overlaps;
}

std::vector<std::string> LookAtStart(const SceneFile& file) {
  const std::unique_ptr<StartingScene> start = Start(file.scene);
  if (!start) return {};
  const PreparedScene<double>& scene = start->scene;
  SceneState<double>& state = start->state;
  const hal::HandTarget<double> hand = file.Hand().TargetAt(0);
  const WorkspaceConfig<double> map = file.workspace.value_or(WorkspaceConfig<double>());
  WorkspaceState<double> place;
  place.offset_m = map.offset_m;
  const HandleState<double> handle = ToScene(map, place, {.p_WH_m = hand.p_WS_m, .q_WH = hand.q_WS});
  state.bodies[kTool].p_WT_m = handle.p_WH_m;
  state.bodies[kTool].q_WT = handle.q_WH;
  if (const std::optional<hal::HandScript> hand_of_second = file.SecondHand()) {
    const hal::HandTarget<double> second = hand_of_second->TargetAt(0);
    state.bodies[kSecondTool].p_WT_m = second.p_WS_m;
    state.bodies[kSecondTool].q_WT = second.q_WS;
  }
  const StartContacts contacts = LookAtContacts(scene, &state);
  const auto name = [&](int body) {
    return body == kWorld ? std::string("the world") : "\"" + file.bodies[static_cast<std::size_t>(body)] + "\"";
  };
  std::vector<std::string> findings;
  LookAtHand(file.moves, "hand", &findings);
  LookAtHand(file.second_moves, "second hand", &findings);
  LookAtJoints(scene, state, &findings);
  LookAtSoftBodies(file, scene, &findings);
  if (file.moves.size() == 1 && file.moves[0].circle_m == 0 && file.gives_hand)
    findings.emplace_back("the hand stands still: it begins where its last move ends, and has only one");
  if (contacts.has_no_way_out)
    findings.emplace_back("a body starts so deep inside a grid that it has no way out: there is no force on it there");
  for (const auto& [a, b, depth_m] : contacts.overlaps) {
    const bool of_tool = IsTool(scene, a) || IsTool(scene, b);
    findings.push_back(fmt::format("{} starts {:.3g} m inside {}{}", name(a), depth_m, name(b),
                                   of_tool ? ": there is no force until the hand has drawn the tool out" : ""));
  }
  return findings;
}

}  // namespace tactus::host
