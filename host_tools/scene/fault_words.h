#pragma once
#include <fmt/core.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <string_view>

#include "host_tools/scene/out_of_range.h"
#include "tactus/scene/spring_check.h"
#include "tactus/scene/validate.h"

namespace tactus::host {

/// What the library says of a scene, in the words, keys and units of the file.
class FaultWords {
 public:
  FaultWords(const Scene<>& scene, const SceneFault& fault)
      : scene_(scene),
        fault_(fault),
        list_(fault.list == nullptr ? "" : fault.list),
        field_(fault.field == nullptr ? "" : fault.field) {}

  /// The key of the file for the library's member.
  std::string Key() const {
    if (list_ == "shapes") return KeyOfShape();
    if (list_ == "joints") return KeyOfJoint();
    if (list_ == "grids" && field_ == "bytes") return "file";
    if (list_ == "hulls") return "corners";
    if (field_ == "p_WB_m" || field_ == "p_WP_m") return "position_m";
    if (field_ == "p_W_m") return "at_m";
    if (field_ == "turn_rad") return "turn_deg";
    if (field_ == "gravity_W_mps2") return "gravity_mps2";
    return std::string(field_);
  }

  std::string What() const {
    const std::string_view what = fault_.what;
    if (what == "is out of range") return RangeWords();
    if (list_ == "hulls") return HullWords();
    if (what == "is not finite") return fmt::format("{:g} is not finite", fault_.value);
    if (list_ == "laws" || list_ == "default_law") return LawWords();
    if (list_ == "joints") return JointWords();
    if (list_ == "fields" && field_ == "strength") return SpringWords();
    if (list_ == "paths") return PathWords();
    if (list_ == "shapes" && what.starts_with("has a radius beyond a grid's band")) return BandWords();
    if (list_ == "bodies" && field_ == "inertia_kgm2") return InertiaWords();
    if (field_ == "radius_m" && what.starts_with("is not below")) return fmt::format("{:g} {}", fault_.value, what);
    return fault_.what;
  }

 private:
  const SceneJoint& joint() const { return scene_.joints[fault_.index]; }
  const ContactLaw& law() const { return list_ == "laws" ? scene_.laws[fault_.index] : scene_.default_law; }
  bool Turns() const { return internal::IsAngle(joint().kind); }

  std::string KeyOfShape() const {
    const ShapeKind kind = scene_.shapes[fault_.index].kind;
    const bool rounded = kind == ShapeKind::kBox || kind == ShapeKind::kHull || IsRound(kind);
    if (kind == ShapeKind::kTorus && field_ == "radius_m") return "tube_radius_m";
    if (kind == ShapeKind::kTorus && field_ == "half_m") return "radius_m";
    if (kind == ShapeKind::kHole && field_ == "radius_m") return "rim_radius_m";
    if (kind == ShapeKind::kHole && field_ == "half_m") return "chamfer_m";  // the others are in their ranges
    if (field_ == "half_m") return kind == ShapeKind::kBox ? "size_m" : "length_m";
    if (field_ == "radius_m" && rounded) return "rounding_m";
    return field_ == "p_BS_m" ? "position_m" : std::string(field_);
  }

  std::string KeyOfJoint() const {
    if (field_ == "low" || field_ == "high" || field_ == "rest") return std::string(field_) + (Turns() ? "_deg" : "_m");
    if (field_ == "limited") return joint().low > -scene_limit::kMostAngle_rad ? "low_deg" : "high_deg";  // of a gear
    if (field_ == "p_BJ_m") return joint().kind == JointKind::kRope ? "to_m" : "at_m";
    return field_ == "p_AJ_m" ? "at_m" : std::string(field_);
  }

  std::string RangeWords() const {
    const bool is_angle = Key().ends_with("_deg");
    const double unit = is_angle ? 180 / std::numbers::pi : 1;
    const std::string range = OutOfRange(fault_.value * unit, fault_.low * unit, fault_.high * unit);
    const std::int16_t body = field_ == "p_AJ_m" ? joint().a : field_ == "p_BJ_m" ? joint().b : kWorld;
    return body < 0 ? range : range + ", seen from the middle of its body";
  }

  /// A file has corners, and its faces are made of them. A corner is told by its place in the list, from 0.
  std::string HullWords() const {
    const auto corner = static_cast<std::size_t>(fault_.value);
    if (field_ == "vertices" && std::string_view(fault_.what) == "is in no face")
      return fmt::format("corner {} is inside of the hull of the others, or on a face of it: leave it out", corner);
    if (field_ == "vertices" && fault_.value >= 0 && std::string_view(fault_.what).starts_with("is "))
      return fmt::format("corner {} {}", corner, fault_.what);
    if (field_ == "faces" && std::string_view(fault_.what) == "are fewer than 4")
      return "lie in one plane: a hull has a volume";
    return field_ == "vertices" ? fault_.what : fmt::format("make faces that {}", fault_.what);
  }

