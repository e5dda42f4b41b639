// The motors of the board itself as a device: counts and currents on one side, pose and wrench on the other, each fault of
// the electronics in between.
#include "hal/devices/board_port.h"

#include <gtest/gtest.h>

#include "firmware/boards/board_device.h"
#include "hal/sim/faulty_motor_io.h"
#include "hal/sim/mechanism_motor_io.h"
#include "host_tools/io/io_mechanism.h"

namespace tactus::hal {
namespace {

using Mechanism = board::BoardMechanism<double>;
using Motors = MechanismMotorIo<Mechanism>;

constexpr std::uint32_t kPeriod_us = 1000;
const MotorDeviceConfig<Mechanism> kDevice = board::BoardDevice<double>(1e-3);

/// Held by a hand at W's origin.
Motors::Options HeldAtHome() {
  Motors::Options options;
  options.mechanism = kDevice.mechanism;
  options.motors = kDevice.motors;
  options.handle = FalconClass();
  return options;
}

MotorTraits TraitsOfBoard() {
  MotorTraits traits{.motors = 3, .max_step_counts = board::kMotor.max_step_counts, .senses_current = true};
  for (int i = 0; i < 3; ++i) traits.max_current_A[i] = board::kMotor.max_current_A;
  return traits;
}

struct Rig {
  Motors motors{HeldAtHome(), TraitsOfBoard()};
  FaultyMotorIo faulty{motors};
  BoardPort port;
  MotorDevice<Mechanism> own;
  Device& device = own;
  DeviceReading reading;
  std::uint32_t now_us = 0;

  explicit Rig(std::uint32_t restarts = 0, const MotorDeviceConfig<Mechanism>& config = kDevice)
      : port(faulty, kPeriod_us, restarts), own(config, port) {}

  /// One period under this force. @returns what Write says
  Status Period(float x_N, float y_N, float z_N) {
    reading = device.Read(now_us += kPeriod_us);
    CommandFrame command;
    command.force_N[0] = x_N, command.force_N[1] = y_N, command.force_N[2] = z_N;
    return device.Write(command, {});
  }
  void Start() {
    for (int i = 0; i < 3; ++i) ASSERT_EQ(Period(0, 0, 0), Status::kOk);
    ASSERT_EQ(reading.state, DeviceState::kReady);
    device.Enable();
    for (int i = 0; i < 3; ++i) ASSERT_EQ(Period(0, 0, 1), Status::kOk);
    ASSERT_EQ(reading.state, DeviceState::kEnabled);
    ASSERT_GT(motors.largest_A(), 0.3f);
  }
};

// The same numbers by the host's way: what a Config is made of there, and what the board bounds, must not differ.
TEST(BoardDevice, HasTheNumbersOfItsSet) {
  const DeviceCapabilities set = host::CapabilitiesOfIoSet(TACTUS_SOURCE_FOLDER "/firmware/boards/board_device.toml");
  const DeviceCapabilities& own = kDevice.capabilities;
  EXPECT_NEAR(own.resolution_m, set.resolution_m, 0.001f * set.resolution_m);
  EXPECT_NEAR(own.peak_force_N, set.peak_force_N, 0.001f * set.peak_force_N);
  EXPECT_NEAR(own.continuous_force_N, set.continuous_force_N, 0.001f * set.continuous_force_N);
  EXPECT_NEAR(own.effector_mass_kg, set.effector_mass_kg, 0.01f * set.effector_mass_kg);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(own.sensed[i], set.sensed[i]);
    EXPECT_EQ(own.actuated[i], set.actuated[i]);
  }
}

template <class Scalar>
void ExpectHomeAtTheOrigin() {
  const auto config = board::BoardDevice<Scalar>(Scalar(1e-3));
  const DeviceFault fault = Validate(config);
  EXPECT_FALSE(fault) << fault.field << ' ' << fault.what;
  Vec<Scalar, 3> home;
  for (int i = 0; i < 3; ++i) home(i) = config.motors[static_cast<std::size_t>(i)].offset_rad;
  HandlePose<Scalar> pose;
  ASSERT_TRUE(config.mechanism.Forward(home, &pose).ok());
  EXPECT_LT(pose.p_DH.norm(), Scalar(1e-6));
}
TEST(BoardDevice, IsValidAndHomeIsAtTheOriginInDouble) { ExpectHomeAtTheOrigin<double>(); }
TEST(BoardDevice, IsValidAndHomeIsAtTheOriginInFloat) { ExpectHomeAtTheOrigin<float>(); }

// F = J⁻ᵀ τ of the emulated motors against the wrench that was asked for; a count of posture is 1e-3 of it.
TEST(BoardPort, PushesTheHandAsTheWrenchSays) {
  Rig rig;
  rig.Start();
  const Vec<double, 3> forces[] = {{0.7, 0, 0}, {0, -0.7, 0}, {0, 0, 0.7}, {0.4, 0.5, -0.3}};
  for (const Vec<double, 3>& F : forces) {
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(rig.Period(static_cast<float>(F(0)), static_cast<float>(F(1)), static_cast<float>(F(2))), Status::kOk);
    }
    EXPECT_LT((rig.motors.mechanism().force_W_N() - F).norm(), 5e-3) << F(0) << " " << F(1) << " " << F(2);
  }
}

