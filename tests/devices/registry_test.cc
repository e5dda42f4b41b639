// What a user types: names, places, sets of numbers, faults.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "bench/safety/device_rig.h"
#include "firmware/servo/config_from_wire.h"
#include "hal/sim/haply_board.h"
#include "hal/sim/odrive_board.h"
#include "hal/sim/woodenhaptics_board.h"
#include "host_tools/devices/device_faults.h"
#include "host_tools/devices/device_run.h"
#include "host_tools/devices/real_devices.h"
#include "host_tools/link/host_error.h"
#include "host_tools/scene/scene_file.h"
#include "host_tools/serve/device_kinds.h"
#include "host_tools/stability/check_config.h"

namespace tactus::host {
namespace {

std::string ErrorOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const HostError& error) {
    return error.what();
  }
  return "";
}

TEST(RealDevices, AreCompleteEachInItsLine) {
  for (const RealDevice& device : RealDevices()) {
    EXPECT_EQ(FindRealDevice(device.name), &device);
    EXPECT_NE(std::string(device.what), "");
    EXPECT_FALSE(LoadScene(device.scene).title.empty());
    const hal::DeviceCapabilities can = device.capabilities();
    EXPECT_GT(can.peak_force_N, 0.0f);
    EXPECT_GT(ConfigOf(can).device.mass_kg, 0);
    EXPECT_NE(device.emulate({}), nullptr);
    // A list without `.then` would be the words before, and nobody would say them.
    EXPECT_TRUE(device.last_words.first.empty() || !device.last_words.then.empty()) << device.name;
  }
  EXPECT_EQ(FindRealDevice("no such"), nullptr);
}

// Source: the loops of the drivers, which write behind one edge and read the answer at the next. The limit at one period of
// delay without friction is below the closed form's, K = B/(t_d - T/2) = 2 B/T; the default is allowed.
TEST(RealDevices, DeclareThePeriodOfDelayOfTheirLoop) {
  for (const RealDevice& device : RealDevices()) {
    const Config<double> config = ConfigOf(device.capabilities());
    EXPECT_EQ(config.device.command_delay_ticks, 1) << device.name;
    const DeviceModel model = DeclaredModel(device.name, config.device);
    EXPECT_NO_THROW((void)CheckStability(config, model, false)) << device.name;
    const double highest = StableCouplingOf(config, model).translation.At(config.coupling.damping_Ns_per_m);
    EXPECT_LT(highest, 2 * config.coupling.damping_Ns_per_m / config.period_s) << device.name;
    EXPECT_GT(highest, config.coupling.stiffness_N_per_m) << device.name;
  }
}

TEST(RealDevices, AWeakOnesConfigIsTakenByItsController) {  // source: ceilings.h, 1000 times the device's force a second
  for (const float peak_N : {0.4f, 2.0f, 3.0f, 9.0f}) {
    const Config<double> config = ConfigOf({.peak_force_N = peak_N, .peak_torque_Nm = 0.01f * peak_N});
    DeviceLimits limits;
    limits.force_N = static_cast<double>(peak_N);
    limits.torque_Nm = static_cast<double>(0.01f * peak_N);
    Config<double> taken;
    EXPECT_FALSE(servo::ConfigFromWire(servo::ConfigToWire(config), 1000, &taken, limits)) << peak_N;
  }
}

TEST(RealDevices, PlacesAreReadAsTheyAreWritten) {
  EXPECT_EQ(ParseLinePlace("/dev/ttyACM0").path, "/dev/ttyACM0");
  const LinePlace place = ParseLinePlace("unix:/tmp/a,b:c,set=v2019");
  EXPECT_TRUE(place.is_socket);
  EXPECT_EQ(place.path, "/tmp/a,b:c");
  EXPECT_EQ(place.set, "v2019");
}

