#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "solids.h"
#include "tactus/collide/collide.h"

namespace tactus {
namespace {

using test::Dice;
using Vec3 = Vec<double, 3>;
using Mat3 = Mat<double, 3, 3>;
constexpr double kMargin_m = 1e-3;

Solid<double> At(const Shape<double>& shape, const Vec3& p_m = Vec3::Zero(), const Mat3& R = Mat3::Identity()) {
  return Place(shape, p_m, R);
}
Mat3 Turn(double x, double y, double z) { return RotationMatrix(ExpMap(Vec3(x, y, z))); }

/// Contacts of one pair without a past.
template <class Scalar>
struct Touch {
  PairContacts<Scalar> contacts;
  PairReport<Scalar> report;

  Touch(const Solid<Scalar>& a, const Solid<Scalar>& b, Scalar margin_m = Scalar(kMargin_m)) {
    PairCache<Scalar> cache;
    report = Collide(a, b, margin_m, &cache, &contacts);
  }
  std::set<std::int32_t> Ids() const {
    std::set<std::int32_t> ids;
    for (const ContactPoint<Scalar>& contact : contacts) ids.insert(contact.id);
    return ids;
  }
};

/// Two cubes of 40 mm, the second on top of the first at 0.1 mm, turned and shifted.
Touch<double> Cubes(const Mat3& R, const Vec3& shift_m = Vec3::Zero()) {
  const Shape<double> cube = BoxShape(Vec3(0.02, 0.02, 0.02));
  return Touch<double>(At(cube, Vec3(0, 0, 0.0401) + shift_m, R), At(cube));
}

void ExpectContacts(const Touch<double>& touch, int count, double gap_m) {
  ASSERT_EQ(touch.report.status, Status::kOk);
  EXPECT_EQ(touch.contacts.size(), count);
  EXPECT_EQ(static_cast<int>(touch.Ids().size()), count);
  EXPECT_NEAR(touch.report.gap_m, gap_m, 1e-12);  // closed form; rounding at 40 mm is 1e-17
  for (const ContactPoint<double>& contact : touch.contacts) EXPECT_NEAR(contact.gap_m, gap_m, 1e-12);
}

TEST(Collide, FaceOnFaceHasTheCornersOfTheCommonPolygon) {
  ExpectContacts(Cubes(Mat3::Identity()), 4, 1e-4);
  ExpectContacts(Cubes(Turn(0, 0, M_PI / 4)), 8, 1e-4);  // [Lloyd04] section 1
  ExpectContacts(Cubes(Turn(0, 0, M_PI / 6)), 8, 1e-4);
  ExpectContacts(Cubes(Mat3::Identity(), Vec3(0.01, 0.005, 0)), 4, 1e-4);
}

TEST(Collide, TurnedFacesTouchInAnOctagon) {  // Source: a square of half width w turned by 45° is cut at w (√2 - 1)
  const double w = 0.0198;                    // the cores': 0.2 mm inside the edges
  for (const ContactPoint<double>& contact : Cubes(Turn(0, 0, M_PI / 4)).contacts) {
    const double x = std::abs(contact.point_m(0)), y = std::abs(contact.point_m(1));
    EXPECT_NEAR(std::max(x, y), w, 1.5e-5);  // within the slack of the outline
    EXPECT_NEAR(std::min(x, y), w * (std::sqrt(2) - 1), 1.5e-5);
    EXPECT_NEAR(contact.point_m(2), 0.02005, 1e-12);  // half way
    EXPECT_EQ(contact.normal, Vec3(Vec3::UnitZ()));
  }
}

TEST(Collide, EdgeOnFaceHasTwoContactsCornerOne) {
  const double half_diagonal = (0.02 - 2e-4) * std::sqrt(2) + 2e-4;
  ExpectContacts(Cubes(Turn(M_PI / 4, 0, 0), Vec3(0.01, 0.003, half_diagonal - 0.02)), 2, 1e-4);
  const Mat3 on_corner = Turn(std::atan(std::sqrt(0.5)), 0, 0) * Turn(0, M_PI / 4, 0);
  const double to_corner = (0.02 - 2e-4) * std::sqrt(3) + 2e-4;
  ExpectContacts(Cubes(on_corner, Vec3(0.003, 0.002, to_corner - 0.02)), 1, 1e-4);
}

TEST(Collide, CrossedEdgesHaveOneContact) {
  const Shape<double> cube = BoxShape(Vec3(0.02, 0.02, 0.02));
  const double apart = 2 * ((0.02 - 2e-4) * std::sqrt(2) + 2e-4) + 1e-4;
  const Touch<double> touch(At(cube, Vec3(0, 0, apart), Turn(M_PI / 4, 0, 0)), At(cube, Vec3::Zero(), Turn(0, M_PI / 4, 0)));
  ExpectContacts(touch, 1, 1e-4);
  EXPECT_NEAR(touch.contacts[0].normal(2), 1, 1e-12);
}

TEST(Collide, CapsulesTouchInTwoPointsWhenParallelInOneWhenCrossed) {
  const Shape<double> capsule = CapsuleShape(0.005, 0.02);
  const Solid<double> a = At(capsule);
  ExpectContacts(Touch<double>(a, At(capsule, Vec3(0.0101, 0, 0.005))), 2, 1e-4);
  ExpectContacts(Touch<double>(a, At(capsule, Vec3(0.0101, 0, 0.005), Turn(1, 0, 0))), 1, 1e-4);
  // A nail in a wall's edge: the end of one beside the other.
  ExpectContacts(Touch<double>(a, At(capsule, Vec3(0.0301, 0, 0), Turn(0, M_PI / 2, 0))), 1, 1e-4);
}

TEST(Collide, CapsuleOnAFaceTouchesAtTheEndsOfItsLine) {
  const Solid<double> box = At(BoxShape(Vec3(0.02, 0.02, 0.02)));
  const Touch<double> whole(At(CapsuleShape(0.005, 0.01), Vec3(0, 0, 0.0251), Turn(M_PI / 2, 0, 0)), box);
  ExpectContacts(whole, 2, 1e-4);
  EXPECT_NEAR(std::abs(whole.contacts[0].point_m(1)), 0.01, 1e-12);
  const Touch<double> beyond(At(CapsuleShape(0.005, 0.05), Vec3(0, 0, 0.0251), Turn(M_PI / 2, 0, 0)), box);
  ExpectContacts(beyond, 2, 1e-4);
  EXPECT_NEAR(std::abs(beyond.contacts[0].point_m(1)), 0.0198, 1.5e-5);
}

TEST(Collide, SpheresTouchWhereTheirCentresSay) {  // closed forms
  Dice dice(1);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 p = dice.Direction() * dice.Uniform(0.013, 0.0159), q = dice.Direction() * 0.1;
    const Touch<double> touch(At(SphereShape(0.01), Vec3(q + p)), At(SphereShape(0.005), q));
    ASSERT_EQ(touch.contacts.size(), 1);
    EXPECT_NEAR(touch.contacts[0].gap_m, p.norm() - 0.015, 1e-15);
    EXPECT_LT((touch.contacts[0].normal - p / p.norm()).norm(), 1e-14);
  }
}

TEST(Collide, StandsOnAHalfSpaceWithEveryVertexInReach) {
  const Solid<double> plane = At(HalfSpaceShape<double>(), Vec3(0, 0, -0.0201));
  const Solid<double> box = At(BoxShape(Vec3(0.02, 0.02, 0.02)));
  const Touch<double> below(box, plane), above(plane, box);
  ExpectContacts(below, 4, 1e-4);
  ExpectContacts(above, 4, 1e-4);
  EXPECT_EQ(below.contacts[0].normal, Vec3(Vec3::UnitZ()));  // from B into A
  EXPECT_EQ(above.contacts[0].normal, Vec3(-Vec3::UnitZ()));
  const Hull<double> ball = test::BallHull<double>(64, 0.02, 3);
  Dice dice(2);
  for (int i = 0; i < 200; ++i) {
    const Solid<double> hull = Place(HullShape<double>(), Vec3(dice.Direction() * 0.02), dice.Rotation(), &ball);
    double lowest_m = 1;
    for (const Vec3& p : ball.vertex_m) lowest_m = std::min(lowest_m, (hull.p_WS_m + hull.R_WS * p)(2) - 2e-4 + 0.0201);
    EXPECT_NEAR((Touch<double>(hull, plane).report.gap_m), lowest_m, 1e-15);
  }
}

TEST(Collide, VGrooveIsTwoHalfSpaces) {
  const double s = std::sqrt(0.5);
  const Solid<double> left = At(HalfSpaceShape<double>(), Vec3::Zero(), Turn(0, M_PI / 4, 0)),
                      right = At(HalfSpaceShape<double>(), Vec3::Zero(), Turn(0, -M_PI / 4, 0));
  const Solid<double> ball = At(SphereShape(0.01), Vec3(0, 0, 0.0101 / s));
  ExpectContacts(Touch<double>(ball, left), 1, 1e-4);
  ExpectContacts(Touch<double>(ball, right), 1, 1e-4);
  const Solid<double> box = At(BoxShape(Vec3(0.01, 0.01, 0.01)), Vec3(0, 0, 0.0101 / s), left.R_WS);
  ExpectContacts(Touch<double>(box, left), 4, 1e-4);  // a box that fits: a face on each
  ExpectContacts(Touch<double>(box, right), 4, 1e-4);
}

template <class Scalar>
struct Zoo {
  Hull<Scalar> h12 = test::BallHull<Scalar>(12, 0.02, 1), h64 = test::BallHull<Scalar>(64, 0.02, 3),
               prism = test::Prism<Scalar>(8, 0.02, 0.01);
  std::vector<test::NamedShape<Scalar>> shapes;

