// Contacts and events of a recording, against Coulomb's law and by hand.
#include <cmath>
#include <fstream>
#include <sstream>

#include "host_tools/export/contact_events.h"
#include "host_tools/export/contact_tables.h"
#include "host_tools/link/host_error.h"
#include "host_tools/scene/scene_file.h"
#include "local_run.h"
#include "temporary_file.h"

namespace tactus::host {
namespace {

using Kind = ContactEvent::Kind;

/// A tick in which the tool presses on the world with `normal_N` and slips.
ReplayedTick Tick(std::uint32_t number, double normal_N, double slip_mps = 0) {
  ReplayedTick tick{.tick = number};
  tick.contacts.push_back({.point_m = {0.01 * number, 0, 0}, .normal_N = normal_N, .slip_mps = slip_mps});
  tick.contacts.push_back({.id = 7, .point_m = {0.01 * number, 0.03, 0}, .normal_N = 2 * normal_N, .slip_mps = slip_mps});
  return tick;
}

std::string Told(ContactEvents* events, const ReplayedTick& tick) {
  std::string told;
  for (const ContactEvent& event : events->Take(tick)) told += std::string(told.empty() ? "" : " ") + Name(event.kind);
  return told;
}

TEST(ContactEvents, BeginsWithTheLoadAndEndsAfterAPause) {
  ContactEvents events;
  EXPECT_EQ(Told(&events, Tick(1, 0)), "");
  EXPECT_EQ(Told(&events, Tick(2, 1)), "begins");
  EXPECT_EQ(Told(&events, Tick(3, 1)), "");
  for (std::uint32_t i = 4; i <= 8; ++i) EXPECT_EQ(Told(&events, Tick(i, 0)), "") << i;  // 5 ms: a pause
  EXPECT_EQ(Told(&events, Tick(8, 1)), "");
  for (std::uint32_t i = 9; i <= 13; ++i) EXPECT_EQ(Told(&events, {.tick = i}), "") << i;
  const std::vector<ContactEvent> end = events.Take({.tick = 14});
  ASSERT_EQ(end.size(), 1u);
  EXPECT_EQ(end[0].kind, Kind::kEnds);
  EXPECT_EQ(end[0].tick, 8u);  // its last load
  EXPECT_EQ(Told(&events, {.tick = 15}), "");
}

TEST(ContactEvents, SaysWhereAndHowMuch) {
  ContactEvents events;
  const std::vector<ContactEvent> begin = events.Take(Tick(2, 1));
  ASSERT_EQ(begin.size(), 1u);
  EXPECT_DOUBLE_EQ(begin[0].impulse_Ns, 3e-3);
  EXPECT_DOUBLE_EQ(begin[0].point_m[1], 0.02);  // two thirds of the load are at 0.03
  EXPECT_DOUBLE_EQ(begin[0].time_s, 2e-3);
  EXPECT_EQ(begin[0].a, 0);
  EXPECT_EQ(begin[0].b, -1);
}

TEST(ContactEvents, SlipBeginsAboveAMillimetreASecondAndEndsBelowHalf) {
  ContactEvents events;
  EXPECT_EQ(Told(&events, Tick(1, 1)), "begins");
  EXPECT_EQ(Told(&events, Tick(2, 1, 0.9e-3)), "");
  EXPECT_EQ(Told(&events, Tick(3, 1, 1.1e-3)), "slips");
  EXPECT_EQ(Told(&events, Tick(4, 1, 0.6e-3)), "");
  EXPECT_EQ(Told(&events, Tick(5, 1, 0.4e-3)), "sticks");
  EXPECT_EQ(Told(&events, Tick(6, 1, 0.6e-3)), "");
}

TEST(ContactEvents, EachPairOfBodiesHasItsOwn) {
  ContactEvents events;
  ReplayedTick tick = Tick(1, 1);
  tick.contacts[1].b = 2;
  EXPECT_EQ(Told(&events, tick), "begins begins");
  tick.tick = 20;
  tick.contacts.pop_back();
  EXPECT_EQ(Told(&events, tick), "ends");
}

/// The conveyor's ball: down on a belt of 50 mm/s that draws with 0.4 of the load, and up again.
class ConveyorTables : public testing::Test {
 protected:
  void SetUp() override {
    const SceneFile file = LoadScene("conveyor");
    LogFile log(log_.path());
    const std::unique_ptr<Transport> transport = MakeLocalBoard(64);
    BoardClient board(*transport, &log);
    hal::SimDevice device(hal::FalconClass(), hal::RelaxedHand(), file.Hand(), 1);
    PlayOptions options = QuietOptions(2000);
    options.scene = file.Image();
    file.Tell(&options.config);
    RunSummary run;
    Play(board, device, options, &run);
    log.Close();
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
  const TemporaryFile log_{"log"}, csv_{"csv"};
};

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

TEST_F(ConveyorTables, AFileThatCannotBeWrittenIsNamed) {
  EXPECT_THROW((void)WriteEvents(log_.path(), "/nosuch/events.csv"), HostError);
  EXPECT_THROW((void)WriteContacts("/nosuch/run.log", csv_.path()), HostError);
}

}  // namespace
}  // namespace tactus::host
