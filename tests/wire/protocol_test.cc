// What docs/wire.md promises of a controller, against the servo application.
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <random>
#include <sstream>
#include <string>

#include "controller.h"
#include "schema_tables.h"
#include "tactus/wire/fields.h"

namespace tactus::wire {
namespace {

/// The rows of the Markdown table that starts with `head`: cells without spaces around them.
std::vector<std::vector<std::string>> Table(const std::string& head) {
  const std::string document = ReadFile(TACTUS_WIRE_DOCUMENT);
  std::istringstream lines(document.substr(std::min(document.find(head), document.size())));
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    std::vector<std::string> cells;
    std::istringstream row(line.substr(1));
    for (std::string cell; std::getline(row, cell, '|');) {
      const std::size_t first = cell.find_first_not_of(" `"), last = cell.find_last_not_of(" `");
      cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
    }
    rows.push_back(cells);
  }
  if (rows.size() > 1) rows.erase(rows.begin() + 1);  // the line under the head
  return rows;
}

State StateOf(const std::string& name) {
  for (const State state : EnumValuesState()) {
    if (name == EnumNameState(state)) return state;
  }
  ADD_FAILURE() << "no state " << name;
  return State::kConnecting;
}

/// The state that a cell like "to `kIdle`" leads to from `state`.
State Next(State state, const std::string& cell) {
  const std::size_t to = cell.rfind("to `");
  return to == std::string::npos ? state : StateOf(cell.substr(to + 4, cell.find_last_not_of('`') - to - 3));
}

Action ActionOf(const std::string& name) {
  for (const Action action : EnumValuesAction()) {
    if (name == EnumNameAction(action)) return action;
  }
  return Action::kNone;
}

class StateTable : public testing::TestWithParam<State> {
 protected:
  static std::vector<std::string> Row(State state) {
    for (const std::vector<std::string>& row : Table("| state | HelloRequest |")) {
      if (row[0] == EnumNameState(state)) return row;
    }
    ADD_FAILURE() << "no row " << EnumNameState(state);
    return std::vector<std::string>(9);
  }
};

TEST_P(StateTable, HoldsForConfigAndControls) {
  const std::vector<std::string> head = Table("| state | HelloRequest |").at(0), row = Row(GetParam());
  for (std::size_t column = 2; column < head.size(); ++column) {
    if (head[column] == "Sample") continue;
    Controller controller;
    controller.GoTo(GetParam());
    const Action action = ActionOf(head[column]);
    const std::optional<Ack> ack =
        action == Action::kNone ? controller.Ask(Controller::StartConfig(Pacing::kClock)) : controller.Do(action);
    ASSERT_TRUE(ack.has_value()) << head[column];
    EXPECT_EQ(ack->code(), row[column] == "refused" ? AckCode::kWrongState : AckCode::kAccepted) << head[column];
    EXPECT_EQ(ack->state(), Next(GetParam(), row[column])) << head[column];
  }
}

TEST_P(StateTable, HoldsForSamples) {
  Controller controller;
  controller.GoTo(GetParam());
  controller.Forget();
  controller.SendSample(GetParam() == State::kFaulted ? 0.09f : 0.05f);
  controller.Period();
  const bool ticks = Row(GetParam())[3].rfind("tick", 0) == 0;
  EXPECT_EQ(controller.All<Command>().size(), ticks ? 1u : 0u);
}

TEST_P(StateTable, HoldsForHello) {
  Controller controller;
  controller.GoTo(GetParam());
  const std::optional<Hello> hello = controller.SayHello();
  ASSERT_TRUE(hello.has_value());
  EXPECT_EQ(hello->state(), GetParam() == State::kConnecting ? State::kUnconfigured : GetParam());
  EXPECT_EQ(hello->nonce(), 77u);
  EXPECT_EQ(hello->compatible(), 1u);
}

INSTANTIATE_TEST_SUITE_P(EachState, StateTable,
                         testing::Values(State::kConnecting, State::kUnconfigured, State::kIdle, State::kArmed,
                                         State::kFaulted),
                         [](const auto& state) { return std::string(EnumNameState(state.param)).substr(1); });

TEST(Protocol, SaysItsLastWordWhenItIsStopped) {
  Controller controller;
  controller.GoTo(State::kStopped);
  ASSERT_TRUE(controller.Last<Stopped>().has_value());
  EXPECT_EQ(controller.Last<Stopped>()->bad_frames(), 0u);
  EXPECT_FALSE(controller.SayHello().has_value());
}

TEST(Protocol, RefusesConfigAndControlAfterAHelloOfAnotherVersion) {
  Controller controller;
  controller.GoTo(State::kIdle);
  EXPECT_EQ(controller.SayHello(kProtocolVersion + 1)->compatible(), 0u);
  EXPECT_EQ(controller.Last<Hello>()->protocol_version(), kProtocolVersion);
  EXPECT_EQ(controller.Last<Hello>()->state(), State::kIdle);
  EXPECT_EQ(controller.Do(Action::kArm)->code(), AckCode::kWrongVersion);
  EXPECT_EQ(controller.Ask(Controller::StartConfig(Pacing::kClock))->code(), AckCode::kWrongVersion);
  controller.SayHello();
  EXPECT_EQ(controller.Do(Action::kArm)->code(), AckCode::kAccepted);
}

TEST(Protocol, NamesTheActionItDoesNotKnow) {
  Controller controller;
  controller.GoTo(State::kIdle);
  const std::optional<Ack> ack = controller.Do(static_cast<Action>(99));
  ASSERT_TRUE(ack.has_value());
  EXPECT_EQ(ack->code(), AckCode::kOutOfRange);
  EXPECT_EQ(ack->field(), 0);
}

/// `config` with the number at `offset` replaced: a double, or a 32-bit integer from `directions` on, or a byte behind
/// those.
Config With(Config config, std::size_t offset, double value) {
  std::uint8_t* const at = reinterpret_cast<std::uint8_t*>(&config) + offset;
  const std::int32_t integer = static_cast<std::int32_t>(value);
  if (offset < FieldOffset<Config>("directions")) {
    std::memcpy(at, &value, sizeof(value));
  } else if (offset < FieldOffset<Config>("passivity_enabled")) {
    std::memcpy(at, &integer, sizeof(integer));
  } else {
    *at = static_cast<std::uint8_t>(value);
  }
  return config;
}

TEST(Protocol, NamesEachConfigFieldThatIsNotFinite) {
  Controller controller;
  controller.GoTo(State::kUnconfigured);
  std::uint16_t field = 0;
  for (std::uint16_t at = 0; at < FieldOffset<Config>("directions"); at = static_cast<std::uint16_t>(at + 8)) {
    if (FieldName<Config>(at) != nullptr) field = at;
    const double bad = at % 16 == 0 ? std::numeric_limits<double>::quiet_NaN() : -std::numeric_limits<double>::infinity();
    const std::optional<Ack> ack = controller.Ask(With(Controller::StartConfig(Pacing::kClock), at, bad));
    ASSERT_TRUE(ack.has_value()) << at;
    EXPECT_EQ(ack->code(), AckCode::kNotFinite) << at;
    EXPECT_EQ(ack->field(), field) << at;
    EXPECT_EQ(ack->state(), State::kUnconfigured) << at;
  }
}

/// Values that the column "allowed" of the document's table forbids.
std::vector<double> Forbidden(const std::string& allowed) {
  if (allowed.rfind("> 0, and >= ", 0) == 0) return {0, -1, 1};  // 1 a second is too slow for the other fields' values
  if (allowed.rfind("> 0", 0) == 0 || allowed.rfind("each > 0", 0) == 0) return {0, -1};
  if (allowed.rfind(">= 0", 0) == 0) return {-1};
  if (allowed == "of unit length") return {0.9};
  if (allowed == "0 or 1") return {2, 255};
  if (allowed == "0 to 10000") return {-1, 10001};
  if (allowed == "-100 to 100") return {-100.5, 100.5};
  if (allowed == "0 to 7") return {-1, 8};
  if (allowed.rfind("3 to", 0) == 0) return {2, -8};
  EXPECT_EQ(allowed, "any");
  return {};
}

TEST(Protocol, NamesEachConfigFieldOutsideTheRangeOfTheDocument) {
  Controller controller;
  controller.GoTo(State::kUnconfigured);
  const std::vector<std::vector<std::string>> rows = Table("| field | value | allowed |");
  ASSERT_GT(rows.size(), 40u);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const std::uint16_t field = FieldOffset<Config>(rows[i][0].c_str());
    ASSERT_NE(field, kNoField) << rows[i][0];
    for (const double value : Forbidden(rows[i][2])) {
      const std::optional<Ack> ack = controller.Ask(With(Controller::StartConfig(Pacing::kClock), field, value));
      ASSERT_TRUE(ack.has_value()) << rows[i][0];
      EXPECT_EQ(ack->code(), AckCode::kOutOfRange) << rows[i][0] << " = " << value;
      EXPECT_EQ(ack->field(), field) << rows[i][0] << " = " << value;
    }
  }
}