  Zoo() {
    shapes.push_back({"sphere", SphereShape<Scalar>(Scalar(0.01))});
    shapes.push_back({"capsule", CapsuleShape<Scalar>(Scalar(0.005), Scalar(0.02))});
    shapes.push_back({"box", BoxShape<Scalar>({Scalar(0.02), Scalar(0.015), Scalar(0.01)})});
    shapes.push_back({"prism", HullShape<Scalar>(), &prism});
    shapes.push_back({"hull12", HullShape<Scalar>(), &h12});
    shapes.push_back({"hull64", HullShape<Scalar>(), &h64});
  }

  template <class Body>
  void ForAllPairs(int placements, const Body& body) const {
    Dice dice(7);
    for (const auto& a : shapes) {
      for (const auto& b : shapes) {
        for (int i = 0; i < placements && !testing::Test::HasFailure(); ++i) {
          const Core<Scalar> core_a = CoreOf(a.shape, a.hull), core_b = CoreOf(b.shape, b.hull);
          CorePair<Scalar> pair = test::DrawPair(core_a, core_b, 0.04, &dice);  // B in A
          const Scalar r = a.shape.radius_m + b.shape.radius_m;
          const Vec<Scalar, 3> away = pair.p_AB_m / Norm(pair.p_AB_m);
          if (i % 2 == 0) pair.p_AB_m += away * r;
          Solid<Scalar> solid_a = a.At(Vec3::Zero(), Mat3::Identity());
          Solid<Scalar> solid_b = b.At(pair.p_AB_m.template cast<double>(), pair.R_AB.template cast<double>());
          body(solid_a, solid_b);
        }
      }
    }
  }
};

// What every pair promises, whatever the shapes.
TEST(Collide, ContactsLieBetweenTheSurfacesAndNoneIsDeeperThanTheDistance) {
  const Zoo<double> zoo;
  int touching = 0;
  zoo.ForAllPairs(1000, [&](const Solid<double>& a, const Solid<double>& b) {
    const Touch<double> touch(a, b);
    ASSERT_EQ(touch.report.status, Status::kOk);
    ASSERT_EQ(touch.report.is_far, touch.contacts.empty());
    if (touch.report.is_far) return;
    ++touching;
    EXPECT_EQ(static_cast<int>(touch.Ids().size()), touch.contacts.size());
    double least_m = 1;
    for (const ContactPoint<double>& contact : touch.contacts) {
      least_m = std::min(least_m, contact.gap_m);
      EXPECT_LE(contact.gap_m, kMargin_m);
      EXPECT_NEAR(contact.normal.norm(), 1, 1e-14);
      EXPECT_NEAR(contact.normal.dot(contact.tangent), 0, 1e-14);
      if (touch.report.cores_overlap) continue;
      // Half the gap along -n lies B's surface: r above its core, or less where the face is tilted (cos 45° at most). Up to
      // the clip's slack beside the core's outline: 14 µm at an edge, 14 µm / sin 6° at the sharpest corner of these
      // triangles.
      CorePair<double> to_b;
      to_b.b = CoreOf(b.shape, b.hull);
      to_b.R_AB = b.R_WS;
      to_b.p_AB_m = b.p_WS_m - (contact.point_m - contact.gap_m / 2 * contact.normal);
      PairCache<double> cache;
      const double height_m = DistanceOfCores(to_b, 1.0, &cache).distance_m;
      EXPECT_LE(height_m, b.shape.radius_m + 1.5e-4);
      EXPECT_GE(height_m, 0.69 * b.shape.radius_m);
    }
    EXPECT_GE(least_m, touch.report.gap_m - 1e-10);    // n separates by the distance: nothing on the faces is nearer
    EXPECT_LE(least_m, touch.report.gap_m + 1.01e-6);  // the nearest pair is among them, or one within a micrometre
  });
  EXPECT_GT(touching, 3000);
}

TEST(Collide, IsTheSameForThePairTurnedAboutAndMoved) {
  const Zoo<double> zoo;
  Dice dice(3);
  zoo.ForAllPairs(100, [&](const Solid<double>& a, const Solid<double>& b) {
    const Touch<double> there(a, b), back(b, a);
    EXPECT_EQ(there.report.is_far, back.report.is_far);
    if (there.report.is_far) return;  // its gap is a lower bound, not a value
    EXPECT_NEAR(there.report.gap_m, back.report.gap_m, 1e-9);
    Solid<double> a2 = a, b2 = b;
    const Mat3 R = dice.Rotation();
    const Vec3 p = dice.Direction();
    a2.R_WS = R * a.R_WS, b2.R_WS = R * b.R_WS;
    a2.p_WS_m = p + R * a.p_WS_m, b2.p_WS_m = p + R * b.p_WS_m;
    const Touch<double> moved(a2, b2);
    EXPECT_NEAR(there.report.gap_m, moved.report.gap_m, 1e-9);
  });
}

TEST(Collide, FloatFollowsDouble) {  // promised: a micrometre while the cores are 20 µm apart or more
  const Zoo<double> zoo;
  const Zoo<float> floats;
  double worst_m = 0;
  std::size_t pair = 0;
  for (std::size_t i = 0; i < zoo.shapes.size(); ++i) {
    for (std::size_t j = 0; j < zoo.shapes.size(); ++j, ++pair) {
      Dice dice(static_cast<unsigned>(pair));
      for (int k = 0; k < 300; ++k) {
        const Vec3 p = dice.Direction() * dice.Uniform(0.02, 0.045);
        const Mat3 R = dice.Rotation();
        const Touch<double> exact(zoo.shapes[i].At(Vec3::Zero(), Mat3::Identity()), zoo.shapes[j].At(p, R));
        const Touch<float> found(floats.shapes[i].At(Vec3::Zero(), Mat3::Identity()), floats.shapes[j].At(p, R));
        if (exact.report.is_far || exact.report.cores_overlap) continue;
        const double radii_m = zoo.shapes[i].shape.radius_m + zoo.shapes[j].shape.radius_m;
        if (exact.report.gap_m + radii_m < 2e-5) continue;
        worst_m = std::max(worst_m, std::abs(exact.report.gap_m - static_cast<double>(found.report.gap_m)));
      }
    }
  }
  EXPECT_LT(worst_m, 1e-6);
}

TEST(Collide, IdsStayUnderTwoMicrometresOfJitter) {
  Dice dice(4);
  const std::set<std::int32_t> first = Cubes(Mat3::Identity()).Ids();
  for (int tick = 0; tick < 1000; ++tick) {
    const Vec3 turn = dice.Direction() * 1e-5;  // 0.2 µm at 20 mm
    EXPECT_EQ(Cubes(Turn(turn(0), turn(1), turn(2)), dice.Direction() * 2e-6).Ids(), first) << tick;
  }
}

// For disjoint convex sets the map from a translation to the nearest points does not stretch: |Δn| ≤ |Δx| / (r_A + r_B).
TEST(Collide, NormalsTurnNoFasterThanTheRadiiAllow) {
  const Zoo<double> zoo;
  Dice dice(5);
  int compared = 0;
  for (const auto& a : zoo.shapes) {
    for (const auto& b : zoo.shapes) {
      const double radii_m = a.shape.radius_m + b.shape.radius_m;
      const Mat3 R = dice.Rotation();
      Vec3 p = dice.Direction() * 0.03;
      const Vec3 step = dice.Direction() * 5e-5;  // 50 mm/s
      PairCache<double> cache;
      PairContacts<double> contacts;
      Vec3 last = Vec3::Zero();
      for (int tick = 0; tick < 400; ++tick, p += step) {
        const PairReport<double> report =
            Collide(b.At(p, R), a.At(Vec3::Zero(), Mat3::Identity()), 0.005, &cache, &contacts);
        const bool apart = !report.is_far && !report.cores_overlap && report.gap_m > 0;
        if (apart && last.norm() > 0) {
          ++compared;
          EXPECT_LE((contacts[0].normal - last).norm(), 5e-5 / radii_m * (1 + 1e-6) + 1e-9) << a.name << " " << b.name;
        }
        last = apart ? contacts[0].normal : Vec3(Vec3::Zero());
      }
    }
  }
  EXPECT_GT(compared, 1000);
}

TEST(Collide, KeepsSixteenOfThirtyTwoAndSaysSo) {
  const Hull<double> prism = test::Prism<double>(16, 0.02, 0.01);
  const Solid<double> below = Place(HullShape<double>(), Vec3(Vec3::Zero()), Mat3(Mat3::Identity()), &prism),
                      above = Place(HullShape<double>(), Vec3(Vec3(0, 0, 0.0205)), Turn(0, 0, M_PI / 16), &prism);
  const Touch<double> touch(above, below);
  EXPECT_EQ(touch.contacts.size(), 16);
  EXPECT_EQ(touch.report.dropped, 16);
  Vec3 middle = Vec3::Zero();
  for (const ContactPoint<double>& contact : touch.contacts) middle += contact.point_m / 16;
  EXPECT_LT(middle.head<2>().norm(), 0.002);  // all around, not one side
}

TEST(Collide, RefusesByStatus) {
  const double nan = std::nan("");
  Solid<double> box = At(BoxShape(Vec3(0.02, 0.02, 0.02))), plane = At(HalfSpaceShape<double>());
  EXPECT_EQ((Touch<double>(box, plane, nan).report.status), Status::kNotFinite);
  EXPECT_EQ((Touch<double>(box, plane, -1e-3).report.status), Status::kOutOfRange);
  EXPECT_EQ((Touch<double>(plane, plane).report.status), Status::kOutOfRange);
  EXPECT_EQ((Touch<double>(box, At(HullShape<double>())).report.status), Status::kOutOfRange);
  Solid<double> lost = box;
  lost.p_WS_m(1) = nan;
  EXPECT_EQ((Touch<double>(lost, box).report.status), Status::kNotFinite);
  lost = box;
  lost.R_WS(2, 1) = nan;
  EXPECT_EQ((Touch<double>(box, lost).report.status), Status::kNotFinite);
  lost = box;
  lost.p_WS_m(1) = 1e200;
  EXPECT_EQ((Touch<double>(box, lost).report.status), Status::kOutOfRange);
  PairCache<double> cache;
  cache.axis = Vec3(nan, 0, 0);
  cache.size = 3;
  PairContacts<double> contacts;
  EXPECT_EQ(Collide(box, box, kMargin_m, &cache, &contacts).status, Status::kOk);
  EXPECT_FALSE(contacts.empty());
}

TEST(Collide, PlacedInsideHasAFiniteAnswer) {
  const Zoo<double> zoo;
  for (const auto& a : zoo.shapes) {
    for (const auto& b : zoo.shapes) {
      const Touch<double> touch(a.At(Vec3::Zero(), Mat3::Identity()), b.At(Vec3::Zero(), Mat3::Identity()));
      EXPECT_LT(touch.report.gap_m, 0) << a.name << " " << b.name;
      ASSERT_FALSE(touch.contacts.empty());
      for (const ContactPoint<double>& contact : touch.contacts) {
        EXPECT_TRUE(IsFinite(contact.point_m) && IsFinite(contact.gap_m));
        EXPECT_NEAR(contact.normal.norm(), 1, 1e-14);
      }
    }
  }
}

TEST(ToContact, IsOneOfTheSolversProblem) {
  const Touch<double> touch = Cubes(Mat3::Identity());
  const Contact<double, 6> contact = ToContact(touch.contacts[1], 3, 0, kFixed);
  EXPECT_EQ(contact.id, 3 * kPairIdStride + touch.contacts[1].id);
  EXPECT_EQ(contact.a, 0);
  EXPECT_EQ(contact.b, kFixed);
  EXPECT_EQ(contact.gap_m, touch.contacts[1].gap_m);
  EXPECT_EQ(contact.normal, touch.contacts[1].normal);
}

}  // namespace
}  // namespace tactus
