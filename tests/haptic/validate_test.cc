#include "tactus/haptic/validate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace tactus {
namespace {

template <class Scalar>
using Limits = std::numeric_limits<Scalar>;

/// A number of a Config: a field, or one entry of it.
struct Number {
  ConfigField field;
  int entry;
  bool is_real, is_vector;
};

/// Lists every number that the visitor shows; a switch is none.
template <class Scalar>
class Lister {
 public:
  std::vector<Number> numbers;

  void operator()(const ConfigField& field, Scalar&) { numbers.push_back({field, 0, true, false}); }
  template <int kRows>
  void operator()(const ConfigField& field, Vec<Scalar, kRows>&) {
    for (int i = 0; i < kRows; ++i) numbers.push_back({field, i, true, true});
  }
  void operator()(const ConfigField& field, int&) { numbers.push_back({field, 0, false, false}); }
  void operator()(const ConfigField&, bool&) {}
};

template <class Scalar>
std::vector<Number> Numbers() {
  Config<Scalar> config;
  Lister<Scalar> lister;
  ForEachField({}, config, lister);
  return lister.numbers;
}

/// Sets one number to `value`, or with `whole` the field's every entry.
template <class Scalar>
class Setter {
 public:
  Setter(const Number& number, double value, bool whole) : number_(number), value_(value), whole_(whole) {}

  void operator()(const ConfigField& field, Scalar& x) {
    if (IsMine(field)) x = static_cast<Scalar>(value_);
  }
  template <int kRows>
  void operator()(const ConfigField& field, Vec<Scalar, kRows>& x) {
    for (int i = 0; i < kRows; ++i) {
      if (IsMine(field) && (whole_ || i == number_.entry)) x(i) = static_cast<Scalar>(value_);
    }
  }
  void operator()(const ConfigField& field, int& x) {
    if (IsMine(field)) x = static_cast<int>(value_);
  }
  void operator()(const ConfigField&, bool&) {}

 private:
  bool IsMine(const ConfigField& field) const { return std::string(field.name) == number_.field.name; }