// What is late or missing is no jump, though the hand moves on by 0.5 m/s.
TEST(RealDevices, KeepTheirPlaceOnALineThatIsNotWell) {
  static constexpr hal::HandMove kMoves[] = {{.name = "there", .duration_s = 2, .p_m = {0.01, 0, 0.02}},
                                             {.name = "back", .duration_s = 0.08, .p_m = {-0.01, 0, -0.02}},
                                             {.name = "on", .duration_s = 0.08, .p_m = {0.01, 0, 0.02}},
                                             {.name = "home", .duration_s = 0.08, .p_m = {0, 0, 0}}};
  for (const char* const name : {"woodenhaptics", "falcon"}) {  // a Haply is set up again by then, arms held
    for (const char* const fault : {"mute", "late", "creep", "shift", "cut-short", "repeat", "split", "merge"}) {
      bench::safety::DeviceRig rig(*FindRealDevice(name), {kMoves, 4});
      rig.Periods(1700);  // a Falcon is homed first
      rig.force_N[0] = 0.1f;
      ASSERT_TRUE(rig.Drive()) << name << ' ' << rig.device().why();
      const std::vector<EmulatedFault> faults = {ParseDeviceFault(fault)};
      for (int i = 0; i < 400; ++i) rig.wrong = DeviceFaultsAt(faults, i, 1), rig.Period();
      EXPECT_TRUE(rig.Drive()) << name << ' ' << fault << ": " << rig.device().why();
    }
  }
}

TEST(RealDevices, SayWhatIsWrongWithADeviceOption) {
  const auto error = [](const char* text) { return ErrorOf([&] { (void)MakeDevice(text, {}, 0); }); };
  EXPECT_EQ(error("woodenhaptics"), "device 'woodenhaptics': give woodenhaptics:PATH");
  EXPECT_NE(error("woodenhaptics:/no/such").find("cannot open '/no/such'"), std::string::npos);
  EXPECT_NE(error("woodenhaptics:unix:/no/such").find("cannot open '/no/such'"), std::string::npos);
  EXPECT_NE(error("nothing:x").find("woodenhaptics:PATH"), std::string::npos);
  const std::string homes = ErrorOf([] { (void)MakeDevice("host", {.homes = true}, 0); });
  EXPECT_EQ(homes, "host has no home pose that it could be homed by: leave --home out");
}

/// A file with this text, while it lives.
struct File {
  explicit File(const std::string& text)
      : path(testing::TempDir() + "tactus_device_set_" + std::to_string(getpid()) + ".toml") {
    std::ofstream(path) << text;
  }
  ~File() { std::filesystem::remove(path); }
  const std::string path;
};

TEST(DeviceFile, GivesDriverAndEmulatorTheSameNumbersOfOnesOwn) {  // Source: statics, whatever the numbers
  const File file(R"(
peak_force_N = 3
[[motors]]
counts_per_turn = 4096
turns_per_joint_turn = 11.5
encoder_sign = -1
torque_sign = -1
[[motors]]
torque_constant_Nm_per_A = 0.0603
offset_deg = 12
zero_count = 777
[[motors]]
turns_per_joint_turn = 9
[mechanism]
upper_m = 0.19
fore_m = 0.26
upper_mass_kg = 0.3
origin_m = [0.23, 0, 0.08]
)");
  bench::safety::DeviceRig rig(*FindRealDevice("woodenhaptics"), {}, file.path);
  rig.force_N[0] = 1, rig.force_N[1] = -0.5f, rig.force_N[2] = 0.7f;
  EXPECT_EQ(rig.device().capabilities().peak_force_N, 3.0f);
  ASSERT_TRUE(rig.Drive()) << rig.device().why();
  rig.Periods(500);
  const auto& arm = static_cast<hal::WoodenHapticsBoard&>(rig.board()).arm();
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(arm.force_W_N()(i), static_cast<double>(rig.force_N[i]), 1e-2) << i;
    EXPECT_NEAR(static_cast<double>(rig.reading.sample.p_WH_m[i]), arm.handle().state().p_WH_m(i), 2e-4) << i;
  }
}

