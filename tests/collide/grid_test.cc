#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tactus/collide/grid_contacts.h"
#include "tactus/collide/hull_of_points.h"
#include "tests/collide/made_grid.h"

namespace tactus {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A grid whose body is z ≤ 0 within its box: a linear function, which a cubic spline gives exactly, and whose coefficients
/// are its values. 5×5×5 blocks with 1 mm, the middle at the origin.
struct PlaneGrid {
  PlaneGrid() : bytes(1 << 17) {
    bytes.resize(MakeGrid(
        MadeGrid{}, [](double, double, double z) { return z; }, bytes));
    EXPECT_FALSE(bytes.empty());
  }
  void Seal() {  // after a change
    const std::uint32_t crc = Crc32(std::span(bytes).first(bytes.size() - 4));
    for (std::size_t i = 0; i < 4; ++i) bytes[bytes.size() - 4 + i] = static_cast<std::uint8_t>(crc >> 8 * i);
  }

  std::vector<std::uint8_t> bytes;
};

template <class Scalar>
class Grid : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(Grid, Scalars);

TYPED_TEST(Grid, GivesALinearDistanceExactly) {  // Source: closed form, d = z
  using Vec3 = Vec<TypeParam, 3>;
  const PlaneGrid plane;
  DistanceGrid grid;
  ASSERT_EQ(DistanceGrid::Open(plane.bytes, &grid), nullptr);
  std::mt19937 random(1);
  std::uniform_real_distribution<TypeParam> across(TypeParam(-0.015), TypeParam(0.015)),
      up(TypeParam(-2e-3), TypeParam(2e-3));
  for (int i = 0; i < 2000; ++i) {
    const Vec3 x{across(random), across(random), up(random)};
    TypeParam d = 0;
    Vec3 gradient;
    ASSERT_TRUE(grid.Distance(x, &d, &gradient));
    EXPECT_NEAR(static_cast<double>(d), static_cast<double>(x(2)), 1e-7);
    EXPECT_NEAR(static_cast<double>(Vec3(gradient - Vec3::UnitZ()).norm()), 0, sizeof(TypeParam) == 8 ? 1e-4 : 2e-4);
  }
}

TYPED_TEST(Grid, BoundsAreNeverAboveTheDistance) {
  using Vec3 = Vec<TypeParam, 3>;
  const PlaneGrid plane;
  DistanceGrid grid;
  ASSERT_EQ(DistanceGrid::Open(plane.bytes, &grid), nullptr);
  std::mt19937 random(2);
  std::uniform_real_distribution<TypeParam> across(TypeParam(-0.019), TypeParam(0.019));
  for (int i = 0; i < 5000; ++i) {
    const Vec3 x{across(random), across(random), across(random)};
    EXPECT_LE(static_cast<double>(grid.CoarseBound_m(x)), static_cast<double>(x(2)) + 1e-6);
    EXPECT_LE(static_cast<double>(grid.FineBound_m(x)), static_cast<double>(x(2)) + 1e-6);
    if (Abs(x(2)) > TypeParam(1e-3)) {
      EXPECT_EQ(grid.IsInside(x), x(2) < 0);
    }
  }
  // Outside of the box: the body is in the box, so 100 mm at least, and no more than the truth.
  const double above_m = static_cast<double>(grid.CoarseBound_m(Vec3(0, 0, TypeParam(0.12))));
  EXPECT_GE(above_m, 0.1 - 1e-6);
  EXPECT_LE(above_m, 0.12);
}

TEST(DistanceGridBytes, AnyCutAndAnyWrongByteIsRefused) {
  const PlaneGrid plane;
  DistanceGrid grid;
  const std::span<const std::uint8_t> all(plane.bytes);
  for (std::size_t n = 0; n < all.size(); n += n < 600 ? 1 : 997)
    EXPECT_NE(DistanceGrid::Open(all.first(n), &grid), nullptr) << n;
  for (std::size_t n = 0; n < all.size(); n += n < 600 ? 1 : 997) {
    std::vector<std::uint8_t> wrong = plane.bytes;
    wrong[n] ^= 0x10;
    EXPECT_NE(DistanceGrid::Open(wrong, &grid), nullptr) << n;
  }
  EXPECT_TRUE(grid.empty());
}

// With a right CRC: what a hostile sender can make.
TEST(DistanceGridBytes, AHeaderThatLiesIsRefusedByName) {
  const auto refusal = [](std::size_t at, std::vector<std::uint8_t> value) {
    PlaneGrid plane;
    std::copy(value.begin(), value.end(), plane.bytes.begin() + static_cast<std::ptrdiff_t>(at));
    plane.Seal();
    DistanceGrid grid;
    const char* const wrong = DistanceGrid::Open(plane.bytes, &grid);
    return std::string(wrong == nullptr ? "" : wrong);
  };
  EXPECT_EQ(refusal(0, {0}), "is not a distance grid");
  EXPECT_EQ(refusal(4, {2}), "is a distance grid of another version");
  EXPECT_EQ(refusal(6, {24}), "has another size than its header says");
  EXPECT_EQ(refusal(8, {0, 0}), "has no or too many blocks along an axis");
  EXPECT_EQ(refusal(8, {0xFF, 0xFF}), "has no or too many blocks along an axis");
  EXPECT_EQ(refusal(16, {0, 0, 0xC0, 0x7F}), "has its origin farther than 100 m");
  EXPECT_EQ(refusal(28, {0, 0, 0, 0}), "has a spacing out of 1 um to 1 m");
  EXPECT_EQ(refusal(36, {0, 0, 0xC0, 0x7F}), "has a length out of 0 to 10 m");
  EXPECT_EQ(refusal(48 + 2 * 60, {0, 1}), "refers to a block that it does not have");
}

TEST(SamplePoints, LieOnTheCoreAndAreNoFartherApart) {
  const Mat<double, 3, 3> I = Mat<double, 3, 3>::Identity();
  const Vec<double, 3> zero = Vec<double, 3>::Zero();
  SampleCloud<double> box;
  ASSERT_EQ(AddSamplePoints(BoxShape<double>({0.01, 0.01, 0.01}, 1e-3), nullptr, 4.6e-3, zero, I, &box), Status::kOk);
  EXPECT_EQ(box.points.size(), 98);  // 5³ points of a lattice, without 3³ inside
  for (const SamplePoint<double>& point : box.points) {
    EXPECT_NEAR(internal::LargestPart(point.p_B_m), 0.009, 1e-15);
    EXPECT_EQ(point.radius_m, 1e-3);
  }
  SampleCloud<double> ball;
  ASSERT_EQ(AddSamplePoints(SphereShape<double>(0.01), nullptr, 1e-3, zero, I, &ball), Status::kOk);
  EXPECT_EQ(ball.points.size(), 1);
  SampleCloud<double> capsule;
  ASSERT_EQ(AddSamplePoints(CapsuleShape<double>(0.005, 0.01), nullptr, 4e-3, {0.1, 0, 0}, I, &capsule), Status::kOk);
  EXPECT_EQ(capsule.points.size(), 6);
  EXPECT_NEAR(capsule.points[0].p_B_m(2), 0.01, 1e-15);
  EXPECT_NEAR(capsule.points[5].p_B_m(2), -0.01, 1e-15);
  EXPECT_EQ(capsule.points[3].p_B_m(0), 0.1);
  SampleCloud<double> cylinder;
  ASSERT_EQ(AddSamplePoints(CylinderShape<double>(0.005, 0.01), nullptr, 4e-3, zero, I, &cylinder), Status::kOk);
  for (const SamplePoint<double>& point : cylinder.points) {
    const double rho = std::hypot(point.p_B_m(0), point.p_B_m(1)), core = 0.005 - 2e-4;
    EXPECT_LE(rho, core * (1 + 1e-12));
    const bool on_side = std::abs(rho - core) < 1e-12, on_end = std::abs(std::abs(point.p_B_m(2)) - (0.01 - 2e-4)) < 1e-12;
    EXPECT_TRUE(on_side || on_end);
  }
}

TEST(SamplePoints, AHullHasItsCornersEdgesAndFaces) {
  Hull<double> hull;
  const Vec<double, 3> corners[] = {{0, 0, 0}, {0.03, 0, 0}, {0, 0.03, 0}, {0, 0, 0.03}};
  ASSERT_FALSE(MakeHullOfPoints(std::span<const Vec<double, 3>>(corners), &hull));
  SampleCloud<double> cloud;
  const Mat<double, 3, 3> I = Mat<double, 3, 3>::Identity();
  ASSERT_EQ(AddSamplePoints(HullShape<double>(1e-3), &hull, 5e-3, Vec<double, 3>(Vec<double, 3>::Zero()), I, &cloud),
            Status::kOk);
  // Every place on the surface has a point within the spacing: judged at 2 000 random places of the four faces.
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int n = 0; n < 2000; ++n) {
    const double s = std::sqrt(unit(random)), r = unit(random);
    const Vec<double, 3>&a = corners[n % 4], &b = corners[(n + 1) % 4], &c = corners[(n + 2) % 4];
    const Vec<double, 3> x = a + s * (1 - r) * (b - a) + s * r * (c - a);
    double nearest = 1;
    for (const SamplePoint<double>& point : cloud.points) nearest = std::min(nearest, (point.p_B_m - x).norm());
    EXPECT_LE(nearest, 5e-3);
  }
  for (int i = 0; i < cloud.points.size(); ++i) {  // none twice
    for (int j = 0; j < i; ++j) EXPECT_GT((cloud.points[i].p_B_m - cloud.points[j].p_B_m).norm(), 1e-6) << i << ' ' << j;
  }
}

