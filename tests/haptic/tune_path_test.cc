// The way of a Tune from one coupling to another: bounded steps, an end, and no pair on it that is not stable.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "tactus/haptic/stable_stiffness.h"
#include "tactus/haptic/tune.h"

namespace tactus {
namespace {

using Coupling = CouplingConfig<double>;
constexpr double kPeriod_s = 0.001, kMost_N_per_m = 20e3, kMost_Ns_per_m = 100;

/// Numbers of one seed.
struct Random {
  std::mt19937 engine;
  double Between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
  bool OneOf(int n) { return engine() % static_cast<unsigned>(n) == 0; }
};

/// Rises to its maximum by any steps and falls by any: no more of its shape is known. Some dampings at the end bear none.
StableStiffness AnyTable(Random* random) {
  StableStiffness table;
  const auto n = static_cast<std::size_t>(StableStiffness::kPoints);
  for (std::size_t i = 0; i < n; ++i) {
    const double share = static_cast<double>(i) / (StableStiffness::kPoints - 1);
    table.damping[i] = kMost_Ns_per_m * share * share;
    table.highest[i] = std::pow(10.0, random->Between(0, std::log10(kMost_N_per_m)));
  }
  const auto top = table.highest.begin() + random->engine() % StableStiffness::kPoints;
  std::sort(table.highest.begin(), top);
  std::sort(top, table.highest.end(), std::greater<>());
  for (auto i = n - random->engine() % 4; i < n; ++i) table.highest[i] = 0;
  if (random->OneOf(2)) table.highest[0] = 1e-9;  // without damping next to none
  return table;
}

/// A pair that the table allows, often at its line; every fourth time without damping, where that is allowed.
Coupling AnyPair(const StableStiffness& table, Random* random) {
  for (;;) {
    const double B = random->OneOf(4) ? 0 : std::pow(10.0, random->Between(-3, 2));
    const double most = table.At(B);
    if (most < 1) continue;
    return {.stiffness_N_per_m = random->OneOf(2) ? most : random->Between(1, most), .damping_Ns_per_m = B};
  }
}

/// A hand whose strain and slip are at most so large [m, m/s].
internal::Strain<double> AnyStrain(double strain_m, double slip_mps, Random* random) {
  internal::Strain<double> strain;
  for (int i = 0; i < 6; ++i) {
    strain.strain_W(i) = strain_m * random->Between(-1, 1);
    strain.slip_W(i) = slip_mps * random->Between(-1, 1);
  }
  return strain;
}

/// |Δ| · gain ≤ 20 N/s · h, and 5 % of the larger. Tolerance: rounding of a sum, 1e-12 of the numbers.
void ExpectSmallStep(double before, double after, double wanted, double gain) {
  const double way = std::abs(after - before), rounding = 1e-12 * std::max(before, after);
  ASSERT_LE(way * gain, 0.02 + rounding * gain);
  ASSERT_LE(way, std::max(0.05 * std::max(before, wanted), 1e-9) + rounding);
}

bool IsAt(const Coupling& a, const Coupling& b) {
  return a.stiffness_N_per_m == b.stiffness_N_per_m && a.damping_Ns_per_m == b.damping_Ns_per_m;
}

TEST(TunePath, HasNoPairAboveTheLineWhenItsEndsHaveNone) {  // Source: S(B) ≥ min(S(B₀), S(B₁)) between them (tune.inl)
  Random random{std::mt19937(7)};
  for (int run = 0; run < 2000; ++run) {
    const StableStiffness table = AnyTable(&random);
    Coupling now = AnyPair(table, &random), wanted = AnyPair(table, &random);
    const double strain_m = random.Between(0, 0.02), slip_mps = random.Between(0, 0.5);
    for (int k = 0; k < 400; ++k) {
      if (random.OneOf(100)) wanted = AnyPair(table, &random);  // another Tune on the way
      const auto a = AnyStrain(strain_m, slip_mps, &random), b = AnyStrain(strain_m, slip_mps, &random);
      const Coupling before = now;
      const auto share = internal::TuneCoupling(wanted, a, b, kPeriod_s, &now);
      const double K = now.stiffness_N_per_m, B = now.damping_Ns_per_m;
      ASSERT_LE(K, table.At(B) * (1 + 1e-9)) << run << ' ' << k << ": B " << B;
      const bool stiffens = K > before.stiffness_N_per_m;
      const double strain = stiffens ? 0 : internal::LargerHead(a.strain_W, b.strain_W);
      ExpectSmallStep(before.stiffness_N_per_m, K, wanted.stiffness_N_per_m, strain);
      ExpectSmallStep(before.damping_Ns_per_m, B, wanted.damping_Ns_per_m, internal::LargerHead(a.slip_W, b.slip_W));
      ASSERT_EQ(share.linear, stiffens ? 1 - before.stiffness_N_per_m / K : 0);
    }
  }
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

TEST(TunePath, MovesOneNumberAsBefore) {
  Random random{std::mt19937(9)};
  const auto rest = AnyStrain(0.001, 0.01, &random);
  for (int run = 0; run < 200; ++run) {
    Coupling now{.stiffness_N_per_m = random.Between(1, 20e3), .damping_Ns_per_m = random.Between(0, 100)}, wanted = now;
    wanted.stiffness_N_per_m = random.Between(1, 20e3);
    (void)internal::TuneCoupling(wanted, rest, rest, kPeriod_s, &now);
    EXPECT_NE(now.stiffness_N_per_m, 0);
    EXPECT_EQ(now.damping_Ns_per_m, wanted.damping_Ns_per_m);
    wanted = now;
    wanted.damping_Ns_per_m = random.Between(0, 100);
    const double before = now.damping_Ns_per_m;
    (void)internal::TuneCoupling(wanted, rest, rest, kPeriod_s, &now);
    EXPECT_EQ(now.stiffness_N_per_m, wanted.stiffness_N_per_m);
    EXPECT_GT((now.damping_Ns_per_m - before) * (wanted.damping_Ns_per_m - before), 0);
  }
}

}  // namespace
}  // namespace tactus