  Number number_;
  double value_;
  bool whole_;
};

/// What fields must be to each other holds here for every value of any one field within its bounds.
template <class Scalar>
Config<Scalar> RoomyConfig() {
  Config<Scalar> config;
  config.passivity.enabled = false;
  config.scene.hole_depth_m = Scalar(0.1);
  config.scene.rim_radius_m = Scalar(1e-5);
  config.guard.ramp_down_s = Scalar(0.1);
  config.limits.max_force_N = Scalar(0.1);
  config.limits.max_torque_Nm = Scalar(1e-3);
  return config;
}

template <class Scalar>
ConfigFault FaultWith(const Number& number, double value, bool whole = false) {
  Config<Scalar> config = RoomyConfig<Scalar>();
  ForEachField({}, config, Setter<Scalar>(number, value, whole));
  return Validate(config);
}

template <class Scalar>
class ValidateEach : public testing::Test {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(ValidateEach, Scalars);

TYPED_TEST(ValidateEach, FieldMayBeAtItsBounds) {
  for (const Number& number : Numbers<TypeParam>()) {
    if (std::string(number.field.name) == "scene_q_WS") continue;  // of unit length: the test of the rules between fields
    for (const double bound : {number.field.lowest, number.field.highest}) {
      const ConfigFault fault = FaultWith<TypeParam>(number, bound, true);
      EXPECT_FALSE(fault) << number.field.name << " = " << bound << ": " << fault.field << " " << fault.what << " "
                          << fault.limit;
    }
  }
}

/// The number of type Scalar, or the integer, next to `bound`.
template <class Scalar>
double Next(const Number& number, double bound, double direction) {
  if (!number.is_real) return bound + direction;
  return std::nextafter(static_cast<Scalar>(bound), static_cast<Scalar>(direction) * Limits<Scalar>::max());
}

TYPED_TEST(ValidateEach, FieldIsRefusedNextToItsBoundsWithItsNameAndTheBound) {
  for (const Number& number : Numbers<TypeParam>()) {
    const ConfigField& field = number.field;
    const ConfigFault low = FaultWith<TypeParam>(number, Next<TypeParam>(number, field.lowest, -1));
    ASSERT_TRUE(low) << field.name;
    EXPECT_STREQ(low.field, field.name);
    EXPECT_STREQ(low.what, "must be at least");
    EXPECT_EQ(low.limit, field.lowest) << field.name;
    const ConfigFault high = FaultWith<TypeParam>(number, Next<TypeParam>(number, field.highest, 1));
    ASSERT_TRUE(high) << field.name;
    EXPECT_STREQ(high.field, field.name);
    EXPECT_STREQ(high.what, "must be at most");
    EXPECT_EQ(high.limit, field.highest) << field.name;
  }
}

TYPED_TEST(ValidateEach, FieldRefusesWhatIsNoNumberOrAbsurd) {
  constexpr double kInf = Limits<double>::infinity(), kIntMax = Limits<int>::max(), kIntMin = Limits<int>::min();
  for (const Number& number : Numbers<TypeParam>()) {
    const std::vector<double> below =
        number.is_real ? std::vector{-kInf, -1e38, Limits<double>::quiet_NaN()} : std::vector{kIntMin};
    const std::vector<double> above = number.is_real ? std::vector{kInf, 1e38} : std::vector{kIntMax};
    for (const double value : below) {
      const ConfigFault fault = FaultWith<TypeParam>(number, value);
      ASSERT_TRUE(fault) << number.field.name << " = " << value;
      EXPECT_STREQ(fault.field, number.field.name) << value;
      EXPECT_EQ(fault.limit, number.field.lowest) << number.field.name << " = " << value;
    }
    for (const double value : above) {
      const ConfigFault fault = FaultWith<TypeParam>(number, value);
      ASSERT_TRUE(fault) << number.field.name << " = " << value;
      EXPECT_STREQ(fault.field, number.field.name) << value;
      EXPECT_EQ(fault.limit, number.field.highest) << number.field.name << " = " << value;
    }
  }
}

TYPED_TEST(ValidateEach, SingleNumberIsZeroOrNotTiny) {
  for (const Number& number : Numbers<TypeParam>()) {
    if (!number.is_real || number.is_vector) continue;
    for (const double tiny : {1e-38, 9.9e-10}) {
      const ConfigFault fault = FaultWith<TypeParam>(number, tiny);
      ASSERT_TRUE(fault) << number.field.name << " = " << tiny;
      EXPECT_STREQ(fault.field, number.field.name);
      EXPECT_EQ(fault.limit, number.field.lowest > 0 ? number.field.lowest : kLeastNumber) << number.field.name;
    }
  }
}

/// Adds up the sizes of what it is shown.
class SizeSum {
 public:
  std::size_t bytes = 0;