TEST(SamplePoints, TooManyAreRefused) {
  SampleCloud<double> cloud;
  const Mat<double, 3, 3> I = Mat<double, 3, 3>::Identity();
  const Vec<double, 3> zero = Vec<double, 3>::Zero();
  EXPECT_EQ(AddSamplePoints(BoxShape<double>({0.1, 0.1, 0.1}), nullptr, 1e-3, zero, I, &cloud), Status::kOutOfRange);
  EXPECT_EQ(AddSamplePoints(SphereShape<double>(0.1), nullptr, kNan, zero, I, &cloud), Status::kOutOfRange);
  EXPECT_EQ(AddSamplePoints(HalfSpaceShape<double>(), nullptr, 1e-3, zero, I, &cloud), Status::kOutOfRange);
}

/// A box of 20 mm as points on the plane's grid.
struct BoxOnPlane {
  PlaneGrid plane;
  DistanceGrid grid;
  SampleCloud<double> cloud;
  PairContacts<double> contacts;
  Mat<double, 3, 3> I = Mat<double, 3, 3>::Identity();

  BoxOnPlane() {
    EXPECT_EQ(DistanceGrid::Open(plane.bytes, &grid), nullptr);
    EXPECT_EQ(AddSamplePoints(BoxShape<double>({0.01, 0.01, 0.01}, 1e-3), nullptr, 3.7e-3,
                              Vec<double, 3>(Vec<double, 3>::Zero()), I, &cloud),
              Status::kOk);
    MakeClusters(&cloud);
  }
  GridReport<double> At(const Vec<double, 3>& p_WB_m, double margin_m = 5e-4) {
    std::vector<std::int32_t> last;
    for (const ContactPoint<double>& contact : contacts) last.push_back(contact.id);
    return CollideGrid(cloud, p_WB_m, I, grid, Vec<double, 3>(0, 0, 0), I, margin_m, last, &contacts);
  }
};

