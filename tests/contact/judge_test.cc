#include "tactus/contact/judge.h"

#include <gtest/gtest.h>

#include "tests/contact/scenes.h"

namespace tactus::test {
namespace {

using Solution = ContactSolution<double, kSmall>;

// The ball on a floor, pressed with 5 N for a step, and an answer: this velocity, this impulse.
struct Scene {
  SmallProblem<> problem = BallOnFloor<>(Vec<double, 6>::Zero(), {0, 0, -5, 0, 0, 0}, 0.4);
  Solution answer;

  Scene(double speed_mps, double normal_Ns) {
    (void)answer.velocity.push_back(Vec<double, 6>(0, 0, speed_mps, 0, 0, 0));
    (void)answer.tangent.push_back(Vec<double, 3>(1, 0, 0));
    answer.impulse.resize(1, problem.directions);
    answer.impulse.storage().theta[0] = normal_Ns;
  }
  double pressed_Ns() const { return 5 * problem.step_s; }
  double free_mps() const { return pressed_Ns() / problem.bodies[0].mass_kg; }
};

// Source: equilibrium.
TEST(JudgeAnswer, HasNothingToSayOfEquilibrium) {
  Scene scene(0, 0);
  scene.answer.impulse.storage().theta[0] = scene.pressed_Ns();
  const Verdict<double> verdict = JudgeAnswer(scene.problem, scene.answer);
  EXPECT_TRUE(verdict.Holds(1e-15, 1e-15));
  EXPECT_LE(verdict.penetration, 1e-15);
}

// Source: closed form: it falls as fast as it can, ν = -g h, all of its own scale.
TEST(JudgeAnswer, NamesTheContactThatABodyFallsThrough) {
  Scene scene(0, 0);
  scene.answer.velocity[0](2) = -scene.free_mps();
  const Verdict<double> verdict = JudgeAnswer(scene.problem, scene.answer);
  EXPECT_NEAR(verdict.contact, 1, 1e-15);
  EXPECT_NEAR(verdict.penetration, 1, 1e-15);
  EXPECT_EQ(verdict.worst_contact, 0);
  EXPECT_NEAR(verdict.nu_mps, -scene.free_mps(), 1e-17);
  EXPECT_LE(verdict.motion, 1e-15);
}

// Source: closed form: at rest without an impulse, m v_f is missing.
TEST(JudgeAnswer, SeesAMotionThatNoImpulseMade) {
  const Verdict<double> verdict = JudgeAnswer(Scene(0, 0).problem, Scene(0, 0).answer);
  EXPECT_NEAR(verdict.motion, 1, 1e-15);
  EXPECT_EQ(verdict.worst_body, 0);
  EXPECT_EQ(verdict.contact, 0);
}

// Source: closed form: thrown back with twice the speed, (2² - 1)/2 of the energy of the free motion.
TEST(JudgeAnswer, SeesEnergyThatNothingGave) {
  Scene scene(0, 0);
  scene.answer.velocity[0](2) = 2 * scene.free_mps();
  scene.answer.impulse.storage().theta[0] = 3 * scene.pressed_Ns();
  const Verdict<double> verdict = JudgeAnswer(scene.problem, scene.answer);
  EXPECT_NEAR(verdict.energy, 1.5, 1e-14);
  EXPECT_LE(verdict.motion, 1e-15);
}

// Source: closed form: the force stops the body within the step. What v0 + h f/m leaves is rounding, and no energy.
TEST(JudgeAnswer, ForgivesTheRoundingOfAForceThatStopsABody) {
  for (int i = 1; i <= 200; ++i) {
    Scene scene(0, 0);
    scene.problem.contacts.clear();
    scene.answer.tangent.clear();
    scene.answer.impulse.resize(0, scene.problem.directions);
    auto& body = scene.problem.bodies[0];
    const Vec<double, 3> v(0.072 * i, 0.1, -0.096 / i), omega(-0.3, 0.007 * i, 1.0 / i);
    body.velocity << v, omega;
    body.wrench << -body.mass_kg * v / scene.problem.step_s, -(body.inertia_kgm2 * omega) / scene.problem.step_s;
    EXPECT_TRUE(JudgeAnswer(scene.problem, scene.answer).Holds(1e-12, 1e-12)) << i;
    scene.answer.velocity[0](0) = 1e-3 * v(0);  // not stopped
    EXPECT_FALSE(JudgeAnswer(scene.problem, scene.answer).Holds(1e-12, 1e-12)) << i;
  }
}

// A heavy body that flies past does not excuse a contact that has nothing to do with it. Source: own scale, as above.
TEST(JudgeAnswer, MeasuresAContactOnItsOwnScale) {
  Scene scene(0, 0);
  (void)scene.problem.bodies.push_back(Ball<>());
  scene.problem.bodies[1].mass_kg = 1e6;
  scene.problem.bodies[1].velocity(0) = 1e3;
  (void)scene.answer.velocity.push_back(scene.problem.bodies[1].velocity);
  scene.answer.velocity[0](2) = -scene.free_mps();
  EXPECT_NEAR(JudgeAnswer(scene.problem, scene.answer).contact, 1, 1e-15);
}

// Source: J J⁻¹ = 1. In float the determinant of the least is 10⁻¹⁰⁵.
TEST(InverseByCofactors, IsTheInverseWhateverTheSize) {
  Mat<float, 3, 3> shape;
  shape << 3, 0.5f, -0.2f, 0.5f, 2, 0.1f, -0.2f, 0.1f, 1;
  for (const float size : {1e-35f, 1e-20f, 1e-13f, 1.0f, 1e13f, 1e20f, 1e35f}) {
    const Mat<float, 3, 3> J = size * shape, product = J * internal::InverseByCofactors(J);
    EXPECT_LE((product - Mat<float, 3, 3>::Identity()).cwiseAbs().maxCoeff(), 1e-5f) << size;
  }
}

// Source: docs/theory/verdict.md: NaN is worse than any number.
TEST(JudgeAnswer, HoldsNoAnswerThatIsNotANumber) {
  Scene scene(0, 0);
  scene.answer.velocity[0](1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(JudgeAnswer(scene.problem, scene.answer).Holds(1e9, 1e9));
}

}  // namespace
}  // namespace tactus::test
