#include "tactus/collide/shape.h"

#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "solids.h"

namespace tactus {
namespace {

using Vec3 = Vec<double, 3>;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string FaultOf(const Shape<double>& shape) {
  const ShapeFault fault = Validate(shape);
  return fault ? std::string(fault.field) + " " + fault.what : "none";
}

TEST(ShapeValidate, TakesEveryKind) {
  const Hull<double> hull = test::Prism<double>(6, 0.02, 0.01);
  for (const Shape<double>& shape : {HalfSpaceShape<double>(), SphereShape(0.01), CapsuleShape(0.01, 0.02),
                                     BoxShape(Vec3(0.01, 0.02, 0.03)), CylinderShape(0.01, 0.02), HullShape<double>()}) {
    EXPECT_FALSE(Validate(shape, &hull)) << static_cast<int>(shape.kind);
  }
}

TEST(ShapeValidate, NamesTheFirstOffendingField) {
  EXPECT_EQ(FaultOf(SphereShape(kNan)), "radius_m is not finite");
  EXPECT_EQ(FaultOf(SphereShape(0.0)), "radius_m is zero");
  EXPECT_EQ(FaultOf(SphereShape(-0.01)), "radius_m is negative");
  EXPECT_EQ(FaultOf(SphereShape(11.0)), "radius_m is above 10 m");
  EXPECT_EQ(FaultOf(SphereShape(1e-7)), "radius_m is too small for this precision (double 1 um, float 20 um)");
  EXPECT_EQ(FaultOf(CapsuleShape(0.01, kNan)), "half_m is not finite");
  EXPECT_EQ(FaultOf(CapsuleShape(0.01, -1.0)), "half_m is negative");
  EXPECT_EQ(FaultOf(BoxShape(Vec3(0.01, 0, 0.01))), "half_m is zero");
  EXPECT_EQ(FaultOf(BoxShape(Vec3(0.01, 0.01, 3e-4))), "radius_m is more than half of a half extent");
  EXPECT_EQ(FaultOf(CylinderShape(0.01, std::numeric_limits<double>::infinity())), "half_m is not finite");
  EXPECT_EQ(FaultOf({.kind = ShapeKind::kCylinder, .radius_m = 1e-4, .half_m = Vec3(0.01, 0.02, 0.01)}),
            "half_m x and y differ");
  EXPECT_EQ(FaultOf(HullShape<double>()), "hull has no polytope");
  EXPECT_EQ(FaultOf({.kind = static_cast<ShapeKind>(77)}), "kind is not a kind of shape");
}

TEST(ShapeValidate, RefusesRadiiThatOnlyDoubleResolves) {
  EXPECT_FALSE(Validate(SphereShape(1e-5)));
  EXPECT_TRUE(Validate(SphereShape(1e-5f)));
}

// A cube, from which each test breaks something.
struct Cube {
  std::vector<Vec3> vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  std::vector<std::uint8_t> counts = {4, 4, 4, 4, 4, 4};
  std::vector<std::uint8_t> corners = {0, 3, 2, 1, 4, 5, 6, 7, 0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7};

