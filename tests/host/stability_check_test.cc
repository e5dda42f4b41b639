// What a Config may ask of its device: the check of its pairs of stiffness and damping, and what it says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "hal/sim/presets.h"
#include "host_tools/link/host_error.h"
#include "host_tools/session/servo_config.h"
#include "host_tools/stability/check_config.h"
#include "host_tools/stability/stability_report.h"
#include "tactus/haptic/tune.h"
#include "tactus/haptic/validate.h"

namespace tactus::host {
namespace {

TEST(StabilityCheck, LetsTheShippedDefaultsPassAtEveryRate) {
  Config<double> config = PegInHoleConfig();
  for (const double period_s : {1e-3, 5e-4, 2.5e-4, 1e-4}) {
    config.period_s = period_s;
    EXPECT_TRUE(CheckStability(config, ModelOf("f", hal::FalconClass()), false).empty());
    EXPECT_TRUE(CheckStability(config, DeclaredModel("f", config.device), false).empty());
    const StableCoupling stable = StableCouplingOf(config, DeclaredModel("f", config.device));
    const DeviceLimits limits = NarrowedToStable(stable);
    EXPECT_EQ(limits.stiffness_N_per_m, DeviceLimits().stiffness_N_per_m);
    EXPECT_FALSE(Validate(config, limits)) << Validate(config, limits).field;
  }
}

TEST(StabilityCheck, RefusesWhatIsUnstableUnlessAllowedAndThenSaysSo) {
  Config<double> config = PegInHoleConfig();
  config.device.command_delay_ticks = 2;
  config.coupling.stiffness_N_per_m = 6000;
  const DeviceModel device = ModelOf("the Falcon class", hal::FalconClass());
  try {
    (void)CheckStability(config, device, false);
    FAIL() << "not refused";
  } catch (const HostError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("translation: predicted UNSTABLE with the Falcon class"), std::string::npos) << text;
    EXPECT_NE(text.find("set coupling.stiffness_N_per_m below"), std::string::npos) << text;
    EXPECT_NE(text.find("--allow-unstable"), std::string::npos) << text;
  }
  const std::vector<std::string> said = CheckStability(config, device, true);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("predicted UNSTABLE"), std::string::npos);
}

// The controller adds no more than the device bears by what the Config says of it. Here the Config says that no command is
// late, and the device's act after three periods. α: (1 + α) B T = π m/4 with T = 1.5 ms.
TEST(StabilityCheck, SaysThatTheControllerMayDampTooMuch) {
  Config<double> config = PegInHoleConfig();
  config.coupling.stiffness_N_per_m = 1000;
  config.coupling.damping_Ns_per_m = 40;
  DeviceModel device = DeclaredModel("late", config.device);
  EXPECT_TRUE(CheckStability(config, device, false).empty());
  device.delay_s = 0.003;
  const std::vector<std::string> said = CheckStability(config, device, false);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("translation: stable, but not with the 2.27 times B"), std::string::npos) << said[0];
  config.passivity.enabled = false;
  EXPECT_TRUE(CheckStability(config, device, false).empty());
}

/// A device of 10 g, which no count tells apart.
Config<double> OfALightDevice() {
  Config<double> config = PegInHoleConfig();
  config.device.mass_kg = 0.01;
  config.device.resolution_m = 0;
  config.passivity.enabled = false;  // its multiple of B is not what is bounded here
  return config;
}

// Each K that the bounds let pass is stable with its B, at dampings between the points that they know, too.
TEST(StabilityCheck, BoundsTheStiffnessOfEachDamping) {
  Config<double> config = OfALightDevice();
  for (const int late : {0, 1}) {
    config.device.command_delay_ticks = late;
    const DeviceModel model = DeclaredModel("light", config.device);
    const StableCoupling stable = StableCouplingOf(config, model);
    const DeviceLimits limits = NarrowedToStable(stable);
    EXPECT_EQ(limits.stiffness_N_per_m, *std::ranges::max_element(stable.translation.highest));
    for (const double B : {0.02, 0.05, 0.3, 1.0, 2.0, 3.0, 4.4, 5.5, 7.0, 10.0, 30.0, 99.0}) {
      config.coupling.damping_Ns_per_m = B;
      config.coupling.stiffness_N_per_m = std::max(1.0, stable.translation.At(B));
      const AxisLoop loop = LoopOf(config, model, false);
      const double exact = LargestStable_N_per_m(model.linear, loop, B, Regime::kMoving);
      EXPECT_LE(stable.translation.At(B), exact * (1 + 1e-6)) << late << ' ' << B;
      EXPECT_EQ(static_cast<bool>(Validate(config, limits)), stable.translation.At(B) < 1) << late << ' ' << B;
      config.coupling.stiffness_N_per_m = 1.01 * std::max(1.0, exact);
      EXPECT_TRUE(Validate(config, limits)) << late << ' ' << B;
    }
  }
}