TEST(BoardPort, NeverAsksForMoreThanItsCeilings) {
  Rig rig;
  rig.Start();
  for (const float force_N : {50.0f, 1e30f, 3e38f}) {
    (void)rig.Period(force_N, -force_N, force_N);
    EXPECT_LE(rig.motors.largest_A(), board::kMotor.max_current_A);
  }
}

struct FaultCase {
  const char* name;
  void (*inject)(MotorFaults*);
  int within;  ///< periods to the zeros
};

class BoardPortFault : public testing::TestWithParam<FaultCase> {};

// Under force, then the fault: zeros, and a device that says that it has failed, until the drives are off.
TEST_P(BoardPortFault, LeavesZeros) {
  Rig rig;
  rig.Start();
  GetParam().inject(&rig.faulty.faults);
  for (int i = 0; i < GetParam().within; ++i) (void)rig.Period(0, 0, 1);
  EXPECT_EQ(rig.reading.state, DeviceState::kFaulted);
  EXPECT_EQ(rig.motors.largest_A(), 0);
  EXPECT_STRNE(rig.device.why(), "none");
  rig.faulty.faults = {};
  (void)rig.Period(0, 0, 1);
  EXPECT_EQ(rig.reading.state, DeviceState::kFaulted) << "until the controller has seen it";
  EXPECT_EQ(rig.motors.largest_A(), 0);
}

INSTANTIATE_TEST_SUITE_P(OfTheBoard, BoardPortFault,
                         testing::Values(FaultCase{"drive", [](MotorFaults* f) { f->drive_fault = true; }, 1},
                                         FaultCase{"supply", [](MotorFaults* f) { f->brown_out = true; }, 1},
                                         FaultCase{"encoder", [](MotorFaults* f) { f->encoder_fault = true; }, 1},
                                         FaultCase{"jump", [](MotorFaults* f) { f->jumping_motor = 1; }, 1},
                                         FaultCase{"small_jump",
                                                   [](MotorFaults* f) { f->jumping_motor = 2, f->jump_counts = 600; }, 1},
                                         FaultCase{"stuck_sense", [](MotorFaults* f) { f->current_saturated = true; }, 3},
                                         FaultCase{"no_number", [](MotorFaults* f) { f->current_not_finite = true; }, 3}),
                         [](const auto& test) { return std::string(test.param.name); });

