// Hands by name, and the numbers of the presets.
#include "hal/sim/hands.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>
#include <string>

#include "hal/sim/presets.h"

namespace tactus::hal {
namespace {

const Hand& Named(const std::string& name) {
  for (const Hand& hand : Hands()) {
    if (hand.name == name) return hand;
  }
  ADD_FAILURE() << name;
  return Hands()[0];
}

TEST(Hands, TheFirstIsTheOneThatAllRunsHad) {  // Source: hal/sim/parameters.h.
  EXPECT_STREQ(Hands()[0].name, "relaxed");
  EXPECT_EQ(Hands()[0].full.stiffness_N_per_m.value, 135);
  EXPECT_FALSE(Hands()[0].changes());
}

TEST(Hands, GripGoesFromFullToLooseAndBack) {  // Source: closed form, its docstring.
  const Hand& hand = Named("changing");
  const double T = hand.grip_period_s, K = hand.full.stiffness_N_per_m, B = hand.full.damping_Ns_per_m;
  EXPECT_NEAR(hand.At(0).stiffness_N_per_m, K, 1e-9);
  EXPECT_NEAR(hand.At(T / 2).stiffness_N_per_m, 0.2 * K, 1e-9);
  EXPECT_NEAR(hand.At(T / 4).damping_Ns_per_m, 0.6 * B, 1e-9);
  EXPECT_NEAR(hand.At(1000 * T).damping_Ns_per_m, B, 1e-7);
  EXPECT_EQ(hand.At(T / 2).mass_kg.value, hand.full.mass_kg.value);
}

TEST(Hands, TremorIsASineOfItsFrequency) {  // Source: closed form, its docstring.
  const Hand& hand = Named("tremor");
  for (const double t_s : {0.0, 0.01, 0.0277, 5.3}) {
    EXPECT_NEAR(hand.Sway_N(t_s), 0.5 / std::sqrt(3.0) * std::sin(2 * std::numbers::pi * 9 * t_s), 1e-12) << t_s;
  }
}

TEST(Presets, HaveNamesOfTheirOwnAndASourceForEveryNumber) {  // Source: the rule that no number comes without one.
  std::set<std::string> names;
  for (const DevicePreset& preset : DevicePresets()) {
    EXPECT_TRUE(names.insert(preset.name).second) << preset.name;
    EXPECT_EQ(FindPreset(preset.name), &preset);
    EXPECT_STRNE(preset.geometry.source, "") << preset.name;
    for (int i = 0; i < preset.motors; ++i) {
      const PresetJoint& joint = preset.joint[static_cast<std::size_t>(i)];
      for (const Sourced& number : {joint.counts_per_turn, joint.turns_per_joint_turn, joint.torque_constant_Nm_per_A,
                                    joint.max_current_A, joint.continuous_current_A, joint.thermal_time_s,
                                    joint.inertia_kgm2, joint.damping_Nms_per_rad, joint.coulomb_Nm}) {
        EXPECT_GT(number.value, 0) << preset.name;
        EXPECT_STRNE(number.source, "") << preset.name;
      }
    }
  }
  EXPECT_EQ(names.size(), 7u);
  EXPECT_EQ(FindPreset("falcons"), nullptr);
}

TEST(Presets, AreAtTheHandleWhatTheirSourcesSay) {  // Source: /docs/presets.md, the public numbers of each device.
  EXPECT_NEAR(AtHandle(*FindPreset("falcon")).resolution_m, 42e-6, 6e-6);      // 0.038 to 0.048 mm, by place
  EXPECT_NEAR(AtHandle(*FindPreset("touch")).resolution_m, 55e-6, 2e-6);       // 450 dpi, recalled
  EXPECT_LE(AtHandle(*FindPreset("omega3")).resolution_m, 10e-6);              // below 0.01 mm, recalled
  EXPECT_LE(AtHandle(*FindPreset("inverse3")).resolution_m, 10e-6);            // 0.01 mm, product page
  EXPECT_NEAR(AtHandle(*FindPreset("pantograph")).resolution_m, 22e-6, 3e-6);  // 0.0217 to 0.0227 mm a count
  EXPECT_NEAR(AtHandle(*FindPreset("hapkit")).resolution_m, 16.5e-6, 0.2e-6);  // π/1024 rp/rs rh
  EXPECT_NEAR(AtHandle(*FindPreset("hapkit")).max_force_N, 2.72, 0.02);        // duty 1, 5.75 mm
  EXPECT_NEAR(AtHandle(*FindPreset("omega3")).max_force_N, 12, 0.3);
  EXPECT_NEAR(AtHandle(*FindPreset("inverse3")).max_force_N, 10, 0.3);
  EXPECT_NEAR(AtHandle(*FindPreset("touch")).max_force_N, 3.3, 0.2);
  EXPECT_NEAR(AtHandle(*FindPreset("woodenhaptics")).max_force_N, 4.8, 1.0);  // 5.6, 4.5, 3.8 N of its joints
}

}  // namespace
}  // namespace tactus::hal
