#include "hal/sim/sim_device.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "hal/sim/peg_in_hole_script.h"

namespace tactus::hal {
namespace {

constexpr double kSubstep_s = SimDevice::kTick_s / SimDevice::kSubsteps;

/// A handle of 0.25 kg and 3e-4 kg·m² with nothing else: no friction, no hand, no limits.
DeviceParameters BareHandle() {
  DeviceParameters device;
  device.mass_kg.value = 0.25;
  device.inertia_kgm2.value = 3e-4;
  device.max_force_N.value = 1e9;
  device.max_torque_Nm.value = 1e9;
  return device;
}

SimDevice Moving(const DeviceParameters& device, double speed_mps) {
  SimDevice handle(device, NoHand(), {}, 0);
  HandleState state;
  state.v_WH_mps.x() = speed_mps;
  handle.set_state(state);
  return handle;
}

CommandFrame Force(float x_N, float y_N = 0, float z_N = 0) {
  CommandFrame command;
  command.force_N[0] = x_N;
  command.force_N[1] = y_N;
  command.force_N[2] = z_N;
  return command;
}

bool SameBits(const SensorFrame& a, const SensorFrame& b) {
  return std::memcmp(a.p_WH_m, b.p_WH_m, sizeof(a.p_WH_m)) == 0 && std::memcmp(a.q_WH, b.q_WH, sizeof(a.q_WH)) == 0;
}

TEST(SimDevice, DecaysExponentiallyWhenOnlyViscousDampingActs) {  // Source: closed form, v = v0 exp(-b t / m).
  DeviceParameters device = BareHandle();
  device.damping_Ns_per_m.value = 0.4;
  SimDevice handle = Moving(device, 0.1);
  for (int tick = 0; tick < 500; ++tick) handle.Advance({});
  const double rate = 0.4 / 0.25, t_s = 0.5;
  // Tolerance: implicit Euler is wrong by the factor 1 + t h rate²/2, here 6.4e-5.
  EXPECT_NEAR(handle.state().v_WH_mps.x(), 0.1 * std::exp(-rate * t_s), 0.1 * t_s * kSubstep_s * rate * rate);
}

TEST(SimDevice,
     StopsByCoulombFrictionAfterItsStoppingDistance) {  // Source: closed form, x = m v0² / (2 f_c), t = m v0 / f_c.
  DeviceParameters device = BareHandle();
  device.coulomb_N.value = 0.3;
  SimDevice handle = Moving(device, 0.12);
  for (int tick = 0; tick < 101; ++tick) handle.Advance({});  // t = 100 ms
  EXPECT_EQ(handle.state().v_WH_mps.x(), 0);
  const double distance_m = 0.25 * 0.12 * 0.12 / (2 * 0.3);
  EXPECT_NEAR(handle.state().p_WH_m.x(), distance_m, 0.12 * kSubstep_s);  // Tolerance: one substep at full speed.
}

TEST(SimDevice, StaysExactlyAtRestWhenTheForceIsBelowTheCoulombFriction) {
  DeviceParameters device = BareHandle();
  device.coulomb_N.value = 0.3;
  SimDevice handle(device, NoHand(), {}, 0);
  for (int tick = 0; tick < 50; ++tick) handle.Advance(Force(0.29f));
  EXPECT_EQ(handle.state().p_WH_m.x(), 0);
  handle.Advance(Force(0.31f));
  EXPECT_GT(handle.state().p_WH_m.x(), 0);
}

TEST(SimDevice, AcceleratesByNewtonsLawUnderAConstantForceAndTorque) {  // Source: closed form, v = f t / m, ω = τ t / I.
  SimDevice handle(BareHandle(), NoHand(), {}, 0);
  CommandFrame command = Force(0.5f);
  command.torque_Nm[2] = 0.001f;
  for (int tick = 0; tick < 100; ++tick) handle.Advance(command);
  EXPECT_NEAR(handle.state().v_WH_mps.x(), 0.5 * 0.1 / 0.25, 1e-12);  // Tolerance: rounding of 1000 sums.
  EXPECT_NEAR(handle.state().w_WH_radps.z(), double{0.001f} * 0.1 / 3e-4, 1e-12);
}

TEST(SimDevice, RestsWhereTheHandsSpringBalancesTheForce) {  // Source: closed form, x = f / K.
  SimDevice handle(
      BareHandle(),
      [] {
        HandParameters hand = RelaxedHand();
        hand.tremor_N.value = hand.tremor_Nm.value = 0;
        return hand;
      }(),
      {}, 0);
  for (int tick = 0; tick < 5000; ++tick) handle.Advance(Force(0, 0, 1));
  EXPECT_NEAR(handle.state().p_WH_m.z(), 1.0 / 135.0, 1e-7);  // Tolerance: exp(-4 /s · 5 s) of the way is still to go.
}

TEST(SimDevice, SaturatesTheForceAndKeepsItsDirection) {
  DeviceParameters device = BareHandle();
  device.max_force_N.value = 5;
  SimDevice clamped(device, NoHand(), {}, 0), exact(BareHandle(), NoHand(), {}, 0);
  clamped.Advance(Force(30, 40));
  exact.Advance(Force(3, 4));
  EXPECT_NEAR((clamped.state().v_WH_mps - exact.state().v_WH_mps).norm(), 0, 1e-15);  // Tolerance: rounding.
}

TEST(SimDevice, TakesACommandThatIsNotFiniteAsZero) {
  SimDevice handle(BareHandle(), NoHand(), {}, 0);
  handle.Advance(Force(std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 0));
  EXPECT_EQ(handle.state().v_WH_mps.norm(), 0);
}

TEST(SimDevice, MeasuresPositionsInWholeCountsWithinHalfACount) {
  SimDevice handle(FalconClass(), RelaxedHand(), PegInHoleScript(), 3);
  for (int tick = 0; tick < 2000; ++tick) {
    const SensorFrame sample = handle.Sample();
    for (int i = 0; i < 3; ++i) {
      const double counts = double{sample.p_WH_m[i]} / 38e-6;
      EXPECT_NEAR(counts, std::round(counts), 1e-3);  // Tolerance: single precision of 0.1 m is 2e-4 counts.
      EXPECT_LE(std::abs(double{sample.p_WH_m[i]} - handle.state().p_WH_m(i)), 19e-6 + 1e-8);  // … and 7e-9 m.
    }
    handle.Advance({});
  }
}

TEST(SimDevice, MeasuresOrientationsWithinHalfACountAndOfUnitLength) {
  SimDevice handle(FalconClass(), RelaxedHand(), PegInHoleScript(), 3);
  for (int tick = 0; tick < 4000; ++tick) handle.Advance({});
  const SensorFrame sample = handle.Sample();
  double squares = 0;
  for (int i = 0; i < 4; ++i) squares += double{sample.q_WH[i]} * double{sample.q_WH[i]};
  EXPECT_NEAR(squares, 1, 4e-7);  // Tolerance: four squares of single precision.
  for (int i = 1; i < 4; ++i) {   // Half a count of the vector part, and what the normalisation shifts.
    EXPECT_NEAR(double{sample.q_WH[i]}, handle.state().q_WH(i), 636e-6 / 4 + 1e-5);
  }
}

TEST(SimDevice, CountsSamplesFromOne) {
  SimDevice handle(FalconClass(), NoHand(), {}, 0);
  EXPECT_EQ(handle.Sample().sequence, 1u);
  handle.Advance({});
  EXPECT_EQ(handle.Sample().sequence, 2u);
}

TEST(SimDevice, GivesTheSameBitsForTheSameSeed) {
  SimDevice a(FalconClass(), RelaxedHand(), PegInHoleScript(), 7), b(FalconClass(), RelaxedHand(), PegInHoleScript(), 7);
  SimDevice other(FalconClass(), RelaxedHand(), PegInHoleScript(), 8);
  bool other_differs = false;
  for (int tick = 0; tick < 3000; ++tick) {
    ASSERT_TRUE(SameBits(a.Sample(), b.Sample())) << "tick " << tick;
    other_differs = other_differs || !SameBits(a.Sample(), other.Sample());
    for (SimDevice* device : {&a, &b, &other}) device->Advance(Force(0.1f, -0.2f, 0.3f));
  }
  EXPECT_TRUE(other_differs);
}

TEST(SimDevice, BooksTheWorkOfTheCommand) {  // Source: conservation, a bare handle keeps ½ m v² = given - taken.
  SimDevice handle = Moving(BareHandle(), 0.2);
  for (int tick = 0; tick < 200; ++tick) handle.Advance(Force(-0.5f));
  const double kinetic_J = 0.5 * 0.25 * handle.state().v_WH_mps.squaredNorm(), start_J = 0.5 * 0.25 * 0.04;
  EXPECT_GT(handle.taken_J(), start_J - 1e-5);  // it was stopped, then thrown back
  // Tolerance: the work is booked with the velocity at the substep's end, f² h/(2 m) per substep too much.
  EXPECT_NEAR(handle.given_J() - handle.taken_J(), kinetic_J - start_J,
              2000 * 0.25 * kSubstep_s * kSubstep_s / (2 * 0.25) + 1e-12);
}

TEST(FalconClass, SaysWhereEveryNumberComesFrom) {  // Source: design figures, K T/2 = 800 · 0.5e-3; capstan and counts.
  const DeviceParameters device = FalconClass();
  EXPECT_EQ(device.damping_Ns_per_m.value, 0.4);
  EXPECT_EQ(device.damping_Ns_per_m.provenance, Provenance::kDerived);
  const double count_rad = 2 * 3.14159265358979 / (320 * 4) * 14.25 / 110;  // at the crank
  EXPECT_NEAR(device.resolution_m, count_rad * 0.060, 0.3e-6);              // Tolerance: two figures.
  EXPECT_EQ(device.mass_kg.provenance, Provenance::kAssumed);
}

}  // namespace
}  // namespace tactus::hal
