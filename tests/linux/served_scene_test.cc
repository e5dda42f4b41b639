// The scene that `tactus serve --scene` gives each session.
#include <gtest/gtest.h>

#include "host_tools/report/print_report.h"
#include "host_tools/scene/scene_file.h"
#include "host_tools/session/play.h"
#include "tactus/haptic/telemetry.h"
#include "tests/linux/live_server.h"

namespace tactus::host {
namespace {

/// What a host that has just come reads back.
std::vector<std::uint8_t> InForce(const LiveServer& server, std::span<const std::uint8_t> instead = {}) {
  const std::unique_ptr<Transport> transport = OpenTransport(server.address());
  BoardClient client(*transport, nullptr);
  client.set_patience(std::chrono::milliseconds(10000));
  (void)client.Hello();
  if (!instead.empty()) client.SendScene(instead);
  return client.ReadScene();
}

class ServedScene : public testing::TestWithParam<const char*> {};

TEST_P(ServedScene, IsInForceInEachSession) {  // a grid's image takes many periods to give
  const std::vector<std::uint8_t> image = LoadScene(GetParam()).Image(), other = LoadScene("wall_tap").Image();
  LiveServer server({.scene = image});
  EXPECT_EQ(InForce(server), image);
  EXPECT_EQ(InForce(server), image);
  EXPECT_EQ(InForce(server, other), other) << "a host may bring its own";
  EXPECT_EQ(InForce(server), image) << "and takes it along";
}
INSTANTIATE_TEST_SUITE_P(Files, ServedScene, testing::Values("door", "pile", "pebble"),
                         [](const auto& file) { return std::string(file.param); });

TEST(ServedSceneAt, AnArmOfAHostThatDoesNotKnowItIsRefused) {
  const std::vector<std::uint8_t> image = LoadScene("door").Image();
  LiveServer server({.scene = image});
  EXPECT_THROW(TouchingHost host(server), HostError);
  EXPECT_EQ(server.device().last_N(), 0);
}

/// What is said to have been touched.
std::string Watched(const LiveServer& server) {
  const std::unique_ptr<Transport> transport = OpenTransport(server.address());
  BoardClient client(*transport, nullptr);
  client.set_patience(std::chrono::milliseconds(10000));
  RunSummary run;
  wire::Config config = servo::ConfigToWire(PegInHoleConfig());
  config.mutate_telemetry_every_ticks(1);
  Watch(client, {.ticks = 50, .config = config, .quiet = true, .takes_scene_in_force = true}, &run);
  return run.scene;
}

TEST(ServedSceneAt, AHostWithoutASceneWatchesIt) {
  const std::vector<std::uint8_t> image = LoadScene("door").Image();
  const LiveServer server({.scene = image});
  EXPECT_EQ(Watched(server), "the one that the controller had");
}

TEST(ServedSceneAt, NoneIsThePegAndThePlate) {
  LiveServer server;
  EXPECT_TRUE(InForce(server).empty());
  EXPECT_EQ(Watched(server), "peg in hole");
}

// A device that measures from another place than it should may stand in a wall when the force begins.
TEST(ServedSceneAt, AHostThatBeginsInsideAnObstacleReportsIt) {
  RunSummary run;
  EXPECT_EQ(ReportTable(run).find("obstacle"), std::string::npos);
  wire::Telemetry tick;
  tick.mutate_status(status_bit::kPlacedInside);
  for (int i = 0; i < 7; ++i) run.Add(tick);
  EXPECT_NE(ReportTable(run).find("stood inside an obstacle when the force began: none for 7 ticks"), std::string::npos)
      << ReportTable(run);
}

}  // namespace
}  // namespace tactus::host
