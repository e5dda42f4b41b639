#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <type_traits>

#include "firmware/servo/config_from_wire.h"
#include "firmware/servo/spsc_ring.h"
#include "hal/api/byte_ring.h"

namespace tactus::servo {
namespace {

template <class Number>
void PutAt(Number number, std::size_t offset, wire::Config* message) {
  std::memcpy(reinterpret_cast<std::uint8_t*>(message) + offset, &number, sizeof(number));
}

/// Gives every number that it is shown a value of its own, near the default.
class Marker {
 public:
  void operator()(const ConfigField&, double& x) { x = Mark(x); }
  template <int kRows>
  void operator()(const ConfigField&, Vec<double, kRows>& x) {
    for (int i = 0; i < kRows; ++i) x(i) = Mark(x(i));
  }
  void operator()(const ConfigField& field, int& x) { x += x > field.lowest ? -1 : 1; }
  void operator()(const ConfigField&, bool& x) { x = !x; }

 private:
  double Mark(double x) {
    share_ += 1e-4;
    return x == 0 ? share_ : x * (1 + share_);
  }
  double share_ = 0;
};

/// Every field of the message gets a number of its own; what comes back must be the same message.
TEST(ConfigFromWire, IsTheReverseOfConfigToWire) {
  Config<double> config;
  ForEachField({}, config, Marker());
  config.scene.q_WS << 0.1, -0.7, 0.1, 0.7;
  const wire::Config message = ConfigToWire(config);
  Config<double> back;
  ASSERT_EQ(ConfigFromWire(message, 1000, &back).code, wire::AckCode::kAccepted);
  const wire::Config again = ConfigToWire(back);
  EXPECT_EQ(std::memcmp(&message, &again, sizeof(message)), 0);
  EXPECT_EQ(message.tool_mass_kg(), config.tool.mass_kg);
  EXPECT_EQ(message.limits_max_torque_Nm(), config.limits.max_torque_Nm);
  EXPECT_EQ(message.guard_silence_ticks(), config.guard.silence_ticks);
  EXPECT_EQ(back.scene.q_WS, config.scene.q_WS);
  EXPECT_EQ(back.scene.p_WS_m, config.scene.p_WS_m);
  EXPECT_EQ(back.guard.hold_ticks, config.guard.hold_ticks);
  EXPECT_FALSE(back.passivity.enabled);
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
    PutAt(std::numeric_limits<double>::quiet_NaN(), at, &message);
    Config<double> config;
    const ConfigRefusal refusal = ConfigFromWire(message, 1000, &config);
    EXPECT_EQ(refusal.code, wire::AckCode::kNotFinite) << at;
    EXPECT_LE(refusal.field, at);
    EXPECT_LT(at - refusal.field, 32) << "the longest field has four doubles";
  }
}

/// Every field of the message in turn, or of a vector its first entry, is next to one of its bounds.
template <class Scalar>
class Trespasser {
 public:
  Trespasser(double ConfigField::*bound, int direction) : bound_(bound), direction_(direction) {}

  template <class Real>
  requires std::is_same_v<Real, double>
  void operator()(const ConfigField& field, const Real&) {
    const Scalar end = static_cast<Scalar>(direction_) * std::numeric_limits<Scalar>::max();
    Expect(field, static_cast<double>(std::nextafter(static_cast<Scalar>(field.*bound_), end)));
  }
  template <int kRows>
  void operator()(const ConfigField& field, const Vec<double, kRows>& x) {
    (*this)(field, x(0));
  }
  void operator()(const ConfigField& field, const int&) {
    Expect(field, static_cast<std::int32_t>(field.*bound_) + direction_);
  }
  void operator()(const ConfigField& field, const bool&) {
    if (direction_ > 0) Expect(field, std::uint8_t{2});
  }

 private:
  template <class Number>
  void Expect(const ConfigField& field, Number number) {
    wire::Config message = ConfigToWire(Config<double>{});
    PutAt(number, wire::FieldOffset<wire::Config>(field.name), &message);
    Config<Scalar> config;
    const ConfigRefusal refusal = ConfigFromWire(message, 1000, &config);
    const bool no_room = direction_ > 0 && wire::IsName(field.name, "directions");
    EXPECT_EQ(refusal.code, no_room ? wire::AckCode::kOverCapacity : wire::AckCode::kOutOfRange) << field.name;
    EXPECT_STREQ(wire::FieldName<wire::Config>(refusal.field), field.name);
    EXPECT_EQ(refusal.limit, field.*bound_) << field.name;
  }

