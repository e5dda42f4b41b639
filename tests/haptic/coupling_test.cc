#include "tactus/haptic/coupling.h"

#include <gtest/gtest.h>

namespace tactus {
namespace {

using Vec3 = Vec<double, 3>;
using Vec6 = Vec<double, 6>;
constexpr double kPeriod_s = 1e-3;

TEST(Coupling, IsTheSpringAndDamperAtTheEndOfThePeriod) {
  // Source: the equation written out for the end of the period.
  const CouplingConfig<double> config;
  Vec6 error, handle_twist, tool_twist;
  error << 1e-3, -2e-3, 0, 0.01, 0, -0.02;
  handle_twist << 0.1, 0, -0.2, 0.5, 0, 1;
  tool_twist << 0, 0.3, 0.1, -1, 2, 0;
  const Vec6 wrench = Couple(error, handle_twist, config, kPeriod_s).At(tool_twist);
  const Vec6 relative = handle_twist - tool_twist, error_then = error + kPeriod_s * relative;
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(wrench(i), config.stiffness_N_per_m * error_then(i) + config.damping_Ns_per_m * relative(i), 1e-13);
    EXPECT_NEAR(
        wrench(3 + i),
        config.angular_stiffness_Nm_per_rad * error_then(3 + i) + config.angular_damping_Nms_per_rad * relative(3 + i),
        1e-15);
  }
}

TEST(Coupling, ErrorIsTheWayFromToolToHandle) {
  HandleState<double> handle;
  handle.p_WH_m = Vec3(1, 2, 3);
  handle.q_WH = ExpMap(Vec3(0, 0, 0.5));
  RigidBodyState<double> tool;
  tool.p_WT_m = Vec3(1, 1, 1);
  tool.q_WT = ExpMap(Vec3(0, 0, 0.2));
  Vec6 expected;
  expected << 0, 1, 2, 0, 0, 0.3;
  EXPECT_LE((CouplingError(handle, tool) - expected).norm(), 1e-15);
}

TEST(ClampedSpringEnergy, IsTheWorkOfTheClampedForce) {  // Source: numeric integral of min(k x, limit), by midpoints.
  constexpr double kStiffness = 1500, kLimit = 8;
  double work_J = 0;
  constexpr int kSteps = 100'000;
  for (int i = 0; i < kSteps; ++i) work_J += Min(kStiffness * 0.01 * (i + 0.5) / kSteps, kLimit) * 0.01 / kSteps;
  EXPECT_NEAR(ClampedSpringEnergy(kStiffness, 0.01, kLimit), work_J, 1e-9);
  EXPECT_NEAR(ClampedSpringEnergy(kStiffness, 0.001, kLimit), kStiffness * 0.001 * 0.001 / 2, 1e-15);
}

TEST(StoredEnergy, IsKineticElasticAndWeight) {  // Source: closed forms.
  Config<double> config;
  config.tool.mass_kg = 0.2;
  config.tool.inertia_kgm2 = Vec3(1, 2, 3) * 1e-5;
  config.scene.gravity_W_mps2 = Vec3(0, 0, -9.81);
  RigidBodyState<double> tool;
  tool.p_WT_m = Vec3(0, 0, 0.5);
  tool.q_WT = ExpMap(Vec3(0, 0, 3.14159265358979323846 / 2));  // the tool's x axis along W's y
  tool.twist_W << 1, 2, 2, 0, 10, 0;
  Vec6 error = Vec6::Zero();
  error(1) = 0.002;
  const double expected_J = 0.2 * 9 / 2 + 1e-5 * 100 / 2 + 1500 * 0.002 * 0.002 / 2 + 0.2 * 9.81 * 0.5;
  EXPECT_NEAR(StoredEnergy(error, tool, config), expected_J, 1e-12);
}

}  // namespace
}  // namespace tactus
