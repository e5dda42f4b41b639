// What a MotorDevice does about the place of its counts: a jump loses it, homing gives it back.
#include <gtest/gtest.h>

#include "motor_rig.h"

namespace tactus::hal {
namespace {

/// A device of counters that had force when one of them jumped for good, disarmed since.
struct LostRig : Rig {
  LostRig() {
    Start();
    (void)Write(1, 1, 1);
    port.reading.count[1] += 500;
    EXPECT_EQ(Read().state, DeviceState::kFaulted);
    EXPECT_STREQ(base().why(), Name(PortCause::kPositionJump));
    (void)Write(1, 1, 1);
    base().Disable();
    Periods(5);
  }
  Device& base() { return device; }
  DeviceReading Periods(int count) {
    DeviceReading last;
    for (int i = 0; i < count; ++i) last = Read(), (void)Write(0, 0, 0);
    return last;
  }
};

TEST(MotorDevice, GivesNoForceAtTheShiftedPlaceOfCountersThatJumped) {
  LostRig rig;
  for (const int shift : {0, -500}) {  // also where the counts come back: who says that they are right now
    rig.port.reading.count[1] += shift;
    EXPECT_EQ(rig.Periods(2000).state, DeviceState::kFaulted);
    EXPECT_EQ(rig.device.cause(), PortCause::kReferenceLost);
    EXPECT_STREQ(rig.base().why(), Name(PortCause::kReferenceLost));
    rig.base().Enable();
    (void)rig.Read();
    EXPECT_EQ(rig.Write(1, 1, 1), Status::kClosed);
    EXPECT_TRUE(rig.off());
    rig.base().Disable();
  }
}

TEST(MotorDevice, GetsItsPlaceAnewWhereItsHandleIsHeldStillInItsHomePose) {
  LostRig rig;
  rig.port.reading.count[0] = 12'000, rig.port.reading.count[1] = -7'000, rig.port.reading.count[2] = 300;
  ASSERT_EQ(rig.base().Home(), Status::kOk);
  DeviceReading reading = rig.Periods(1);
  EXPECT_EQ(reading.state, DeviceState::kHoming);
  EXPECT_FALSE(reading.valid);
  EXPECT_STREQ(rig.base().why(), Name(PortCause::kHoldStill));
  for (int i = 0; i < 1000; ++i) rig.port.reading.count[2] += i % 20 == 0 ? 30 : 0, reading = rig.Periods(1);
  EXPECT_EQ(reading.state, DeviceState::kHoming) << "it is carried there";
  reading = rig.Periods(501);
  EXPECT_EQ(reading.state, DeviceState::kReady);
  EXPECT_TRUE(reading.valid);
  EXPECT_STREQ(rig.base().why(), "none");
  // Source: kinematics.md, section 4: upper link up, forearm level.
  EXPECT_NEAR(reading.sample.p_WH_m[0], 0.245 - 0.220, 1e-6);
  EXPECT_NEAR(reading.sample.p_WH_m[2], 0.080 + 0.205 - 0.080, 1e-6);
  rig.Start();
  (void)rig.Write(1, 1, 1);
  EXPECT_FALSE(rig.off());
}

TEST(MotorDevice, NamesAHandThatIsNotStillAndHomesAgain) {
  LostRig rig;
  (void)rig.base().Home();
  for (int i = 0; i < 30'010; ++i) rig.port.reading.count[2] = i % 40 * 50, (void)rig.Periods(1);
  EXPECT_EQ(rig.Periods(1).state, DeviceState::kFaulted);
  EXPECT_STREQ(rig.base().why(), Name(PortCause::kNotStill));
  (void)rig.base().Home();
  EXPECT_EQ(rig.Periods(520).state, DeviceState::kReady);
}

TEST(MotorDevice, DoesNotBeginToHomeWhileTheDrivesAreOn) {
  Rig rig;
  rig.Start();
  EXPECT_EQ(static_cast<Device&>(rig.device).Home(), Status::kOk);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(rig.Read().state, DeviceState::kEnabled);
  static_cast<Device&>(rig.device).Disable();
  EXPECT_EQ(rig.Read().state, DeviceState::kReady) << "nor later";
}

TEST(MotorDevice, HasAHomePoseOnlyWhereItsSensorsCountAndAHandCanHoldIt) {
  for (const bool is_absolute : {true, false}) {
    Rig rig;
    (is_absolute ? rig.port.told.is_absolute : rig.port.told.has_home_pose) = is_absolute;
    EXPECT_EQ(static_cast<Device&>(rig.device).Home(), Status::kNotReady);
  }
  MotorDeviceConfig<LinkArm<double>> config = WoodenHapticsConfig();
  config.motors[2].offset_rad = 3;  // beyond what its forearm can
  Rig outside(config);
  EXPECT_EQ(static_cast<Device&>(outside.device).Home(), Status::kNotReady);
}

TEST(MotorDevice, LosesItsPlaceWithCountersThatBeganAnewAndHasItBackWhenTheyHomed) {
  LostRig rig;
  rig.port.reading.homings = 1;
  EXPECT_EQ(rig.Periods(2).state, DeviceState::kReady);
  rig.port.reading.restarts = 1;
  EXPECT_EQ(rig.Periods(2).state, DeviceState::kFaulted);
  EXPECT_EQ(rig.device.cause(), PortCause::kReferenceLost);
  rig.port.reading.homings = 2;
  EXPECT_EQ(rig.Periods(2).state, DeviceState::kReady);
}

TEST(MotorDevice, ComparesTheSampleBehindADisarm) {
  Rig rig;
  rig.Start();
  static_cast<Device&>(rig.device).Disable();
  rig.port.reading.count[1] += 500;  // in a millisecond
  EXPECT_EQ(rig.Read().state, DeviceState::kFaulted);
  EXPECT_EQ(rig.device.cause(), PortCause::kPositionJump);
}

TEST(MotorDevice, ComparesWithThePositionBeforeAGapWhereAHandCannotHaveComeSoFar) {  // Source: by hand, 80 counts a ms
  for (const int counts : {3000, 5000}) {
    Rig rig;
    (void)rig.Read();
    rig.port.reading.state = DeviceState::kFaulted;
    rig.port.reading.cause = PortCause::kSilent;
    rig.port.reading.is_new = false;
    for (int i = 0; i < 49; ++i) (void)rig.Read();
    rig.port.reading.is_new = true;
    rig.port.reading.state = DeviceState::kReady;
    rig.port.reading.count[0] += counts;
    EXPECT_EQ(rig.Read().state == DeviceState::kFaulted, counts > 50 * 80) << counts;
  }
}

}  // namespace
}  // namespace tactus::hal
