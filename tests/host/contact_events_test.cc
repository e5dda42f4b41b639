// Contacts and events of a recording, against Coulomb's law, and against what the controller told live.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "host_tools/export/contact_tables.h"
#include "host_tools/link/host_error.h"
#include "host_tools/scene/scene_file.h"
#include "local_run.h"
#include "temporary_file.h"

namespace tactus::host {
namespace {

/// A shipped scene, played and recorded.
class SceneTables : public testing::Test {
 protected:
  void PlayScene(const char* name) {
    const SceneFile file = LoadScene(name);
    LogFile log(log_.path());
    const std::unique_ptr<Transport> transport = MakeLocalBoard(64);
    BoardClient board(*transport, &log);
    hal::SimDevice device(hal::FalconClass(), hal::RelaxedHand(), file.Hand(), 1);
    PlayOptions options = QuietOptions(2000);
    options.scene = file.Image();
    file.Tell(&options.config);
    EventChoice events(live_.path(), &options);
    RunSummary run;
    Play(board, device, options, &run);
    events.Close();
    log.Close();
    EXPECT_TRUE(run.problems.empty());
  }
  std::vector<std::vector<std::string>> Rows(const std::string& path) const {
    std::vector<std::vector<std::string>> rows;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      std::istringstream cells(line);
      rows.emplace_back();
      for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
    }
    return rows;
  }
  const TemporaryFile log_{"log"}, csv_{"csv"}, live_{"live"};
};

/// The conveyor's ball: down on a belt of 50 mm/s that draws with 0.4 of the load, and up again.
class ConveyorTables : public SceneTables {
 protected:
  void SetUp() override { PlayScene("conveyor"); }
};

// Source: the scene: the hinge stays where it is, and the door stops at 40°.
TEST_F(SceneTables, JointsTellWhereTheDoorsHingeIs) {
  PlayScene("door");
  const long written = WriteJoints(log_.path(), csv_.path());
  const auto rows = Rows(csv_.path());
  ASSERT_EQ(static_cast<long>(rows.size()), written + 1);
  EXPECT_EQ(written, 1999);  // the first tick places the tool
  EXPECT_EQ(rows[0][3], "coordinate [rad or m]");
  double farthest_rad = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i].size(), rows[0].size());
    farthest_rad = std::max(farthest_rad, std::stod(rows[i][3]));
    EXPECT_NEAR(std::stod(rows[i][4]), -0.03, 1e-6) << i;
  }
  EXPECT_NEAR(farthest_rad, 40 * 3.14159265 / 180, 1e-3);
}

TEST_F(ConveyorTables, FrictionOfWhatSlipsIsCoulombs) {
  const long written = WriteContacts(log_.path(), csv_.path());
  const auto rows = Rows(csv_.path());
  ASSERT_EQ(static_cast<long>(rows.size()), written + 1);
  int slipping = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i].size(), rows[0].size());
    const auto at = [&](std::size_t column) { return std::stod(rows[i][column]); };
    const double normal_N = at(12), friction_N = std::hypot(at(13), at(14), at(15));
    ASSERT_LE(friction_N, 0.4 * normal_N + 1e-6) << i;
    if (at(16) < 1e-3 || normal_N < 0.1) continue;
    ++slipping;
    ASSERT_NEAR(friction_N, 0.4 * normal_N, 1e-5 * normal_N) << i;
    ASSERT_GT(at(13), 0) << i;  // along the belt
  }
  EXPECT_GT(slipping, 500);
}

TEST_F(ConveyorTables, TheBallTouchesSlipsAndLeaves) {
  (void)WriteEvents(log_.path(), csv_.path());
  const auto rows = Rows(csv_.path());
  ASSERT_GE(rows.size(), 4u);
  EXPECT_EQ(rows[1][2], "begins");
  EXPECT_EQ(rows[2][2], "slips");
  EXPECT_EQ(rows.back()[2], "ends");
  EXPECT_EQ(rows[1][4], "-1");
  EXPECT_NEAR(std::stod(rows[1][7]), -0.02, 1e-3);  // the belt
}

TEST_F(ConveyorTables, TheControllerTellsTheSameEventsWhileItRuns) {
  EXPECT_GE(WriteEvents(log_.path(), csv_.path()), 3);
  EXPECT_EQ(csv_.Bytes(), live_.Bytes());
}

TEST_F(ConveyorTables, AFileThatCannotBeWrittenIsNamed) {
  EXPECT_THROW((void)WriteEvents(log_.path(), "/nosuch/events.csv"), HostError);
  EXPECT_THROW((void)WriteContacts("/nosuch/run.log", csv_.path()), HostError);
}

}  // namespace
}  // namespace tactus::host
