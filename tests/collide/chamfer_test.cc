// A hole with a chamfer: distances by brute force over the core's surface, closed forms, refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <set>
#include <string>

#include "core_search.h"
#include "solids.h"
#include "touch.h"

namespace tactus {
namespace {

using test::Dice;
using Vec3 = Vec<double, 3>;
using Mat3 = Mat<double, 3, 3>;
constexpr double kHole_m = 0.01, kDepth_m = 0.02, kRim_m = 5e-4, kChamfer_m = 0.003;

int Placements() { return test::Placements(200); }

template <class Scalar>
Solid<Scalar> Hole(double chamfer_m = kChamfer_m, const Vec3& p_m = Vec3::Zero(), const Mat3& R = Mat3::Identity()) {
  return Place(ChamferedHoleShape(Scalar(kHole_m), Scalar(kDepth_m), Scalar(kRim_m), Scalar(chamfer_m)),
               Vec<Scalar, 3>(p_m.cast<Scalar>()), Mat<Scalar, 3, 3>(R.cast<Scalar>()));
}

struct Touch : test::Touch {
  explicit Touch(const Shape<double>& shape, const Vec3& p_m, const Mat3& R = Mat3::Identity(), double margin_m = 5e-4)
      : Touch(Place(shape, p_m, R), Hole<double>(), margin_m) {}
  Touch(const Solid<double>& a, const Solid<double>& b, double margin_m = 5e-4) : test::Touch(a, b, margin_m) {}
};

/// Signed distance from the plate, in the half section (ρ, z): a polygon of two corners, grown by the rounding, and the
/// floor. The corners are where the lines of wall, chamfer and plate cross, each moved in by the rounding.
double PlateDistance(const Vec3& p) {
  const double rho = std::hypot(p.x(), p.y()), z = p.z();
  const double wall = kHole_m + kRim_m, face = kHole_m + kChamfer_m + std::sqrt(2) * kRim_m;  // ρ = wall, ρ - z = face
  const double low = wall - face, high = face - kRim_m;                                       // their crossings
  const double to_wall = wall - rho, to_face = (face - rho + z) / std::sqrt(2), to_top = z + kRim_m;
  const double deepest = std::max({to_wall, to_face, to_top});
  double core = deepest;
  if (deepest > 0) {
    const double along = std::clamp(((rho - wall) + (z - low)) / 2, 0.0, high - wall);
    core = std::min({std::hypot(rho - wall, z - std::min(z, low)), std::hypot(rho - std::max(rho, high), z + kRim_m),
                     std::hypot(rho - wall - along, z - low - along)});
  }
  return rho < kHole_m ? std::min(core - kRim_m, z + kDepth_m) : core - kRim_m;
}

double Brute(const Solid<double>& solid) {
  return test::LeastOverCore(solid.shape, solid.p_WS_m, solid.R_WS, PlateDistance);
}

struct Case {
  const char* name;
  Shape<double> shape;
};
const Case kCases[] = {{"small ball", SphereShape(0.004)},          {"ball that fits", SphereShape(0.00998)},
                       {"wide ball", SphereShape(0.014)},           {"capsule", CapsuleShape(0.004, 0.012)},
                       {"peg", CylinderShape(0.00998, 0.03, 5e-4)}, {"thin peg", CylinderShape(0.007, 0.03)},
                       {"disk", CylinderShape(0.02, 0.004)},        {"cone", ConeShape(0.009, 0.04)},
                       {"blunt cone", ConeShape(0.02, 0.01)}};

/// A place above, at or in the mouth; half of them nearly upright, half beside the axis by the chamfer's width or less.
Solid<double> Draw(const Shape<double>& shape, Dice* dice) {
  const double aside_m = dice->Below(2) == 0 ? kChamfer_m : 0.02, tilt = std::pow(10, dice->Uniform(-5, -1));
  const Mat3 R = dice->Below(2) == 0 ? RotationMatrix(ExpMap(Vec3(tilt * dice->Direction()))) : dice->Rotation();
  const Vec3 p(dice->Uniform(-aside_m, aside_m), dice->Uniform(-aside_m, aside_m), dice->Uniform(-kDepth_m, 0.05));
  return Place(shape, p, R);
}

constexpr double kDeep_m = 5e-4;  ///< deeper than this counts as placed inside
/// As of a hole with a fillet (hole_test.cc): what a minimum between two samples is off by at most, and a valley seen by no
/// sample.
constexpr double kMissed_m = 1.2e-7, kUnseen_m = 1e-5, kUnseenShare = 1e-3;

class ChamferDistance : public testing::TestWithParam<int> {};

TEST_P(ChamferDistance, IsThatOfBruteForce) {
  const Case& one = kCases[GetParam()];
  Dice dice(31);
  int compared = 0, missed = 0, unseen = 0;
  double worst = 0;
  for (int i = 0; i < Placements(); ++i) {
    const Solid<double> solid = Draw(one.shape, &dice);
    const double core_m = Brute(solid), gap_m = core_m - one.shape.radius_m;
    if (core_m < 1e-5) continue;
    const Touch touch(solid, Hole<double>(), 2e-3);
    ASSERT_EQ(touch.report.status, Status::kOk);
    ++compared;
    if (gap_m > 2e-3 + 1e-7) {
      EXPECT_TRUE(touch.report.is_far) << i;
      continue;
    }
    if (gap_m < -kDeep_m) {  // placed inside: that it is, is said
      EXPECT_LT(touch.report.gap_m, 0) << i << " gap " << gap_m;
      continue;
    }
    const double off_m = touch.report.gap_m - gap_m;
    EXPECT_GT(off_m, -1e-7) << i << " gap " << gap_m;  // no contact is a ghost
    worst = std::max(worst, off_m);
    missed += off_m > 1e-8 ? 1 : 0;
    unseen += off_m >= kMissed_m ? 1 : 0;
    EXPECT_LT(off_m, kUnseen_m) << i;
  }
  EXPECT_LE(unseen, std::max(2.0, kUnseenShare * compared));
  std::printf("%s: %d compared, %d off by more than 1e-8, %d unseen, at most %.2g m\n", one.name, compared, missed, unseen,
              worst);
  EXPECT_GT(compared, Placements() / 50);
}
INSTANTIATE_TEST_SUITE_P(Shapes, ChamferDistance, testing::Range(0, static_cast<int>(std::size(kCases))));

// Source: definition, as of a hole with a fillet. Half a gap along the normal is a place of the other shape, half a gap
// against it one of the plate. Each contact has an id of its own.
TEST(Chamfer, ContactsAreBetweenPlacesOfBoth) {
  for (const Case& one : kCases) {
    Dice dice(32);
    for (int i = 0; i < 300; ++i) {
      const Solid<double> solid = Draw(one.shape, &dice);
      const double core_m = Brute(solid);
      if (core_m < 1e-5 || core_m - one.shape.radius_m < -kDeep_m) continue;
      const Touch touch(solid, Hole<double>(), 2e-3);
      EXPECT_EQ(static_cast<int>(touch.Ids().size()), touch.contacts.size()) << one.name;
      for (const ContactPoint<double>& contact : touch.contacts) {
        EXPECT_NEAR(contact.normal.norm(), 1, 1e-12);
        EXPECT_NEAR(contact.tangent.norm(), 1, 1e-12);
        EXPECT_NEAR(contact.tangent.dot(contact.normal), 0, 1e-12);
        EXPECT_LE(PlateDistance(contact.point_m - 0.5 * contact.gap_m * contact.normal), 1e-8) << one.name;
        const Vec3 on = solid.R_WS.transpose() * (contact.point_m + 0.5 * contact.gap_m * contact.normal - solid.p_WS_m);
        EXPECT_LE((internal::NearestOfCore(one.shape, on) - on).norm(), one.shape.radius_m + 1e-8) << one.name;
      }
    }
  }
}

}  // namespace
}  // namespace tactus
