#pragma once
// Shapes and placements that the tests of collide share.
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tactus/collide/core_pair.h"
#include "tactus/collide/hull_of_points.h"

namespace tactus::test {

/// Draws of one test, from a seed of its own.
class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}

  double Uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  int Below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }

  Vec<double, 3> Direction() {
    std::normal_distribution<double> normal;
    const Vec<double, 3> v(normal(engine_), normal(engine_), normal(engine_));
    return v / v.norm();
  }

  /// Any rotation; one time in four a multiple of 45° about an axis, one in four by 1e-9 to 0.1 rad: parallel faces and
  /// edges.
  Mat<double, 3, 3> Rotation() {
    const int kind = Below(4);
    if (kind == 0) return RotationMatrix(ExpMap(Vec<double, 3>(Vec<double, 3>::Unit(Below(3)) * (M_PI / 4 * Below(8)))));
    const double angle = kind == 1 ? std::pow(10, Uniform(-9, -1)) : Uniform(0, M_PI);
    return RotationMatrix(ExpMap(Vec<double, 3>(Direction() * angle)));
  }

 private:
  std::mt19937 engine_;
};

/// A hull of so many random points on a sphere: all are corners.
template <class Scalar>
Hull<Scalar> BallHull(int points, double radius_m, unsigned seed) {
  Dice dice(seed);
  Hull<Scalar> hull;
  for (int attempt = 0; attempt < 1000; ++attempt) {  // a draw with two faces in one plane is refused, and drawn anew
    std::vector<Vec<Scalar, 3>> list;
    for (int i = 0; i < points; ++i) list.push_back((radius_m * dice.Direction()).template cast<Scalar>());
    if (!MakeHullOfPoints<Scalar>(list, &hull)) return hull;
  }
  ADD_FAILURE() << "no hull of " << points << " points";
  return hull;
}

/// An upright prism over a regular polygon.
template <class Scalar>
Hull<Scalar> Prism(int sides, double radius_m, double half_m) {
  std::vector<Vec<Scalar, 3>> list;
  for (int i = 0; i < 2 * sides; ++i) {
    const double angle = 2 * M_PI * (i % sides) / sides;
    list.push_back(Vec<double, 3>(radius_m * std::cos(angle), radius_m * std::sin(angle), i < sides ? -half_m : half_m)
                       .template cast<Scalar>());
  }
  Hull<Scalar> hull;
  const HullFault fault = MakeHullOfPoints<Scalar>(list, &hull);
  EXPECT_FALSE(fault) << fault.what;
  return hull;
}

/// A shape with its hull, if it has one.
template <class Scalar>
struct NamedShape {
  const char* name;
  Shape<Scalar> shape;
  const Hull<Scalar>* hull = nullptr;

  Solid<Scalar> At(const Vec<double, 3>& p_m, const Mat<double, 3, 3>& R) const {
    return Place<Scalar>(shape, p_m.template cast<Scalar>(), R.template cast<Scalar>(), hull);
  }
};

/// Separation of two cores along n (from B into A), counting every vertex: nothing of the library's search.
template <class Scalar>
long double SeparationByHand(const CorePair<Scalar>& pair, const Vec<long double, 3>& n) {
  long double least_a = 1e9L, most_b = -1e9L;
  for (int i = 0; i < pair.a.VertexCount(); ++i) {
    if (pair.a.HasVertex(i)) least_a = std::min(least_a, n.dot(pair.a.Vertex(i).template cast<long double>()));
  }
  const Mat<long double, 3, 3> R = pair.R_AB.template cast<long double>();
  const Vec<long double, 3> p = pair.p_AB_m.template cast<long double>();
  for (int i = 0; i < pair.b.VertexCount(); ++i) {
    if (!pair.b.HasVertex(i)) continue;
    const Vec<long double, 3> q = p + R * pair.b.Vertex(i).template cast<long double>();
    most_b = std::max(most_b, n.dot(q));
  }
  return least_a - most_b;
}

/// Two cores at a pose drawn in thirds: apart by up to 0.2 of the size, touching to 1e-9, overlapping by up to 0.05.
template <class Scalar>
CorePair<Scalar> DrawPair(const Core<Scalar>& a, const Core<Scalar>& b, double size_m, Dice* dice) {
  CorePair<Scalar> pair{.a = a, .b = b};
  pair.R_AB = dice->Rotation().cast<Scalar>();
  Vec<double, 3> n = dice->Direction();
  if (dice->Below(4) == 0) n = Vec<double, 3>::Unit(dice->Below(3));
  const double kind = dice->Below(3);
  const double target = kind == 0   ? dice->Uniform(0, 0.2)
                        : kind == 1 ? std::pow(10, dice->Uniform(-9, -3))
                                    : dice->Uniform(-0.05, 0);
  const double at_origin = static_cast<double>(SeparationByHand(pair, n.cast<long double>()));
  Vec<double, 3> p = n * (at_origin - target * size_m);
  if (dice->Below(3) == 0) {
    const Vec<double, 3> aside = dice->Direction() * dice->Uniform(0, 0.3 * size_m);
    p += aside - n * n.dot(aside);
  }
  pair.p_AB_m = p.cast<Scalar>();
  return pair;
}

}  // namespace tactus::test
