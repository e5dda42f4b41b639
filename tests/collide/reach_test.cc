#include "tactus/collide/reach.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "solids.h"
#include "tactus/collide/broad_phase.h"

namespace tactus {
namespace {

using test::Dice;
using Vec3 = Vec<double, 3>;
using Mat3 = Mat<double, 3, 3>;
constexpr double kStep_s = 1e-3, kSpeed_mps = 2, kSpin_rad_per_s = 20;

/// How many motions: 2 000 in the quick tests; the full ones set TACTUS_PLACEMENTS.
int Motions() {
  const char* text = std::getenv("TACTUS_PLACEMENTS");
  return text != nullptr ? std::stoi(text) : 2000;
}

struct Moving {
  Solid<double> solid;
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();

  Vec3 At(const Vec3& p_W) const { return v + Cross(w, Vec3(p_W - solid.p_WS_m)); }
  Solid<double> Next() const {
    Solid<double> next = solid;
    next.p_WS_m += kStep_s * v;
    next.R_WS = RotationMatrix(ExpMap(Vec3(kStep_s * w))) * solid.R_WS;
    return next;
  }
};

/// gap + h n·(v_a - v_b) ≥ 0 for all contacts: projected by turns on the velocities of both [Hildreth57], to 0.1 µm.
template <class Contacts>
void KeepApart(const Contacts& contacts, double share_b, Moving* a, Moving* b) {
  for (int sweep = 0; sweep < 4000; ++sweep) {
    double worst_m = 0;
    for (const ContactPoint<double>& contact : contacts) {
      const Vec3& n = contact.normal;
      const double gap_m = contact.gap_m + kStep_s * n.dot(Vec3(a->At(contact.point_m) - b->At(contact.point_m)));
      worst_m = std::min(worst_m, gap_m);
      if (gap_m >= 0) continue;
      // Unit masses, gyration 20 mm: J = (n, r × n / 0.02).
      const Vec3 ra = Cross(Vec3(contact.point_m - a->solid.p_WS_m), n) / 4e-4,
                 rb = Cross(Vec3(contact.point_m - b->solid.p_WS_m), n) / 4e-4;
      const double along = 1 + 4e-4 * ra.squaredNorm() + share_b * (1 + 4e-4 * rb.squaredNorm());
      const double impulse = -gap_m / kStep_s / along;
      a->v += impulse * n;
      a->w += impulse * ra;
      b->v -= share_b * impulse * n;
      b->w -= share_b * impulse * rb;
    }
    if (worst_m > -1e-7) return;
  }
}

struct Approach {
  std::vector<test::NamedShape<double>> shapes;
  Hull<double> ball = test::BallHull<double>(24, 0.012, 4);

