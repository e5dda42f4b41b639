#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "bench/round/friction_quality.h"
#include "tests/solve/random_scene.h"
#include "tests/solve/small_solver.h"

namespace tactus::test {
namespace {

// Sources: docs/theory/friction.md, (F1) to (F6). Limits: the issue "The solver", section 3.

constexpr double kGravity_mps2 = 10;
constexpr double kStatic = 0.5, kKinetic = 0.3;

// A block of 1 kg whose only contact is below its centre, moved along x: all is in one line, and the polygon has a corner
// there.
template <class Scalar = double>
class Block {
 public:
  static constexpr Capacity kCapacity = kSmall;

  Block(Cone cone, double step_s, double static_friction, double viscous_Ns_per_m) {
    options_.cone = cone;
    problem_.step_s = static_cast<Scalar>(step_s);
    problem_.direction_offset_rad = 0;
    Body<Scalar, 6> body;
    body.inertia_kgm2 *= Scalar(0.01);
    (void)problem_.bodies.push_back(body);
    Contact<Scalar, 6> contact;
    contact.id = 1;
    contact.tangent << 1, 0, 0;
    contact.friction = Scalar(kKinetic);
    contact.static_friction = static_cast<Scalar>(static_friction);
    contact.viscous_friction_Ns_per_m = static_cast<Scalar>(viscous_Ns_per_m);
    (void)problem_.contacts.push_back(contact);
  }
  void LimitWork() { options_.work_budget = 350'000; }
  /// @param again  the step is solved so many times more, as where its problem was changed
  void Push(double force_N, int again = 0) {
    auto& body = problem_.bodies[0];
    body.wrench << static_cast<Scalar>(force_N), 0, Scalar(-kGravity_mps2), 0, 0, 0;
    for (int i = 0; i <= again; ++i) {
      options_.same_step = i > 0;
      solver_->Solve(problem_, options_, &solution_);
    }
    ASSERT_EQ(solution_.status, SolveStatus::kSolved);
    body.velocity = solution_.velocity[0];
    x_m_ += static_cast<double>(problem_.step_s * body.velocity(0));
  }
  void set_speed(double speed_mps) { problem_.bodies[0].velocity(0) = static_cast<Scalar>(speed_mps); }
  double speed_mps() const { return static_cast<double>(problem_.bodies[0].velocity(0)); }
  double x_m() const { return x_m_; }
  double friction_coefficient() const { return static_cast<double>(solution_.friction_coefficient[0]); }

 private:
  std::unique_ptr<ContactSolver<Scalar, kCapacity>> solver_ = std::make_unique<ContactSolver<Scalar, kCapacity>>();
  ContactProblem<Scalar, kCapacity> problem_;
  SolverOptions<Scalar> options_;
  ContactSolution<Scalar, kCapacity> solution_;
  double x_m_ = 0;
};

class FrictionLaw : public testing::TestWithParam<Cone> {};
INSTANTIATE_TEST_SUITE_P(Cones, FrictionLaw, testing::Values(Cone::kPolygon, Cone::kRound),
                         [](const auto& cone) { return std::string(Name(cone.param)); });

struct StickSlip {
  std::vector<double> onset_s, break_N, stick_N;
};

// The spring's other end moves at `speed_mps`.
template <class Scalar>
StickSlip PullBySpring(Block<Scalar>* block, double spring_N_per_m, double speed_mps, double step_s, double end_s) {
  StickSlip found;
  bool slips = false;
  for (int tick = 1; tick * step_s < end_s; ++tick) {
    const double force_N = spring_N_per_m * (speed_mps * tick * step_s - block->x_m());
    block->Push(force_N);
    const bool now = block->speed_mps() > 0.1 * speed_mps;
    if (now && !slips) found.onset_s.push_back(tick * step_s), found.break_N.push_back(force_N);
    if (!now && slips) found.stick_N.push_back(force_N);
    slips = now;
  }
  return found;
}

// Source: (F6), from the equation of motion.
TEST_P(FrictionLaw, SticksAndSlipsInClosedForm) {
  constexpr double kSpring = 100, kSpeed = 0.01, kStep = 2.5e-4;
  Block<double> block(GetParam(), kStep, kStatic, 0);
  const StickSlip found = PullBySpring(&block, kSpring, kSpeed, kStep, 20);
  const double omega = std::sqrt(kSpring), drop_m = (kStatic - kKinetic) * kGravity_mps2 / kSpring;
  const double period_s = 2 * drop_m / kSpeed + 2 * (M_PI - std::atan(drop_m * omega / kSpeed)) / omega;
  ASSERT_GE(found.onset_s.size(), 4u);
  EXPECT_NEAR((found.onset_s[3] - found.onset_s[1]) / 2, period_s, 0.01 * period_s);
  for (const double force : found.break_N) EXPECT_NEAR(force, kStatic * kGravity_mps2, 0.01 * kStatic * kGravity_mps2);
  for (const double force : found.stick_N) {
    EXPECT_NEAR(found.break_N[0] - force, 2 * (kStatic - kKinetic) * kGravity_mps2, 0.02 * kKinetic * kGravity_mps2);
  }
}

// Source: (F2): static friction comes back after a time at rest, which is one of steps, however often each is solved.
TEST_P(FrictionLaw, RestsNoLongerWhereAStepIsSolvedAgain) {
  const auto ticks_to_rest = [](int again) {
    Block<double> block(GetParam(), 1e-4, kStatic, 0);
    block.set_speed(0.01);
    int ticks = 0;
    for (int i = 0; i < 1000; ++i) {
      block.Push(0, again);
      if (block.friction_coefficient() < kStatic) ticks = i + 1;
    }
    return ticks;
  };
  const int once = ticks_to_rest(0);
  EXPECT_GT(once, 10);
  EXPECT_LT(once, 1000);
  for (const int again : {1, 3}) EXPECT_EQ(ticks_to_rest(again), once);
}

// The same with μ_s = μ. Source: (F6) with a = 0: the spring's force is μN ± V √(Km).
TEST_P(FrictionLaw, HasNoDropWithoutStaticFriction) {
  constexpr double kStep = 2.5e-4;
  Block<double> block(GetParam(), kStep, kKinetic, 0);
  const StickSlip found = PullBySpring(&block, 100, 0.01, kStep, 10);
  ASSERT_GE(found.stick_N.size(), 2u);
  for (const double force : found.stick_N) EXPECT_NEAR(force, kKinetic * kGravity_mps2, 0.1);
}

// Source: F = μN + βV, steady motion on a spring; with a deadline too, for there the last tick is like this one.
TEST_P(FrictionLaw, HasItsViscousForceInSteadyMotion) {
  constexpr double kStep = 1e-3, kBeta = 20, kSpeed = 0.05;
  for (const bool limited : {false, true}) {
    Block<double> block(GetParam(), kStep, 0, kBeta);
    if (limited) block.LimitWork();
    PullBySpring(&block, 100, kSpeed, kStep, 20);
    EXPECT_NEAR(block.speed_mps(), kSpeed, 1e-4 * kSpeed);
    const double force_N = 100 * (kSpeed * 20 - block.x_m());
    EXPECT_NEAR(force_N, kKinetic * kGravity_mps2 + kBeta * kSpeed, 2e-4 * force_N);
  }
}

// Source: (F4), the implicit step: m (v - v₀) = h (F - μN - β v).
TEST_P(FrictionLaw, IsImplicitInTheStep) {
  constexpr double kStep = 1e-3;
  for (const double beta : {1.0, 100.0, 1e3, 1e5}) {
    for (const double push_N : {0.0, 4.0}) {
      Block<double> block(GetParam(), kStep, 0, beta);
      block.Push(0);  // loads the contact
      block.set_speed(0.5 * std::min(1.0, 10 / beta * kGravity_mps2));
      for (int tick = 0; tick < 50; ++tick) {
        const double before = block.speed_mps();
        block.Push(push_N);
        const double after = (before + kStep * (push_N - kKinetic * kGravity_mps2)) / (1 + kStep * beta);
        ASSERT_NEAR(block.speed_mps(), std::max(after, 0.0), 1e-11) << beta << ' ' << push_N << " tick " << tick;
      }
    }
  }
}

// Under a budget of work: last tick's load, the same from the second tick on. (R1) may be off
// by 1e-6 of h g.
TEST_P(FrictionLaw, NeverReversesNorOscillatesUnderABudget) {
  constexpr double kStep = 1e-3, kPush_N = 4;
  for (const double beta : {1.0, 100.0, 1e4, 1e8}) {
    Block<double> block(GetParam(), kStep, 0, beta);
    block.LimitWork();
    block.Push(0);
    double before = 0;
    for (int tick = 0; tick < 2000; ++tick) {
      block.Push(kPush_N);
      ASSERT_GE(block.speed_mps(), before - 2e-8) << beta << " tick " << tick;
      before = block.speed_mps();
    }
    EXPECT_LE(before, 1.001 * (kPush_N - kKinetic * kGravity_mps2) / beta + 1e-6 * kStep * kGravity_mps2);
  }
}

// No more than 10 N: (F1).
TEST_P(FrictionLaw, IsBoundedInTheLoad) {
  Block<double> block(GetParam(), 1e-3, 0, 1e8);
  block.Push(0);
  block.set_speed(10);
  block.Push(0);
  EXPECT_NEAR(block.speed_mps(), 10 - 1e-3 * (kKinetic + kMostViscous) * kGravity_mps2, 1e-9);
}

// A force at the edge of μ_s N that an encoder's counts shake: what breaks loose slides on, and what has stopped breaks
// loose again at μ_s N only after kRestTime_s. Source: (F2).
TEST_P(FrictionLaw, DoesNotBuzz) {
  constexpr double kStep = 1e-3, kCount_N = 0.06;
  constexpr int kTicks = 20'000;
  std::mt19937 random(7);
  std::uniform_int_distribution<int> count(-1, 1);
  Block<double> block(GetParam(), kStep, kStatic, 0);
  int changes = 0, closest = kTicks, last = -kTicks;
  double before = kStatic;
  for (int tick = 1; tick < kTicks; ++tick) {
    const double force_N = 100 * (0.01 * tick * kStep - block.x_m()) + kCount_N * count(random);
    block.Push(force_N);
    const double mu = block.friction_coefficient();
    EXPECT_TRUE(mu == kStatic || mu == kKinetic);
    if (mu != before) {
      ++changes;
      closest = std::min(closest, tick - last);
      last = tick;
    }
    before = mu;
  }
  // Two for each cycle of 4.3 s; none by the counts alone.
  EXPECT_GE(changes, 6);
  EXPECT_LE(changes, 12);
  EXPECT_GE(closest, static_cast<int>(kRestTime_s / kStep));
}

// A cube on 4 or 16 points. Sources: Coulomb's law for μ_k; breakaway: the push at which it slips.
TEST(FrictionLawOfACube, HasItsKineticPlateauAgainstTheMotion) {
  for (const int contacts : {4, 16}) {
    host::FrictionQuality quality;
    host::DragCircle<double>(Cone::kRound, contacts, &quality, 0.7);
    EXPECT_LE(quality.circle_rms_deg, 0.05);
    EXPECT_NEAR(quality.plateau_low, 1, 1e-4);
    EXPECT_NEAR(quality.plateau_high, 1, 1e-4);
  }
}

TEST(FrictionLawOfACube, BreaksAwayAtStaticFriction) {
  for (const int contacts : {4, 16}) {
    host::Cube<double> cube(Cone::kRound, contacts, 0.2, kKinetic);
    cube.SetFrictionLaw(kStatic, 0);
    const double limit_N = kStatic / kKinetic * cube.limit_N();
    double force_N = 0;
    while (cube.speed_mps() < 1e-3 && force_N < 2 * limit_N) {
      force_N += 1e-4 * limit_N;
      cube.Step(0.6 * force_N, 0.8 * force_N);
    }
    EXPECT_NEAR(force_N, limit_N, 0.01 * limit_N);
    for (int tick = 0; tick < 3; ++tick) cube.Step(0.6 * force_N, 0.8 * force_N);
    const auto friction = cube.Friction_N();
    EXPECT_NEAR(std::hypot(friction[0], friction[1]), cube.limit_N(), 1e-4 * cube.limit_N());
  }
}

// Source: (F4) for the whole cube, whose contacts share β.
TEST(FrictionLawOfACube, SharesItsViscousFriction) {
  for (const auto& [contacts, kinetic] : {std::pair{4, kKinetic}, {16, kKinetic}, {4, 0.0}, {16, 0.0}}) {
    host::Cube<double> cube(Cone::kRound, contacts, 0.2, kinetic);
    cube.SetFrictionLaw(0, 0.5);
    cube.Step(0, 0);
    cube.SetVelocity(0.3, 0.4);
    for (int tick = 0; tick < 20; ++tick) {
      const double before = cube.speed_mps(), h = host::Cube<double>::kStep_s;
      cube.Step(0, 0);
      const double after = (before - h * kinetic * host::Cube<double>::kGravity_mps2) / (1 + h * 0.5 / 0.2);
      EXPECT_NEAR(cube.speed_mps(), after, 1e-9) << contacts << " contacts, " << kinetic << ", tick " << tick;
      EXPECT_NEAR(cube.vx_mps() / cube.vy_mps(), 0.75, 1e-9);
    }
  }
}

// Two bodies in the plane, one of 1 kg thrown along the other of 2 kg, which slides freely. Source: (F4) of the relative
// motion, whose mobility is 1/1 + 1/2 kg⁻¹; and their momentum.
TEST(FrictionLawInThePlane, IsBetweenTwoBodies) {
  static constexpr Capacity kPlane{.bodies = 3, .contacts = 8, .joints = 2, .directions = 2, .dof = 3};
  constexpr double kBeta = 20, kMu = 0.1, kMobility = 1.5, h = 1e-3;
  ContactProblem<double, kPlane> problem;
  problem.step_s = h;
  problem.directions = 2;
  for (const double mass_kg : {1.0, 2.0}) {
    Body<double, 3> body;
    body.mass_kg = mass_kg;
    body.inertia_kgm2(0, 0) = 0.01;
    body.wrench << 0, -kGravity_mps2 * mass_kg, 0;
    (void)problem.bodies.push_back(body);
  }
  Contact<double, 3> between, floor;
  between.id = 1, between.a = 0, between.b = 1, between.friction = kMu, between.viscous_friction_Ns_per_m = kBeta;
  floor.id = 2, floor.a = 1;
  (void)problem.contacts.push_back(between);
  (void)problem.contacts.push_back(floor);
  ContactSolver<double, kPlane> solver;
  ContactSolution<double, kPlane> solution;
  for (int tick = 0; tick < 10; ++tick) {
    if (tick == 1) problem.bodies[0].velocity(0) = 1;
    const double before = problem.bodies[0].velocity(0) - problem.bodies[1].velocity(0);
    solver.Solve(problem, {}, &solution);
    ASSERT_EQ(solution.status, SolveStatus::kSolved);
    for (int k = 0; k < 2; ++k) problem.bodies[k].velocity = solution.velocity[k];
    if (tick == 0) continue;
    const double x = problem.bodies[0].velocity(0), y = problem.bodies[1].velocity(0);
    EXPECT_NEAR(x - y, (before - h * kMobility * kMu * kGravity_mps2) / (1 + h * kMobility * kBeta), 1e-11);
    EXPECT_NEAR(x + 2 * y, 1, 1e-12);
  }
}

template <class Problem>
double Energy(const Problem& problem, const Vec<double, 6>& v) {
  return (problem.bodies[0].mass_kg * v.head<3>().squaredNorm() +
          v.tail<3>().dot(problem.bodies[0].inertia_kgm2 * v.tail<3>())) /
         2;
}

// Source: |v|² ≤ |v_f|², v_f = v₀ + h M⁻¹ f, in the norm of M, whatever the friction is (theory 3).
TEST_P(FrictionLaw, NeverAddsEnergy) {
  for (const bool limited : {false, true}) {
    for (unsigned seed = 0; seed < 60; ++seed) {
      auto problem = RandomScene(seed, 2 + static_cast<int>(seed % 7), 0.2 + 0.1 * (seed % 5));
      std::mt19937 random(seed + 1000);
      std::uniform_real_distribution<double> uniform;
      for (auto& contact : problem.contacts) {
        contact.static_friction = contact.friction * (1 + uniform(random));
        contact.viscous_friction_Ns_per_m = std::pow(10, 6 * uniform(random) - 3);
      }
      ContactSolver<double, kSmall> solver;
      ContactSolution<double, kSmall> solution;
      SolverOptions<double> options{.cone = GetParam()};
      if (limited) options.work_budget = 2'000'000;
      auto& body = problem.bodies[0];
      for (int tick = 0; tick < 20; ++tick) {
        for (int i = 0; i < 6; ++i) body.wrench(i) = (uniform(random) - 0.5) * (i < 3 ? 40 : 1);
        solver.Solve(problem, options, &solution);
        ASSERT_NE(solution.status, SolveStatus::kInvalid);
        Vec<double, 6> free = body.velocity;
        free.head<3>() += problem.step_s / body.mass_kg * body.wrench.head<3>();
        free.tail<3>() += problem.step_s * body.wrench.tail<3>().cwiseQuotient(body.inertia_kgm2.diagonal());
        EXPECT_LE(Energy(problem, solution.velocity[0]), Energy(problem, free) * (1 + 1e-9)) << seed << " tick " << tick;
        if (limited || solution.status != SolveStatus::kSolved) {
          body.velocity = solution.velocity[0];
          continue;
        }
        // The answer is one of the problem with the friction that it names, and of no less.
        for (int i = 0; i < problem.contacts.size(); ++i) {
          EXPECT_GE(solution.friction_coefficient[i], problem.contacts[i].friction * (1 - 1e-12));
        }
        body.velocity = solution.velocity[0];
      }
    }
  }
}

// Nothing is worked out, and nothing reported, where no contact asks for it.
TEST(FrictionLawUnused, ReportsNoCoefficient) {
  auto problem = RandomScene(3, 5, 0.4);
  ContactSolver<double, kSmall> solver;
  ContactSolution<double, kSmall> solution;
  solver.Solve(problem, {}, &solution);
  EXPECT_TRUE(solution.friction_coefficient.empty());
  const auto velocity = solution.velocity[0];
  for (auto& contact : problem.contacts) contact.static_friction = contact.friction;  // the same law, said aloud
  solver.Reset();
  solver.Solve(problem, {}, &solution);
  EXPECT_EQ(solution.friction_coefficient.size(), problem.contacts.size());
  EXPECT_EQ(solution.velocity[0], velocity);
}

TEST(FrictionLawOfFloat, SticksAndSlips) {
  constexpr double kStep = 1e-3;
  Block<float> block(Cone::kRound, kStep, kStatic, 0);
  block.LimitWork();
  const StickSlip found = PullBySpring(&block, 100, 0.01, kStep, 20);
  ASSERT_GE(found.break_N.size(), 4u);
  for (const double force : found.break_N) EXPECT_NEAR(force, kStatic * kGravity_mps2, 0.01 * kStatic * kGravity_mps2);
  for (const double force : found.stick_N) EXPECT_NEAR(force, (2 * kKinetic - kStatic) * kGravity_mps2, 0.1);
}

struct BadLaw {
  double static_friction, viscous;
  const char *field, *what;
};

TEST(FrictionLawValidation, NamesTheField) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();
  const BadLaw laws[] = {{-0.1, 0, "static_friction", "must be >= friction, or 0: the same as friction"},
                         {0.29, 0, "static_friction", "must be >= friction, or 0: the same as friction"},
                         {kNan, 0, "static_friction", "must be finite"},
                         {kInf, 0, "static_friction", "must be finite"},
                         {0, -1, "viscous_friction_Ns_per_m", "must be >= 0"},
                         {0, kNan, "viscous_friction_Ns_per_m", "must be finite"},
                         {0, kInf, "viscous_friction_Ns_per_m", "must be finite"},
                         {0, 2e9, "viscous_friction_Ns_per_m", "must be <= 1e9"}};
  for (const BadLaw& law : laws) {
    auto problem = RandomScene(1, 3, 0.3);
    problem.contacts[1].static_friction = law.static_friction;
    problem.contacts[1].viscous_friction_Ns_per_m = law.viscous;
    const ProblemFault fault = Validate(problem);
    ASSERT_TRUE(fault);
    EXPECT_STREQ(fault.field, law.field);
    EXPECT_STREQ(fault.what, law.what);
    EXPECT_EQ(fault.index, 1);
  }
}

}  // namespace
}  // namespace tactus::test
