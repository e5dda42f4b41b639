// What stands between a command and a torque (hal/sim/sim_drive.h, preset_device.h), and what the encoders say.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

#include "hal/sim/peg_in_hole_script.h"
#include "hal/sim/preset_options.h"

namespace tactus::hal {
namespace {

using Drive = SimDrive<1>;
using One = Vec<double, 1>;

Drive::Options Ideal() {
  Drive::Options options;
  options.motors[0].turns_per_joint_turn = options.motors[0].torque_constant_Nm_per_A = 1;
  options.motors[0].max_current_A = 10;
  return options;
}

/// Impulse of a current of 1 A that is sent at 0, in the first `substeps`.
double Impulse(Drive& drive, int substeps, double chance = 0) {
  double sum_Nms = 0;
  drive.Send(One(1.0), 0, chance);
  for (int i = 0; i < substeps; ++i) sum_Nms += 1e-4 * drive.Step(i * 1e-4, One(0.0))(0);
  return sum_Nms;
}

TEST(SimDrive, ActsSoLateToAFractionOfASubstep) {  // Source: closed form: impulse = torque (t - delay).
  for (const double delay_s : {0.0, 5e-5, 3.3e-4, 1.107e-3, 2.5e-3}) {
    Drive::Options options = Ideal();
    options.delay_s = delay_s;
    Drive drive(options);
    EXPECT_NEAR(Impulse(drive, 50), 5e-3 - delay_s, 1e-15) << delay_s;
  }
}

TEST(SimDrive, JitterComesOnTopAndKeepsTheOrder) {  // Source: closed form, as above.
  Drive::Options options = Ideal();
  options.delay_s = 2e-4;
  options.jitter_s = 1e-3;
  Drive drive(options);
  EXPECT_NEAR(Impulse(drive, 50, 0.5), 5e-3 - 7e-4, 1e-15);
  drive.Send(One(2.0), 5e-3, 0.9);  // due at 6.1 ms
  drive.Send(One(3.0), 5e-3, 0.0);  // sent later: not before it
  double sum_Nms = 0;
  for (int i = 50; i < 100; ++i) sum_Nms += 1e-4 * drive.Step(i * 1e-4, One(0.0))(0);
  EXPECT_NEAR(sum_Nms, 1.1e-3 * 1 + 3.9e-3 * 3, 1e-14);
}

TEST(SimDrive, LagsByItsBandwidth) {  // Source: closed form: 1 - exp(-2π f t).
  for (const double f_Hz : {20.0, 300.0, 2000.0, 1e6}) {
    Drive::Options options = Ideal();
    options.bandwidth_Hz = f_Hz;
    Drive drive(options);
    (void)Impulse(drive, 20);
    // Tolerance: the series' 16 terms at x ≤ 1.25 leave 1e-13.
    EXPECT_NEAR(drive.current_A()(0), 1 - std::exp(-2 * std::numbers::pi * f_Hz * 2e-3), 1e-12) << f_Hz;
  }
}

TEST(SimDrive, LosesOfAStepAsMuchAsItsLagIsLong) {  // Source: closed form: ∫ exp(-2πft) dt = 1/(2πf).
  for (const double f_Hz : {300.0, 2000.0}) {
    Drive::Options options = Ideal();
    options.bandwidth_Hz = f_Hz;
    options.delay_s = 1.3e-4;
    Drive drive(options);
    EXPECT_NEAR(Impulse(drive, 300), 0.03 - 1.3e-4 - 1 / (2 * std::numbers::pi * f_Hz), 1e-14) << f_Hz;
  }
}

TEST(SimDrive, RipplesOverItsShaft) {  // Source: closed form: τ = N k i (1 + r sin pNq) + N τ_g sin pNq.
  Drive::Options options = Ideal();
  options.motors[0].turns_per_joint_turn = 4;
  options.ripple[0] = {.share = 0.1, .cogging_Nm = 0.02, .waves_per_turn = 7};
  Drive drive(options);
  drive.Send(One(0.5), 0, 0);
  for (const double q : {0.0, 0.03, -0.4}) {
    const double wave = std::sin(7 * 4 * q);
    EXPECT_NEAR(drive.Step(0, One(q))(0), 4 * 0.5 * (1 + 0.1 * wave) + 4 * 0.02 * wave, 1e-13);
  }
}

TEST(SimDrive, MoreCommandsThanItKeepsActEarlierAndNoneIsLost) {  // Source: its own bound, kPending.
  Drive::Options options = Ideal();
  options.delay_s = 1;
  options.motors[0].max_current_A = 1000;
  Drive drive(options);
  for (int i = 0; i <= Drive::kPending; ++i) drive.Send(One(1.0 + i), i * 1e-3, 0);
  EXPECT_NEAR(drive.Step(0.1, One(0.0))(0), 1.0, 1e-12);  // the oldest, at once
  EXPECT_NEAR(drive.Step(2.0, One(0.0))(0), 1.0 + Drive::kPending, 1e-12);
}

using Delta = PresetDevice<StamperDelta<double>>;

CommandFrame Force(double x, double y, double z) {
  CommandFrame command;
  command.force_N[0] = static_cast<float>(x);
  command.force_N[1] = static_cast<float>(y);
  command.force_N[2] = static_cast<float>(z);
  return command;
}

Delta::Options Falcon(std::uint64_t seed = 1) {
  return FalconOptions(*FindPreset("falcon"), {.hand = Hands()[0], .script = PegInHoleScript(), .seed = seed});
}

TEST(PresetDevice, CountsEveryMotorByItself) {  // Source: definition of a count, and the kinematics of what was counted.
  Delta falcon(Falcon());
  for (int tick = 0; tick < 700; ++tick) falcon.Advance({});
  const double per_rad = 1280 * 110 / 14.25 / (2 * std::numbers::pi);
  Vec<double, 3> measured;
  for (int i = 0; i < 3; ++i) {
    const std::int32_t count = falcon.counts()[static_cast<std::size_t>(i)];
    EXPECT_EQ(count, std::lround(falcon.angles_rad()(i) * per_rad));
    measured(i) = count / per_rad;
  }
  HandlePose<double> pose;
  ASSERT_TRUE(Falcon().mechanism.Forward(measured, &pose).ok());
  const Vec<double, 3> p_W = Falcon().p_WD_m + Falcon().R_WD * pose.p_DH;
  const SensorFrame sample = falcon.Sample();
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(static_cast<double>(sample.p_WH_m[i]), p_W(i), 1e-8);  // single precision at 0.1 m
  const double error_m = (p_W - falcon.p_WH_m()).norm();
  EXPECT_GT(error_m, 0);
  EXPECT_LT(error_m, 60e-6);  // half a count of all three: 0.048 mm in and out, 0.074 mm across, halved, root of squares
}

TEST(PresetDevice, SaturatesAtItsCurrentsAndKeepsTheDirection) {  // Source: τ = Jᵀ F, |I| ≤ I_max for each motor.
  Delta::Options options = Falcon();
  options.bandwidth_Hz = options.delay_s = options.jitter_s = 0;
  options.ripple = {};
  for (MotorCalibration<double>& motor : options.motors) motor.counts_per_turn = 1e7;
  Delta falcon(options);
  Mat<double, 3, 3> J;
  ASSERT_TRUE(options.mechanism.Jacobian(falcon.angles_rad(), &J).ok());
  falcon.Advance(Force(300, 200, -100));
  EXPECT_NEAR(falcon.current_A().cwiseAbs().maxCoeff(), 4.095, 1e-6);
  Vec<double, 3> tau = falcon.current_A();
  for (int i = 0; i < 3; ++i) tau(i) /= CurrentPerTorque(options.motors[static_cast<std::size_t>(i)]);
  const Vec<double, 3> asked = J.transpose() * (options.R_WD.transpose() * Vec<double, 3>(3, 2, -1));
  EXPECT_NEAR(tau.normalized().dot(asked.normalized()), 1, 1e-9);
}

TEST(PresetDevice, ColdMotorsGiveTheirPeakAndHotOnesTheirContinuousCurrent) {  // Source: I²t, docs/kinematics.md 7.
  Delta::Options options = Falcon();
  options.hand.full.tremor_N = {};
  Delta falcon(options);
  for (int tick = 0; tick < 60'000; ++tick) falcon.Advance(Force(0, 0, 50));
  for (int i = 0; i < 3; ++i) EXPECT_LE(falcon.heat_share(i), 1 + 1e-9);
  // Only the motor that limits the force is at its bound; the others have less.
  EXPECT_NEAR(falcon.current_A().cwiseAbs().maxCoeff(), 2.0475, 0.03);
}

TEST(PresetDevice, TakesWhatIsNoCommandForNone) {  // Source: the driver's rule, zeros for what is not finite.
  Delta::Options options = Falcon();
  options.delay_s = options.jitter_s = 0;
  for (const float wrong : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 3e38f}) {
    Delta falcon(options);
    CommandFrame command = Force(1, 1, 1);
    command.force_N[1] = wrong;
    falcon.Advance(command);
    EXPECT_EQ(falcon.current_A().norm(), 0) << wrong;
    EXPECT_TRUE(falcon.angles_rad().allFinite());
  }
}

TEST(PresetDevice, SameSeedSameBitsOtherSeedOthers) {  // Source: definition of a seed.
  for (const DevicePreset& preset : DevicePresets()) {
    std::unique_ptr<HeldDevice> devices[3];
    for (std::uint64_t i = 0; i < 3; ++i)
      devices[i] = MakePreset(preset, {.hand = Hands()[0], .script = PegInHoleScript(), .seed = i == 2 ? 9u : 4u});
    bool differs = false;
    for (int tick = 0; tick < 500; ++tick) {
      SensorFrame samples[3];
      for (int i = 0; i < 3; ++i) {
        devices[i]->Advance(Force(0.5, 0, std::sin(0.1 * tick)));
        samples[i] = devices[i]->Sample();
      }
      ASSERT_EQ(std::memcmp(&samples[0], &samples[1], sizeof(SensorFrame)), 0) << preset.name << ' ' << tick;
      differs = differs || std::memcmp(&samples[0], &samples[2], sizeof(SensorFrame)) != 0;
    }
    EXPECT_TRUE(differs) << preset.name;
  }
}

TEST(PresetDevice, WhatIsNotMeasuredDoesNotMove) {  // Source: the mechanisms' degrees of freedom.
  HandMove turn{.name = "turn", .duration_s = 0.3, .p_m = {0.01, 0.01, 0.01}, .rotation_rad = {0.1, 0.2, 0.3}};
  HandMove back{.name = "back", .duration_s = 0.3};
  const HandMove moves[] = {turn, back};
  for (const DevicePreset& preset : DevicePresets()) {
    const auto device = MakePreset(preset, {.hand = Hands()[0], .script = {moves, 2}});
    const SensorFrame start = device->Sample();
    for (int tick = 0; tick < 350; ++tick) device->Advance({});
    const SensorFrame now = device->Sample();
    const bool turned = std::memcmp(start.q_WH, now.q_WH, sizeof(now.q_WH)) != 0;
    EXPECT_EQ(turned, preset.turns) << preset.name;
    EXPECT_TRUE(preset.turns || now.q_WH[0] == 1.0f) << preset.name;
    EXPECT_NE(now.p_WH_m[2], start.p_WH_m[2]) << preset.name;
    EXPECT_EQ(now.p_WH_m[1] == start.p_WH_m[1], preset.motors < 3) << preset.name;
  }
}

TEST(PresetDevice, AGimbalMeasuresTheHandsTurn) {  // Source: the hand's target, followed by a spring without load.
  const HandMove turn[] = {{.name = "turn", .duration_s = 0.5, .rotation_rad = {0, 0, 0.3}},
                           {.name = "hold", .duration_s = 5, .rotation_rad = {0, 0, 0.3}}};
  Hand hand = Hands()[0];
  hand.full.tremor_N = hand.full.tremor_Nm = {};
  const auto device = MakePreset(*FindPreset("touch"), {.hand = hand, .script = {turn, 2}});
  for (int tick = 0; tick < 2000; ++tick) device->Advance({});
  // Twice the Gibbs vector's half: tan(angle/2) = 0.15. Tolerance: one count of the gimbal about each axis.
  const SensorFrame sample = device->Sample();
  EXPECT_NEAR(static_cast<double>(sample.q_WH[3] / sample.q_WH[0]), 0.15, 1.5e-3);
}

TEST(PresetDevice, ManyFastTicksAreAsLongAsOneSlow) {  // Source: time is time: the hand is as far after 0.2 s.
  const auto slow = MakePreset(*FindPreset("omega3"), {.hand = Hands()[0], .script = PegInHoleScript()});
  const auto fast = MakePreset(*FindPreset("omega3"), {.hand = Hands()[0], .script = PegInHoleScript(), .period_us = 100});
  for (int tick = 0; tick < 200; ++tick) slow->Advance({});
  for (int tick = 0; tick < 2000; ++tick) fast->Advance({});
  EXPECT_LE((slow->p_WH_m() - fast->p_WH_m()).norm(), 3e-4);  // their tremors differ: 0.15 N on 135 N/m, filtered
  EXPECT_STREQ(slow->move(), fast->move());
}

}  // namespace
}  // namespace tactus::hal
