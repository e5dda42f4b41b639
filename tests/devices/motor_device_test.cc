// MotorDevice over a port that does what it is told.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "bench/safety/parts.h"
#include "hal/devices/falcon_port.h"
#include "hal/devices/haply_port.h"
#include "hal/devices/odrive_port.h"
#include "host_tools/devices/forwarding_device.h"
#include "motor_rig.h"

namespace tactus::hal {
namespace {

TEST(MotorDevice, TellsThePoseOfTheCounts) {  // Source: section 4 of docs/kinematics.md by hand, q of the comment above
  Rig rig;
  const DeviceReading reading = rig.Read();
  const double beta = 764 * 2 * M_PI / 24000, gamma = M_PI / 2 - 2562 * 2 * M_PI / 24000;
  EXPECT_NEAR(static_cast<double>(reading.sample.p_WH_m[0]), 0.205 * sin(beta) + 0.245 * sin(gamma) - 0.220, 1e-7);
  EXPECT_NEAR(static_cast<double>(reading.sample.p_WH_m[2]), 0.080 + 0.205 * cos(beta) - 0.245 * cos(gamma) - 0.080, 1e-7);
  EXPECT_EQ(reading.sample.q_WH[0], 1.0f);
}

TEST(MotorDevice, PutsThePoseAndTheForceIntoTheWorld) {  // a turn by 90° about z: x to y
  MotorDeviceConfig<LinkArm<double>> config = WoodenHapticsConfig();
  config.gravity_D_mps2.setZero();
  Rig straight(config);
  config.R_WD << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  config.p_WD_m << 1, 2, 3;
  Rig turned(config);
  straight.Start(), turned.Start();
  const DeviceReading a = straight.Read(), b = turned.Read();
  EXPECT_NEAR(b.sample.p_WH_m[0], 1 - a.sample.p_WH_m[1], 1e-6f);
  EXPECT_NEAR(b.sample.p_WH_m[1], 2 + a.sample.p_WH_m[0], 1e-6f);
  EXPECT_NEAR(b.sample.q_WH[3], std::sqrt(0.5f), 1e-6f);
  (void)straight.Write(1, 0, 0), (void)turned.Write(0, 1, 0);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(turned.port.written_A[i], straight.port.written_A[i], 1e-6f) << i;
}

TEST(MotorDevice, HoldsTheArmAgainstGravityAndNothingElse) {  // ∂U/∂q by hand: -g S_β sin β, +g S_γ sin γ
  Rig rig;
  rig.Start();
  (void)rig.Write(0, 0, 0);
  const double beta = 764 * 2 * M_PI / 24000, gamma = M_PI / 2 - 2562 * 2 * M_PI / 24000;
  const double tau_b = -9.81 * (0.170 * 0.051 + 0.110 * 0.205) * sin(beta), tau_c = 9.81 * 0.110 * 0.091 * sin(gamma);
  EXPECT_NEAR(static_cast<double>(rig.port.written_A[0]), 0, 1e-6);
  EXPECT_NEAR(static_cast<double>(rig.port.written_A[1]), -tau_b / (12 * 0.0259), 1e-5);
  EXPECT_NEAR(static_cast<double>(rig.port.written_A[2]), -tau_c / (12 * 0.0259), 1e-5);
}

// Source: by hand, τ = share τ_c along the motion above the full speed, at the drum; i = τ/(N kt). Off as it is made.
TEST(MotorDevice, TakesAShareOfItsFrictionOffTheHandWhereItIsToldTo) {
  MotorDeviceConfig<LinkArm<double>> config = WoodenHapticsConfig();
  config.gravity_D_mps2.setZero();
  Rig off(config);
  config.friction[0] = {.share = 0.5, .coulomb_Nm = 0.08, .full_speed_radps = 1};
  ASSERT_FALSE(Validate(config)) << Validate(config).field;
  Rig rig(config);
  off.Start(), rig.Start();
  for (const int counts : {20, -20, 0}) {  // a period: ±3.9 rad/s of a joint of 32 000 counts a turn
    for (Rig* each : {&off, &rig}) each->port.reading.count[0] += counts, (void)each->Read(), (void)each->Write(0, 0, 0);
    const double way = counts > 0 ? 1 : counts < 0 ? -1 : 0;
    EXPECT_NEAR(static_cast<double>(rig.port.written_A[0]), way * 0.5 * 0.08 / (16 * 0.0259), 1e-6) << counts;
    EXPECT_EQ(off.port.written_A[0], 0.0f);
  }
  config.friction[2] = {.share = 0.9, .coulomb_Nm = 0.08, .full_speed_radps = 1};
  EXPECT_STREQ(Validate(config).field, "share");
  EXPECT_EQ(Validate(config).index, 2);
}

TEST(MotorDevice, KeepsToThePortsCeiling) {
  Rig rig;
  rig.port.told.max_current_A[0] = rig.port.told.max_current_A[1] = rig.port.told.max_current_A[2] = 0.25f;
  rig.Start();
  (void)rig.Write(100, 50, -70);
  for (int i = 0; i < 3; ++i) EXPECT_LE(std::fabs(rig.port.written_A[i]), 0.2501f) << i;
}

struct Bad {
  const char* name;
  void (*make)(Rig* rig);
  PortCause cause;
};

class Failing : public testing::TestWithParam<Bad> {};

TEST_P(Failing, CutsTheForceAtOnceAndStaysOffUntilTheDrivesWereOff) {
  Rig rig;
  rig.port.told.is_absolute = true;
  rig.Start();
  (void)rig.Write(1, 1, 1);
  ASSERT_FALSE(rig.off());
  const PortReading good = rig.port.reading;
  GetParam().make(&rig);
  EXPECT_EQ(rig.Read().state, DeviceState::kFaulted);
  EXPECT_EQ(rig.device.cause(), GetParam().cause) << Name(rig.device.cause());
  EXPECT_EQ(rig.Write(1, 1, 1), Status::kClosed);
  EXPECT_TRUE(rig.off());

  rig.port.reading = good;  // well again: nothing by itself
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(rig.Read().state, DeviceState::kFaulted);
    (void)rig.Write(1, 1, 1);
    EXPECT_TRUE(rig.off());
  }
  static_cast<Device&>(rig.device).Disable();
  (void)rig.Read();
  (void)rig.Write(0, 0, 0);
  EXPECT_EQ(rig.Read().state, DeviceState::kReady);
  rig.Start();
  (void)rig.Write(1, 1, 1);
  EXPECT_FALSE(rig.off());
}

INSTANTIATE_TEST_SUITE_P(
    MotorDevice, Failing,
    testing::Values(
        Bad{"age", [](Rig* rig) { rig->port.reading.age_us = 10'001, rig->port.reading.is_new = false; },
            PortCause::kSilent},
        Bad{"age_of_nonsense",
            [](Rig* rig) { rig->port.reading.age_us = 10'001, rig->port.reading.missing = PortCause::kOutOfRange; },
            PortCause::kOutOfRange},
        Bad{"jump", [](Rig* rig) { rig->port.reading.count[1] += 0x8000; }, PortCause::kPositionJump},
        Bad{"jump_by_little", [](Rig* rig) { rig->port.reading.count[0] += 83; },
            PortCause::kPositionJump},  // 80 a ms, and 2
        Bad{"zeros", [](Rig* rig) { rig->port.reading.count[1] = rig->port.reading.count[2] = 0; },
            PortCause::kPositionJump},
        Bad{"extremes", [](Rig* rig) { rig->port.reading.count[2] = INT32_MIN; }, PortCause::kPositionJump},
        Bad{"port",
            [](Rig* rig) { rig->port.reading.state = DeviceState::kFaulted, rig->port.reading.cause = PortCause::kClosed; },
            PortCause::kClosed},
        Bad{"restart", [](Rig* rig) { rig->port.reading.state = DeviceState::kUninitialised; }, PortCause::kRestarted},
        Bad{"homing",
            [](Rig* rig) { rig->port.reading.state = DeviceState::kHoming, rig->port.reading.cause = PortCause::kNotHomed; },
            PortCause::kNotHomed}),
    [](const auto& row) { return row.param.name; });

TEST(MotorDevice, SeesCountsThatStandWhileTheHandIsPushedWhereThePortAsksForIt) {
  Rig rig;
  rig.port.told.frozen_after_us = 50'000;
  rig.Start();
  for (int i = 0; i < 200; ++i) (void)rig.Write(0.2f, 0, 0), (void)rig.Read();  // hardly pushed
  EXPECT_EQ(rig.device.cause(), PortCause::kNone);
  for (int i = 0; i < 200; ++i) (void)rig.Write(1, 0, 0), rig.port.reading.count[0] = i / 40 % 2, (void)rig.Read();
  EXPECT_EQ(rig.device.cause(), PortCause::kNone) << "one count in 40 ms";
  int periods = 0;
  for (; periods < 200 && rig.device.cause() == PortCause::kNone; ++periods) (void)rig.Write(1, 0, 0), (void)rig.Read();
  EXPECT_EQ(rig.device.cause(), PortCause::kSensorFault);
  EXPECT_LE(periods, 50);
}

// A controller takes a fade for over when its zeros have been written.
TEST(MotorDevice, SaysSoWhenTheZerosBehindAFaultDidNotGo) {
  Rig rig;
  rig.Start();
  (void)rig.Write(1, 0, 0);
  rig.port.reading.state = DeviceState::kFaulted;
  rig.port.reading.cause = PortCause::kDriveFault;
  rig.port.has_room = false;
  (void)rig.Read();
  EXPECT_EQ(rig.Write(1, 0, 0), Status::kWouldBlock);
  EXPECT_FALSE(rig.off());
  rig.port.has_room = true;
  EXPECT_EQ(rig.Write(1, 0, 0), Status::kClosed);
  EXPECT_TRUE(rig.off());
}

/// The fewest counts in a millisecond that a device takes for a jump, with this share of its set's counts a turn. From the
/// middle of its workspace. @param q_rad  of all its motors
template <class Port, DeviceKinematics D>
int FewestCountsOfAJump(MotorDeviceConfig<D> config, double q_rad, double share) {
  bench::safety::MemoryLink link;
  Port real(link);
  for (auto& motor : config.motors) motor.counts_per_turn *= share, motor.zero_count = 0, motor.offset_rad = q_rad;
  if (D::kMotors == 2) config.motors[0].offset_rad = M_PI - q_rad;
  for (int counts = 1; counts < 1000; ++counts) {
    FakePort port;
    port.told = static_cast<MotorPort&>(real).traits();
    port.reading = {.valid = true, .is_new = true, .state = DeviceState::kReady};
    MotorDevice<D> device(config, port);
    EXPECT_EQ(static_cast<Device&>(device).Read(1000).state, DeviceState::kReady);
    port.reading.count[1] = counts;
    (void)static_cast<Device&>(device).Read(2000);
    if (device.cause() == PortCause::kPositionJump) return counts;
  }
  return 0;
}

// Source: by hand, 2.3 m/s at the end of 50 mm, 3 m/s at 60 mm, 3.5 m/s: rad/s · counts a turn · N / 2π, and 2 counts.
TEST(MotorDevice, TakesTheSameSpeedForAJumpWhateverTheCountsATurn) {
  EXPECT_NEAR(FewestCountsOfAJump<HaplyPort>(HaplyConfig(), 0.5, 1), 103, 2);
  EXPECT_NEAR(FewestCountsOfAJump<HaplyPort>(HaplyConfig(), 0.5, 0.1), 13, 1);
  EXPECT_NEAR(FewestCountsOfAJump<FalconPort>(FalconConfig(), 0.6, 1), 83, 2);
  EXPECT_NEAR(FewestCountsOfAJump<FalconPort>(FalconConfig(), 0.6, 0.1), 11, 1);
  EXPECT_NEAR(FewestCountsOfAJump<ODrivePort>(ODriveConfig(), 0.5, 1), 63, 2);
  EXPECT_NEAR(FewestCountsOfAJump<ODrivePort>(ODriveConfig(), 0.5, 4), 242, 3);
  EXPECT_NEAR(FewestCountsOfAJump<WoodenHapticsPort>(WoodenHapticsConfig(), 0.9, 1), 83, 2);
}

/// A rig's device, not owned.
class Borrowed final : public Device {
 public:
  explicit Borrowed(Device& device) : device_(device) {}

 private:
  const DeviceCapabilities& DoCapabilities() const noexcept override { return device_.capabilities(); }
  DeviceReading DoReadSample(std::uint32_t now_us) noexcept override { return device_.Read(now_us); }
  Status DoWriteCommand(const CommandFrame& command, const CommandNote& note) noexcept override {
    return device_.Write(command, note);
  }
  void DoDisable() noexcept override { device_.Disable(); }
  Device& device_;
};

// Between the start of a driver and that of its loop passes time that the driver does not see: 0.1 s and more.
TEST(MotorDevice, TakesNoHandThatGoesOnBeforeTheLoopBeginsForAJump) {
  Rig rig;
  host::ForwardingDevice served(std::make_unique<Borrowed>(rig.device));
  Device& device = served;
  EXPECT_EQ(device.Read(5000).state, DeviceState::kReady);
  served.ChangeClock();
  rig.port.reading.is_new = false;
  (void)device.Read(77'000);
  rig.port.reading.count[1] += 300;  // 0.1 s of a slow hand
  rig.port.reading.is_new = true;
  EXPECT_EQ(device.Read(78'000).state, DeviceState::kReady);
  EXPECT_EQ(rig.device.last_failure(), PortCause::kNone);
  rig.port.reading.count[1] += 300;  // in a millisecond
  EXPECT_EQ(device.Read(79'000).state, DeviceState::kFaulted);
}

/// Gives what waits on its line a piece at a time.
class Talkative final : public Device {
 public:
  explicit Talkative(int* waits) : waits_(waits) {}

 private:
  const DeviceCapabilities& DoCapabilities() const noexcept override { return can_; }
  DeviceReading DoReadSample(std::uint32_t) noexcept override {
    return {.sample = {}, .valid = true, .is_new = (*waits_)-- > 0};
  }
  Status DoWriteCommand(const CommandFrame&, const CommandNote&) noexcept override { return Status::kOk; }
  const DeviceCapabilities can_;
  int* const waits_;
};

// Source: 11 776 bytes of a terminal, 1 kB of them a Read. Later the driver's answers would stand behind them.
TEST(ForwardingDevice, TakesWhatHasComeBeforeTheLoopBegins) {
  int waits = 1;
  host::ForwardingDevice served(std::make_unique<Talkative>(&waits));
  Device& device = served;
  (void)device.Read(1000);
  waits = 12;
  served.ChangeClock();
  (void)device.Read(0);
  EXPECT_LE(waits, 0);
  waits = 12;
  (void)device.Read(1000);
  EXPECT_EQ(waits, 11) << "once";
}

TEST(MotorDevice, SaysWhatItWaitsForBeforeItHasMeasured) {
  Rig rig;
  rig.port.told.is_absolute = true;
  const PortReading good = rig.port.reading;
  const auto why = [&] { return std::string(static_cast<Device&>(rig.device).why()); };
  rig.port.reading = {.cause = PortCause::kSilent};
  (void)rig.Read();
  EXPECT_EQ(why(), "no answer in time");
  rig.port.reading = {.state = DeviceState::kFaulted, .cause = PortCause::kSilent};
  (void)rig.Read();
  rig.port.reading = {.state = DeviceState::kHoming, .cause = PortCause::kNotHomed};
  (void)rig.Read();
  EXPECT_EQ(why(), "not homed") << "though it was silent before";
  rig.port.reading = good;
  rig.Start();
  rig.port.reading.count[1] += 0x8000;
  (void)rig.Read();
  rig.port.reading = good;
  (void)rig.Read();
  EXPECT_EQ(why(), "a position jumped") << "the last failure, once it measures";
}

TEST(MotorDevice, RefusesPosturesThatTheArmCannotHave) {
  Rig rig;
  rig.port.told.max_speed_counts_per_s = 0;  // past the check of jumps
  rig.Start();
  rig.port.reading.count[2] = -20'000;  // γ = 6.8 rad
  EXPECT_EQ(rig.Read().state, DeviceState::kFaulted);
  EXPECT_EQ(rig.device.cause(), PortCause::kUnreachable);
  EXPECT_EQ(rig.Write(1, 0, 0), Status::kClosed);
  EXPECT_TRUE(rig.off());
}

TEST(MotorDevice, NamesACommandThatIsNoNumber) {
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    Rig rig;
    rig.Start();
    EXPECT_EQ(rig.Write(0, bad, 0), Status::kClosed);
    EXPECT_TRUE(rig.off());
    EXPECT_EQ(rig.device.last_failure(), PortCause::kNotFinite);
    EXPECT_EQ(rig.Read().state, DeviceState::kFaulted);
  }
}

TEST(MotorDevice, ValidatesItsNumbersByName) {
  MotorDeviceConfig<LinkArm<double>> config = WoodenHapticsConfig();
  EXPECT_FALSE(Validate(config));
  for (const WoodenHapticsSet set : {WoodenHapticsSet::kV2019, WoodenHapticsSet::kAluminium2017})
    EXPECT_FALSE(Validate(WoodenHapticsConfig(set)));
  config.motors[1].max_current_A = NAN;
  EXPECT_STREQ(Validate(config).field, "max_current_A");
  EXPECT_EQ(Validate(config).index, 1);
  config = WoodenHapticsConfig();
  config.walls[2] = {.low_rad = 0, .high_rad = 1, .stiffness_Nm_per_rad = 1, .max_torque_Nm = 0.1};
  EXPECT_EQ(Validate(config).index, 2) << "below the joint's own limit of 0.2";
  config = WoodenHapticsConfig();
  config.gravity_D_mps2(0) = 1e9;
  EXPECT_STREQ(Validate(config).field, "gravity_D_mps2");
}

}  // namespace
}  // namespace tactus::hal
