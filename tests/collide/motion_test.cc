// Shapes that move: Collide, ToContact, ContactSolver and the step together, against the closed forms of mechanics.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "tactus/collide/collide.h"
#include "tactus/collide/reach.h"
#include "tactus/solve/contact_solver.h"
#include "tactus/step/rigid_body.h"

namespace tactus {
namespace {

using Vec3 = Vec<double, 3>;
using Mat3 = Mat<double, 3, 3>;

constexpr double kStep_s = 1e-3, kGravity_mps2 = 9.81;
constexpr Capacity kSize{.bodies = 4, .contacts = 48, .joints = 0, .directions = 8, .dof = 6};

struct Thing {
  Shape<double> shape;
  double mass_kg;
  Vec3 inertia_kgm2;  // principal
  RigidBodyState<double> state{};
};

Thing BoxOf(const Vec3& half_m, double mass_kg) {
  const Vec3 squares = half_m.cwiseProduct(half_m);
  return {BoxShape(half_m), mass_kg,
          mass_kg / 3 * Vec3(squares(1) + squares(2), squares(0) + squares(2), squares(0) + squares(1))};
}

Quaternion<double> TurnBy(const Vec3& turn_rad) { return Normalized(ExpMap(turn_rad)); }

/// Things on a plane through the origin, turned about y by `angle_rad`: z out of it, +x downhill.
class Slope {
 public:
  Slope(double angle_rad, double friction) : friction_(friction), plane_q_(TurnBy(Vec3(0, angle_rad, 0))) {
    plane_R_ = RotationMatrix(plane_q_);
  }

  /// Puts a thing on the plane, with its centre at p of the plane's frame and its axes turned there.
  void Put(Thing thing, const Vec3& p_m, const Vec3& turn_rad = Vec3::Zero()) {
    thing.state.p_WT_m = plane_R_ * p_m;
    thing.state.q_WT = Multiply(plane_q_, TurnBy(turn_rad));
    things_.push_back(thing);
  }

  void Step() {
    problem_->step_s = kStep_s;
    problem_->directions = 8;
    problem_->contacts.clear();
    problem_->bodies.clear();
    for (const Thing& thing : things_) AddBody(thing);
    int pair = 0;
    for (std::size_t a = 0; a < things_.size(); ++a) {
      AddPair(SolidOf(a), Place(HalfSpaceShape<double>(), Vec3(0, 0, 0), plane_R_), static_cast<int>(a), kFixed, pair++);
      for (std::size_t b = 0; b < a; ++b) {
        AddPair(SolidOf(a), SolidOf(b), static_cast<int>(a), static_cast<int>(b), pair++);
      }
    }
    SolverOptions<double> options;
    options.cone = Cone::kRound;
    solver_->Solve(*problem_, options, solution_.get());
    ASSERT_EQ(solution_->status, SolveStatus::kSolved);
    for (std::size_t k = 0; k < things_.size(); ++k) {
      things_[k].state.twist_W = solution_->velocity[static_cast<int>(k)];
      IntegratePose(kStep_s, &things_[k].state);
    }
  }
  void Run(double duration_s) {
    for (int k = 0; k < static_cast<int>(duration_s / kStep_s + 0.5) && !testing::Test::HasFatalFailure(); ++k) Step();
  }

  /// Downhill, of a thing's centre.
  double Speed_mps(std::size_t k) const { return plane_R_.col(0).dot(Vec3(things_[k].state.twist_W.head<3>())); }
  double Spin_radps(std::size_t k) const { return plane_R_.col(1).dot(Vec3(things_[k].state.twist_W.tail<3>())); }
  /// Between two bodies, kFixed for the plane, along the plane's normal [N].
  double Load_N(int a, int b) const {
    double load_Ns = 0;
    for (int i = 0; i < problem_->contacts.size(); ++i) {
      const auto& contact = problem_->contacts[i];
      if (contact.a == a && contact.b == b) load_Ns += solution_->impulse.normal_Ns(i) * contact.normal.dot(plane_R_.col(2));
    }
    return load_Ns / kStep_s;
  }

