#pragma once
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "firmware/servo/config_from_wire.h"
#include "hal/sim/peg_in_hole_script.h"
#include "host_tools/link/emulator_of.h"
#include "host_tools/link/host_error.h"
#include "host_tools/link/qemu_board.h"
#include "host_tools/session/play.h"
#include "host_tools/session/servo_config.h"

namespace tactus::host {

inline constexpr std::chrono::seconds kPatience{20};  // far more than an answer takes on a loaded machine

/// The board that the tests run on; the tests of the others set TACTUS_HIL_BOARD (CMakeLists.txt).
inline std::string BoardName() {
  const char* const name = std::getenv("TACTUS_HIL_BOARD");
  return name != nullptr ? name : "mps2-an500";
}
inline EmulatorOf Emulator() { return FindEmulator(std::filesystem::path(TACTUS_BUILD_FOLDER) / BoardName(), BoardName()); }
inline std::filesystem::path Image() { return Emulator().image; }
inline bool IsBuilt() {
  try {
    return std::filesystem::is_regular_file(Image());
  } catch (const HostError&) {
    return false;
  }
}

/// Tests on the emulated board need its firmware and the emulator. Without them a test is skipped, or fails if
/// TACTUS_REQUIRE_BOARD is set.
class OnBoard : public testing::Test {
 protected:
  void SetUp() override {
    std::signal(SIGPIPE, SIG_IGN);  // a board that is gone is an error of the write, with its message
    const bool ready = IsBuilt() && std::system("command -v qemu-system-arm >/dev/null") == 0;
    if (ready) return;
    const std::string why =
        "needs qemu-system-arm and the firmware of " + BoardName() + " (./dev build " + BoardName() + ")";
    if (std::getenv("TACTUS_REQUIRE_BOARD") != nullptr) FAIL() << why;
    GTEST_SKIP() << why;
  }
};

inline QemuOptions Emulated(QemuLink link, const std::string& debugger = "") {
  return {.machine = Emulator().machine, .image = Image(), .counter = "", .link = link, .debugger = debugger};
}

inline hal::SimDevice SeededDevice(std::uint32_t period_us = 1000) {
  return {hal::FalconClass(), hal::RelaxedHand(), hal::PegInHoleScript(), 1, period_us};
}

inline wire::Config DemoConfig(wire::Pacing pacing) {
  wire::Config config = servo::ConfigToWire(PegInHoleConfig());
  if (pacing == wire::Pacing::kSample) BePatient(&config);
  return config;
}

/// Everything a transport says, as messages of one type.
template <wire::Message M>
class Heard {
 public:
  void operator()(const wire::Frame& frame) {
    M message;
    if (wire::ReadMessage(frame, &message) == Status::kOk) all.push_back(message);
  }
  std::vector<M> all;
};

/// Runs the demo and leaves its recording at `log_path`.
inline RunSummary RecordRun(Transport& transport, const std::string& log_path, std::uint32_t ticks, wire::Pacing pacing,
                            std::uint32_t period_us = 1000) {
  RunSummary run;
  LogFile log(log_path);
  BoardClient board(transport, &log);
  board.set_patience(kPatience);
  hal::SimDevice device = SeededDevice(period_us);
  Play(board, device, {.ticks = ticks, .config = DemoConfig(pacing), .quiet = true, .period_us = period_us}, &run);
  log.Close();
  return run;
}

/// All messages of one type in a recording.
template <wire::Message M>
std::vector<M> MessagesIn(const std::string& log_path) {
  Heard<M> heard;
  EXPECT_EQ(ReadLog(log_path, [&](wire::LogDirection, const wire::Frame& frame) { heard(frame); }), "");
  return heard.all;
}

}  // namespace tactus::host
