// A mechanism on an I/O board: counts to poses, wrenches to currents, what is refused, and a board that starts anew.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <numbers>
#include <optional>

#include "hal/devices/motor_device.h"
#include "host_tools/io/io_boards.h"
#include "host_tools/io/io_mechanism.h"
#include "host_tools/io/io_port.h"
#include "io_process.h"
#include "slow_line.h"
#include "tactus/device/hapkit.h"

namespace tactus::host {
namespace {

constexpr double kRadius_m = 0.07, kTurns = 75 / 5.75, kCounts = 4096,
                 kTorque_Nm_per_A = 0.0146;  // Source: presets.md, hapkit

hal::MotorDeviceConfig<Hapkit<double>> Paddle() {
  hal::MotorDeviceConfig<Hapkit<double>> config;
  config.motors[0] = {.counts_per_turn = kCounts,
                      .turns_per_joint_turn = kTurns,
                      .torque_constant_Nm_per_A = kTorque_Nm_per_A,
                      .max_current_A = 10,  // the board's ceiling is 2 A
                      .continuous_current_A = 10};
  config.capabilities.actuated[3] = config.capabilities.actuated[4] = config.capabilities.actuated[5] = false;
  return config;
}

/// A paddle on the first motor of the firmware's application, in a time of its own.
class PaddleOnBoard {
 public:
  PaddleOnBoard() {
    line_.AskForSession(5);
    Periods(5);
    port_.emplace(line_, 1);
    device_.emplace(Paddle(), *port_);
  }
  void Period(float force_N = 0) {
    now_us_ += 1000;
    if (device_) {
      reading = device_->Read(now_us_);
      (void)device_->Write({.force_N = {force_N, 0, 0}}, {});
    } else {
      line_.Poll();
    }
    for (int edge = 0; edge < 4; ++edge) {
      board.PutBytes(std::exchange(end_.sent, {}));
      board.Edge();
      Carry();
    }
  }
  void Periods(int count, float force_N = 0) {
    for (int i = 0; i < count; ++i) Period(force_N);
  }
  hal::Device& device() { return *device_; }

  io::IoBoard board{250};
  hal::DeviceReading reading;
  std::uint32_t starts_anew = 0;  ///< taken off the number of each state

 private:
  void Carry() {
    for (const std::uint8_t byte : std::exchange(board.link.sent, {})) {
      if (decoder_.Push(byte) != Status::kOk) continue;
      wire::IoState state;
      wire::IoHello hello;
      if (wire::ReadMessage(decoder_.frame(), &state) == Status::kOk) {
        state.mutate_sequence(state.sequence() - starts_anew);
        Deliver(writer_.Write(state));
      }
      if (wire::ReadMessage(decoder_.frame(), &hello) == Status::kOk) Deliver(writer_.Write(hello));
    }
  }
  void Deliver(std::span<const std::uint8_t> frame) {
    end_.incoming.insert(end_.incoming.end(), frame.begin(), frame.end());
  }

