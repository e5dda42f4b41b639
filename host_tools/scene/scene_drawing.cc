#include "host_tools/scene/scene_drawing.h"
#include "host_tools/report/text_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

#include "tactus/collide/distance_grid.h"
#include "tactus/core/spatial.h"

namespace tactus::host {
namespace {

using Vec3 = Vec<double, 3>;
using Mat3 = Mat<double, 3, 3>;
struct Point {
  double x, y;
};

constexpr double kViewSize = 360, kGap = 30, kHead = 50;
constexpr const char* kBodyColours[] = {"#d95f02", "#1b9e77", "#7570b3", "#e7298a", "#66a61e"};
constexpr const char* kWorldColour = "#888888";

struct SurfacePoint {
  Vec3 place, normal;
};

/// A view: which axes go right and up.
struct View {
  const char* title;
  int right, up;
};
constexpr View kViews[] = {{"front (x, z)", 0, 2}, {"side (y, z)", 1, 2}, {"top (x, y)", 0, 1}};

Mat3 RotationOf(const Rotation& q) { return RotationMatrix(Normalized(Vec<double, 4>(q[0], q[1], q[2], q[3]))); }
Vec3 ToVec3(const Vector3& v) { return {v[0], v[1], v[2]}; }

/// Where a body, or a path's frame, is at the start.
std::pair<Vec3, Rotation> StartOf(const Scene<>& scene, int body) {
  if (IsPath(body)) return {ToVec3(scene.paths[PathOf(body)].p_WP_m), scene.paths[PathOf(body)].q_WP};
  return {ToVec3(scene.bodies[body].p_WB_m), scene.bodies[body].q_WB};
}

/// Where a shape's frame is at the start.
std::pair<Vec3, Mat3> PlaceOf(const Scene<>& scene, const SceneShape& shape) {
  const Vec3 p_BS = ToVec3(shape.p_BS_m);
  const Mat3 R_BS = RotationOf(shape.q_BS);
  if (shape.body == kWorld) return {p_BS, R_BS};
  const auto [p_WB, q_WB] = StartOf(scene, shape.body);
  return {p_WB + RotationOf(q_WB) * p_BS, RotationOf(q_WB) * R_BS};
}

Vec3 MiddleOf(const DistanceGrid& grid) {
  return grid.origin_m().cast<double>() +
         0.5 * kGridBlock * double{grid.spacing_m()} * Vec3(grid.blocks(0), grid.blocks(1), grid.blocks(2));
}

/// Points on the surface of a grid's body: where its samples are near it, drawn onto it along the gradient.
std::vector<SurfacePoint> SurfaceOf(const SceneGrid& of_scene) {
  constexpr int kSteps = 64;  // along each axis, at most
  std::vector<SurfacePoint> points;
  DistanceGrid grid;
  if (DistanceGrid::Open(of_scene.bytes, &grid) != nullptr) return points;  // LoadScene has refused it
  const Vec3 origin_m = grid.origin_m().cast<double>(), size_m = 2 * (MiddleOf(grid) - origin_m);
  const double step_m = std::max(size_m.maxCoeff() / kSteps, double{grid.spacing_m()});
  for (double z = 0; z < size_m(2); z += step_m) {
    for (double y = 0; y < size_m(1); y += step_m) {
      for (double x = 0; x < size_m(0); x += step_m) {
        const Vec3 at = origin_m + Vec3(x, y, z);
        double distance_m = 0;
        Vec3 gradient;
        if (!grid.Distance(at, &distance_m, &gradient) || std::abs(distance_m) > step_m || gradient.norm() < 0.5) continue;
        const Vec3 normal = gradient.normalized();
        points.push_back({at - distance_m * normal, normal});
      }
    }
  }
  return points;
}

std::vector<SurfacePoint> SurfaceOfTorus(const SceneShape& shape) {
  std::vector<SurfacePoint> points;
  constexpr int kAround = 96, kTube = 48;
  for (int i = 0; i < kAround * kTube; ++i) {
    const double around = 2 * std::numbers::pi * (i % kAround) / kAround,
                 tube = 2 * std::numbers::pi * (i / kAround) / kTube;
    const Vec3 out(std::cos(around), std::sin(around), 0);
    const Vec3 normal = std::cos(tube) * out + std::sin(tube) * Vec3::UnitZ();
    points.push_back({shape.half_m[0] * out + shape.radius_m * normal, normal});
  }
  return points;
}

/// The mouth of a hole in its half section, out and up: how it goes from the wall to the plate.
struct MouthPoint {
  double out_m, up_m;  ///< from where wall and plate would meet
  double angle_rad;    ///< of its normal: 0 to the axis, π/2 up
};

/// A fillet is an arc; a chamfer two, with a line between them.
MouthPoint MouthOf(const SceneShape& hole, double along) {
  const double rim = hole.radius_m, quarter = std::numbers::pi / 4;
  const bool has_chamfer = hole.half_m[1] > hole.half_m[0];
  const double corner = has_chamfer ? hole.half_m[1] - hole.half_m[0] + std::tan(quarter / 2) * rim : rim;
  const double first = std::min(3 * along, 1.0), second = std::max(3 * along - 2, 0.0);
  const double angle = has_chamfer ? quarter * (first + second) : 2 * quarter * along;
  const double face = (corner - rim) * std::clamp(3 * along - 1, 0.0, 1.0);
  return {rim + face - rim * std::cos(angle), -corner + face + rim * std::sin(angle), angle};
}

std::vector<SurfacePoint> SurfaceOfHole(const SceneShape& shape) {
  std::vector<SurfacePoint> points;
  constexpr int kAround = 96, kAlong = 24;
  const double radius = shape.half_m[0], depth = shape.half_m[2];
  const double below = -MouthOf(shape, 0).up_m, mouth = MouthOf(shape, 1).out_m;
  for (int i = 0; i < kAround * kAlong; ++i) {
    const double around = 2 * std::numbers::pi * (i % kAround) / kAround, along = double(i / kAround) / (kAlong - 1);
    const Vec3 out(std::cos(around), std::sin(around), 0), up = Vec3::UnitZ();
    const MouthPoint at = MouthOf(shape, along);
    points.push_back({radius * out - (below + along * (depth - below)) * up, -out});
    points.push_back({along * radius * out - depth * up, up});
    points.push_back({(radius + at.out_m) * out + at.up_m * up, std::sin(at.angle_rad) * up - std::cos(at.angle_rad) * out});
    points.push_back({(radius + mouth + along * radius) * out, up});
  }
  return points;
}

/// Of a shape that is not convex. In its own frame.
std::vector<SurfacePoint> CurvedSurface(const Scene<>& scene, const SceneShape& shape) {
  if (shape.kind == ShapeKind::kHole) return SurfaceOfHole(shape);
  return shape.kind == ShapeKind::kTorus ? SurfaceOfTorus(shape) : SurfaceOf(scene.grids[shape.hull]);
}

/// Points on a shape's surface, enough for its outline from any side.
std::vector<Vec3> Surface(const Scene<>& scene, const SceneShape& shape) {
  std::vector<Vec3> points;
  const auto ring = [&points](double radius_m, double z_m) {
    for (int i = 0; i < 32; ++i) {
      const double a = 2 * std::numbers::pi * i / 32;
      points.emplace_back(radius_m * std::cos(a), radius_m * std::sin(a), z_m);
    }
  };
  const double r = shape.radius_m, h = shape.half_m[2];
  switch (shape.kind) {
    case ShapeKind::kHalfSpace: break;
    case ShapeKind::kSphere:
    case ShapeKind::kCapsule:
      for (int i = -8; i <= 8; ++i) {
        const double a = std::numbers::pi / 16 * i;
        ring(r * std::cos(a), r * std::sin(a) + (i >= 0 ? h : -h));
      }
      ring(r, -h);
      break;
    case ShapeKind::kBox:
      for (int i = 0; i < 8; ++i)
        points.emplace_back((i & 1 ? 1 : -1) * shape.half_m[0], (i & 2 ? 1 : -1) * shape.half_m[1], (i & 4 ? 1 : -1) * h);
      break;
    case ShapeKind::kCylinder:
      ring(shape.half_m[0], h);
      ring(shape.half_m[0], -h);
      break;
    case ShapeKind::kCone:
      ring(shape.half_m[0], -h / 2);
      points.emplace_back(0, 0, 1.5 * h);
      break;
    case ShapeKind::kGrid:
    case ShapeKind::kHole:
    case ShapeKind::kTorus:
      for (const SurfacePoint& point : CurvedSurface(scene, shape)) points.push_back(point.place);
      break;
    case ShapeKind::kHull:
      for (const Vector3& p : scene.hulls[shape.hull].vertex_m) points.push_back(ToVec3(p));
      break;
  }
  const auto [p_WS, R_WS] = PlaceOf(scene, shape);
  for (Vec3& point : points) point = p_WS + R_WS * point;
  return points;
}

/// The corners of the convex hull, in their order (Andrew's chain).
std::vector<Point> Outline(std::vector<Point> points) {
  std::sort(points.begin(), points.end(), [](Point a, Point b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  std::vector<Point> chain;
  const auto turns_left = [&chain](Point c) {
    const Point a = chain[chain.size() - 2], b = chain.back();
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0;
  };
  for (int side = 0; side < 2; ++side) {
    const std::size_t start = chain.size();
    for (const Point point : points) {
      while (chain.size() >= start + 2 && !turns_left(point)) chain.pop_back();
      chain.push_back(point);
    }
    if (!chain.empty()) chain.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return chain;
}

/// Draws one file; the scale is the same in all views.
class Drawing {
 public:
  explicit Drawing(const SceneFile& file) : file_(file) {
    for (const SceneShape& shape : file.scene.shapes) surfaces_.push_back(Surface(file.scene, shape));
    ways_ = {file.Way(0.02), file.SecondWay(0.02)};
    for (const auto& surface : surfaces_) {
      for (const Vec3& p : surface) extent_m_ = std::max(extent_m_, p.cwiseAbs().maxCoeff());
    }
    for (const std::vector<Vec3>& way : ways_) {
      for (const Vec3& p : way) extent_m_ = std::max(extent_m_, p.cwiseAbs().maxCoeff());
    }
    extent_m_ *= 1.05;
  }

  std::string Svg() {
    const double width = 3 * kViewSize + 4 * kGap, height = kViewSize + kHead + 60;
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" font-family=\"sans-serif\" "
        "font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        "<text x=\"{:.0f}\" y=\"24\" font-size=\"17\">{}</text>\n",
        width, height, kGap, InXml(file_.title));
    for (int i = 0; i < 3; ++i) DrawView(kViews[i], kGap + i * (kViewSize + kGap));
    DrawScale(height - 16);
    return out_ + "</svg>\n";
  }

 private:
  Point Place(const View& view, double left, const Vec3& p) const {
    const double scale = kViewSize / (2 * extent_m_);
    return {left + kViewSize / 2 + scale * p(view.right), kHead + kViewSize / 2 - scale * p(view.up)};
  }
  void Polygon(const std::vector<Point>& points, const char* colour, double opacity) {
    out_ += "<polygon points=\"";
    for (const Point p : points) out_ += fmt::format("{:.1f},{:.1f} ", p.x, p.y);
    out_ += fmt::format("\" fill=\"{}\" fill-opacity=\"{}\" stroke=\"{}\"/>\n", colour, opacity, colour);
  }

  void DrawHand(const View& view, double left, const std::vector<Vec3>& way) {
    out_ += "<polyline fill=\"none\" stroke=\"#000\" stroke-dasharray=\"3 3\" points=\"";
    for (const Vec3& p : way) {
      const Point at = Place(view, left, p);
      out_ += fmt::format("{:.1f},{:.1f} ", at.x, at.y);
    }
    out_ += "\"/>\n";
  }

  void DrawView(const View& view, double left) {
    out_ += fmt::format(
        "<svg x=\"{0:.0f}\" y=\"{1:.0f}\" width=\"{2:.0f}\" height=\"{2:.0f}\" viewBox=\"{0:.0f} {1:.0f} {2:.0f} "
        "{2:.0f}\">\n",
        left, kHead, kViewSize);
    for (int i = 0; i < file_.scene.shapes.size(); ++i) DrawShape(view, left, i);
    for (const SceneJoint& joint : file_.scene.joints) DrawJoint(view, left, joint);
    for (const std::vector<Vec3>& way : ways_) {
      if (!way.empty()) DrawHand(view, left, way);
    }
    out_ += "</svg>\n";
    out_ += fmt::format(
        "<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\" fill=\"none\" stroke=\"#ccc\"/>\n"
        "<text x=\"{:.0f}\" y=\"{:.0f}\">{}</text>\n",
        left, kHead, kViewSize, kViewSize, left, kHead - 6, view.title);
  }

  void DrawShape(const View& view, double left, int number) {
    const SceneShape& shape = file_.scene.shapes[number];
    const char* const colour = shape.body < 0 ? kWorldColour : kBodyColours[static_cast<std::size_t>(shape.body) % 5];
    if (shape.kind == ShapeKind::kHalfSpace) return DrawHalfSpace(view, left, shape);
    if (shape.kind == ShapeKind::kGrid || shape.kind == ShapeKind::kTorus || shape.kind == ShapeKind::kHole)
      return DrawContour(view, left, shape);
    std::vector<Point> points;
    for (const Vec3& p : surfaces_[static_cast<std::size_t>(number)]) points.push_back(Place(view, left, p));
    Polygon(Outline(points), colour, shape.body == kWorld ? 0.25 : 0.5);
    if (IsPath(shape.body)) DrawWay(view, left, file_.scene.paths[PathOf(shape.body)]);
  }

  /// Dots where the view sees the surface edge on: dents and holes, which an outline would fill.
  void DrawContour(const View& view, double left, const SceneShape& shape) {
    constexpr double kEdgeOn = 0.12;  // of a normal: on a body as large as the view dots then close up to a line
    const auto [p_WS, R_WS] = PlaceOf(file_.scene, shape);
    const int away = 3 - view.right - view.up;
    std::set<std::pair<int, int>> dots;  // on a raster of 2: one on another shows nothing
    for (const SurfacePoint& point : CurvedSurface(file_.scene, shape)) {
      if (std::abs(R_WS.row(away).dot(point.normal)) > kEdgeOn) continue;
      const Point at = Place(view, left, p_WS + R_WS * point.place);
      dots.emplace(static_cast<int>(std::lround(at.x / 2)), static_cast<int>(std::lround(at.y / 2)));
    }
    out_ += fmt::format("<path stroke=\"{}\" stroke-width=\"2\" stroke-linecap=\"round\" d=\"", kWorldColour);
    for (const auto& [x, y] : dots) out_ += fmt::format("M{},{}h0", 2 * x, 2 * y);
    out_ += "\"/>\n";
  }

  /// From the start of a path to its far end.
  void DrawWay(const View& view, double left, const ScenePath& path) {
    const Vec3 start_m = ToVec3(path.p_WP_m);
    const Point from = Place(view, left, start_m), to = Place(view, left, start_m + ToVec3(path.way_m));
    out_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"2\"/>\n",
                        from.x, from.y, to.x, to.y, kWorldColour);
  }

  /// Its edge, where the view sees it edge on.
  void DrawHalfSpace(const View& view, double left, const SceneShape& shape) {
    const Vec3 n = RotationOf(shape.q_BS).col(2), p = ToVec3(shape.p_BS_m);
    const double nx = n(view.right), ny = n(view.up), norm2 = nx * nx + ny * ny;
    if (norm2 < 0.99) return;
    const double height = (nx * p(view.right) + ny * p(view.up)) / norm2, far = 3 * extent_m_;
    std::vector<Point> points;
    for (const auto& [along, below] : {std::pair{-far, 0.0}, {far, 0.0}, {far, -far}, {-far, -far}}) {
      Vec3 corner = Vec3::Zero();
      corner(view.right) = nx * (height + below) - ny * along;
      corner(view.up) = ny * (height + below) + nx * along;
      points.push_back(Place(view, left, corner));
    }
    Polygon(points, kWorldColour, 0.25);
  }

  void DrawJoint(const View& view, double left, const SceneJoint& joint) {
    Vec3 at = ToVec3(joint.p_BJ_m);
    if (joint.b != kWorld) {
      const SceneBody& body = file_.scene.bodies[joint.b];
      at = ToVec3(body.p_WB_m) + RotationOf(body.q_WB) * at;
    }
    const Point p = Place(view, left, at);
    out_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"white\" stroke=\"#000\" stroke-width=\"2\"/>\n",
                        p.x, p.y);
  }

  /// A length of 1, 2 or 5 times a power of ten, about a fifth of a view.
  void DrawScale(double y) {
    const double wanted_m = 2 * extent_m_ / 5, power = std::pow(10, std::floor(std::log10(wanted_m)));
    const double length_m = wanted_m / power >= 5 ? 5 * power : wanted_m / power >= 2 ? 2 * power : power;
    const double width = length_m * kViewSize / (2 * extent_m_);
    out_ += fmt::format(
        "<line x1=\"{0:.0f}\" y1=\"{1:.0f}\" x2=\"{2:.1f}\" y2=\"{1:.0f}\" stroke=\"#000\" stroke-width=\"3\"/>\n"
        "<text x=\"{3:.1f}\" y=\"{4:.0f}\">{5:g} mm; orange: the tool; grey: the world; dashed: the hand's way; rings: "
        "joints</text>\n",
        kGap, y, kGap + width, kGap + width + 10, y + 5, length_m * 1000);
  }

  const SceneFile& file_;
  std::vector<std::vector<Vec3>> surfaces_;
  std::array<std::vector<Vec3>, 2> ways_;  ///< of the hands
  double extent_m_ = 0.02;
  std::string out_;
};

}  // namespace

std::string DrawScene(const SceneFile& file) { return Drawing(file).Svg(); }

}  // namespace tactus::host