TEST(DeviceFile, HasWallsBeforeTheStops) {
  const auto text = [](double low_deg) {
    return fmt::format("[[walls]]\nlow_deg = {}\nhigh_deg = 45\nstiffness_Nm_per_rad = 0.5\nmax_torque_Nm = 0.05\n",
                       low_deg);
  };
  const auto torque_Nm = [&](double low_deg) {
    const File file(text(low_deg));
    bench::safety::DeviceRig rig(*FindRealDevice("woodenhaptics"), {}, file.path);
    EXPECT_TRUE(rig.Drive()) << rig.device().why();
    rig.Periods(200);
    return static_cast<hal::WoodenHapticsBoard&>(rig.board()).arm().force_W_N();
  };
  // The joint a stands at 0 in the middle of the workspace: a wall from 5 degrees on pushes with K e = 0.5 · 0.0873 N·m on
  // the lever of 0.22 m (docs/devices.md, origin_m), across the arm. One from -5 degrees on does nothing.
  const Vec<double, 3> without = torque_Nm(-5), with = torque_Nm(5);
  EXPECT_NEAR((with - without).norm(), 0.5 * 5 * 0.0174533 / 0.22, 0.02);
  EXPECT_NEAR(without.norm(), 0, 0.02);
}

/// A driver and a board that are joined for so long, each with its own set. @returns the pose that the driver tells.
SensorFrame PoseOf(const RealDevice& real, const std::string& driver_set, hal::EmulatedBoard& board) {
  auto owned = std::make_unique<bench::safety::MemoryLink>();
  bench::safety::MemoryLink& link = *owned;
  const auto device = real.drive({.link = std::move(owned), .set = driver_set});
  hal::DeviceReading reading;
  for (std::uint32_t ms = 1; ms <= 400; ++ms) {
    reading = device->Read(1000 * ms);
    (void)device->Write({}, {});
    for (const auto& bytes : std::exchange(link.sent, {})) board.Receive(bytes);
    board.Advance();
    const auto said = board.Say();
    link.incoming.insert(link.incoming.end(), said.begin(), said.end());
  }
  EXPECT_EQ(reading.state, hal::DeviceState::kReady) << real.name << ": " << device->why();
  return reading.sample;
}

// Drives tell turns: whatever the counts a turn of either side, the pose is where the hand is.
TEST(DeviceFile, ItsCountsATurnDoNotScaleWhatADriveTellsInTurns) {
  const File coarse("[[motors]]\ncounts_per_turn = 4000\n[[motors]]\ncounts_per_turn = 4000\n");
  for (const char* const name : {"odrive", "moteus"}) {
    const RealDevice& real = *FindRealDevice(name);
    const SensorFrame usual = PoseOf(real, "", *real.emulate({}));
    const SensorFrame driver = PoseOf(real, coarse.path, *real.emulate({}));
    const SensorFrame board = PoseOf(real, "", *real.emulate({.set = coarse.path}));
    EXPECT_GT(usual.sequence, 100u);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(driver.p_WH_m[i], usual.p_WH_m[i], 1.5e-4f) << name << i;
      EXPECT_NEAR(board.p_WH_m[i], usual.p_WH_m[i], 1.5e-4f) << name << i;
    }
  }
}

TEST(DeviceFile, AHaplysCountsATurnNeedNoOffset) {  // it counts from 6912 whatever its encoders, by its own resolution
  const File file("[[motors]]\ncounts_per_turn = 8000\n[[motors]]\ncounts_per_turn = 8000\n");
  bench::safety::DeviceRig rig(*FindRealDevice("haply"), {}, file.path);
  rig.Periods(800);
  ASSERT_EQ(rig.reading.state, hal::DeviceState::kReady) << rig.device().why();
  const auto& handle = static_cast<hal::HaplyBoard&>(rig.board()).arms().handle().state();
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(static_cast<double>(rig.reading.sample.p_WH_m[i]), handle.p_WH_m(i), 2e-4) << i;
}

/// What a driver says of a line on which nobody or somebody else speaks. @param bytes  in each period
std::string WhyNot(const RealDevice& real, const std::string& bytes) {
  auto owned = std::make_unique<bench::safety::MemoryLink>();
  bench::safety::MemoryLink& link = *owned;
  const auto device = real.drive({.link = std::move(owned)});
  for (std::uint32_t ms = 1; ms <= 300; ++ms) {
    link.incoming.insert(link.incoming.end(), bytes.begin(), bytes.end());
    (void)device->Read(1000 * ms);
    (void)device->Write({}, {});
    link.sent.clear();
  }
  return device->why();
}

