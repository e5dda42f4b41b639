// The period goes through to the tick, to the device and to what the host is told.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/linux/scripted_loop.h"

namespace tactus::host {
namespace {

constexpr std::uint32_t kTime_ms = 1000;

ScriptedHost RunAt(std::uint32_t period_us) {
  ScriptedLoop run(period_us, std::uint64_t{1000} * kTime_ms / period_us);
  run.Run();
  EXPECT_EQ(run.loop().counts().faults.load(), 0u);
  EXPECT_EQ(run.loop().counts().overruns.load(), 0u);
  return run.host;
}

/// Source: the Coulomb friction of the simulated device: within it a hand may stand still at another force.
constexpr double kFriction_N = hal::FalconClass().coulomb_N.value;

class EachRate : public testing::TestWithParam<std::uint32_t> {};

// Source: a hand that is drawn slowly over a plate is a balance of springs and friction, in which no period stands; and its
// movements are a function of time. So force against time is the same at each rate.
TEST_P(EachRate, FeelsTheSamePlate) {
  const ScriptedHost at_1kHz = RunAt(1000), host = RunAt(GetParam());
  EXPECT_EQ(host.period_us, GetParam());
  EXPECT_EQ(host.faults, 0u);
  double difference_N = 0, mean_N = 0;
  for (int ms = 50; ms < 950; ms += 50) {
    const double a = at_1kHz.forces_N[static_cast<std::size_t>(ms)];
    const double b = host.forces_N[static_cast<std::size_t>(ms) * 1000 / GetParam()];
    EXPECT_NEAR(b, a, kFriction_N) << ms << " ms";
    difference_N += (b - a) / 18;
    mean_N += a / 18;
  }
  EXPECT_GT(mean_N, 0.5) << "nothing was touched";
  EXPECT_LT(std::abs(difference_N), 0.05 * mean_N);
}
INSTANTIATE_TEST_SUITE_P(Rates, EachRate, testing::Values(1000u, 800u, 500u, 400u, 250u));

}  // namespace
}  // namespace tactus::host