TEST(StabilityCheck, SaysWhichStiffnessADampingBears) {
  Config<double> config = OfALightDevice();
  config.device.command_delay_ticks = 1;  // a larger B bears a larger K, up to some B
  const StableCoupling stable = StableCouplingOf(config, DeclaredModel("light", config.device));
  const DeviceLimits limits = NarrowedToStable(stable);
  config.coupling.damping_Ns_per_m = 2;
  config.coupling.stiffness_N_per_m = 0.9 * stable.translation.At(2);
  EXPECT_FALSE(Validate(config, limits));
  config.coupling.damping_Ns_per_m = 0.1;
  const ConfigFault fault = Validate(config, limits);
  EXPECT_STREQ(fault.field, "coupling_stiffness_N_per_m");
  EXPECT_EQ(fault.limit, stable.translation.At(0.1));
  TuneConfig<double> tune = TuneOf(config);
  EXPECT_TRUE(ValidateTune(tune, config, limits));
  tune.coupling.damping_Ns_per_m = 2;
  EXPECT_FALSE(ValidateTune(tune, config, limits));
}

/// Devices of 10 g to 1 kg, whose commands act up to three periods late.
std::vector<Config<double>> SomeDevices() {
  std::vector<Config<double>> all;
  for (const double mass_kg : {0.01, 0.05, 0.15, 1.0}) {
    for (const int late : {0, 1, 3}) {
      all.push_back(OfALightDevice());
      all.back().device.mass_kg = mass_kg;
      all.back().device.inertia_kgm2 = 1e-3 * mass_kg;
      all.back().device.command_delay_ticks = late;
    }
  }
  return all;
}

// What is stable rises over B to one maximum and falls behind it, so the bounds have all of it.
TEST(StabilityCheck, BoundsNoStiffnessBelowWhatIsStable) {
  for (const Config<double>& config : SomeDevices()) {
    const DeviceModel model = DeclaredModel("some", config.device);
    const StableStiffness table = StableCouplingOf(config, model).translation;
    AxisLoop declared = LoopOf(config, model, false), none = declared;
    none.declared_delay_ticks = 0;
    for (std::size_t i = 1; i < table.damping.size(); i += 3) {
      const double B = table.damping[i];
      const double exact = std::min(LargestStable_N_per_m(model.linear, declared, B, Regime::kMoving),
                                    LargestStable_N_per_m(model.linear, none, B, Regime::kMoving));
      EXPECT_EQ(table.highest[i], std::min(exact, DeviceLimits().stiffness_N_per_m))
          << config.device.mass_kg << ' ' << config.device.command_delay_ticks << ' ' << B;
    }
  }
}

/// A pair that `table` allows: any B of those that a Config may have, often as stiff as it bears.
CouplingConfig<double> AnyPair(const StableStiffness& table, std::mt19937* random) {
  std::uniform_real_distribution<double> share(0, 1);
  for (;;) {
    const double B = std::pow(10.0, 4 * share(*random) - 2), most = table.At(B);
    if (most < 1) continue;
    return {.stiffness_N_per_m = share(*random) < 0.5 ? most : 1 + share(*random) * (most - 1), .damping_Ns_per_m = B};
  }
}

// From pair to pair, another before the last is reached: what is in force is below the line, and stable by the eigenvalues.
TEST(StabilityCheck, ATuneBetweenStablePairsIsStableOnTheWay) {
  std::mt19937 random(3);
  for (const Config<double>& config : SomeDevices()) {
    const DeviceModel model = DeclaredModel("some", config.device);
    const AxisLoop loop = LoopOf(config, model, false);
    const StableStiffness table = StableCouplingOf(config, model).translation;
    CouplingConfig<double> now = AnyPair(table, &random), wanted = now;
    for (int k = 0; k < 20'000; ++k) {
      if (k % 200 == 0) wanted = AnyPair(table, &random);
      tactus::internal::Strain<double> hand;
      hand.strain_W.setConstant(1e-4 * (k % 7));
      hand.slip_W.setConstant(1e-2 * (k % 5));
      (void)tactus::internal::TuneCoupling(wanted, hand, hand, config.period_s, &now);
      const double K = now.stiffness_N_per_m, B = now.damping_Ns_per_m;
      ASSERT_LE(K, table.At(B) * (1 + 1e-9)) << config.device.mass_kg << ' ' << config.device.command_delay_ticks;
      if (k % 499 == 0) {
        ASSERT_TRUE(IsStable({model.linear}, loop, {.stiffness_N_per_m = K * (1 - 1e-6), .damping_Ns_per_m = B}))
            << K << ' ' << B;
      }
    }
  }
}

TEST(StabilityCheck, TwoDevicesBearWhatTheWeakerOneDoes) {
  Config<double> light = OfALightDevice(), heavy = light;
  heavy.device.mass_kg = 0.05;
  const StableCoupling weaker = StableCouplingOf(light, DeclaredModel("light", light.device));
  StableCoupling both = StableCouplingOf(heavy, DeclaredModel("heavy", heavy.device));
  EXPECT_GT(both.translation.At(2), weaker.translation.At(2));
  both.Include(weaker);
  EXPECT_EQ(both.translation.highest, weaker.translation.highest);
}

}  // namespace
}  // namespace tactus::host
