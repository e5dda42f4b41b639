// The mechanics of the simulated devices (hal/sim/joint_step.h, mass_rows.h) against closed forms and conservation laws.
#include <gtest/gtest.h>

#include <cmath>

#include "hal/sim/held_sim_device.h"
#include "hal/sim/peg_in_hole_script.h"
#include "hal/sim/preset_options.h"

namespace tactus::hal {
namespace {

constexpr double kTick_s = 1e-3, kSubstep_s = 1e-4;

/// A preset's device without a hand, friction or a drive's faults.
template <class Options>
Options Bare(Options options) {
  options.damping_Nms_per_rad.setZero();
  options.coulomb_Nm.setZero();
  options.ripple = {};
  options.bandwidth_Hz = options.delay_s = options.jitter_s = 0;
  options.hand = {};
  return options;
}

const DevicePreset& Numbers(const char* name) { return *FindPreset(name); }

CommandFrame Force(double x, double y, double z) {
  CommandFrame command;
  command.force_N[0] = static_cast<float>(x);
  command.force_N[1] = static_cast<float>(y);
  command.force_N[2] = static_cast<float>(z);
  return command;
}

using Paddle = PresetDevice<Hapkit<double>>;
using Delta = PresetDevice<StamperDelta<double>>;
using Arm = PresetDevice<LinkArm<double>>;

/// Of the Hapkit's joint: its numbers and the paddle as a point.
double PaddleInertia() { return Numbers("hapkit").joint[0].inertia_kgm2 + Numbers("hapkit").link_kg * 0.035 * 0.035; }

TEST(PresetMechanics, DecaysExponentiallyInViscousFriction) {  // Source: closed form, ω = ω₀ exp(-b t / I).
  Paddle::Options options = Bare(HapkitOptions(Numbers("hapkit"), {}));
  options.damping_Nms_per_rad << 2e-3;
  Paddle paddle(options);
  ASSERT_TRUE(paddle.Stand(paddle.angles_rad(), Vec<double, 1>(1.0)));
  for (int tick = 0; tick < 100; ++tick) paddle.Advance({});
  const double rate = 2e-3 / PaddleInertia(), t_s = 100 * kTick_s;
  // Tolerance: the midpoint rule is wrong by (h rate)³/12 a substep; twice that.
  const double error = t_s / kSubstep_s * std::pow(kSubstep_s * rate, 3) / 6;
  EXPECT_NEAR(paddle.rates_radps()(0), std::exp(-rate * t_s), error);
}

TEST(PresetMechanics, StopsInCoulombFrictionAfterItsWay) {  // Source: closed form, θ = I ω₀²/(2 τ_c), t = I ω₀/τ_c.
  Paddle::Options options = Bare(HapkitOptions(Numbers("hapkit"), {}));
  options.coulomb_Nm << 0.005;
  Paddle paddle(options);
  const double start_radps = 2, way_rad = PaddleInertia() * start_radps * start_radps / 0.01;
  const int ticks = static_cast<int>(std::ceil(PaddleInertia() * start_radps / 0.005 / kTick_s));
  ASSERT_TRUE(paddle.Stand(paddle.angles_rad(), Vec<double, 1>(start_radps)));
  for (int tick = 0; tick < ticks - 1; ++tick) paddle.Advance({});
  EXPECT_GT(paddle.rates_radps()(0), 0);
  paddle.Advance({});
  EXPECT_EQ(paddle.rates_radps()(0), 0);
  // Tolerance: the last substep's start is not its end: half of its way, τ_c h²/(2 I).
  EXPECT_NEAR(paddle.angles_rad()(0), way_rad, 0.005 * kSubstep_s * kSubstep_s / (2 * PaddleInertia()) + 1e-15);
}

TEST(PresetMechanics, SticksBelowCoulombAndSlidesAbove) {  // Source: statics, τ = Jᵀ F, stick while |τ_i| ≤ τ_c.
  Delta::Options options = Bare(FalconOptions(Numbers("falcon"), {}));
  options.coulomb_Nm.setConstant(7.5e-3);
  for (MotorCalibration<double>& motor : options.motors) motor.counts_per_turn = 1e6;  // the posture is known, so is J
  Delta delta(options);
  Mat<double, 3, 3> J;
  ASSERT_TRUE(options.mechanism.Jacobian(delta.angles_rad(), &J).ok());
  const Vec<double, 3> per_N = (options.R_WD * J).row(2).transpose();  // torques of 1 N along W's z
  const double holds_N = 7.5e-3 / per_N.cwiseAbs().maxCoeff();
  const Delta::Angles before = delta.angles_rad();
  for (int tick = 0; tick < 200; ++tick) delta.Advance(Force(0, 0, 0.999 * holds_N));
  EXPECT_EQ((delta.angles_rad() - before).norm(), 0);
  for (int tick = 0; tick < 200; ++tick) delta.Advance(Force(0, 0, 1.01 * holds_N));
  EXPECT_GT((delta.angles_rad() - before).norm(), 1e-6);
}

/// Work of motors and hand = change of kinetic energy + heat. @returns what is left over, as a share of what was moved
template <class Device>
double Leftover(Device& device, double size_N, int ticks) {
  const double kinetic_J = device.kinetic_J();
  for (int tick = 0; tick < ticks; ++tick) {
    const double turn = 0.03 * tick;
    device.Advance(Force(size_N * std::sin(turn), size_N * std::cos(1.3 * turn), size_N * std::sin(0.7 * turn)));
  }
  EXPECT_EQ(device.stopped(), 0u);
  const double in_J = device.given_J() - device.taken_J() + device.hand_J();
  const double moved_J = device.given_J() + device.taken_J() + device.lost_J();
  EXPECT_GT(moved_J, 1e-4);
  return (in_J - (device.kinetic_J() - kinetic_J) - device.lost_J()) / moved_J;
}

TEST(PresetMechanics, BalancesItsEnergyExactlyWithOneMassMatrix) {  // Source: conservation of energy.
  const Hand hand = Hands()[0];
  Paddle paddle(HapkitOptions(Numbers("hapkit"), {.hand = hand, .script = PegInHoleScript()}));
  // Tolerance: roundings of some 10⁵ sums.
  EXPECT_LE(std::abs(Leftover(paddle, 1.0, 3000)), 1e-11);
}

TEST(PresetMechanics, BalancesItsEnergyWhereTheMassMatrixChanges) {  // Source: conservation of energy.
  const Hand hand = Hands()[0];
  Delta falcon(FalconOptions(Numbers("falcon"), {.hand = hand, .script = PegInHoleScript()}));
  Arm arm(WoodenOptions(Numbers("woodenhaptics"), {.hand = hand, .script = PegInHoleScript()}));
  // Tolerance: the order of the method, (h ω)² with 100 rad/s; measured 1e-7 and below.
  EXPECT_LE(std::abs(Leftover(falcon, 2.0, 3000)), 1e-4);
  EXPECT_LE(std::abs(Leftover(arm, 2.0, 3000)), 1e-4);
}

TEST(PresetMechanics, KeepsItsEnergyInFreeMotion) {  // Source: conservation of energy; centrifugal forces do no work.
  Arm arm(Bare(WoodenOptions(Numbers("woodenhaptics"), {})));
  ASSERT_TRUE(arm.Stand(arm.angles_rad(), Vec<double, 3>(1.0, -0.8, 0.6)));
  const double before_J = arm.kinetic_J();
  for (int tick = 0; tick < 300; ++tick) arm.Advance({});
  ASSERT_EQ(arm.stopped(), 0u);
  EXPECT_NEAR(arm.kinetic_J(), before_J, 1e-4 * before_J);  // the method's order: (h q̇)² a substep, 3000 of them
  EXPECT_GT((arm.rates_radps() - Vec<double, 3>(1.0, -0.8, 0.6)).norm(), 0.05);  // the rates did change
}

/// Kinetic energy of the arm's points at rates q̇, by differences of their places: written anew from docs/kinematics.md.
double ArmEnergy(const Vec<double, 3>& q, const Vec<double, 3>& rate, double wrist_kg) {
  const auto place = [](const Vec<double, 3>& a, double upper, double fore) {
    const double R = upper * std::sin(a(1)) + fore * std::sin(a(2));
    return Vec<double, 3>(std::cos(a(0)) * R, std::sin(a(0)) * R, upper * std::cos(a(1)) - fore * std::cos(a(2)));
  };
  constexpr double kStep_s = 1e-5;
  const auto speed2 = [&](double upper, double fore) {
    const Vec<double, 3> way = place(q + kStep_s * rate, upper, fore) - place(q - kStep_s * rate, upper, fore);
    return way.squaredNorm() / (4 * kStep_s * kStep_s);
  };
  double twice_J = 0.170 * speed2(0.051, 0) + 0.110 * speed2(0.205, 0.091) + wrist_kg * speed2(0.205, 0.245);
  constexpr double kRotor[3] = {1.5e-3, 8e-4, 8e-4};
  for (int i = 0; i < 3; ++i) twice_J += kRotor[i] * rate(i) * rate(i);
  return twice_J / 2;
}

TEST(PresetMechanics, MassMatrixIsTheKineticEnergysHessianOfAnArm) {  // Source: M_ij = T(e_i + e_j) - T(e_i) - T(e_j).
  Arm arm(WoodenOptions(Numbers("woodenhaptics"), {}));
  for (const Vec<double, 3>& q : {Vec<double, 3>(0.3, 0.5, 0.9), Vec<double, 3>(-0.7, -0.1, 1.6)}) {
    ASSERT_TRUE(arm.Stand(q, Vec<double, 3>::Zero()));
    const Mat<double, 3, 3> M = arm.mass_matrix();
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const Vec<double, 3> a = Vec<double, 3>::Unit(i), b = Vec<double, 3>::Unit(j);
        const double M_ij = ArmEnergy(q, a + b, 0.05) - ArmEnergy(q, a, 0.05) - ArmEnergy(q, b, 0.05);
        EXPECT_NEAR(M(i, j), M_ij, 1e-8)
            << i << j;  // differences of 1e-5: 1e-10 of the places' curvature, 1e-16/1e-5 of rounding
      }
    }
  }
}