TEST(Protocol, TellsWhenThereIsNoRoomForSoManyDirections) {
  Controller controller;
  controller.GoTo(State::kUnconfigured);
  const std::uint16_t field = FieldOffset<Config>("directions");
  const double too_many = controller.SayHello()->max_directions() + 1;
  const std::optional<Ack> ack = controller.Ask(With(Controller::StartConfig(Pacing::kClock), field, too_many));
  ASSERT_TRUE(ack.has_value());
  EXPECT_EQ(ack->code(), AckCode::kOverCapacity);
  EXPECT_EQ(ack->field(), field);
}

TEST(Protocol, CountsTicksFromOneAfterConfigAndReset) {
  Controller controller;
  controller.GoTo(State::kIdle);
  for (int i = 0; i < 3; ++i) {
    controller.SendSample(0.05f);
    controller.Period();
    EXPECT_EQ(controller.Last<Command>()->tick(), static_cast<std::uint32_t>(i + 1));
  }
  EXPECT_EQ(controller.Do(Action::kReset)->tick(), 0u);
  EXPECT_EQ(controller.Last<Command>()->tick(), 1u);  // in the period of the reset: the clock drives, the sample is old
}

TEST(Protocol, RunsNoTickBeforeTheFirstSample) {
  Controller controller;
  controller.GoTo(State::kIdle);
  controller.Periods(100);
  EXPECT_TRUE(controller.All<Command>().empty());
}

