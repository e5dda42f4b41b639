// Static and viscous friction of tool and plate in the tick. Source: docs/theory/friction.md.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "tactus/haptic/validate.h"
#include "tick_rig.h"

namespace tactus {
namespace {

using test::TickRig;

constexpr double kEncoder_m = 38e-6;  // hal::FalconClass()
constexpr double kDepth_m = 0.002;    // of the handle in the plate: 3 N
constexpr double kStatic = 0.4, kKinetic = 0.2;

struct Drag {
  std::vector<double> lateral_N, normal_N;  // on the hand, from the start of the motion on
  int fallbacks = 0;
};

/// A handle that is pressed on the plate, then led along it.
template <class Scalar>
Drag Lead(TickRig<Scalar>* rig, double speed_mps, double count_m, int ticks) {
  constexpr int kPress = 500;
  const auto quantised = [count_m](double x_m) { return count_m > 0 ? count_m * std::floor(x_m / count_m + 0.5) : x_m; };
  Drag drag;
  for (int k = 0; k < kPress + ticks; ++k) {
    const double z_m = 0.030 - kDepth_m * std::min(1.0, 2.0 * k / kPress),
                 x_m = 0.03 + speed_mps * 1e-3 * std::max(0, k - kPress);
    EXPECT_EQ(rig->Step(quantised(x_m), 0, quantised(z_m)), Status::kOk) << k;
    drag.fallbacks += (rig->telemetry.status & status_bit::kSolverFallback) != 0;
    if (k < kPress) continue;
    drag.lateral_N.push_back(std::hypot(rig->Force()(0), rig->Force()(1)));
    drag.normal_N.push_back(rig->Force()(2));
  }
  return drag;
}

template <class Scalar>
TickRig<Scalar> PressedPeg() {
  TickRig<Scalar> rig;
  rig.UseIdealSensor();
  rig.config.scene.friction = Scalar(kKinetic);
  rig.config.scene.static_friction = Scalar(kStatic);
  return rig;
}

// Slowly: what the spring still gains while the tool of 0.1 kg comes up to speed is V √(K m) = 0.06 N beside (μ_s - μ) N.
template <class Scalar>
void BreaksLoose() {
  TickRig<Scalar> rig = PressedPeg<Scalar>();
  const Drag drag = Lead(&rig, 0.005, 0, 400);
  double most = 0;
  for (std::size_t k = 0; k < drag.lateral_N.size(); ++k) most = std::max(most, drag.lateral_N[k] / drag.normal_N[k]);
  EXPECT_NEAR(most, kStatic, 0.03 * kStatic);
  EXPECT_EQ(drag.fallbacks, 0);
}

// Fast: it does not stop again.
template <class Scalar>
void Slides(double tolerance) {
  TickRig<Scalar> rig = PressedPeg<Scalar>();
  const Drag drag = Lead(&rig, 0.1, 0, 400);
  EXPECT_NEAR(drag.lateral_N.back() / drag.normal_N.back(), kKinetic, tolerance);
  EXPECT_EQ(drag.fallbacks, 0);
}
TEST(TickFriction, SlidesAtKineticFriction) { Slides<double>(2e-3); }
TEST(TickFriction, SlidesAtKineticFrictionInFloat) { Slides<float>(4e-3); }
TEST(TickFriction, BreaksLooseAtStaticFriction) { BreaksLoose<double>(); }
TEST(TickFriction, BreaksLooseAtStaticFrictionInFloat) { BreaksLoose<float>(); }

TEST(TickFriction, DragsInProportionToSpeed) {
  for (const double speed_mps : {0.05, 0.1}) {
    TickRig<double> rig;
    rig.UseIdealSensor();
    rig.config.scene.friction = kKinetic;
    rig.config.scene.viscous_friction_Ns_per_m = 2;
    const Drag drag = Lead(&rig, speed_mps, 0, 400);
    EXPECT_NEAR(drag.lateral_N.back(), kKinetic * drag.normal_N.back() + 2 * speed_mps, 0.006);
    EXPECT_EQ(drag.fallbacks, 0);
  }
}

/// Root mean square between two frequencies: Welch's method, Hann windows of 512 ms.
double BandRms(const std::vector<double>& x, int low_Hz, int high_Hz) {
  constexpr std::size_t kLength = 512;
  double sum = 0;
  int segments = 0;
  for (std::size_t start = 0; start + kLength <= x.size(); start += kLength / 2, ++segments) {
    for (int bin = low_Hz * 512 / 1000 + 1; bin <= high_Hz * 512 / 1000; ++bin) {
      std::complex<double> amplitude = 0;
      for (std::size_t i = 0; i < kLength; ++i) {
        const double turn = 2 * std::numbers::pi * static_cast<double>(i) / kLength;
        amplitude += std::polar((0.5 - 0.5 * std::cos(turn)) * x[start + i], -turn * bin);
      }
      sum += 2 * std::norm(amplitude) / (kLength * kLength * 0.375);
    }
  }
  return std::sqrt(sum / segments);
}

// A slow drag with an encoder. Stick-slip is felt, a tone near the loop's own rate is not: no more than with Coulomb's law
// alone.
TEST(TickFriction, DoesNotBuzz) {
  for (const double speed_mps : {0.002, 0.01, 0.03}) {
    double rms_N[2];
    for (const bool is_static : {false, true}) {
      TickRig<double> rig;
      rig.config.device.resolution_m = kEncoder_m;
      rig.config.scene.friction = kKinetic;
      rig.config.scene.static_friction = is_static ? kStatic : 0;
      const Drag drag = Lead(&rig, speed_mps, kEncoder_m, 3000);
      rms_N[is_static] = BandRms(drag.lateral_N, 350, 500);
      EXPECT_EQ(drag.fallbacks, 0);
    }
    EXPECT_LE(rms_N[1], rms_N[0] + 0.005) << speed_mps;
  }
}

// A config that says otherwise is refused by its name; one that a Tune made so holds the tool with the friction it has.
TEST(TickFriction, IsCheckedInTheConfig) {
  Config<double> config;
  config.scene.static_friction = 0.24;
  EXPECT_STREQ(Validate(config).field, "scene_static_friction");
  config.scene.static_friction = -1;
  EXPECT_STREQ(Validate(config).field, "scene_static_friction");
  config.scene.static_friction = 0.25;
  EXPECT_FALSE(Validate(config));
  config.scene.viscous_friction_Ns_per_m = 101;
  EXPECT_STREQ(Validate(config).field, "scene_viscous_friction_Ns_per_m");
}

TEST(TickFriction, OutlivesATuneAboveIt) {
  TickRig<double> rig;
  rig.config.scene.static_friction = kStatic;
  rig.config.scene.friction = kStatic + 0.1;
  EXPECT_EQ(Lead(&rig, 0.01, 0, 100).fallbacks, 0);
  EXPECT_EQ(rig.telemetry.fault, Fault::kNone);
}

}  // namespace
}  // namespace tactus