TEST(PresetMechanics, MassMatrixIsTheKineticEnergysHessianOfADelta) {  // Source: the same, with differences of Forward.
  const Delta::Options options = FalconOptions(Numbers("falcon"), {});
  Delta falcon(options);
  const Vec<double, 3> q(0.2, 0.4, 0.5);
  ASSERT_TRUE(falcon.Stand(q, Vec<double, 3>::Zero()));
  const auto energy = [&](const Vec<double, 3>& rate) {
    constexpr double kStep_s = 1e-5;
    HandlePose<double> ahead, behind;
    EXPECT_TRUE(options.mechanism.Forward(q + kStep_s * rate, &ahead).ok());
    EXPECT_TRUE(options.mechanism.Forward(q - kStep_s * rate, &behind).ok());
    const double cranks = (9e-5 + 0.015 * 0.06 * 0.06) * rate.squaredNorm();
    return 0.5 * (cranks + 0.15 * (ahead.p_DH - behind.p_DH).squaredNorm() / (4 * kStep_s * kStep_s));
  };
  const Mat<double, 3, 3> M = falcon.mass_matrix();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Vec<double, 3> a = Vec<double, 3>::Unit(i), b = Vec<double, 3>::Unit(j);
      EXPECT_NEAR(M(i, j), energy(a + b) - energy(a) - energy(b), 1e-8) << i << j;
    }
  }
}