  std::string Fault() const {
    Hull<double> hull;
    const HullFault fault = MakeHull<double>(vertices, {counts, corners}, &hull);
    return fault ? std::string(fault.list) + (fault.index < 0 ? "" : " " + std::to_string(fault.index)) + " " + fault.what
                 : "none";
  }
};

TEST(MakeHull, LinksACube) {
  const Cube cube;
  Hull<double> hull;
  ASSERT_FALSE(MakeHull<double>(cube.vertices, {cube.counts, cube.corners}, &hull));
  EXPECT_EQ(hull.half_edge.size(), 24);
  for (int i = 0; i < 24; ++i) {
    EXPECT_EQ(hull.half_edge[hull.half_edge[i].next].origin, hull.half_edge[i ^ 1].origin);
    EXPECT_EQ(hull.half_edge[hull.Around(i)].origin, hull.half_edge[i].origin);
  }
  EXPECT_EQ(hull.normal[0], Vec3(0, 0, -1));
}

TEST(MakeHull, RefusesByName) {
  EXPECT_EQ(Cube().Fault(), "none");
  Cube nan;
  nan.vertices[3](1) = kNan;
  EXPECT_EQ(nan.Fault(), "vertices 3 is not finite");
  Cube far;
  far.vertices[6] = Vec3(20, 1, 1);
  EXPECT_EQ(far.Fault(), "vertices 6 is beyond 10 m");
  Cube few;
  few.vertices.resize(3);
  EXPECT_EQ(few.Fault(), "vertices are fewer than 4");
  Cube many;
  many.vertices.resize(65, Vec3::Zero());
  EXPECT_EQ(many.Fault(), "vertices are more than 64");
  Cube dust;
  for (Vec3& p : dust.vertices) p *= 1e-5;
  EXPECT_EQ(dust.Fault(), "vertices span less than 0.1 mm");
  Cube spare;
  spare.vertices.push_back(Vec3(0.5, 0.5, 0.5));
  EXPECT_EQ(spare.Fault(), "vertices 8 is in no face");
}

TEST(MakeHull, RefusesFacesThatAreNoBody) {
  Cube open;
  open.counts.pop_back();
  open.corners.resize(20);
  EXPECT_EQ(open.Fault(), "faces 0 has an edge without a neighbour");
  Cube turned;
  std::swap(turned.corners[1], turned.corners[3]);
  EXPECT_EQ(turned.Fault(), "faces 2 has an edge that another face has in the same sense");
  Cube inward;
  for (std::size_t f = 0; f < 6; ++f) std::swap(inward.corners[4 * f + 1], inward.corners[4 * f + 3]);
  EXPECT_EQ(inward.Fault(), "faces 0 is wound inward");
  Cube dented;
  dented.vertices[6] = Vec3(0.4, 0.4, 0.4);
  EXPECT_NE(dented.Fault(), "none");
  Cube flat;
  for (Vec3& p : flat.vertices) p(2) *= 1e-6;
  EXPECT_EQ(flat.Fault(), "faces 0 has all vertices in its plane: flat");
  Cube unknown;
  unknown.corners[5] = 8;
  EXPECT_EQ(unknown.Fault(), "faces 1 names a vertex that is not there");
  Cube edge;
  edge.counts[0] = 2;
  EXPECT_EQ(edge.Fault(), "faces 0 has fewer than 3 corners");
  Cube split;  // the bottom as two triangles
  split.counts = {3, 3, 4, 4, 4, 4, 4};
  split.corners.erase(split.corners.begin(), split.corners.begin() + 4);
  split.corners.insert(split.corners.begin(), {0, 3, 2, 0, 2, 1});
  EXPECT_EQ(split.Fault(), "faces 0 lies in one plane with its neighbour: make them one");
}

TEST(MakeHullOfPoints, FindsTheFacesOfPrismsAndBalls) {
  const Hull<double> prism = test::Prism<double>(8, 0.02, 0.01);
  EXPECT_EQ(prism.first_of_face.size(), 10);  // eight sides, two ends
  const Hull<double> ball = test::BallHull<double>(64, 0.02, 3);
  EXPECT_EQ(ball.first_of_face.size(), 124);  // triangles: Euler's 2 V - 4
  EXPECT_EQ(test::BallHull<float>(32, 0.02, 3).first_of_face.size(), 60);
}

TEST(MakeHullOfPoints, RefusesPointsInsideFlatAndTooRound) {
  Hull<double> hull;
  std::vector<Vec3> points = Cube().vertices;
  points.push_back(Vec3(0.5, 0.5, 0.5));
  EXPECT_STREQ(MakeHullOfPoints<double>(points, &hull).what, "is in no face");
  points.back() = Vec3(0.5, 0.5, 0);
  EXPECT_TRUE(MakeHullOfPoints<double>(points, &hull));
  points.resize(4);  // a square
  EXPECT_STREQ(MakeHullOfPoints<double>(points, &hull).what, "are flat, or fewer than 4");
  points.assign(64, Vec3(0, 0, 0));
  EXPECT_TRUE(MakeHullOfPoints<double>(points, &hull));
  points.clear();
  for (int i = 0; i < 34; ++i) points.push_back(Vec3(std::cos(i % 17 * 0.3696), std::sin(i % 17 * 0.3696), i / 17));
  EXPECT_STREQ(MakeHullOfPoints<double>(points, &hull).what, "has more than 16 corners: use a cylinder");
}

}  // namespace
}  // namespace tactus