TEST(RealDevices, SayWhyTheyDoNotStart) {
  for (const RealDevice& real : RealDevices()) {
    EXPECT_EQ(WhyNot(real, ""), "no answer in time") << real.name;
    EXPECT_EQ(WhyNot(real, "AT+OK?\r\n"), "bytes that are no answer") << real.name;
    EXPECT_EQ(WhyNot(real, "\x55\xaa"), "bytes that are no answer") << real.name << ", without the end of a line";
  }
}

TEST(DeviceFile, SaysWhatIsWrongByFileAndLine) {
  const auto error = [](const std::string& text) {
    const File file(text);
    return ErrorOf([&] { bench::safety::DeviceRig rig(*FindRealDevice("woodenhaptics"), {}, file.path); });
  };
  EXPECT_NE(error("[[motors]]\ncounts_per_trun = 3\n").find(":2: motors[0].counts_per_trun"), std::string::npos);
  EXPECT_NE(error("[[motors]]\nencoder_sign = 0\n").find("is neither 1 nor -1"), std::string::npos);
  EXPECT_NE(error("[[motors]]\nzero_count = 1e300\n").find("is out of range"), std::string::npos);
  EXPECT_NE(error("[[motors]]\nzero_count = 2.5\n").find("2.5 is no whole number of counts"), std::string::npos);
  EXPECT_NE(error("[[motors]]\n[[motors]]\n[[motors]]\n[[motors]]\n").find("the device has 3"), std::string::npos);
  EXPECT_NE(error("[[motors]]\nmax_current_A = nan\n")
                .find(":2: motors[0].max_current_A: nan is not finite; its range is 0.0001 to 100000"),
            std::string::npos);
  EXPECT_NE(error("[mechanism]\nfore_m = -1\n").find("fore_m"), std::string::npos);
  EXPECT_NE(error("peak_force_N = 0\n").find("peak_force_N"), std::string::npos);
  EXPECT_NE(error("no toml").find(":1: "), std::string::npos);
  EXPECT_NE(ErrorOf([] { bench::safety::DeviceRig rig(*FindRealDevice("haply"), {}, "/no/such.toml"); }).find("cannot read"),
            std::string::npos);
}