TEST(PresetMechanics, HandIsSpringMassAndDamperAtTheHandle) {  // Source: closed form, statics: rests where K (x_s - x) = f.
  Hand hand = Hands()[0];
  hand.full.tremor_N = hand.full.tremor_Nm = {};
  Delta::Options options = Bare(FalconOptions(Numbers("falcon"), {}));
  options.hand = hand;
  Delta falcon(options);
  for (int tick = 0; tick < 3000; ++tick) falcon.Advance(Force(0, 0, -1));
  // Tolerance: the driver knows the posture to half a count of each motor, 0.02 mm at the handle: 2e-3 of the force.
  EXPECT_NEAR(falcon.p_WH_m().z(), -1 / 135.0, 2e-3 / 135);
}

TEST(PresetMechanics, StandsAtItsStopAndLosesWhatItHad) {  // Source: second law: a stop gives nothing.
  Hand hand = Hands()[1];
  const HandMove away{.name = "away", .duration_s = 0.5, .p_m = {0, 0, 0.9}};
  Delta falcon(FalconOptions(Numbers("falcon"), {.hand = hand, .script = {&away, 1}}));
  for (int tick = 0; tick < 1000; ++tick) falcon.Advance({});
  EXPECT_GT(falcon.stopped(), 100u);
  EXPECT_TRUE(falcon.angles_rad().allFinite());
  EXPECT_LE(falcon.kinetic_J(), 1e-3);
  EXPECT_GE(falcon.lost_J(), 0);
}

TEST(HeldMass, ActsSoManyPeriodsLate) {  // Source: Newton: a force F for one period gives m the speed F h/m.
  DeviceParameters free = FalconClass();
  free.mass_kg = {0.2};
  free.damping_Ns_per_m = free.coulomb_N = {0};
  for (int late = 0; late <= HeldSimDevice::kMostLate_periods; ++late) {
    HeldSimDevice device({}, {}, 1, 1000, free, late);
    device.Advance(Force(1, 0, 0));
    for (int tick = 1; tick < 20; ++tick) {
      EXPECT_DOUBLE_EQ(device.v_WH_mps().x(), tick > late ? kTick_s / 0.2 : 0) << late << " " << tick;
      device.Advance({});
    }
  }
}

}  // namespace
}  // namespace tactus::hal