  double ConfigField::*bound_;
  int direction_;
};

TEST(ConfigFromWire, RefusesEachFieldBelowItsLowestValueAndTellsIt) {
  const Config<double> config;
  ForEachField({}, config, Trespasser<double>(&ConfigField::lowest, -1));
  ForEachField({}, config, Trespasser<float>(&ConfigField::lowest, -1));
}

TEST(ConfigFromWire, RefusesEachFieldAboveItsHighestValueAndTellsIt) {
  const Config<double> config;
  ForEachField({}, config, Trespasser<double>(&ConfigField::highest, 1));
  ForEachField({}, config, Trespasser<float>(&ConfigField::highest, 1));
}

TEST(ConfigFromWire, BoundsTheFieldsOfTheLoop) {
  Config<double> config;
  wire::Config message = ConfigToWire(config);
  message.mutate_telemetry_every_ticks(-1);
  EXPECT_EQ(ConfigFromWire(message, 1000, &config).limit, 0);
  message.mutate_telemetry_every_ticks(std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(ConfigFromWire(message, 1000, &config).limit, kMostTelemetryEveryTicks);
  message.mutate_telemetry_every_ticks(kMostTelemetryEveryTicks);
  EXPECT_FALSE(ConfigFromWire(message, 1000, &config));
  message.mutate_pacing(static_cast<wire::Pacing>(2));
  EXPECT_EQ(ConfigFromWire(message, 1000, &config).field, wire::FieldOffset<wire::Config>("pacing"));
  EXPECT_EQ(ConfigFromWire(message, 1000, &config).limit, 1);
}

/// 3 kN went out with this one, and stood for 500 ticks after the disarming. Each refusal tells what would be accepted: a
/// host that obeys has an accepted Config after as many refusals as there are wrong fields.
TEST(ConfigFromWire, S5RefusesTheConfigThatCommandedThreeKilonewtons) {
  wire::Config message = ConfigToWire(Config<double>{});
  message.mutate_coupling_stiffness_N_per_m(1e6);
  message.mutate_guard_max_age_us(std::numeric_limits<std::int32_t>::max());
  message.mutate_guard_hold_ticks(10'000);
  message.mutate_guard_ramp_down_s(1e9);
  message.mutate_limits_max_force_N(10e3);
  const std::map<std::string, double> ceilings = {{"coupling_stiffness_N_per_m", 20e3},
                                                  {"guard_max_age_us", 20'000},
                                                  {"guard_hold_ticks", 20},
                                                  {"guard_ramp_down_s", 0.1},
                                                  {"limits_max_force_N", 20}};
  std::map<std::string, double> told;
  Config<double> config;
  for (std::size_t round = 0; round < ceilings.size(); ++round) {
    const ConfigRefusal refusal = ConfigFromWire(message, 1000, &config);
    ASSERT_EQ(refusal.code, wire::AckCode::kOutOfRange);
    told[wire::FieldName<wire::Config>(refusal.field)] = refusal.limit;
    if (refusal.field < wire::FieldOffset<wire::Config>("directions")) {
      PutAt(refusal.limit, refusal.field, &message);
    } else {
      PutAt(static_cast<std::int32_t>(refusal.limit), refusal.field, &message);
    }
  }
  EXPECT_EQ(told, ceilings);
  EXPECT_FALSE(ConfigFromWire(message, 1000, &config));
  EXPECT_EQ(config.limits.max_force_N, 20);
}

/// Compares each field of a message with one of its bounds.
class BoundComparer {
 public:
  BoundComparer(const wire::Config& message, double ConfigField::*bound) : message_(message), bound_(bound) {}

  template <class Field>
  void operator()(const ConfigField& field, const Field&) {
    using Number = std::conditional_t<std::is_same_v<Field, int>, std::int32_t,
                                      std::conditional_t<std::is_same_v<Field, bool>, std::uint8_t, double>>;
    const std::size_t entries = std::is_arithmetic_v<Field> ? 1 : sizeof(Field) / sizeof(double);
    for (std::size_t i = 0; i < entries; ++i) {
      Number number{};
      const std::size_t at = wire::FieldOffset<wire::Config>(field.name) + i * sizeof(Number);
      std::memcpy(&number, reinterpret_cast<const std::uint8_t*>(&message_) + at, sizeof(number));
      EXPECT_EQ(number, field.*bound_) << field.name;
    }
  }

 private:
  wire::Config message_;
  double ConfigField::*bound_;
};

TEST(BoundsToWire, TellTheBoundsOfEveryField) {
  const Config<double> config;
  const DeviceLimits device{.force_N = 12, .speed_mps = 3};
  const wire::Config lowest = LowestToWire(device).config(), highest = HighestToWire(device).config();
  ForEachField(device, config, BoundComparer(lowest, &ConfigField::lowest));
  ForEachField(device, config, BoundComparer(highest, &ConfigField::highest));
  EXPECT_EQ(highest.limits_max_force_N(), 12);
  EXPECT_EQ(highest.guard_max_speed_mps(), 3);
  EXPECT_EQ(lowest.telemetry_every_ticks(), 0);
  EXPECT_EQ(highest.telemetry_every_ticks(), kMostTelemetryEveryTicks);
  EXPECT_EQ(lowest.pacing(), wire::Pacing::kClock);
  EXPECT_EQ(highest.pacing(), wire::Pacing::kSample);
}

/// Counts what it is shown.
struct Counter {
  std::size_t fields = 0;
  template <class Field>
  void operator()(const ConfigField& field, const Field&) {
    EXPECT_NE(wire::FieldOffset<wire::Config>(field.name), wire::kNoField) << field.name;
    ++fields;
  }
};

TEST(ForEachField, ShowsEveryFieldOfTheMessageButThoseOfTheLoop) {
  const Config<double> config;
  Counter counter;
  ForEachField({}, config, counter);
  constexpr std::size_t kLoopFields = 3;  // telemetry_every_ticks, pacing, reserved
  EXPECT_EQ(counter.fields + kLoopFields, wire::Config::MiniReflectTypeTable()->num_elems);
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
