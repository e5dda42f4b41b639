// Joints are eliminated by projection before anything is solved. What comes out must satisfy the whole system, joints
// included, written out here from the physical problem alone (docs/theory, section 1):
//
//     M (v - v0) = h f + N θ + D φ + B c,     Bᵀv = g,     (3)-(5)
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/solve/random_scene.h"
#include "tests/solve/small_solver.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/LU>

namespace tactus::test {
namespace {

using Motion = Vec<double, 12>;  // of both bodies
using Point = Vec<double, 3>;

// The generalised direction of d at a point of body a, and against it on body b.
Motion Column(const SmallProblem<>& problem, const Contact<double, 6>& contact, const Point& d) {
  Motion column = Motion::Zero();
  for (int body = 0; body < 2; ++body) {
    if (body != contact.a && body != contact.b) continue;
    const Point r = contact.point_m - problem.bodies[body].position_m;
    const double sign = body == contact.a ? 1 : -1;
    column.segment<3>(6 * body) = sign * d;
    column.segment<3>(6 * body + 3) = sign * r.cross(d);
  }
  return column;
}

Motion Column(const Joint<double, 6>& joint) {
  Motion column = Motion::Zero();
  if (joint.a != kFixed) column.segment<6>(6 * joint.a) += joint.jacobian_a;
  if (joint.b != kFixed) column.segment<6>(6 * joint.b) += joint.jacobian_b;
  return column;
}

Mat<double, 12, 12> MassMatrix(const SmallProblem<>& problem) {
  Mat<double, 12, 12> M = Mat<double, 12, 12>::Zero();
  for (int body = 0; body < 2; ++body) {
    M.block<3, 3>(6 * body, 6 * body).diagonal().setConstant(problem.bodies[body].mass_kg);
    M.block<3, 3>(6 * body + 3, 6 * body + 3) = problem.bodies[body].inertia_kgm2;
  }
  return M;
}

Motion Stacked(const Vec<double, 6>& first, const Vec<double, 6>& second) {
  Motion both;
  both << first, second;
  return both;
}

Point Direction(const SmallProblem<>& problem, const Contact<double, 6>& contact, int j) {
  const double angle = problem.direction_offset_rad + 2 * std::numbers::pi * j / problem.directions;
  return std::cos(angle) * contact.tangent + std::sin(angle) * contact.normal.cross(contact.tangent);
}

// Two bodies that touch each other and the world, with 3 to 5 joint rows, the last one the sum of the first two. Joints and
// surfaces move as they would if all moved with `carried`, and seen from there nothing moves: a solution exists (theory 3).
SmallProblem<> JointedScene(unsigned seed, double friction) {
  SmallProblem<> problem = RandomScene<>(seed, 12, friction);
  std::mt19937 random(seed + 1000);
  std::normal_distribution<double> normal;
  const auto any = [&](double size) -> Vec<double, 6> {
    return size * Vec<double, 6>::NullaryExpr([&] { return normal(random); });
  };
  problem.bodies[0].velocity = any(0.1);
  problem.bodies[0].inertia_kgm2(0, 1) = problem.bodies[0].inertia_kgm2(1, 0) = 2e-5;
  (void)problem.bodies.push_back(problem.bodies[0]);  // the capacity is ours
  problem.bodies[1].position_m << 0.01, -0.02, 0.03;
  problem.bodies[1].mass_kg = 0.7;
  problem.bodies[1].wrench = any(3);
  const int rows = 2 + int(seed % 3);
  for (int row = 0; row <= rows; ++row) {
    Joint<double, 6> joint{.a = 0, .b = 1, .jacobian_a = any(1), .jacobian_b = any(1)};
    if (row == rows) {
      joint.jacobian_a = problem.joints[0].jacobian_a + problem.joints[1].jacobian_a;
      joint.jacobian_b = problem.joints[0].jacobian_b + problem.joints[1].jacobian_b;
    }
    (void)problem.joints.push_back(joint);
  }
  const Motion carried = 0.05 * Stacked(any(1), any(1));
  for (Joint<double, 6>& joint : problem.joints) joint.speed = Column(joint).dot(carried);
  for (Contact<double, 6>& contact : problem.contacts) {
    if (contact.id % 3 == 1) contact.b = 1;
    if (contact.id % 3 == 2) contact.a = 1;
    const auto speed_along = [&](const Point& d) { return Column(problem, contact, d).dot(carried); };
    contact.surface_normal_velocity_mps = speed_along(contact.normal);
    contact.surface_velocity_mps << speed_along(contact.tangent), speed_along(contact.normal.cross(contact.tangent));
  }
  return problem;
}

class JointProjection : public testing::TestWithParam<double> {
 protected:
  // Solves a scene and writes out what its answer leaves of the equations.
  void Solve(unsigned seed) {
    problem_ = JointedScene(seed, GetParam());
    ContactSolver<double, kSmall> solver;
    solver.Solve(problem_, {}, &solution_);
    ASSERT_EQ(solution_.status, SolveStatus::kSolved) << seed;
    const auto& bodies = problem_.bodies;
    M_ = MassMatrix(problem_);
    v_ = Stacked(solution_.velocity[0], solution_.velocity[1]);
    momentum_ =
        M_ * Stacked(bodies[0].velocity, bodies[1].velocity) + problem_.step_s * Stacked(bodies[0].wrench, bodies[1].wrench);
    scale_ = std::max(KineticNorm(momentum_), KineticNorm(Impulse()));
    for (int i = 0; i < problem_.contacts.size(); ++i) {
      const Contact<double, 6>& contact = problem_.contacts[i];
      scale_ = std::max(scale_, solution_.impulse[i].normal_Ns * KineticNorm(Column(problem_, contact, contact.normal)));
    }
  }

