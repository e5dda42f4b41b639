#include "host_tools/scene/joint_keys.h"

#include <string_view>

#include "tactus/scene/validate.h"

namespace tactus::host {
namespace {

/// What one kind has alone.
struct OfOneKind {
  const char* key;
  JointKind kind;
  const char* what;
};
constexpr OfOneKind kOfOneKind[] = {
    {"pitch_m_per_rad", JointKind::kScrew, "is for a screw alone"},
    {"ratio", JointKind::kGear, "is for a gear alone"},
    {"axis_b", JointKind::kGear, "is for a gear alone"},
    {"length_m", JointKind::kRope, "is for a rope alone"},
    {"to_m", JointKind::kRope, "is for a rope alone: other joints are at at_m on both bodies"}};

/// Why a joint of this kind has no such stop and no such place of its spring; nullptr: it has.
const char* WhyNot(JointKind kind, std::string_view key) {
  if (kind == JointKind::kWeld) return "is not for a weld, which holds all: there is nothing to move";
  if (kind == JointKind::kBall && key != "high_deg")
    return "is not for a ball: its one stop is high_deg, of its swing, and its spring rests where it starts";
  if (kind == JointKind::kRope && key == "high_m") return "is not for a rope, whose upper limit is length_m";
  const bool is_angle = internal::IsAngle(kind);
  if (is_angle == key.ends_with("_deg")) return nullptr;
  return is_angle ? "is a length, and this joint turns: give it in degrees, as _deg"
                  : "is an angle, and this joint has a length: give it in metres, as _m";
}

void Need(const char* key, const char* why, TomlTable& joint) {
  if (!joint.Has(key)) joint.Fail(key, why);
}

}  // namespace

void CheckJointKeys(JointKind kind, TomlTable& joint) {
  for (const char* const key : {"low_deg", "high_deg", "rest_deg", "low_m", "high_m", "rest_m"}) {
    const char* const why_not = WhyNot(kind, key);
    if (why_not != nullptr && joint.Has(key)) joint.Fail(key, why_not);
  }
  for (const OfOneKind& of : kOfOneKind) {
    if (kind != of.kind && joint.Has(of.key)) joint.Fail(of.key, of.what);
  }
  if (kind == JointKind::kScrew)
    Need("pitch_m_per_rad", "is missing: a screw needs the way that a turn of 1 rad takes it", joint);
  if (kind == JointKind::kRope) {
    if (joint.Has("axis")) joint.Fail("axis", "is not for a rope, which pulls along itself");
    Need("to_m", "is missing: a rope needs the place of its end on b", joint);
    Need("length_m", "is missing: a rope needs its greatest length", joint);
  }
  for (const char* const key : {"rest_deg", "rest_m"}) {
    if (joint.Has(key) && !joint.Has("stiffness"))
      joint.Fail(key, "needs a stiffness: without one there is no spring that rests anywhere");
  }
}

}  // namespace tactus::host
