// The way of a Tune from one coupling to another: it has an end.
#include <random>

#include <gtest/gtest.h>

#include "tactus/haptic/tune.h"

namespace tactus {
namespace {

using Coupling = CouplingConfig<double>;
constexpr double kPeriod_s = 0.001, kMost_N_per_m = 20e3, kMost_Ns_per_m = 100;

/// Numbers of one seed.
struct Random {
  std::mt19937 engine;
  double Between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
};

/// A hand whose strain and slip are at most so large [m, m/s].
internal::Strain<double> AnyStrain(double strain_m, double slip_mps, Random* random) {
  internal::Strain<double> strain;
  for (int i = 0; i < 6; ++i) {
    strain.strain_W(i) = strain_m * random->Between(-1, 1);
    strain.slip_W(i) = slip_mps * random->Between(-1, 1);
  }
  return strain;
}

bool IsAt(const Coupling& a, const Coupling& b) {
  return a.stiffness_N_per_m == b.stiffness_N_per_m && a.damping_Ns_per_m == b.damping_Ns_per_m;
}

// Source: 5 % a step of what is left to zero, from 100 to 1e-9: ln(1e11) / ln(1/0.95) = 494; to the other numbers less.
TEST(TunePath, EndsAtBothNumbers) {
  Random random{std::mt19937(8)};
  constexpr Coupling kCorners[] = {{.stiffness_N_per_m = 1, .damping_Ns_per_m = 0},
                                   {.stiffness_N_per_m = kMost_N_per_m, .damping_Ns_per_m = kMost_Ns_per_m},
                                   {.stiffness_N_per_m = kMost_N_per_m, .damping_Ns_per_m = 0},
                                   {.stiffness_N_per_m = 1, .damping_Ns_per_m = kMost_Ns_per_m}};
  const internal::Strain<double> rest = AnyStrain(0, 0, &random);
  for (const Coupling& from : kCorners) {
    for (const Coupling& to : kCorners) {
      Coupling now = from;
      int k = 0;
      for (; k < 2000 && !IsAt(now, to); ++k) (void)internal::TuneCoupling(to, rest, rest, kPeriod_s, &now);
      EXPECT_LE(k, 495 + 200) << from.damping_Ns_per_m << " to " << to.damping_Ns_per_m;
    }
  }
}

TEST(TunePath, BringsASingleToItsEndUnderTheHand) {  // a step is never lost in the rounding of a float
  for (const float strain_m : {0.0f, 0.05f}) {
    internal::Strain<float> held;
    held.strain_W.setConstant(strain_m);
    held.slip_W.setConstant(10 * strain_m);
    CouplingConfig<float> now{.stiffness_N_per_m = 20e3f, .damping_Ns_per_m = 100};
    const CouplingConfig<float> wanted{.stiffness_N_per_m = 437.3f, .damping_Ns_per_m = 0};
    int k = 0;
    for (; k < 1'000'000 && (now.stiffness_N_per_m != wanted.stiffness_N_per_m || now.damping_Ns_per_m != 0); ++k)
      (void)internal::TuneCoupling(wanted, held, held, 0.0001f, &now);
    // Source: 2 mN a period: (20 kN/m - 437 N/m) · 87 mm, then 100 N·s/m · 0.87 m/s. Rounding: 5 %.
    EXPECT_LT(k, strain_m == 0 ? 700 : 1.05 * 890e3);
    EXPECT_EQ(now.stiffness_N_per_m, wanted.stiffness_N_per_m);
    EXPECT_EQ(now.damping_Ns_per_m, 0);
  }
}

}  // namespace
}  // namespace tactus