// The loop cuts by itself on an e-stop (the reading says so), and on a write that was not taken.
TEST(BoardPort, TellsOfAnEStopAndOfWritesThatDoNotGo) {
  Rig rig;
  rig.Start();
  rig.faulty.faults.refuses_writes = true;
  EXPECT_EQ(rig.Period(0, 0, 1), Status::kWouldBlock);
  EXPECT_EQ(rig.motors.largest_A(), 0);
  rig.faulty.faults = {.e_stop = true};
  (void)rig.Period(0, 0, 0);
  EXPECT_TRUE(rig.reading.e_stop);
}

// Nothing goes out before Enable nor behind Disable, whatever is asked for.
TEST(BoardPort, LetsNothingOutWhileItsDrivesAreOff) {
  Rig rig;
  for (int i = 0; i < 5; ++i) (void)rig.Period(0, 0, 1);
  EXPECT_EQ(rig.motors.largest_A(), 0);
  rig.Start();
  rig.device.Disable();
  (void)rig.Period(0, 0, 1);
  EXPECT_EQ(rig.motors.largest_A(), 0);
  EXPECT_FALSE(rig.motors.enabled());
}

// A jump costs the counts their place: no force until the handle was held at home, then it is there.
TEST(BoardPort, HasItsPlaceAgainAfterHome) {
  Rig rig;
  rig.Start();
  rig.faulty.faults.jumping_motor = 0;
  (void)rig.Period(0, 0, 1);
  rig.device.Disable();
  rig.faulty.faults = {};
  (void)rig.Period(0, 0, 0);
  (void)rig.Period(0, 0, 0);
  EXPECT_EQ(rig.reading.state, DeviceState::kFaulted);
  ASSERT_EQ(rig.device.Home(), Status::kOk);
  for (int i = 0; i < 700; ++i) (void)rig.Period(0, 0, 0);
  EXPECT_EQ(rig.reading.state, DeviceState::kReady) << rig.device.why();
  for (const float p_m : rig.reading.sample.p_WH_m) EXPECT_NEAR(p_m, 0, 2e-3f);  // where the hand holds it
}

// Behind a reset the counts begin where the hand has left the handle.
TEST(BoardPort, HasNoPlaceBehindAResetUntilItIsHomed) {
  Rig rig(1);
  for (int i = 0; i < 3; ++i) (void)rig.Period(0, 0, 1);
  EXPECT_EQ(rig.reading.state, DeviceState::kFaulted);
  rig.device.Enable();
  for (int i = 0; i < 3; ++i) (void)rig.Period(0, 0, 1);
  EXPECT_EQ(rig.motors.largest_A(), 0);
  rig.device.Disable();
  ASSERT_EQ(rig.device.Home(), Status::kOk);
  for (int i = 0; i < 700; ++i) (void)rig.Period(0, 0, 0);
  EXPECT_EQ(rig.reading.state, DeviceState::kReady) << rig.device.why();
}

// What flowed before a reset is not known: no more than the motors bear for good. Source: the thermal budget's definition
// (lib/tactus/device/motor_heat.h).
TEST(BoardPort, HasNoRoomForPeaksBehindAReset) {
  for (const std::uint32_t restarts : {0u, 1u}) {
    auto config = kDevice;
    for (auto& motor : config.motors) motor.continuous_current_A = motor.max_current_A / 4;
    Rig rig(restarts, config);
    if (restarts > 0) {
      ASSERT_EQ(rig.device.Home(), Status::kOk);
      for (int i = 0; i < 700; ++i) (void)rig.Period(0, 0, 0);
    }
    for (int i = 0; i < 3; ++i) (void)rig.Period(0, 0, 0);
    rig.device.Enable();
    for (int i = 0; i < 3; ++i) (void)rig.Period(0, 0, 1);
    const double steady_A = kDevice.motors[0].max_current_A / 4;
    // 0.7 s of a time constant have cooled: I² ≤ I_c² + 2 room/I_c² (I_max² - I_c²)
    const double cooled = 1 - std::exp(-0.71 / kDevice.motors[0].thermal_time_s);
    const double most_A = steady_A * std::sqrt(1 + 2 * cooled * 15) + 1e-6;
    if (restarts > 0) {
      EXPECT_LE(rig.motors.largest_A(), most_A);
      EXPECT_GT(rig.motors.largest_A(), 0.9 * steady_A);
    } else {
      EXPECT_GT(rig.motors.largest_A(), 1.3 * most_A);
    }
  }
}