  std::string LawWords() const {
    const ContactLaw& l = law();
    if (field_ == "static_friction") return fmt::format("{:g} is below friction, {:g}", l.static_friction, l.friction);
    if (field_ != "wave_height_m") return fault_.what;
    if (l.wave_height_m > scene_.margin_m)
      return fmt::format("{:g} is above the scene's margin_m, {:g}", l.wave_height_m, scene_.margin_m);
    if (l.wave_length_m == 0) return "needs a wave_length_m, which is missing or 0";
    return fmt::format("{:g} is too steep for a wave_length_m of {:g}: at most {:.4g}", l.wave_height_m, l.wave_length_m,
                       scene_limit::kMostWaveSlope * l.wave_length_m / (2 * std::numbers::pi));
  }

  std::string JointWords() const {
    const double unit = Turns() ? 180 / std::numbers::pi : 1;
    if (field_ == "low" && joint().kind == JointKind::kRope)
      return fmt::format("{:g} is above length_m, {:g}", joint().low, joint().length_m);
    if (field_ == "low")
      return fmt::format("{:g} is above {}, {:g}", joint().low * unit, Turns() ? "high_deg" : "high_m", joint().high * unit);
    if (field_ == "length_m")
      return fmt::format("is {:g}; a rope's is above 0, at most {:g}", joint().length_m, scene_limit::kMostPlace_m);
    if ((field_ == "stiffness" || field_ == "damping") && std::string_view(fault_.what).ends_with("1 kHz"))
      return SpringWords();
    return fault_.what;
  }

  /// With the most that would do beside all others that hold the same bodies.
  std::string SpringWords() const {
    const double most = MostOfSpring();
    const std::string value = fmt::format("{:g} {}", fault_.value, fault_.what);
    return most > 1e-9 * fault_.value ? fmt::format("{}: at most {:.4g}", value, most)
                                      : value + ": what else holds them is too much already";
  }

  double MostOfSpring() const {
    const auto scene = std::make_unique<Scene<>>(scene_);
    double* const number = list_ == "fields"       ? &scene->fields[fault_.index].strength
                           : field_ == "stiffness" ? &scene->joints[fault_.index].stiffness
                                                   : &scene->joints[fault_.index].damping;
    double low = 0, high = fault_.value;
    for (int i = 0; i < 50; ++i) {
      *number = (low + high) / 2;
      (IsRefused(*scene) ? high : low) = *number;
    }
    return low;
  }
  bool IsRefused(const Scene<>& scene) const {
    const SceneFault fault = internal::SpringCheck<kServoScene>(scene).Run();
    return fault && std::string_view(fault.list) == list_ && fault.index == fault_.index && fault.field == field_;
  }

  /// In tenths of a millimetre, upwards: the scene is looked at in single precision too.
  std::string BandWords() const {
    const double needed_m = fault_.value + scene_.margin_m + scene_limit::kGridReach_m;
    return fmt::format("{:g}, with margin_m and 3 mm on it, is beyond a grid's band: bake the grid with --band {:g}mm",
                       fault_.value, std::ceil(1e4 * needed_m + 1e-3) / 10);
  }

  std::string PathWords() const {
    const ScenePath& path = scene_.paths[fault_.index];
    if (field_ == "way_m") {
      return fmt::format("is {:g} m long, too far for a period_s of {:g}: at most {:.4g} m, or it is faster than 1 m/s",
                         std::hypot(path.way_m[0], path.way_m[1], path.way_m[2]), path.period_s, fault_.value);
    }
    if (field_ != "turn_rad") return fault_.what;
    const double most_rad =
        path.period_s * (scene_limit::kMostPathSpin_radps - std::abs(path.spin_radps)) / std::numbers::pi;
    constexpr double kDegree_rad = std::numbers::pi / 180;
    return fmt::format(
        "{:g} is too much for a period_s of {:g} and a spin_radps of {:g}: at most {:.4g}, or it is faster than 20 rad/s",
        path.turn_rad / kDegree_rad, path.period_s, path.spin_radps, most_rad / kDegree_rad);
  }

  std::string InertiaWords() const {
    const Vector3& j = scene_.bodies[fault_.index].inertia_kgm2;
    return fmt::format("is no inertia: one moment, {:g}, is above the sum of the others, {:g}", fault_.value,
                       j[0] + j[1] + j[2] - fault_.value);
  }

  const Scene<>& scene_;
  const SceneFault& fault_;
  std::string_view list_, field_;
};

}  // namespace tactus::host