  template <class Field>
  void operator()(const ConfigField&, const Field&) {
    bytes += sizeof(Field);
  }
  void operator()(const ConfigField&, const bool&) { bytes += sizeof(float); }  // with the padding behind it
};

TEST(ForEachField,
     ForgetsNoField) {  // With floats nothing but the bool is padded: the fields and the period are all there is.
  const Config<float> config;
  SizeSum sum;
  ForEachField({}, config, sum);
  // What the board has, the scene's friction laws, a scene, a stream and the workspace come otherwise.
  constexpr std::size_t kStream = sizeof(config.stream) + 2;        // its flags are padded to a number's four bytes
  constexpr std::size_t kWorkspace = sizeof(config.workspace) + 4;  // all is a multiple of a pointer's eight bytes
  const auto& scene = config.scene;
  EXPECT_EQ(sum.bytes + sizeof(config.period_s) + sizeof(scene.static_friction) + sizeof(scene.viscous_friction_Ns_per_m) +
                sizeof(config.world) + sizeof(config.work) + kStream + kWorkspace,
            sizeof(config));
}

TEST(Validate, AcceptsTheDefaults) {
  EXPECT_FALSE(Validate(Config<double>{}));
  EXPECT_FALSE(Validate(Config<float>{}));
}

TEST(Validate, HasTheBoundsOfTheDevice) {
  const DeviceLimits weak{.force_N = 5, .torque_Nm = 0.1, .stiffness_N_per_m = 1000};
  Config<double> config;
  EXPECT_STREQ(Validate(config, weak).field, "coupling_stiffness_N_per_m");
  config.coupling.stiffness_N_per_m = 1000;
  EXPECT_STREQ(Validate(config, weak).field, "limits_max_force_N");
  EXPECT_EQ(Validate(config, weak).limit, 5);
  config.limits.max_force_N = 5;
  EXPECT_STREQ(Validate(config, weak).field, "limits_max_torque_Nm");
  config.limits.max_torque_Nm = 0.1;
  EXPECT_FALSE(Validate(config, weak));
}

template <class Scalar>
ConfigFault FaultOfPeriod(double period_s) {
  Config<Scalar> config;
  config.period_s = static_cast<Scalar>(period_s);
  return Validate(config);
}

TEST(Validate, BoundsThePeriod) {
  EXPECT_FALSE(FaultOfPeriod<float>(1e-4));
  EXPECT_FALSE(FaultOfPeriod<double>(0.01));
  for (const double period_s : {0.0, 0.99e-4, -1.0, Limits<double>::quiet_NaN()}) {
    EXPECT_STREQ(FaultOfPeriod<double>(period_s).field, "period_s");
    EXPECT_EQ(FaultOfPeriod<float>(period_s).limit, 1e-4);
  }
  EXPECT_EQ(FaultOfPeriod<float>(0.0101).limit, 0.01);
}

TEST(Validate, AcceptsFieldsThatAreJustRightForEachOther) {
  Config<float> config;
  config.limits.max_force_rate_N_per_s = 400;  // 8 N in 20 ms
  config.limits.max_torque_rate_Nm_per_s = 10;
  config.tool.inertia_kgm2 << 1e-5f, 2e-5f, 3e-5f;  // a plate: the sum of the two others
  config.scene.q_WS << -0.5f, 0.5f, 0.5f, -0.5f;
  config.scene.p_WS_m << 0, 6e-17f, 0.1f;  // what the cosine of a right angle leaves
  config.passivity.enabled = false;
  config.coupling.damping_Ns_per_m = config.coupling.angular_damping_Nms_per_rad = 0;
  EXPECT_FALSE(Validate(config));
}

TEST(Validate, NamesTheFieldThatDoesNotSuitTheOthersAndTheLimit) {
  using C = Config<double>;
  struct Case {
    const char* field;
    double limit;
    std::function<void(C&)> spoil;
  };
  const std::vector<Case> cases = {
      {"tool_inertia_kgm2", 0.2, [](C& c) { c.tool.inertia_kgm2 << 0.1, 0.1, 0.21; }},
      {"scene_q_WS", 1, [](C& c) { c.scene.q_WS(0) = 0.9; }},
      {"scene_q_WS", 1, [](C& c) { c.scene.q_WS(0) = 1.0006; }},  // squared: 1.0012
      {"scene_rim_radius_m", 0.03, [](C& c) { c.scene.rim_radius_m = 0.03; }},
      {"coupling_damping_Ns_per_m", kLeastNumber, [](C& c) { c.coupling.damping_Ns_per_m = 0; }},
      {"coupling_angular_damping_Nms_per_rad", kLeastNumber, [](C& c) { c.coupling.angular_damping_Nms_per_rad = 0; }},
      {"limits_max_force_rate_N_per_s", 400, [](C& c) { c.limits.max_force_rate_N_per_s = 399; }},  // 8 N in 20 ms
      {"limits_max_torque_rate_Nm_per_s", 10, [](C& c) { c.limits.max_torque_rate_Nm_per_s = 9.9; }},
  };
  for (const Case& wrong : cases) {
    Config<double> config;
    wrong.spoil(config);
    const ConfigFault fault = Validate(config);
    ASSERT_TRUE(fault) << wrong.field;
    EXPECT_STREQ(fault.field, wrong.field);
    EXPECT_NE(fault.what, nullptr);
    EXPECT_DOUBLE_EQ(fault.limit, wrong.limit) << wrong.field;
  }
}

}  // namespace
}  // namespace tactus