 private:
  Solid<double> SolidOf(std::size_t k) const {
    return Place(things_[k].shape, things_[k].state.p_WT_m, RotationMatrix(things_[k].state.q_WT));
  }
  void AddBody(const Thing& thing) {
    ASSERT_EQ(problem_->bodies.push_back({}), Status::kOk);
    auto& body = problem_->bodies[problem_->bodies.size() - 1];
    body.mass_kg = thing.mass_kg;
    body.inertia_kgm2 = RotateInertia(RotationMatrix(thing.state.q_WT), thing.inertia_kgm2);
    body.position_m = thing.state.p_WT_m;
    body.velocity = thing.state.twist_W;
    body.wrench << 0, 0, -thing.mass_kg * kGravity_mps2, 0, 0, 0;
  }
  void AddPair(const Solid<double>& a, const Solid<double>& b, int body_a, int body_b, int pair) {
    const MotionLimit<double> limit{.speed_mps = 2, .spin_rad_per_s = 20, .reach_m = 0.1};
    PairContacts<double> contacts;
    const auto report =
        Collide(a, b, ReachMargin_m(kStep_s, limit, limit), &caches_[static_cast<std::size_t>(pair)], &contacts);
    ASSERT_EQ(report.status, Status::kOk);
    for (const auto& point : contacts) {
      Contact<double, 6> contact = ToContact(point, pair, body_a, body_b);
      contact.friction = friction_;
      ASSERT_EQ(problem_->contacts.push_back(contact), Status::kOk);
    }
  }