// A channel that shows no current: below the quarter of the ceiling that is wrong at once, but its mean stays wrong.
TEST(BoardPort, FindsACurrentThatIsNotThereByItsMean) {
  Rig rig;
  rig.Start();
  const float force_N = 0.2f / rig.motors.largest_A();  // 0.2 A of the ceiling's 1 A, in the motor that has most
  int periods = 0;
  for (; periods < 100 && rig.reading.state == DeviceState::kEnabled; ++periods) {
    rig.faulty.faults.current_absent = true;
    (void)rig.Period(0, 0, force_N);
  }
  // m = 0.2 (1 - exp(-t/50 ms)) is 0.1 A after 34.7 ms, and wrong for 2 ms
  EXPECT_GE(periods, 30);
  EXPECT_LE(periods, 40);
  EXPECT_EQ(rig.motors.largest_A(), 0);
}

// Counts that jump while there is no posture, or beside another fault, have lost their place too.
TEST(BoardPort, SeesAJumpBesideAnotherFault) {
  for (const std::int32_t jump : {600, 300}) {  // 500 a period is the most
    Rig rig;
    for (int i = 0; i < 3; ++i) ASSERT_EQ(rig.Period(0, 0, 0), Status::kOk);
    rig.faulty.faults.drive_fault = true;
    for (int i = 0; i < 3; ++i) (void)rig.Period(0, 0, 0);
    rig.faulty.faults.jumping_motor = 1;
    rig.faulty.faults.jump_counts = jump;
    (void)rig.Period(0, 0, 0);
    rig.faulty.faults.drive_fault = false;  // and the counts stay there
    for (int i = 0; i < 3; ++i) (void)rig.Period(0, 0, 0);
    EXPECT_EQ(rig.reading.state, jump > 500 ? DeviceState::kFaulted : DeviceState::kReady) << rig.device.why();
  }
}

// Counts that belong to no posture are followed all the same: where one jumps, its place is lost.
TEST(BoardPort, SeesAJumpWhereThereIsNoPosture) {
  for (const int jump : {0, 90, 3000}) {  // beside 400 a period; 500 is the most
    Rig rig;
    for (int i = 0; i < 3; ++i) ASSERT_EQ(rig.Period(0, 0, 0), Status::kOk);
    std::int32_t& off = rig.faulty.faults.jump_counts;
    rig.faulty.faults.jumping_motor = 1;
    off = 0;
    for (; off < 30'000; off += 400) (void)rig.Period(0, 0, 0);  // more than half a turn: beyond what the links reach
    EXPECT_STREQ(rig.device.why(), Name(PortCause::kUnreachable));
    off += jump;
    (void)rig.Period(0, 0, 0);
    off -= jump;
    for (; off > 0; off -= 400) (void)rig.Period(0, 0, 0);
    for (int i = 0; i < 3; ++i) (void)rig.Period(0, 0, 0);
    EXPECT_EQ(rig.reading.state, jump > 90 ? DeviceState::kFaulted : DeviceState::kReady) << rig.device.why();
  }
}

TEST(BoardDevice, IsRefusedWithAPlaceThatIsNoRotationOrNoPosture) {
  auto config = kDevice;
  config.R_WD *= 1.1;
  EXPECT_STREQ(Validate(config).field, "R_WD");
  config = kDevice;
  config.motors[1].offset_rad = std::numeric_limits<double>::quiet_NaN();  // what BoardDevice writes without a posture
  EXPECT_STREQ(Validate(config).field, "offset_rad");
}

}  // namespace
}  // namespace tactus::hal
