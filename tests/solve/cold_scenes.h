#pragma once
#include <cmath>
#include <cstdint>
#include <random>

#include <Eigen/Geometry>

#include "tactus/contact/contact_problem.h"

namespace tactus::test {

/// First touch of one body: what it meets, with as many contacts as wanted. No gap is negative, so that a solution exists
/// (theory 3.1).
enum class ColdScene : std::uint8_t {
  kPeg,     ///< rings around a peg, half of them touching, the others up to 0.1 mm away
  kShell,   ///< all over a ball, normals up to 50° off
  kPatch,   ///< random points of one face
  kCorner,  ///< random points of three faces
  kBox,     ///< the corners of a box on a floor between two walls, and points of its edges
};
inline constexpr ColdScene kColdScenes[] = {ColdScene::kPeg, ColdScene::kShell, ColdScene::kPatch, ColdScene::kCorner,
                                            ColdScene::kBox};

/// Draws the numbers of a ColdScene. The same on every machine but for std::exp, std::sin.
template <class Problem>
class ColdScenes {
 public:
  void Make(ColdScene kind, int contacts, std::uint64_t seed, Problem* problem) {
    random_.seed(seed * 1000003 + static_cast<std::uint64_t>(kind) * 7919 + static_cast<std::uint64_t>(contacts));
    *problem = {};
    AddBody(kind, problem);
    const double friction = Uniform(0.1, 1), far = Uniform(0, 1) < 0.5 ? 0 : LogUniform(1e-7, 1e-4);
    for (int i = 0; i < contacts; ++i) {
      Contact<Scalar, 6> contact;
      V3 point, normal;
      double gap = 0;
      Place(kind, contacts, i, far, &point, &normal, &gap);
      contact.id = i;
      contact.point_m = point.cast<Scalar>();
      contact.normal = normal.cast<Scalar>().normalized();
      contact.friction = static_cast<Scalar>(friction);
      contact.gap_m = static_cast<Scalar>(gap);
      (void)problem->contacts.push_back(contact);
    }
  }

 private:
  using Scalar = typename Problem::Scalar;
  using V3 = Vec<double, 3>;
  static constexpr double kSize_m = 0.02;

  double Uniform(double low, double high) { return low + (high - low) * static_cast<double>(random_() >> 11) * 0x1p-53; }
  double LogUniform(double low, double high) { return std::exp(Uniform(std::log(low), std::log(high))); }
  double Gaussian() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += Uniform(0, 1);
    return sum;
  }
  V3 Vector() {
    const double x = Gaussian(), y = Gaussian();
    return {x, y, Gaussian()};
  }
  V3 Direction() { return Vector().normalized(); }

  void AddBody(ColdScene kind, Problem* problem) {
    const double mass = LogUniform(0.05, 1), speed = LogUniform(1e-3, 1);
    const double second = Uniform(0.5, 1), third = Uniform(0.2, 1);
    const V3 x = Direction(), y = x.cross(Direction()).normalized();
    Mat<double, 3, 3> R;
    R << x, y, x.cross(y);
    const Mat<double, 3, 3> J = 0.4 * mass * kSize_m * kSize_m * R * V3(1, second, third).asDiagonal() * R.transpose();
    Body<Scalar, 6> body;
    body.mass_kg = static_cast<Scalar>(mass);
    body.inertia_kgm2 = (0.5 * (J + J.transpose())).template cast<Scalar>();
    V3 linear = speed * Vector();
    if (kind == ColdScene::kPatch || kind == ColdScene::kCorner) linear.z() -= 2 * speed;
    const V3 spin = speed / kSize_m * Vector(), force = mass * (V3(0, 0, -9.81) + 5 * Vector());
    const V3 torque = mass * kSize_m * Vector();
    body.velocity << linear.cast<Scalar>(), spin.cast<Scalar>();
    body.wrench << force.cast<Scalar>(), torque.cast<Scalar>();
    (void)problem->bodies.push_back(body);
  }

  void Place(ColdScene kind, int contacts, int i, double far, V3* point, V3* normal, double* gap) {
    const int face = i % 3;
    switch (kind) {
      case ColdScene::kPeg: {
        const int rings = contacts <= 8    ? 2
                          : contacts <= 16 ? 3
                                           : 4,
                  ring = i % rings, each = (contacts + rings - 1) / rings;
        const double angle = 2 * M_PI * (i / rings) / each + 0.05 * ring;
        const V3 outward(std::cos(angle), std::sin(angle), 0);
        *point = 0.01 * outward + V3(0, 0, 0.01 * ring - 0.02);
        *normal = -outward;
        *gap = Uniform(0, 1) < 0.5 ? 0 : far;
        break;
      }
      case ColdScene::kShell: {
        const V3 outward = Direction();
        *point = kSize_m * outward;
        *normal = -outward + 0.8 * Direction();
        *gap = Uniform(0, 1) < 0.7 ? 0 : Uniform(0, far);
        break;
      }
      case ColdScene::kPatch: {
        const double x = Uniform(-0.03, 0.03);
        *point = {x, Uniform(-0.03, 0.03), -kSize_m};
        *normal = V3::UnitZ();
        break;
      }
      case ColdScene::kCorner: {
        const double a = Uniform(-kSize_m, kSize_m), b = Uniform(-kSize_m, kSize_m);
        *point = face == 0 ? V3(a, b, -kSize_m) : face == 1 ? V3(-kSize_m, a, b) : V3(a, -kSize_m, b);
        *normal = V3::Unit(face == 0 ? 2 : face - 1);
        break;
      }
      case ColdScene::kBox: {
        const int k = i / 3;
        const double x = k & 1 ? 1 : -1, y = k & 2 ? 1 : -1, along = k < 4 ? 1 : Uniform(-1, 1), side = face == 1 ? 1 : -1;
        *point = face == 0 ? V3(kSize_m * x, 0.01 * y * along, -kSize_m) : V3(kSize_m * x * along, 0.01 * side, kSize_m * y);
        *normal = face == 0 ? V3(V3::UnitZ()) : V3(0, -side, 0);
        *gap = face == 0 ? 0 : far;
        break;
      }
    }
  }

  std::mt19937_64 random_;
};

}  // namespace tactus::test