TEST(Protocol, FadesAndFaultsWhenTheHostFallsSilentAndComesBack) {
  Controller controller;
  controller.GoTo(State::kArmed);
  for (int i = 0; i < 400; ++i) {  // down to 2 mm in the plate, with the soft start
    controller.SendSample(std::max(0.05f - 0.0001f * static_cast<float>(i), 0.028f));
    controller.Period();
  }
  ASSERT_NEAR(controller.Last<Command>()->force_N()->Get(2), 3.0f, 0.3f);  // 1500 N/m · 2 mm; the tool still swings a little
  controller.Forget();
  controller.Periods(3 + 20 + 2);  // guard_hold_ticks, guard_ramp_down_s
  EXPECT_EQ(controller.Last<Command>()->force_N()->Get(2), 0.0f);
  ASSERT_EQ(controller.All<Fault>().size(), 1u);
  EXPECT_EQ(controller.Last<Fault>()->code(), FaultCode::kSampleStale);
  EXPECT_EQ(controller.Do(Action::kArm)->code(), AckCode::kWrongState);
  controller.SendSample(0.028f);
  EXPECT_EQ(controller.Do(Action::kClearFault)->state(), State::kIdle);
  EXPECT_EQ(controller.Do(Action::kArm)->state(), State::kArmed);
}

TEST(Protocol, RunsOneTickPerSampleWhenTheSamplesPace) {
  Controller controller;
  controller.GoTo(State::kIdle, Pacing::kSample);
  controller.Forget();
  for (int i = 0; i < 3; ++i) controller.SendSample(0.05f);
  controller.Periods(10);
  EXPECT_EQ(controller.All<Command>().size(), 3u);
}

TEST(Protocol, LetsTheClockTakeOverWhenTheSamplesDoNotCome) {
  Controller controller;
  controller.GoTo(State::kArmed, Pacing::kSample);
  controller.Forget();
  controller.Periods(1900);
  EXPECT_TRUE(controller.All<Command>().empty());
  controller.Periods(200);
  EXPECT_EQ(controller.Last<Fault>()->code(), FaultCode::kSampleStale);
}

TEST(Protocol, GoesOnThroughHostileBytes) {
  Controller controller;
  controller.GoTo(State::kArmed);
  std::mt19937 random(5);
  controller.Forget();
  for (int i = 0; i < 2000; ++i) {
    Bytes noise(random() % 200);
    for (std::uint8_t& byte : noise) byte = static_cast<std::uint8_t>(random());
    controller.SendBytes(noise);
    controller.SendBytes(Bytes{0});
    controller.SendSample(0.05f);
    controller.Period();
  }
  EXPECT_EQ(controller.All<Command>().size(), 2000u);
  EXPECT_TRUE(controller.All<Fault>().empty());
  EXPECT_GT(controller.Last<Telemetry>()->bad_frames(), 1500u);
  EXPECT_EQ(controller.state(), State::kArmed);
}

TEST(Protocol, CountsFramesThatOnlyControllersSend) {
  Controller controller;
  controller.GoTo(State::kIdle);
  controller.Send(Command());
  controller.Send(Stopped());
  controller.Do(Action::kStop);
  EXPECT_EQ(controller.Last<Stopped>()->bad_frames(), 2u);
}

}  // namespace
}  // namespace tactus::wire
