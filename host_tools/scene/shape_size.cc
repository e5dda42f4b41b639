// The ranges are collide/shape.h's: every length at least that of its smallest radius, at most 10 m to each side; an edge's
// rounding takes no more than a quarter of the edge. They are asked for here, so that an error can name them.
#include "host_tools/scene/shape_size.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "host_tools/scene/out_of_range.h"
#include "tactus/collide/shape.h"

namespace tactus::host {
namespace {

constexpr double kLeast_m = 2e-5;  // kMinRadius_m<float>
constexpr double kMost_m = 10;
static_assert(static_cast<float>(kLeast_m) == kMinRadius_m<float> && kMost_m <= double{kMaxExtent_m<float>});

void CheckRange(const TomlTable& table, const char* key, double x, double low, double high) {
  if (!(x >= low && x <= high)) table.Fail(key, OutOfRange(x, low, high));
}

/// At most a quarter of that width. @param[in] of  what has it
double Rounding(TomlTable* table, double width_m, const char* of = "an edge") {
  const double rounding_m = table->Number("rounding_m", kDefaultRounding_m<double>);
  if (!table->Has("rounding_m") && rounding_m > width_m / 4) {
    table->Fail("rounding_m", fmt::format("is {:g} where it is left out, too much for {} of {:g}: give at most {:g}",
                                          rounding_m, of, width_m, width_m / 4));
  }
  CheckRange(*table, "rounding_m", rounding_m, kLeast_m, width_m / 4);
  return rounding_m;
}

/// Of a hole's mouth; 0: none. Its face is wider than its edges' rounding takes of it, and there is wall below.
double Chamfer(TomlTable* table, double depth_m, double rim_m) {
  const double chamfer_m = table->Number("chamfer_m", 0);
  CheckRange(*table, "chamfer_m", chamfer_m, 0, kMost_m);
  if (chamfer_m == 0) return 0;
  const double tan22_5 = internal::kTan22_5<double>, least_m = (1 - tan22_5) * rim_m, most_m = depth_m - tan22_5 * rim_m;
  if (!(chamfer_m > least_m)) {
    table->Fail("chamfer_m", fmt::format("is {:g}: above {:g} its edges, of a rim_radius_m of {:g}, leave a face; 0 is none",
                                         chamfer_m, least_m, rim_m));
  }
  if (!(chamfer_m < most_m)) {
    table->Fail("chamfer_m",
                fmt::format("is {:g}: below {:g} there is wall under it, at a depth_m of {:g}", chamfer_m, most_m, depth_m));
  }
  return chamfer_m;
}

}  // namespace

double ReadWithin(TomlTable* table, const char* key, double low, double high) {
  if (!table->Has(key)) table->Fail(key, fmt::format("is missing; its range is {:g} to {:g}", low, high));
  const double x = table->Number(key, 0);
  CheckRange(*table, key, x, low, high);
  return x;
}

void ReadSize(TomlTable* table, SceneShape* shape) {
  switch (shape->kind) {
    case ShapeKind::kHalfSpace:
    case ShapeKind::kGrid: return;
    case ShapeKind::kSphere: shape->radius_m = ReadWithin(table, "radius_m", kLeast_m, kMost_m); return;
    case ShapeKind::kCapsule:
      shape->radius_m = ReadWithin(table, "radius_m", kLeast_m, kMost_m);
      shape->half_m = {0, 0, ReadWithin(table, "length_m", 2 * kLeast_m, 2 * kMost_m) / 2};
      return;
    case ShapeKind::kTorus: {
      const double radius_m = ReadWithin(table, "radius_m", 2 * kLeast_m, kMost_m);
      shape->half_m = {radius_m, radius_m, 0};
      shape->radius_m = ReadWithin(table, "tube_radius_m", kLeast_m, radius_m);
      if (!(shape->radius_m < radius_m))
        table->Fail("tube_radius_m", fmt::format("{:g} is the ring's radius: there is no hole", shape->radius_m));
      return;
    }
    case ShapeKind::kBox: {
      if (!table->Has("size_m")) table->Fail("size_m", "is missing: all three edges");
      const Vector3 size_m = table->Vector("size_m", {});
      for (const double edge_m : size_m) CheckRange(*table, "size_m", edge_m, 4 * kLeast_m, 2 * kMost_m);
      shape->half_m = {size_m[0] / 2, size_m[1] / 2, size_m[2] / 2};
      shape->radius_m = Rounding(table, *std::min_element(size_m.begin(), size_m.end()));
      return;
    }
    case ShapeKind::kCylinder: {
      const double radius_m = ReadWithin(table, "radius_m", 2 * kLeast_m, kMost_m);
      const double length_m = ReadWithin(table, "length_m", 4 * kLeast_m, 2 * kMost_m);
      shape->half_m = {radius_m, radius_m, length_m / 2};
      shape->radius_m = Rounding(table, std::min(2 * radius_m, length_m));
      return;
    }
    case ShapeKind::kCone: {
      const double radius_m = ReadWithin(table, "radius_m", 2 * kLeast_m, kMost_m);
      const double length_m = ReadWithin(table, "length_m", 4 * kLeast_m, 2 * kMost_m);
      shape->half_m = {radius_m, radius_m, length_m / 2};
      const double ball_m = 2 * internal::BallInCone_m(ConeShape(radius_m, length_m));
      if (!(ball_m >= 4 * kLeast_m)) {
        table->Fail("length_m",
                    fmt::format("is {:g} on a radius_m of {:g}: the largest ball inside is {:g} wide, and {:g} is the least",
                                length_m, radius_m, ball_m, 4 * kLeast_m));
      }
      shape->radius_m = Rounding(table, ball_m, "a largest ball inside");
      return;
    }
    case ShapeKind::kHole: {
      const double radius_m = ReadWithin(table, "radius_m", 2 * kLeast_m, kMost_m);
      const double depth_m = ReadWithin(table, "depth_m", 2 * kLeast_m, kMost_m);
      shape->radius_m = ReadWithin(table, "rim_radius_m", kLeast_m, depth_m);
      if (!(shape->radius_m < depth_m))
        table->Fail("rim_radius_m", fmt::format("{:g} is the depth: there is no wall", shape->radius_m));
      shape->half_m = {radius_m, radius_m + Chamfer(table, depth_m, shape->radius_m), depth_m};
      return;
    }
    case ShapeKind::kHull:
      shape->radius_m = table->Number("rounding_m", kDefaultRounding_m<double>);
      CheckRange(*table, "rounding_m", shape->radius_m, kLeast_m, 1);
      return;
  }
}

}  // namespace tactus::host