  // √(pᵀM⁻¹p)
  double KineticNorm(const Motion& p) const { return std::sqrt(p.dot(M_.llt().solve(p))); }

  // B c
  Motion JointImpulse() const {
    Motion sum = Motion::Zero();
    for (int c = 0; c < problem_.joints.size(); ++c) sum += solution_.joint_impulse_Ns[c] * Column(problem_.joints[c]);
    return sum;
  }

  // N θ + D φ + B c
  Motion Impulse() const {
    Motion sum = JointImpulse();
    for (int i = 0; i < problem_.contacts.size(); ++i) {
      const Contact<double, 6>& contact = problem_.contacts[i];
      sum += solution_.impulse[i].normal_Ns * Column(problem_, contact, contact.normal);
      for (int j = 0; j < problem_.directions; ++j) {
        sum += solution_.impulse[i].friction_Ns(j) * Column(problem_, contact, Direction(problem_, contact, j));
      }
    }
    return sum;
  }

  // The largest violation of (3)-(5) at contact i: signs as a share of scale_, speeds times impulses, which are energies, of
  // scale_².
  double Violation(int i) const {
    const Contact<double, 6>& contact = problem_.contacts[i];
    const double theta = solution_.impulse[i].normal_Ns;
    const Vec<double, 8>& phi = solution_.impulse[i].friction_Ns;
    const double nu = Column(problem_, contact, contact.normal).dot(v_) - contact.surface_normal_velocity_mps;
    Vec<double, 8> sigma;
    for (int j = 0; j < problem_.directions; ++j) {
      const Point d = Direction(problem_, contact, j);
      const Point w = contact.surface_velocity_mps(0) * contact.tangent +
                      contact.surface_velocity_mps(1) * contact.normal.cross(contact.tangent);
      sigma(j) = Column(problem_, contact, d).dot(v_) - d.dot(w);
    }
    const double lambda = std::max(0.0, -sigma.minCoeff()), gamma = contact.friction * theta - phi.sum();
    const double signs = std::max({-nu, -theta, -phi.minCoeff(), -gamma}) / scale_;
    if (contact.friction == 0) return std::max({signs, std::abs(nu * theta) / (scale_ * scale_), phi.norm()});
    const double products = std::abs(nu * theta) + std::abs(gamma * lambda) + phi.dot((sigma.array() + lambda).matrix());
    return std::max(signs, products / (scale_ * scale_));
  }

  SmallProblem<> problem_;
  ContactSolution<double, kSmall> solution_;
  Mat<double, 12, 12> M_;
  Motion v_, momentum_;
  double scale_ = 0;  // largest kinetic norm: of the free motion, of all impulses, of one contact's (theory 3)
};

INSTANTIATE_TEST_SUITE_P(Friction, JointProjection, testing::Values(0.0, 0.4, 1.5),
                         [](const auto& test) { return "Mu" + std::to_string(int(10 * test.param)); });

// Source: theory 2.2. The tolerance, here and below, is the one that is promised, in kinetic norms.
TEST_P(JointProjection, SatisfiesTheWholeSystem) {
  int loaded = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    ASSERT_NO_FATAL_FAILURE(Solve(seed));
    const Motion impulse = Impulse();
    EXPECT_LE(KineticNorm(M_ * v_ - momentum_ - impulse), 1e-12 * scale_) << seed;
    for (const Joint<double, 6>& joint : problem_.joints) {
      EXPECT_NEAR(Column(joint).dot(v_), joint.speed, 1e-12 * KineticNorm(Column(joint)) * scale_) << seed;
    }
    for (int i = 0; i < problem_.contacts.size(); ++i) {
      EXPECT_LE(Violation(i), 1e-10) << seed << " contact " << i;
      loaded += solution_.impulse[i].normal_Ns > 0;
    }
  }
  EXPECT_GT(loaded, 100) << "scenes without contact impulses show nothing";
}

// With the contacts' impulses given, v and c are the solution of [M -B; Bᵀ 0] [v; c] = [M v0 + h f + N θ + D φ; g].
TEST_P(JointProjection, GivesTheSolutionOfTheSaddlePointSystem) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    ASSERT_NO_FATAL_FAILURE(Solve(seed));
    const int rows = problem_.joints.size() - 1;  // the last is the sum of the first two
    Mat<double, 16, 16> K = Mat<double, 16, 16>::Identity();
    Vec<double, 16> right = Vec<double, 16>::Zero();
    K.topLeftCorner<12, 12>() = M_;
    right.head<12>() = momentum_ + Impulse() - JointImpulse();
    for (int c = 0; c < rows; ++c) {
      K.block<12, 1>(0, 12 + c) = -Column(problem_.joints[c]);
      K.block<1, 12>(12 + c, 0) = Column(problem_.joints[c]).transpose();
      K(12 + c, 12 + c) = 0;
      right(12 + c) = problem_.joints[c].speed;
    }
    const Vec<double, 16> expected =
        K.cast<long double>().eval().fullPivLu().solve(right.cast<long double>()).cast<double>();
    EXPECT_LE(KineticNorm(M_ * (v_ - expected.head<12>())), 1e-12 * scale_) << seed;
    Motion joint_error = JointImpulse();
    for (int c = 0; c < rows; ++c) joint_error -= expected(12 + c) * Column(problem_.joints[c]);
    EXPECT_LE(KineticNorm(joint_error), 1e-12 * scale_) << seed;
    EXPECT_EQ(solution_.joint_impulse_Ns[rows], 0) << "a row that depends on the others carries nothing";
  }
}

}  // namespace
}  // namespace tactus::test
