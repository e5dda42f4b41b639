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
#include "host_tools/link/qemu_board.h"
#include "host_tools/session/play.h"
#include "host_tools/session/servo_config.h"

namespace tactus::host {

inline constexpr std::chrono::seconds kPatience{20};  // far more than an answer takes on a loaded machine

inline std::filesystem::path Image() { return TACTUS_IMAGE; }

/// Tests on the emulated board need its firmware and the emulator. Without them a test is skipped, or fails if
/// TACTUS_REQUIRE_BOARD is set.
class OnBoard : public testing::Test {
 protected:
  void SetUp() override {
    std::signal(SIGPIPE, SIG_IGN);  // a board that is gone is an error of the write, with its message
    const bool ready =
        std::filesystem::is_regular_file(Image()) && std::system("command -v qemu-system-arm >/dev/null") == 0;
    if (ready) return;
    const char* const why = "needs qemu-system-arm and " TACTUS_IMAGE " (./dev build mps2-an500)";
    if (std::getenv("TACTUS_REQUIRE_BOARD") != nullptr) FAIL() << why;
    GTEST_SKIP() << why;
  }
};

inline QemuOptions Emulated(QemuLink link, const std::string& debugger = "") {
  return {.machine = "mps2-an500", .image = Image(), .counter = "", .link = link, .debugger = debugger};
}

inline hal::SimDevice SeededDevice() { return {hal::FalconClass(), hal::RelaxedHand(), hal::PegInHoleScript(), 1}; }

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
inline RunSummary RecordRun(Transport& transport, const std::string& log_path, std::uint32_t ticks, wire::Pacing pacing) {
  RunSummary run;
  LogFile log(log_path);
  BoardClient board(transport, &log);
  board.set_patience(kPatience);
  hal::SimDevice device = SeededDevice();
  Play(board, device, {.ticks = ticks, .config = DemoConfig(pacing), .quiet = true}, &run);
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