  double friction_;
  Quaternion<double> plane_q_;
  Mat3 plane_R_;
  std::vector<Thing> things_;
  std::vector<PairCache<double>> caches_ = std::vector<PairCache<double>>(16);
  std::unique_ptr<ContactProblem<double, kSize>> problem_ = std::make_unique<ContactProblem<double, kSize>>();
  std::unique_ptr<ContactSolver<double, kSize>> solver_ = std::make_unique<ContactSolver<double, kSize>>();
  std::unique_ptr<ContactSolution<double, kSize>> solution_ = std::make_unique<ContactSolution<double, kSize>>();
};

// A block on a slope sticks up to tan θ = μ; beyond, a = g (sin θ - μ cos θ).
TEST(Shapes, ABoxOnASlopeSticksUpToMuAndSlidesAsCoulombSays) {
  constexpr double kMu = 0.4, kHalf_m = 0.02;
  const Thing box = BoxOf(Vec3(0.04, 0.03, kHalf_m), 0.5);
  for (const double share : {0.999, 1.001, 1.5}) {
    const double theta = std::atan(share * kMu);
    Slope slope(theta, kMu);
    slope.Put(box, Vec3(0, 0, kHalf_m));
    slope.Run(0.5);
    const double a = share < 1 ? 0 : kGravity_mps2 * (std::sin(theta) - kMu * std::cos(theta));
    EXPECT_NEAR(slope.Speed_mps(0), 0.5 * a, 1e-3 * 0.5 * a + 1e-7) << share;
    EXPECT_NEAR(slope.Load_N(0, kFixed), 0.5 * kGravity_mps2 * std::cos(theta), 1e-5) << share;
  }
}

// J = 2/5 m r²: rolls with 5/7 g sin θ where μ ≥ 2/7 tan θ; else it slides with g (sin θ - μ cos θ) and spins up by 5/2 μ g
// cos θ/r.
TEST(Shapes, ABallRollsOrSlides) {
  constexpr double kRadius_m = 0.015, kMass_kg = 0.1, kDuration_s = 0.4;
  const double theta = 0.5;
  for (const double mu : {0.3, 0.1}) {
    Slope slope(theta, mu);
    const double J = 0.4 * kMass_kg * kRadius_m * kRadius_m;
    slope.Put({SphereShape(kRadius_m), kMass_kg, Vec3(J, J, J)}, Vec3(0, 0, kRadius_m));
    slope.Run(kDuration_s);
    const bool rolls = mu >= 2.0 / 7 * std::tan(theta);
    const double a =
        rolls ? 5.0 / 7 * kGravity_mps2 * std::sin(theta) : kGravity_mps2 * (std::sin(theta) - mu * std::cos(theta));
    const double spin = rolls ? a / kRadius_m : 2.5 * mu * kGravity_mps2 * std::cos(theta) / kRadius_m;
    EXPECT_NEAR(slope.Speed_mps(0), a * kDuration_s, 1e-3 * a * kDuration_s) << mu;
    EXPECT_NEAR(slope.Spin_radps(0), spin * kDuration_s, 1e-3 * spin * kDuration_s) << mu;
  }
}

// J = 1/2 m R² about its axis: 2/3 g sin θ.
TEST(Shapes, ACylinderOnItsSideRolls) {
  constexpr double kRadius_m = 0.02, kHalf_m = 0.03, kMass_kg = 0.2, kDuration_s = 0.4;
  const double theta = 0.3, axial = 0.5 * kMass_kg * kRadius_m * kRadius_m,
               across = kMass_kg * (kRadius_m * kRadius_m / 4 + kHalf_m * kHalf_m / 3);
  Slope slope(theta, 0.5);
  const Vec3 along_y(-std::acos(0.0), 0, 0);  // the cylinder's axis z along y of the plane
  slope.Put({CylinderShape(kRadius_m, kHalf_m), kMass_kg, Vec3(across, across, axial)}, Vec3(0, 0, kRadius_m), along_y);
  slope.Run(kDuration_s);
  const double speed = 2.0 / 3 * kGravity_mps2 * std::sin(theta) * kDuration_s;
  EXPECT_NEAR(slope.Speed_mps(0), speed, 1e-3 * speed);
  EXPECT_NEAR(slope.Spin_radps(0), speed / kRadius_m, 1e-3 * speed / kRadius_m);
}

// Of a stack of n the k-th joint carries n - k weights, and nothing moves.
TEST(Shapes, AStackCarriesItsWeightAndStands) {
  constexpr double kHalf_m = 0.02, kMass_kg = 0.3;
  Slope level(0, 0.3);
  const double turn_rad = std::atan(1.0);  // faces turned by 45°: eight points
  for (int k = 0; k < 4; ++k) {
    level.Put(BoxOf(Vec3(kHalf_m, kHalf_m, kHalf_m), kMass_kg), Vec3(0, 0, (2 * k + 1) * kHalf_m),
              Vec3(0, 0, k % 2 == 1 ? turn_rad : 0));
  }
  level.Run(0.5);
  const double weight_N = kMass_kg * kGravity_mps2;
  EXPECT_NEAR(level.Load_N(0, kFixed), 4 * weight_N, 1e-6 * weight_N);
  for (int k = 1; k < 4; ++k) EXPECT_NEAR(level.Load_N(k, k - 1), (4 - k) * weight_N, 1e-6 * weight_N) << k;
  // Tolerance: a round answer's residual is up to 1e-6 of what gravity adds in a period (docs/theory/round.md).
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(level.Speed_mps(k), 0, 1e-6 * kGravity_mps2 * kStep_s) << k;
}

// It tips over the core's edge, r inside the outside one, where tan θ > (half_x - r)/half_z.
TEST(Shapes, ATallBoxTipsWhereItsWeightLeavesTheBase) {
  const Vec3 half_m(0.02, 0.02, 0.04);
  const double edge = std::atan((half_m(0) - kDefaultRounding_m<double>) / half_m(2));
  for (const double off_rad : {-0.002, 0.002}) {
    Slope slope(edge + off_rad, 1.0);
    slope.Put(BoxOf(half_m, 0.2), Vec3(0, 0, half_m(2)));
    slope.Run(0.3);
    if (off_rad < 0) {
      EXPECT_NEAR(slope.Spin_radps(0), 0, 1e-7);
    } else {
      EXPECT_GT(slope.Spin_radps(0), 0.05);
    }
  }
}

// As the box: over the rim of the core, and the centre of mass is a quarter of the height up.
TEST(Shapes, AConeTipsWhereItsWeightLeavesTheBase) {
  constexpr double kRadius_m = 0.015, kHeight_m = 0.05, kMass_kg = 0.1;
  const Shape<double> cone = ConeShape(kRadius_m, kHeight_m);
  const double across = kMass_kg * (0.15 * kRadius_m * kRadius_m + 0.0375 * kHeight_m * kHeight_m);
  const double edge = std::atan(RoundCoreOf(cone).radius_m / (kHeight_m / 4));
  for (const double off_rad : {-0.002, 0.002}) {
    Slope slope(edge + off_rad, 2.0);
    slope.Put({cone, kMass_kg, Vec3(across, across, 0.3 * kMass_kg * kRadius_m * kRadius_m)}, Vec3(0, 0, kHeight_m / 4));
    slope.Run(0.3);
    if (off_rad < 0) {
      EXPECT_NEAR(slope.Spin_radps(0), 0, 1e-7);
    } else {
      EXPECT_GT(slope.Spin_radps(0), 0.05);
    }
  }
}

}  // namespace
}  // namespace tactus
