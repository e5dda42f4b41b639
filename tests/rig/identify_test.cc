// Identification: the fit against a closed form and an independent integration, every preset against its own numbers, and
// what happens when the device goes wrong on the way.
#include "host_tools/rig/identify.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hal/sim/hands.h"
#include "host_tools/rig/predictor.h"
#include "host_tools/rig/print_identification.h"
#include "host_tools/rig/rig_choice.h"
#include "tests/rig/wrong_device.h"

namespace tactus::host {
namespace {

/// m x″ = f(t - t_d) - b x′ - f_c sgn x′, f held, by 200 semi-implicit steps a period: no code of hal/sim's. It is pushed
/// along the plan by what the plan needs and a weak spring to it.
AxisRecord Played(const AxisNumbers& axis, double delay_s, double count_m, double seconds) {
  constexpr int kSteps = 200;
  const double T = 0.001, h = T / kSteps;
  const Sweep plan{.amplitude_m = 0.008, .main_Hz = 6};
  AxisRecord r{.period_s = T, .p_m = {}, .force_N = {}, .wanted = {}};
  double x = 0, v = 0;
  for (int k = 0; k * T < seconds; ++k) {
    const double y = count_m > 0 ? count_m * std::floor(x / count_m + 0.5) : x;
    const Reference now = plan.At(k * T);
    r.p_m.push_back(y);
    r.wanted.push_back(now);
    r.force_N.push_back(ForceFor(axis, plan.At(k * T + delay_s + T / 2)) + 200 * (now.x_m - y) + 4 * (now.v_mps - v));
    for (int i = 0; i < kSteps; ++i) {
      const int from = static_cast<int>(std::floor(((i + 0.5) * h - delay_s) / T)) + k;
      const double f = from < 0 ? 0 : r.force_N[static_cast<std::size_t>(from)];
      const double free =
          (v + h * (f - axis.stiffness_N_per_m * x) / axis.mass_kg) / (1 + h * axis.damping_Ns_per_m / axis.mass_kg);
      const double stop = h * axis.coulomb_N / axis.mass_kg;
      v = std::abs(free) <= stop ? 0 : free - std::copysign(stop, free);
      x += h * v;
    }
  }
  return r;
}

// Source: nothing of a device is below zero, so one found there is off by as much: the bound is |value| + half.
TEST(IdentificationText, BoundsANumberThatIsBelowZeroByAllOfIt) {
  Identification found;
  found.axis[0].fit.delay_s = {-1.07e-3, 0.86e-3};
  const std::string text = IdentificationText("d", found, std::nullopt);
  EXPECT_NE(text.find("not seen: below 1.9 ms"), std::string::npos) << text;
}

TEST(AxisFit, FindsTheNumbersOfAnIndependentIntegration) {  // Source: the numbers that Played() was given.
  const AxisNumbers axis{.mass_kg = 0.2, .damping_Ns_per_m = 2, .stiffness_N_per_m = 40, .coulomb_N = 0.2};
  const AxisFit fit = FitAxis(Played(axis, 0.00137, 30e-6, 20), 0.8, true);
  ASSERT_EQ(fit.refusal, "");
  EXPECT_NEAR(fit.mass_kg.value, 0.2, 0.01 * 0.2);  // Tolerance of all: well within the 5 % that are promised.
  EXPECT_NEAR(fit.damping_Ns_per_m.value, 2, 0.03 * 2);
  EXPECT_NEAR(fit.stiffness_N_per_m.value, 40, 0.05 * 40);
  EXPECT_NEAR(fit.coulomb_N.value, 0.2, 0.05 * 0.2);
  EXPECT_NEAR(fit.delay_s.value, 0.00137, 0.03 * 0.00137);
}

TEST(AxisFit,
     IntervalShrinksWithTheRootOfTheTime) {  // Source: the law of large numbers; four times as long is half as wide.
  const AxisNumbers axis{.mass_kg = 0.2, .damping_Ns_per_m = 2, .coulomb_N = 0.2};
  const AxisFit brief = FitAxis(Played(axis, 0.001, 30e-6, 10.8), 0.8, true);
  const AxisFit longer = FitAxis(Played(axis, 0.001, 30e-6, 40.8), 0.8, true);
  ASSERT_EQ(brief.refusal + longer.refusal, "");
  EXPECT_NEAR(longer.mass_kg.half / brief.mass_kg.half, 0.5, 0.25);
}

TEST(AxisFit, RefusesWhatIsNoSignal) {
  AxisRecord r{.period_s = 0.001, .p_m = {}, .force_N = {}, .wanted = {}};
  EXPECT_NE(FitAxis(r, 0.8, true).refusal, "");
  r.p_m.assign(20000, 0.001);
  r.force_N.assign(20000, 0);
  r.wanted.assign(20000, {});
  EXPECT_NE(FitAxis(r, 0.8, true).refusal, "");
  r.p_m[7000] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(FitAxis(r, 0.8, true).refusal, "");
  EXPECT_LT(FitResolution(r, 0.8).half, 0);
}

// Source: the numbers that Played() was given. A sign of a speed that flips with the rounding made b 21 % too large.
TEST(AxisFit, FindsALittleDampingBehindCoarseCounts) {
  const AxisNumbers axis{.mass_kg = 0.2, .damping_Ns_per_m = 0.15, .coulomb_N = 0.18};
  const AxisFit fit = FitAxis(Played(axis, 0.001, 80e-6, 40), 0.8, true);
  EXPECT_NEAR(fit.damping_Ns_per_m.value, 0.15, 0.05 * 0.15);  // Tolerance: what is promised.
  EXPECT_NEAR(fit.coulomb_N.value, 0.18, 0.01 * 0.18);
  EXPECT_NEAR(fit.delay_s.value, 0.001, 0.02 * 0.001);
}

TEST(AxisFit, FindsTheCount) {  // Source: the count that Played() rounds to.
  const AxisNumbers axis{.mass_kg = 0.2, .damping_Ns_per_m = 2, .coulomb_N = 0.2};
  const Estimated count = FitResolution(Played(axis, 0.001, 30e-6, 20), 0.8);
  EXPECT_NEAR(count.value, 30e-6, 0.05 * 30e-6);
  EXPECT_GT(count.half, 0);
}

// Source: the force that was added. Without what is coupled the same record gives another damping.
TEST(AxisFit, TakesOffWhatMovesAcross) {
  const AxisNumbers axis{.mass_kg = 0.2, .damping_Ns_per_m = 0.5, .coulomb_N = 0.2};
  AxisRecord r = Played(axis, 0.001, 0, 20);
  constexpr double kCoupled_kg = 0.1, kAcross = 0.1;  // p_i lags by a quarter of the fastest cycle
  constexpr std::size_t kLag = 40;
  std::vector<double> across_m(r.p_m.size(), 0);
  for (std::size_t k = kLag; k < across_m.size(); ++k) across_m[k] = kAcross * r.p_m[k - kLag];
  for (std::size_t k = 1; k + 2 < across_m.size(); ++k) {  // held for a period, 1 ms late: the mean acceleration then
    const double a_mps2 = (across_m[k + 2] - across_m[k + 1] - across_m[k] + across_m[k - 1]) / 2e-6;
    r.force_N[k - 1] += kCoupled_kg * a_mps2;
  }
  const AxisFit biased = FitAxis(r, 0.8, true);
  for (const double p_m : across_m) r.coupled_kgm.push_back(kCoupled_kg * p_m);
  const AxisFit fit = FitAxis(r, 0.8, true);
  EXPECT_GT(std::abs(biased.damping_Ns_per_m.value - 0.5), 0.025);
  EXPECT_NEAR(fit.damping_Ns_per_m.value, 0.5, 0.0125);  // Tolerance: half of the 5 % that are promised.
  EXPECT_NEAR(fit.delay_s.value, 0.001, 0.00003);
}

// Source: Gauss's rule for a normal θ, t_d when t_d is measured again: θ + Cov/Var (t - t_d), variance - Cov² (1/Var - ...).
TEST(AxisFit, TakesADelayThatIsKnownBetter) {
  AxisFit fit;
  fit.damping_Ns_per_m = {0.10, 0.05};
  fit.mass_kg = {0.2, 0.001};
  fit.delay_s = {0.0013, 0.0005};
  fit.per_s.damping_Ns_per_m = 60;
  TakeDelay({0.001, 0.0003}, &fit);
  EXPECT_NEAR(fit.damping_Ns_per_m.value, 0.10 - 60 * 0.0003, 1e-12);
  EXPECT_NEAR(fit.damping_Ns_per_m.half, std::sqrt(0.05 * 0.05 - 60 * 60 * (25e-8 - 9e-8)), 1e-12);
  EXPECT_EQ(fit.mass_kg.value, 0.2);
  EXPECT_EQ(fit.mass_kg.half, 0.001);
  EXPECT_EQ(fit.delay_s.value, 0.001);
}

TEST(Predictor, FindsThePolesOfASequenceAndNothingInNoise) {  // Source: the sequence's own equation.
  std::uint32_t random = 1;
  const auto noise = [&random] {
    return static_cast<double>((random = 1664525 * random + 1013904223) >> 8) / (1 << 24) - 0.5;
  };
  std::vector<double> e(50'000), white;
  for (std::size_t i = 2; i < e.size(); ++i) e[i] = 1.6 * e[i - 1] - 0.9 * e[i - 2] + noise();
  for (std::size_t i = 0; i < e.size(); ++i) white.push_back(noise());
  const std::vector<double> a = PredictorOf(e, 4), none = PredictorOf(white, 4);
  constexpr double kWanted[] = {1.6, -0.9, 0, 0};
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_NEAR(a[j], kWanted[j], 0.03) << j;  // Tolerance: 6 deviations of 1/sqrt(50 000).
    EXPECT_NEAR(none[j], 0, 0.03) << j;
  }
  EXPECT_TRUE(PredictorOf(std::vector<double>(100, 0.0), 4).empty());
}

IdentifyOptions Quick() { return {.seconds = 24, .rms_N = 1}; }

struct Case {
  const char* preset;
  double rms_N;
  double delay;  ///< tolerance, as a share
};

class EveryPreset : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Identify, EveryPreset,
                         testing::Values(Case{"falcon", 2.4, 0.05}, Case{"omega3", 3.6, 0.05}, Case{"touch", 0.5, 0.05},
                                         Case{"inverse3", 1, 0.05}, Case{"pantograph", 0.8, 0.05}, Case{"hapkit", 0.8, 0.15},
                                         Case{"woodenhaptics", 1.5, 0.05}),
                         [](const auto& c) { return std::string(c.param.preset); });

TEST_P(EveryPreset, IsFoundAtTheHandle) {  // Source: hal::AxesAtHandle, from masses, joints and geometry of the preset.
  RigChoice choice;
  choice.device = GetParam().preset;
  WrongDevice device = WrongPreset(GetParam().preset);
  const Ceilings ceilings = choice.CeilingsFor(device.capabilities());
  GuardedDevice guarded(device, ceilings, 1000);
  const Identification found = Identify(guarded, {.seconds = 30, .rms_N = GetParam().rms_N});
  ASSERT_EQ(found.fault, "");
  for (std::size_t i = 0; i < 3; ++i) {
    SCOPED_TRACE(i);
    const KnownAxis known = (*choice.Known())[i];
    const IdentifiedAxis& axis = found.axis[i];
    ASSERT_EQ(axis.refusal.empty(), known.moves) << axis.refusal;
    if (!known.moves) continue;
    EXPECT_NEAR(axis.fit.mass_kg.value, known.mass_kg, 0.05 * known.mass_kg);
    EXPECT_NEAR(axis.fit.delay_s.value, known.delay_s, GetParam().delay * known.delay_s);
    // Tolerance: the interval, and what its model leaves out (docs/identify.md).
    EXPECT_NEAR(axis.fit.coulomb_N.value, known.coulomb_N, 0.05 * known.coulomb_N + 1.5 * axis.fit.coulomb_N.half);
    EXPECT_NEAR(axis.fit.damping_Ns_per_m.value, known.damping_Ns_per_m,
                0.1 * known.damping_Ns_per_m + 1.5 * axis.fit.damping_Ns_per_m.half);
    if (axis.resolution_m.half > 0) {
      EXPECT_NEAR(axis.resolution_m.value, known.resolution_m, 0.2 * known.resolution_m);
    }
  }
  EXPECT_LE(device.largest_N, ceilings.force_N * (1 + 1e-6));
  EXPECT_LE(device.farthest_m(), ceilings.reach_m);
  EXPECT_EQ(device.last_N, 0);
  EXPECT_FALSE(device.enabled());
}

TEST(Identify, FindsTheHandToo) {  // Source: the preset's numbers plus the hand's mass and spring.
  RigChoice choice;
  choice.device = "falcon";
  choice.hand = "tremor";
  WrongDevice device = WrongPreset("falcon", hal::Hands()[2]);
  ASSERT_STREQ(hal::Hands()[2].name, "tremor");
  GuardedDevice guarded(device, choice.CeilingsFor(device.capabilities()), 1000);
  const Identification found = Identify(guarded, {.seconds = 40, .rms_N = 2.4});
  for (std::size_t i = 0; i < 3; ++i) {
    const KnownAxis known = (*choice.Known())[i];
    ASSERT_EQ(found.axis[i].refusal, "") << i;
    EXPECT_NEAR(found.axis[i].fit.mass_kg.value, known.mass_kg, 0.1 * known.mass_kg);
    EXPECT_NEAR(found.axis[i].fit.stiffness_N_per_m.value, known.stiffness_N_per_m, 0.1 * known.stiffness_N_per_m);
    EXPECT_NEAR(found.axis[i].fit.damping_Ns_per_m.value, known.damping_Ns_per_m, 0.1 * known.damping_Ns_per_m);
    EXPECT_NEAR(found.axis[i].fit.delay_s.value, known.delay_s, 0.1 * known.delay_s + 0.5 * found.axis[i].fit.delay_s.half);
    EXPECT_LT(found.axis[i].fit.delay_s.half, 0.1 * known.delay_s);
  }
}

TEST(Identify, KeepsTheDelaysApartWhereOneAxisIsLater) {  // Source: the delay that was added.
  WrongDevice device = WrongPreset("falcon");
  std::vector<float> late;
  device.alter_command = [&late](CommandFrame* c) {
    late.push_back(c->force_N[1]);
    c->force_N[1] = late.size() > 2 ? late[late.size() - 3] : 0;
  };
  RigChoice choice;
  choice.device = "falcon";
  GuardedDevice guarded(device, choice.CeilingsFor(device.capabilities()), 1000);
  const Identification found = Identify(guarded, {.seconds = 24, .rms_N = 2.4});
  ASSERT_EQ(found.fault, "");
  EXPECT_NEAR(found.axis[1].fit.delay_s.value - found.axis[0].fit.delay_s.value, 0.002, 0.0002);
  EXPECT_NE(found.axis[1].fit.delay_s.half, found.axis[0].fit.delay_s.half);
}

/// Goes wrong at the 3000th sample, while it moves. @returns what was found
Identification IdentifyWrong(WrongDevice* device) {
  GuardedDevice guarded(*device, {.force_N = 3, .speed_mps = 0.8, .reach_m = 0.02}, 1000);
  return Identify(guarded, Quick());
}

void ExpectStopped(const WrongDevice& device, const Identification& found, const char* why) {
  EXPECT_NE(found.fault.find(why), std::string::npos) << found.fault;
  for (const IdentifiedAxis& axis : found.axis) EXPECT_NE(axis.refusal, "");
  EXPECT_EQ(device.last_N, 0);
  EXPECT_GE(device.disabled, 1);
  EXPECT_FALSE(device.enabled());
}

TEST(IdentifyStops, AtANumberThatIsNone) {
  WrongDevice device = WrongPreset("falcon");
  device.alter_reading = [&](hal::DeviceReading* r) {
    if (device.reads > 3000) r->sample.p_WH_m[1] = std::numeric_limits<float>::quiet_NaN();
  };
  ExpectStopped(device, IdentifyWrong(&device), "not valid");
}

TEST(IdentifyStops, WhenSamplesDoNotCome) {
  WrongDevice device = WrongPreset("falcon");
  hal::DeviceReading last;
  device.alter_reading = [&](hal::DeviceReading* r) { device.reads > 3000 ? * r = last : last = *r; };
  ExpectStopped(device, IdentifyWrong(&device), "samples do not come");
  EXPECT_LT(device.farthest_m(), 0.03);  // 20 periods without eyes at 0.3 m/s
}

TEST(IdentifyStops, AtAnEStopAndAtAFault) {
  for (const bool e_stop : {true, false}) {
    WrongDevice device = WrongPreset("falcon");
    device.alter_reading = [&](hal::DeviceReading* r) {
      if (device.reads < 3000) return;
      r->e_stop = e_stop;
      if (!e_stop) r->state = hal::DeviceState::kFaulted;
    };
    ExpectStopped(device, IdentifyWrong(&device), e_stop ? "e-stop" : "failed");
    EXPECT_LT(device.reads, 3000 + 20);
  }
}

TEST(IdentifyStops, WhenTheMotorsPushTheOtherWay) {  // Every feedback drives it away then.
  WrongDevice device = WrongPreset("falcon");
  device.alter_command = [](CommandFrame* c) {
    for (float& f : c->force_N) f = -f;
  };
  ExpectStopped(device, IdentifyWrong(&device), "the handle went");
  // Bound: reach, and the way in which friction f_c takes 0.8 m/s away: v² m/(2 f_c) = 0.64 · 0.23/(2 · 0.18).
  EXPECT_LT(device.farthest_m(), 0.02 + 0.41);
}

TEST(IdentifyStops, WhenTheSampleJumps) {
  WrongDevice device = WrongPreset("falcon");
  device.alter_reading = [&](hal::DeviceReading* r) {
    if (device.reads == 3000) r->sample.p_WH_m[0] += 0.05f;
  };
  ExpectStopped(device, IdentifyWrong(&device), "farther");
}

TEST(Identify, SaysThatADeadDeviceDoesNotMove) {
  WrongDevice device = WrongPreset("falcon");
  device.alter_command = [](CommandFrame* c) { *c = {}; };
  GuardedDevice guarded(device, {.force_N = 3, .speed_mps = 0.8, .reach_m = 0.02}, 1000);
  const Identification found = Identify(guarded, Quick());
  for (const IdentifiedAxis& axis : found.axis) EXPECT_NE(axis.refusal.find("does not move"), std::string::npos);
}

TEST(PresetAxes, AgreeWithWhatAControllerIsTold) {  // Source: hal::AtHandle, a formula of its own: the trace.
  for (const hal::DevicePreset& preset : hal::DevicePresets()) {
    double sum = 0;
    int moving = 0;
    for (const hal::PresetAxis& axis : hal::AxesAtHandle(preset)) {
      if (!axis.moves) continue;
      sum += axis.mass_kg;
      ++moving;
    }
    EXPECT_EQ(moving, preset.motors) << preset.name;
    EXPECT_NEAR(hal::MatricesAtHandle(preset).mass_kg.trace() / moving, hal::AtHandle(preset).mass_kg, 1e-9) << preset.name;
    EXPECT_NEAR(sum / moving, hal::AtHandle(preset).mass_kg, 1e-9) << preset.name;
  }
}

}  // namespace
}  // namespace tactus::host
