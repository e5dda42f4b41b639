#include <gtest/gtest.h>

#include <array>

#include "firmware/servo/config_from_wire.h"
#include "firmware/servo/spsc_ring.h"
#include "hal/api/byte_ring.h"

namespace tactus::servo {
namespace {

/// Every field of the message gets a number of its own; what comes back must be the same message.
TEST(ConfigFromWire, IsTheReverseOfConfigToWire) {
  Config<double> config;
  config.tool.mass_kg = 0.31;
  config.scene.p_WS_m << 0.01, 0.02, 0.03;
  config.coupling.damping_Ns_per_m = 3.3;
  config.guard.workspace_center_W_m << 0.1, 0.2, 0.3;
  config.limits.soft_start_s = 0.77;
  const wire::Config message = ConfigToWire(config);
  Config<double> back;
  ASSERT_EQ(ConfigFromWire(message, 1000, &back).code, wire::AckCode::kAccepted);
  const wire::Config again = ConfigToWire(back);
  EXPECT_EQ(std::memcmp(&message, &again, sizeof(message)), 0);
  EXPECT_EQ(back.scene.p_WS_m, config.scene.p_WS_m);
  EXPECT_EQ(back.period_s, 0.001);
}

TEST(ConfigFromWire, LeavesTheConfigAloneWhenItRefuses) {
  Config<double> config;
  wire::Config message = ConfigToWire(config);
  message.mutate_tool_mass_kg(2);
  message.mutate_scene_friction(-1);
  EXPECT_EQ(ConfigFromWire(message, 1000, &config).code, wire::AckCode::kOutOfRange);
  EXPECT_EQ(config.tool.mass_kg, Config<double>{}.tool.mass_kg);
}

/// A double that no float can hold is out of range for a controller in single precision.
TEST(ConfigFromWire, RefusesWhatOverflowsSinglePrecision) {
  wire::Config message = ConfigToWire(Config<double>{});
  message.mutate_limits_max_force_rate_N_per_s(1e300);
  Config<float> config;
  const ConfigRefusal refusal = ConfigFromWire(message, 1000, &config);
  EXPECT_EQ(refusal.code, wire::AckCode::kOutOfRange);
  EXPECT_STREQ(wire::FieldName<wire::Config>(refusal.field), "limits_max_force_rate_N_per_s");
}

/// Each double of the message in turn is a NaN: the refusal names the field it lies in.
TEST(ConfigFromWire, FindsANanInEveryField) {
  for (std::uint16_t at = 0; at < wire::FieldOffset<wire::Config>("directions"); at = static_cast<std::uint16_t>(at + 8)) {
    wire::Config message = ConfigToWire(Config<double>{});
    const double nan = std::numeric_limits<double>::quiet_NaN();
    std::memcpy(reinterpret_cast<std::uint8_t*>(&message) + at, &nan, sizeof(nan));
    Config<double> config;
    const ConfigRefusal refusal = ConfigFromWire(message, 1000, &config);
    EXPECT_EQ(refusal.code, wire::AckCode::kNotFinite) << at;
    EXPECT_LE(refusal.field, at);
    EXPECT_LT(at - refusal.field, 32) << "the longest field has four doubles";
  }
}

TEST(SpscRing, KeepsTheOrderAndRefusesWhenFull) {
  SpscRing<int, 4> ring;
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(ring.Push(10 * round + i));
    EXPECT_FALSE(ring.Push(99));
    for (int i = 0; i < 4; ++i, ring.Pop()) EXPECT_EQ(*ring.Front(), 10 * round + i);
    EXPECT_EQ(ring.Front(), nullptr);
  }
}

TEST(ByteRing, TakesAllOrNothingAndWrapsAround) {
  hal::ByteRing<16> ring;
  const std::array<std::uint8_t, 10> ten{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  std::array<std::uint8_t, 10> out{};
  for (int round = 0; round < 20; ++round) {
    ASSERT_TRUE(ring.Push(ten));
    EXPECT_FALSE(ring.Push(ten)) << "six bytes are free";
    EXPECT_EQ(ring.size(), 10u);
    ASSERT_EQ(ring.Pop(out), 10u);
    EXPECT_EQ(out, ten);
  }
  EXPECT_EQ(ring.Pop(out), 0u);
}

}  // namespace
}  // namespace tactus::servo
