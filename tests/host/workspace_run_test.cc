// A map and a clutch through the whole controller in this process: played, recorded, replayed from the recording alone.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>

#include "host_tools/link/host_error.h"
#include "host_tools/replay/replay.h"
#include "host_tools/scene/scene_file.h"
#include "host_tools/stability/device_model.h"
#include "local_run.h"
#include "temporary_file.h"

namespace tactus::host {
namespace {

constexpr auto kClutched = static_cast<std::uint32_t>(wire::StatusBit::kClutched);

/// Telemetry of a recording, in order.
std::vector<wire::Telemetry> TelemetryIn(const std::string& path) {
  std::vector<wire::Telemetry> found;
  EXPECT_EQ(ReadLog(path,
                    [&](wire::LogDirection, const wire::Frame& frame) {
                      wire::Telemetry telemetry;
                      if (wire::ReadMessage(frame, &telemetry) == Status::kOk) found.push_back(telemetry);
                    }),
            "");
  return found;
}

void Record(const SceneFile& file, int scalar_bits, const std::string& path, RunSummary* run) {
  LogFile log(path);
  const std::unique_ptr<Transport> transport = MakeLocalBoard(scalar_bits);
  BoardClient board(*transport, &log);
  hal::SimDevice device(hal::FalconClass(), hal::RelaxedHand(), file.Hand(), 1);
  PlayOptions options = QuietOptions(5600);
  options.scene = file.Image();
  options.workspace = file.Map();
  Play(board, device, options, run);
  log.Close();
}

TEST(WorkspaceRun, IsReplayedBitForBitInBothPrecisions) {
  const SceneFile file = LoadScene("big_plate");
  for (const int bits : {64, 32}) {
    const TemporaryFile log("log");
    RunSummary run;
    Record(file, bits, log.path(), &run);
    EXPECT_TRUE(run.problems.empty());
    EXPECT_EQ(run.faults.size(), 0u);
    const ReplayResult result = Replay(log.path());
    EXPECT_GT(result.ticks, 5600u);
    EXPECT_EQ(result.identical, result.ticks) << result.first_difference;
    int clutched = 0;
    for (const wire::Telemetry& telemetry : TelemetryIn(log.path())) clutched += (telemetry.status() & kClutched) != 0;
    EXPECT_NEAR(clutched, 2000, 10) << "Source: four moves, 2 s";
  }
}

/// A device of the controller's own: a handle that goes to and fro, whose first button is held on the way back.
class ButtonDevice final : public hal::Device {
 public:
  explicit ButtonDevice(std::uint32_t period_ticks) : period_ticks_(period_ticks) {}

 private:
  const hal::DeviceCapabilities& DoCapabilities() const noexcept override { return can_; }
  hal::DeviceReading DoReadSample(std::uint32_t) noexcept override {
    ++tick_;
    const std::uint32_t phase = tick_ % period_ticks_, half = period_ticks_ / 2;
    const double turn_rad = 2 * std::numbers::pi * phase / period_ticks_;
    const auto x_m = static_cast<float>(0.010 * (1 - std::cos(turn_rad)));
    return {.sample = {.sequence = tick_, .p_WH_m = {x_m, 0, 0.05f}, .q_WH = {1, 0, 0, 0}},
            .valid = true,
            .is_new = true,
            .buttons = static_cast<std::uint8_t>(phase < half ? 0 : 1),
            .state = hal::DeviceState::kReady};
  }
  Status DoWriteCommand(const CommandFrame&, const hal::CommandNote&) noexcept override { return Status::kOk; }

  const std::uint32_t period_ticks_;
  hal::DeviceCapabilities can_;
  std::uint32_t tick_ = 0;
};

TEST(WorkspaceRun, AButtonIndexesAndIsReplayed) {
  ButtonDevice device(400);
  const TemporaryFile path("log");
  RunSummary run;
  {
    LogFile log(path.path());
    const std::unique_ptr<Transport> transport = MakeLocalBoardWith(64, device, 1000);
    BoardClient board(*transport, &log);
    PlayOptions options = QuietOptions(2000);
    WorkspaceConfig<double> map;
    map.scale = 4;
    map.force_scale = 0.25;  // the tool feels as heavy as it is
    map.clutch_button = 1;
    options.workspace = servo::WorkspaceToWire(map);
    Watch(board, options, &run);
    log.Close();
  }
  const ReplayResult result = Replay(path.path());
  EXPECT_EQ(result.identical, result.ticks) << result.first_difference;
  // Source: five strokes of 20 mm, less the 10 mm (1 - cos 2π 20/400) = 0.5 mm that the hand goes back until the force has
  // faded.
  EXPECT_NEAR(TelemetryIn(path.path()).back().p_WT_m()->Get(0), 4 * 5 * 0.0195, 4 * 5 * 0.001);
}

TEST(WorkspaceRun, SetsTheScaleOnTheCommandLine) {
  EXPECT_EQ(LoadScene("wall_tap").Map(), std::nullopt);
  EXPECT_EQ(LoadScene("wall_tap", {"workspace.scale=5"}).Map()->scale(), 5);
  EXPECT_EQ(LoadScene("big_plate", {"workspace.scale=2"}).workspace->scale, 2);
}

TEST(WorkspaceRun, NamesWhatIsWrongInAFile) {
  const auto error_of = [](const std::string& change) -> std::string {
    try {
      (void)LoadScene("wall_tap", {change});
    } catch (const HostError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(error_of("workspace.scale=0").find("workspace.scale"), std::string::npos) << error_of("workspace.scale=0");
  EXPECT_NE(error_of("workspace.scale=nan").find("not finite"), std::string::npos) << error_of("workspace.scale=nan");
  EXPECT_NE(error_of("workspace.force_scale=-1").find("workspace.force_scale"), std::string::npos);
  EXPECT_NE(error_of("workspace.offset_m=[1000, 0, 0]").find("workspace.offset_m"), std::string::npos);
  EXPECT_NE(error_of("workspace.clutch_button=1.5").find("clutch_button"), std::string::npos);
  EXPECT_NE(error_of("workspace.axis=[0, 0, 0]").find("no direction"), std::string::npos);
  EXPECT_NE(error_of("workspace.speed=3").find("speed"), std::string::npos);
}

TEST(WorkspaceRun, ShowsTheToolAsHeavyAsTheHandFeelsItToTheStabilityCheck) {  // Source: m φ s and J φ/s.
  Config<double> config;
  config.workspace.scale = 5;
  config.workspace.force_scale = 0.4;
  const DeviceModel device;
  EXPECT_DOUBLE_EQ(LoopOf(config, device, false).tool_mass_kg, config.tool.mass_kg * 2);
  EXPECT_DOUBLE_EQ(LoopOf(config, device, true).tool_mass_kg, config.tool.inertia_kgm2.maxCoeff() * 0.08);
}

}  // namespace
}  // namespace tactus::host