  Approach() {
    shapes.push_back({"box", BoxShape(Vec3(0.012, 0.008, 0.006))});
    shapes.push_back({"capsule", CapsuleShape(0.004, 0.01)});
    shapes.push_back({"sphere", SphereShape(0.01)});
    shapes.push_back({"hull", HullShape<double>(), &ball});
  }
};

/// What random fast approaches came to.
struct Outcome {
  int acted = 0;             ///< ticks in which a row changed a motion
  double deepest_m = 0;      ///< the largest penetration that a tick added
  double over_bound_m = -1;  ///< the most by which one exceeded its own tick's bound
};

Outcome Fly(int motions, bool both_move) {
  const Approach approach;
  Dice dice(1);
  Outcome outcome;
  for (int k = 0; k < motions; ++k) {
    const auto &shape_a = approach.shapes[static_cast<std::size_t>(k) % 4],
               &shape_b = approach.shapes[static_cast<std::size_t>(k / 4) % 4];
    Moving a{shape_a.At(dice.Direction() * dice.Uniform(0.02, 0.035), dice.Rotation())},
        b{shape_b.At(Vec3::Zero(), dice.Rotation())};
    const Vec3 aim = dice.Direction() * 0.01 - a.solid.p_WS_m;
    a.v = aim / aim.norm() * kSpeed_mps;
    a.w = dice.Direction() * kSpin_rad_per_s;
    if (both_move) b.v = dice.Direction() * kSpeed_mps, b.w = dice.Direction() * kSpin_rad_per_s;
    PairCache<double> cache;
    PairContacts<double> contacts;
    double last_m = 1, bound_m = 0;
    for (int tick = 0; tick < 12; ++tick) {
      const auto limit = [](const Moving& body) { return MotionLimit<double>{body.v.norm(), body.w.norm(), 0.0151}; };
      const double reach_m = ReachMargin_m(kStep_s, limit(a), limit(b));
      const PairReport<double> report = Collide(a.solid, b.solid, 2 * reach_m, &cache, &contacts);
      if (tick == 0 && report.gap_m < 0) break;  // drawn inside
      const double added_m = std::max(0.0, std::min(last_m, 0.0) - report.gap_m);
      outcome.deepest_m = std::max(outcome.deepest_m, added_m);
      outcome.over_bound_m = std::max(outcome.over_bound_m, added_m - bound_m);
      last_m = report.gap_m;
      bound_m = 0;
      if (!report.is_far) {
        PlaneContacts<double> plane;
        EXPECT_EQ(SeparatingPlaneContacts(a.solid, b.solid, 2 * reach_m, contacts, &plane), Status::kOk);
        const Vec3 before = a.v;
        KeepApart(plane, both_move ? 1 : 0, &a, &b);
        outcome.acted += a.v == before ? 0 : 1;
        bound_m = TunnelBound_m(kStep_s, limit(a), limit(b));
      }
      a.solid = a.Next();
      b.solid = b.Next();
    }
  }
  std::printf("%d motions: %d ticks acted, deepest %.1f um, over its bound by %.2f um\n", motions, outcome.acted,
              1e6 * outcome.deepest_m, 1e6 * outcome.over_bound_m);
  return outcome;
}

// Source: the bound's derivation in reach.h, of each tick at its own velocities (a blow spins a body up). 2 µm: the
// projection leaves 0.1 µm of a row, twenty rows at worst.
void ExpectNoTunnelling(bool both_move) {
  const int motions = Motions();
  const Outcome outcome = Fly(motions, both_move);
  EXPECT_GT(outcome.acted, motions / 4);
  EXPECT_LE(outcome.over_bound_m, 2e-6);
}
TEST(SeparatingPlane, AFixedBodyIsNotTunnelledThrough) { ExpectNoTunnelling(false); }
TEST(SeparatingPlane, AMovingBodyIsNotTunnelledThrough) { ExpectNoTunnelling(true); }

TEST(SeparatingPlane, RefusesShapesWithoutVertices) {
  const Solid<double> cylinder = Place(CylinderShape(0.01, 0.01), Vec3(0, 0, 0), Mat3(Mat3::Identity()));
  const Solid<double> ball = Place(SphereShape(0.01), Vec3(0, 0, 0.0201), Mat3(Mat3::Identity()));
  PairContacts<double> found;
  PlaneContacts<double> contacts;
  PairCache<double> cache;
  EXPECT_EQ(SeparatingPlaneContacts(ball, ball, 1e-3, found, &contacts), Status::kOutOfRange);
  ASSERT_EQ(Collide(ball, cylinder, 1e-3, &cache, &found).status, Status::kOk);
  EXPECT_EQ(SeparatingPlaneContacts(ball, cylinder, 1e-3, found, &contacts), Status::kOutOfRange);
}

TEST(ReachMargin, IsThatOfTheSheet) {  // closed form: 1 ms · (2 m/s + 20 rad/s · 50 mm)
  EXPECT_NEAR(ReachMargin_m<double>(1e-3, {2, 20, 0.05}, {}), 3e-3, 1e-18);
  EXPECT_NEAR(TunnelBound_m<double>(1e-3, {2, 20, 0.02}, {}), 4e-6, 1e-20);
}

TEST(BroadPhase, FindsEveryPairThatTouchesAndNoPairOfOneBody) {
  const Approach approach;
  Dice dice(2);
  int touching = 0, found_pairs = 0;
  for (int scene = 0; scene < 200; ++scene) {
    FixedVector<WorldBox<double>, 24> boxes;
    FixedVector<std::int16_t, 24> bodies;
    std::vector<Solid<double>> solids;
    for (int i = 0; i < 24; ++i) {
      const auto& shape = approach.shapes[static_cast<std::size_t>(dice.Below(4))];
      solids.push_back(shape.At(dice.Direction() * dice.Uniform(0, 0.1), dice.Rotation()));
      const LocalBox<double> local(shape.shape, shape.hull);
      ASSERT_EQ(boxes.push_back(BoxAt(local, solids.back().p_WS_m, solids.back().R_WS, 0.5e-3)), Status::kOk);
      ASSERT_EQ(bodies.push_back(static_cast<std::int16_t>(i / 4 - 1)), Status::kOk);
    }
    std::set<std::pair<int, int>> found;
    FindPairs(boxes, bodies, [&](ShapePair pair) { found.insert({pair.a, pair.b}); });
    found_pairs += static_cast<int>(found.size());
    for (int i = 0; i < 24; ++i) {
      for (int j = i + 1; j < 24; ++j) {
        PairCache<double> cache;
        PairContacts<double> contacts;
        const bool touches =
            !Collide(solids[static_cast<std::size_t>(i)], solids[static_cast<std::size_t>(j)], 1e-3, &cache, &contacts)
                 .is_far;
        touching += touches ? 1 : 0;
        if (i / 4 == j / 4) {
          EXPECT_EQ(found.count({i, j}), 0U);
        } else if (touches) {
          EXPECT_EQ(found.count({i, j}), 1U);
        }
      }
    }
  }
  EXPECT_GT(touching, 1000);
  EXPECT_LT(found_pairs, 200 * 276 / 4);
}

TEST(BroadPhase, MeetsHalfSpaces) {
  FixedVector<WorldBox<double>, 4> boxes;
  FixedVector<std::int16_t, 4> bodies;
  const LocalBox<double> plane(HalfSpaceShape<double>(), nullptr), ball(SphereShape(0.01), nullptr);
  const Mat3 R = Mat3::Identity();
  for (int i = 0; i < 4; ++i) {
    ASSERT_EQ(boxes.push_back(BoxAt(i == 0 ? plane : ball, Vec3(0, 0, i), R, 1e-3)), Status::kOk);
    ASSERT_EQ(bodies.push_back(static_cast<std::int16_t>(i)), Status::kOk);
  }
  std::vector<std::pair<int, int>> pairs;
  FindPairs(boxes, bodies, [&](ShapePair pair) { pairs.emplace_back(pair.a, pair.b); });
  EXPECT_EQ(pairs, (std::vector<std::pair<int, int>>{{0, 1}, {0, 2}, {0, 3}}));  // each ball with the half space
}

// --- reduction ---------------------------------------------------------------------------------------------------------

using Points = FixedVector<ContactPoint<double>, 64>;

void AddRing(int count, double radius_m, const Vec3& n, const Vec3& center_m, int first_id, Points* points) {
  const Vec3 u = DefaultTangent(n), w = Cross(n, u);
  for (int i = 0; i < count; ++i) {
    ContactPoint<double> point;
    point.id = first_id + i;
    point.normal = n;
    point.point_m = center_m + radius_m * (std::cos(2 * M_PI * i / count) * u + std::sin(2 * M_PI * i / count) * w);
    ASSERT_EQ(points->push_back(point), Status::kOk);
  }
}

TEST(ReduceContacts, KeepsTheLeverOfAFlatPatchWhoseGapsAreNoise) {
  Dice dice(3);
  Points points;
  AddRing(32, 0.02, Vec3::UnitZ(), Vec3::Zero(), 0, &points);
  for (ContactPoint<double>& point : points) point.gap_m = dice.Uniform(0, 1e-9);
  EXPECT_EQ((ReduceContacts<double, 64>(12, Mat3::Identity(), {}, &points)), 20);
  // Tipping lever along every direction: of the circle at least cos of half the widest step, two of 360°/11 and a point.
  for (int i = 0; i < 36; ++i) {
    const Vec3 d(std::cos(i * M_PI / 18), std::sin(i * M_PI / 18), 0);
    double most = -1;
    for (const ContactPoint<double>& point : points) most = std::max(most, d.dot(point.point_m));
    EXPECT_GT(most, 0.02 * std::cos(M_PI / 11 + 2 * M_PI / 32));
  }
}

TEST(ReduceContacts, LeavesNoPatchOutWhileThereIsRoom) {
  Points points;
  AddRing(30, 0.02, Vec3::UnitZ(), Vec3::Zero(), 0, &points);
  AddRing(3, 0.01, Vec3::UnitX(), Vec3(0.05, 0, 0), 40, &points);
  AddRing(1, 0.01, Vec3::UnitY(), Vec3(0, 0.05, 0), 50, &points);
  EXPECT_EQ((ReduceContacts<double, 64>(10, Mat3::Identity(), {}, &points)), 24);
  int along_x = 0, along_y = 0;
  for (const ContactPoint<double>& point : points) {
    along_x += point.normal(0) > 0.5 ? 1 : 0;
    along_y += point.normal(1) > 0.5 ? 1 : 0;
  }
  EXPECT_EQ(along_x, 3);
  EXPECT_EQ(along_y, 1);
}

TEST(ReduceContacts, KeepsLastTicksChoiceUnderJitter) {
  Dice dice(4);
  std::vector<std::int32_t> last;
  for (int tick = 0; tick < 200; ++tick) {
    Points points;
    AddRing(32, 0.02, Vec3::UnitZ(), Vec3::Zero(), 0, &points);
    for (ContactPoint<double>& point : points) point.gap_m = dice.Uniform(0, 5e-6), point.point_m += 5e-6 * dice.Direction();
    EXPECT_EQ((ReduceContacts<double, 64>(12, Mat3::Identity(), last, &points)), 20);
    std::vector<std::int32_t> now;
    for (const ContactPoint<double>& point : points) now.push_back(point.id);
    if (tick > 0) {
      EXPECT_EQ(now, last) << tick;
    }
    last = now;
  }
}

TEST(ReduceContacts, ChangesNothingThatFitsAndTakesAnyCapacity) {
  Points points;
  AddRing(8, 0.02, Vec3::UnitZ(), Vec3::Zero(), 0, &points);
  EXPECT_EQ((ReduceContacts<double, 64>(8, Mat3::Identity(), {}, &points)), 0);
  EXPECT_EQ(points.size(), 8);
  EXPECT_EQ((ReduceContacts<double, 64>(1, Mat3::Identity(), {}, &points)), 7);
  EXPECT_EQ((ReduceContacts<double, 64>(0, Mat3::Identity(), {}, &points)), 1);
  EXPECT_TRUE(points.empty());
}

}  // namespace
}  // namespace tactus