// What the driver refuses, its emulator refuses, in the same words.
TEST(DeviceFile, IsRefusedAlikeByDriverAndEmulator) {
  struct Wrong {
    const char *device, *text, *words;
  };
  const Wrong cases[] = {
      {"woodenhaptics", "upper_mm = 3\n", ":1: upper_mm: is not known here"},
      {"woodenhaptics", "peak_force_N = nan\n", ":1: peak_force_N: nan is not finite; its range is 1e-09 to 1000"},
      {"woodenhaptics", "peak_force_N = -4\n", ":1: peak_force_N: -4 is out of range: 1e-09 to 1000"},
      {"haply", "peak_force_N = 1e300\n", ":1: peak_force_N: 1e+300 is out of range: 1e-09 to 1000"},
      {"woodenhaptics", "[mechanism]\nupper_m = 0\n", ":2: mechanism.upper_m: 0 is out of range: 0.001 to 2"},
      {"woodenhaptics", "[mechanism]\nlow_rad = [3, 3, 3]\n", ":2: mechanism.low_rad: low_rad's item 0, 3, is not below"},
      {"woodenhaptics", "[mechanism]\norigin_m = [0, nan, 0]\n", ":2: mechanism.origin_m: its item 1, nan, is out of range"},
      {"falcon", "[[motors]]\ncounts_per_turn = 0\n", ":2: motors[0].counts_per_turn: 0 is out of range: 1 to 1e+07"},
      {"falcon", "[mechanism]\nhinge_m = 1\n", ":2: mechanism.hinge_m: 1 is out of range: 0 to "},
      {"falcon", "[[walls]]\nlow_deg = -10\n", ":1: walls[0].high_deg: is missing"},
      {"woodenhaptics", "[[walls]]\nlow_deg = 30\nhigh_deg = 20\n", ":3: walls[0].high_deg: 20 is out of range: 30 to "},
      {"haply", "[[walls]]\n[[walls]]\n[[walls]]\n", ":1: walls: the device has 2 motors"},
      {"falcon", "[[friction]]\nshare = 0.9\n", ":2: friction[0].share: 0.9 is out of range: 0 to 0.8"},
      {"haply", "[[friction]]\n[[friction]]\n[[friction]]\n", ":1: friction: the device has 2 motors"},
      {"odrive", "[[motors]]\ntorque_constant_Nm_per_A = -1\n",
       ":2: motors[0].torque_constant_Nm_per_A: -1 is out of range"},
      {"moteus", "[[motors]]\nthermal_time_s = inf\n", ":2: motors[0].thermal_time_s: inf is not finite"},
      {"moteus", "[[motors]]\nmax_current_A = 0.001\n", ":2: motors[0].max_current_A: 0.001 is below continuous_current_A"}};
  for (const Wrong& wrong : cases) {
    const File file(wrong.text);
    const RealDevice& real = *FindRealDevice(wrong.device);
    const std::string emulated = ErrorOf([&] { (void)real.emulate({.set = file.path}); });
    const std::string driven = ErrorOf([&] { (void)real.drive({.link = nullptr, .set = file.path}); });
    EXPECT_NE(emulated.find(file.path + wrong.words), std::string::npos) << emulated << "\nwanted " << wrong.words;
    EXPECT_EQ(emulated, driven);
  }
}

TEST(DeviceFile, HasNoWallBeyondAStop) {
  const File file("[[walls]]\nlow_deg = -300\nhigh_deg = 20\nstiffness_Nm_per_rad = 1\n");
  const RealDevice& real = *FindRealDevice("woodenhaptics");
  const std::string words = "WoodenHaptics: walls.low_rad[0] is out of range: -5.2359";
  EXPECT_TRUE(ErrorOf([&] { (void)real.emulate({.set = file.path}); }).starts_with(words));
  EXPECT_TRUE(ErrorOf([&] { (void)real.drive({.link = nullptr, .set = file.path}); }).starts_with(words));
}

TEST(DeviceFile, CompensatesNoFrictionBelowTheSpeedThatItsCountsTell) {
  const File file("[[friction]]\nshare = 0.5\ncoulomb_Nm = 0.01\nfull_speed_radps = 0.01\n");
  const RealDevice& real = *FindRealDevice("haply");
  const std::string words = "Haply 2-DoF: full_speed_radps[0] is out of range: 0.01";
  const std::string driven = ErrorOf([&] { (void)real.drive({.link = nullptr, .set = file.path}); });
  EXPECT_TRUE(driven.starts_with(words)) << driven;
  EXPECT_EQ(ErrorOf([&] { (void)real.emulate({.set = file.path}); }), driven);
}

TEST(DeviceFaults, AreNamedAndTimed) {
  EXPECT_NE(ErrorOf([] { (void)ParseDeviceFault("mut@3"); }).find("no fault 'mut'"), std::string::npos);
  EXPECT_NE(ErrorOf([] { (void)ParseDeviceFault("mute@x"); }).find("give NAME@MS"), std::string::npos);
  const std::vector<EmulatedFault> faults = {ParseDeviceFault("mute@10+5"), ParseDeviceFault("reset@20")};
  EXPECT_FALSE(DeviceFaultsAt(faults, 9, 1).board.mute);
  EXPECT_TRUE(DeviceFaultsAt(faults, 10, 1).board.mute);
  EXPECT_FALSE(DeviceFaultsAt(faults, 15, 1).board.mute);
  EXPECT_TRUE(DeviceFaultsAt(faults, 20, 1).reset);
  EXPECT_FALSE(DeviceFaultsAt(faults, 21, 1).reset);
}

}  // namespace
}  // namespace tactus::host