TEST(CollideGrid, ABoxStandsOnItsFace) {  // Source: closed form, a box with its bottom 0.1 mm above the plane
  BoxOnPlane scene;
  const GridReport<double> report = scene.At({0, 0, 0.0101});
  EXPECT_EQ(report.status, Status::kOk);
  EXPECT_FALSE(report.is_far);
  EXPECT_NEAR(report.gap_m, 1e-4, 2e-7);
  EXPECT_EQ(report.near, 36);  // the face's lattice of 6 × 6
  ASSERT_EQ(scene.contacts.size(), kMaxPairContacts);
  EXPECT_EQ(report.dropped, 36 - kMaxPairContacts);
  double low[2] = {1, 1}, high[2] = {-1, -1};
  for (const ContactPoint<double>& contact : scene.contacts) {
    EXPECT_NEAR(contact.gap_m, 1e-4, 2e-7);
    EXPECT_NEAR((contact.normal - Vec<double, 3>::UnitZ()).norm(), 0, 1e-4);
    EXPECT_NEAR(contact.point_m(2), 0.5e-4, 1e-6);
    for (int i = 0; i < 2; ++i) {
      low[i] = std::min(low[i], contact.point_m(i));
      high[i] = std::max(high[i], contact.point_m(i));
    }
  }
  for (int i = 0; i < 2; ++i) {  // the corners are among them: the wrench space is kept
    EXPECT_NEAR(low[i], -0.009, 1e-6);
    EXPECT_NEAR(high[i], 0.009, 1e-6);
  }
}