  HostEnd end_;
  IoLine line_{end_};
  std::optional<IoPort> port_;
  std::optional<hal::MotorDevice<Hapkit<double>>> device_;
  wire::FrameDecoder decoder_;
  wire::FrameWriter writer_;
  std::uint32_t now_us_ = 0;
};

// Source: Hapkit's equations in hapkit.h, p = r (sin θ, cos θ, 0), with θ of the counts.
TEST(IoMechanism, TurnsCountsIntoThePaddlesPose) {
  PaddleOnBoard paddle;
  for (const int count : {0, 80, 10, -60}) {
    paddle.board.motors.count[0] = count;
    paddle.Periods(3);
    const double theta = 2 * std::numbers::pi * count / (kCounts * kTurns);
    ASSERT_TRUE(paddle.reading.valid);
    EXPECT_NEAR(paddle.reading.sample.p_WH_m[0], kRadius_m * std::sin(theta), 1e-8);
    EXPECT_NEAR(paddle.reading.sample.p_WH_m[1], kRadius_m * std::cos(theta), 1e-8);
  }
}

// Source: τ = r F at θ = 0, I = τ/(N kt).
TEST(IoMechanism, TurnsAForceIntoTheBoardsCurrentAndStaysWithinItsCeiling) {
  PaddleOnBoard paddle;
  paddle.Periods(5);
  paddle.device().Enable();
  paddle.Periods(40, 1.0f);
  EXPECT_NEAR(paddle.board.motors.flowing_A[0], kRadius_m / (kTurns * kTorque_Nm_per_A), 1e-6);
  EXPECT_EQ(paddle.board.motors.flowing_A[1], 0) << "a motor that the mechanism does not have";
  paddle.Periods(40, 1000.0f);
  EXPECT_EQ(paddle.board.motors.flowing_A[0], 2) << "clamped, and no kCommandTooLarge of the board";
  EXPECT_EQ(paddle.board.app.fault(), wire::IoFault::kNone);
}

TEST(IoMechanism, LetsNothingOutWhereThePostureIsNone) {
  PaddleOnBoard paddle;
  paddle.Periods(5);
  paddle.device().Enable();
  paddle.Periods(40, 1.0f);
  ASSERT_GT(paddle.board.motors.flowing_A[0], 0);
  for (int i = 0; i < 90; ++i) paddle.board.motors.count[0] += 90, paddle.Period(1.0f);  // past 45 degrees: 6678 counts
  EXPECT_EQ(paddle.reading.state, hal::DeviceState::kFaulted);
  EXPECT_EQ(paddle.board.motors.flowing_A[0], 0);
  EXPECT_STREQ(paddle.device().why(), "no posture has these positions");
}

// Its encoders count from where they are: what was the middle may now be inside a wall.
TEST(IoMechanism, StaysFailedBehindABoardThatHasStartedAnewUntilItIsHomed) {
  PaddleOnBoard paddle;
  paddle.Periods(5);
  paddle.device().Enable();
  paddle.Periods(40, 1.0f);
  paddle.starts_anew = 30;
  paddle.Periods(30, 1.0f);
  EXPECT_EQ(paddle.board.motors.Largest_A(), 0);
  for (int i = 0; i < 3; ++i) {
    paddle.device().Disable();
    paddle.Periods(100);
    EXPECT_EQ(paddle.reading.state, hal::DeviceState::kFaulted);
    paddle.device().Enable();
    paddle.Periods(40, 1.0f);
    EXPECT_EQ(paddle.board.motors.Largest_A(), 0) << "an operator's order does not bring the place back";
  }
  EXPECT_STREQ(paddle.device().why(), hal::Name(hal::PortCause::kReferenceLost));

  paddle.device().Disable();
  for (int i = 0; i < 10; ++i) paddle.board.motors.count[0] += 70, paddle.Period();  // a hand carries it to its home pose
  ASSERT_EQ(paddle.device().Home(), Status::kOk);
  paddle.Periods(2);
  EXPECT_EQ(paddle.reading.state, hal::DeviceState::kHoming);
  paddle.Periods(600);
  EXPECT_EQ(paddle.reading.state, hal::DeviceState::kReady);
  EXPECT_NEAR(paddle.reading.sample.p_WH_m[0], 0, 1e-9);
  paddle.device().Enable();
  paddle.Periods(40, 1.0f);
  EXPECT_GT(paddle.board.motors.Largest_A(), 0);
}

TEST(IoMechanism, LosesItsPlaceToACountThatTheBoardSawJump) {
  PaddleOnBoard paddle;
  paddle.Periods(5);
  paddle.device().Enable();
  paddle.Periods(40, 1.0f);
  paddle.board.motors.count[0] += 500;
  paddle.Periods(10, 1.0f);
  paddle.device().Disable();
  paddle.Periods(100);  // the board's fault is cleared meanwhile
  EXPECT_EQ(paddle.reading.state, hal::DeviceState::kFaulted);
  EXPECT_STREQ(paddle.device().why(), hal::Name(hal::PortCause::kReferenceLost));
}

TEST(IoMechanism, DeclaresWhatThePresetIs) {
  const EmulatorProcess emulator({"--set", "hapkit"});
  const auto device = OpenIoBoard(emulator.terminal() + ",set=hapkit", 1000);
  EXPECT_STREQ(device->capabilities().name, "hapkit");
  EXPECT_FALSE(device->capabilities().actuated[0]);
  EXPECT_TRUE(device->capabilities().actuated[2]);             // Source: presets.md, a paddle along W's z
  EXPECT_FLOAT_EQ(device->capabilities().peak_force_N, 2.7f);  // Source: presets.md, its largest force
}

// MotorDevice knows that a drive has failed; which fault of the board that was is the line's to say. A busy machine may give
// the board's time-out first, which has a name too.
TEST(IoMechanism, TellsTheBoardsOwnFaultInItsWords) {
  const EmulatorProcess emulator({"--set", "hapkit", "--fault", "e-stop@20"});
  const auto device = OpenIoBoard(emulator.terminal() + ",set=hapkit", 1000);
  Metronome metronome;
  std::string why;
  for (std::uint32_t i = 0; i < 5000 && why != Name(IoFailure::kEStop); ++i) {
    metronome.Wait();
    (void)device->Read(i * 1000);
    if (i % 500 == 100) device->Enable();
    if (i % 500 == 400) device->Disable();
    (void)device->Write({.force_N = {0, 0, i % 500 < 400 ? 1.0f : 0.0f}}, {});
    why = device->why();
  }
  EXPECT_EQ(why, Name(IoFailure::kEStop));
}

struct Refused {
  const char* name;
  const char* board;  ///< its set
  const char* place;  ///< behind the terminal
  const char* file;   ///< numbers of one's own; nullptr: none
  const char* says;
  ExitCode code = kExitUsage;
};

void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.name; }

class IoMechanismRefuses : public testing::TestWithParam<Refused> {};

TEST_P(IoMechanismRefuses, WhatDoesNotGoTogetherWithAWord) {
  const Refused& refused = GetParam();
  const EmulatorProcess emulator({"--set", refused.board});
  std::string place = emulator.terminal() + refused.place;
  const auto path = std::filesystem::temp_directory_path() / fmt::format("tactus_io_set_{}.toml", getpid());
  if (refused.file != nullptr) std::ofstream(path) << refused.file, place += path.string();
  try {
    (void)OpenIoBoard(place, 1000);
    FAIL() << "it was taken";
  } catch (const HostError& error) {
    EXPECT_NE(std::string(error.what()).find(refused.says), std::string::npos) << error.what();
    EXPECT_EQ(error.code(), refused.code) << "docs/linux.md: 2 where another option mends it, 1 a file that is wrong";
  }
  std::filesystem::remove(path);
}

INSTANTIATE_TEST_SUITE_P(
    IoMechanism, IoMechanismRefuses,
    testing::Values(Refused{"no_set", "hapkit", "", nullptr, "1 motors, the simulated device 6"},
                    Refused{"an_unknown_set", "hapkit", ",set=nothing", nullptr, "no set 'nothing'"},
                    Refused{"a_set_with_a_gimbal", "hapkit", ",set=touch", nullptr, "no set 'touch'"},
                    Refused{"too_few_motors", "hapkit", ",set=pantograph", nullptr, "has 1 motors, 'pantograph' 2"},
                    Refused{"a_file_without_a_preset", "hapkit", ",set=", "peak_force_N = 2\n", "preset", kExitFailed},
                    Refused{"a_file_with_other_counts", "hapkit", ",set=",
                            "preset = \"hapkit\"\n[[motors]]\ncounts_per_turn = 4000\n", "the board 'emulator' says 2048"},
                    Refused{"a_file_with_a_word_that_is_none", "hapkit",
                            ",set=", "preset = \"hapkit\"\n[mechanism]\nradius = 1\n", "radius", kExitFailed}),
    [](const auto& refused) { return refused.param.name; });

TEST(IoMechanism, TakesNumbersOfOnesOwn) {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("tactus_io_own_{}.toml", getpid());
  std::ofstream(path) << "preset = \"hapkit\"\n[mechanism]\nhandle_radius_m = 0.09\n[[motors]]\noffset_deg = -40\n";
  const hal::DeviceCapabilities own = CapabilitiesOfIoSet(path.string()), preset = CapabilitiesOfIoSet("hapkit");
  EXPECT_NEAR(own.resolution_m / preset.resolution_m, 9.0f / 7, 1e-5);  // Source: a count is r 2π/(counts N)
  const EmulatorProcess emulator({"--set", path.string()});
  const auto device = OpenIoBoard(emulator.terminal() + ",set=" + path.string(), 1000);
  EXPECT_EQ(device->capabilities().resolution_m, own.resolution_m);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace tactus::host
