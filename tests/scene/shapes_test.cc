// Cones as bodies of a scene: they rest, and fly at a plane.
#include <algorithm>
#include <cstdlib>
#include <random>

#include "scenes.h"

namespace tactus {
namespace {

int Motions() {
  const char* const given = std::getenv("TACTUS_PLACEMENTS");
  return given != nullptr ? std::atoi(given) : 2000;
}

constexpr double kRadius_m = 0.012, kHeight_m = 0.03, kMass_kg = 0.1;

Scene<> ConeOverAPlane() {
  Scene<> scene;
  const double across = kMass_kg * (0.15 * kRadius_m * kRadius_m + 0.0375 * kHeight_m * kHeight_m);
  EXPECT_EQ(scene.bodies.push_back({.mass_kg = kMass_kg,
                                    .inertia_kgm2 = {across, across, 0.3 * kMass_kg * kRadius_m * kRadius_m},
                                    .p_WB_m = {0, 0, kHeight_m / 4}}),
            Status::kOk);
  EXPECT_EQ(
      scene.shapes.push_back(
          {.kind = ShapeKind::kCone, .body = kTool, .radius_m = 2e-4, .half_m = {kRadius_m, kRadius_m, kHeight_m / 2}}),
      Status::kOk);
  EXPECT_EQ(scene.shapes.push_back({.kind = ShapeKind::kHalfSpace}), Status::kOk);
  return scene;
}

// Source: closed form, m g; in both precisions.
template <class Scalar>
void StandStill(double tolerance_N) {
  Scene<> scene = ConeOverAPlane();
  scene.gravity_W_mps2 = {0, 0, -kGravity_mps2};
  Running<Scalar> run(scene);
  run.Steps(200);
  EXPECT_NEAR(static_cast<double>(run.state.bodies[0].p_WT_m(2)), kHeight_m / 4, 1e-7);
  EXPECT_NEAR(run.ForceOfWorld()(2), kMass_kg * kGravity_mps2, tolerance_N);
  EXPECT_EQ(run.problem->contacts.size(), 8);
}
TEST(SceneCone, StandsOnItsBase) {
  StandStill<double>(1e-6);
  StandStill<float>(1e-4);
}

// Source: closed form. Of the rim its eight fixed points and the lowest are contacts. A turn δ = ω h takes the tilt to
// another direction, θ from the nearest of them: |α| (1 - cos θ) R lower, |α| ≤ δ/sin θ, and θ ≤ π/8 for the eight. So
// R δ tan(π/16) is the most, 48 µm, and paths bend by h² ω² ρ/2, 5 µm.
TEST(SceneCone, FastConesDoNotEnterAPlane) {
  constexpr double kSpin_radps = 20, kStep_s = 1e-3;
  const RoundCore<double> core = RoundCoreOf(ConeShape(kRadius_m, kHeight_m));
  Scene<> scene = ConeOverAPlane();
  scene.default_law.friction = 0;
  Running<double> run(scene);
  std::mt19937 random(13);
  std::normal_distribution<double> normal(0, 1);
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto direction = [&] {
    const Vec<double, 3> v(normal(random), normal(random), normal(random));
    return Vec<double, 3>(v / v.norm());
  };
  const auto lowest_m = [&](const RigidBodyState<double>& body) {
    const Vec<double, 3> down = -RotationMatrix(body.q_WT).row(2).transpose();
    return body.p_WT_m(2) - core.Support(down).dot(down) - 2e-4;
  };
  double deepest_m = 0;
  for (int n = 0; n < Motions() && !testing::Test::HasFatalFailure(); ++n) {
    auto& body = run.state.bodies[0];
    const double kind = uniform(random);  // a third each upright, on its side, any way
    const Vec<double, 3> turn = kind < 0.33 ? Vec<double, 3>(0.02 * direction())
                                : kind < 0.66
                                    ? Vec<double, 3>(0, M_PI - std::atan2(kHeight_m, kRadius_m) + 0.02 * normal(random), 0)
                                    : Vec<double, 3>(M_PI * direction());
    body.q_WT = ExpMap(turn);
    body.p_WT_m.setZero();
    body.p_WT_m(2) = 1e-3 * uniform(random) - lowest_m(body);
    body.twist_W << 2 * direction(), kSpin_radps * direction();
    run.Step();
    deepest_m = std::max(deepest_m, -lowest_m(body));
  }
  const double lens_m = kRadius_m * kSpin_radps * kStep_s * std::tan(M_PI / 16);
  const double bend_m = kStep_s * kStep_s * kSpin_radps * kSpin_radps * 0.75 * kHeight_m / 2;
  EXPECT_LT(deepest_m, lens_m + bend_m);
  std::printf("%d flights, deepest %.2f um\n", Motions(), 1e6 * deepest_m);
}

}  // namespace
}  // namespace tactus