TEST(CollideGrid, MissesNoPointWithinTheMargin) {  // Source: every point asked by itself
  BoxOnPlane scene;
  std::mt19937 random(4);
  std::normal_distribution<double> normal(0, 1);
  for (int n = 0; n < 300; ++n) {
    Vec<double, 4> q(normal(random), normal(random), normal(random), normal(random));
    q /= q.norm();
    const Mat<double, 3, 3> R = RotationMatrix(q);
    double least = 1;
    for (const auto& point : scene.cloud.points)
      least = std::min(least, Vec<double, 3>(R * point.p_B_m)(2) - point.radius_m);
    const double gap = 4e-4 * normal(random);
    const GridReport<double> report = CollideGrid(scene.cloud, Vec<double, 3>(0, 0, gap - least), R, scene.grid,
                                                  Vec<double, 3>(0, 0, 0), scene.I, 1e-3, {}, &scene.contacts);
    if (gap > 1e-3) {
      EXPECT_TRUE(report.is_far);
    } else {
      ASSERT_FALSE(report.is_far);
      EXPECT_NEAR(report.gap_m, gap, 3e-7);
    }
  }
}

TEST(CollideGrid, FarAndDeepAreSaid) {
  BoxOnPlane scene;
  EXPECT_TRUE(scene.At({0, 0, 0.05}).is_far);
  EXPECT_FALSE(scene.At({0, 0, 0.05}).is_deep);
  const GridReport<double> deep = scene.At({0, 0, -0.002});  // corners 12 mm inside, others in the band
  EXPECT_TRUE(deep.is_deep);
  EXPECT_EQ(deep.status, Status::kOk);
}

TEST(CollideGrid, IdsStayUnderJitter) {  // 2 µm: what a pose's noise is
  BoxOnPlane scene;
  std::mt19937 random(5);
  std::normal_distribution<double> noise(0, 2e-6);
  (void)scene.At({0, 0, 0.0099});
  int changed = 0;
  for (int n = 0; n < 1000; ++n) {
    const PairContacts<double> before = scene.contacts;
    (void)scene.At({noise(random), noise(random), 0.0099 + noise(random)});
    for (const auto& contact : scene.contacts) {
      bool known = false;
      for (const auto& old : before) known = known || old.id == contact.id;
      changed += known ? 0 : 1;
    }
  }
  EXPECT_EQ(changed, 0);
}

TEST(CollideGrid, BadInputIsNamedAndGivesNothing) {
  BoxOnPlane scene;
  EXPECT_EQ(scene.At({0, 0, kNan}).status, Status::kNotFinite);
  EXPECT_EQ(scene.At({0, 0, 1e300}).status, Status::kOutOfRange);
  EXPECT_EQ(scene.At({0, 0, 0.01}, -1).status, Status::kOutOfRange);
  EXPECT_EQ(scene.At({0, 0, 0.01}, kNan).status, Status::kNotFinite);
  EXPECT_TRUE(scene.contacts.empty());
  scene.grid = {};
  EXPECT_EQ(scene.At({0, 0, 0.01}).status, Status::kOutOfRange);
}

}  // namespace
}  // namespace tactus
