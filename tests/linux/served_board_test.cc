// `tactus serve` as a process, an I/O board on a pseudo terminal behind it, a host before it: what happens to either, and
// what the board then lets out, by the board's own trace.
#include <gtest/gtest.h>
#include <sys/file.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>

#include "host_tools/session/board_client.h"
#include "tests/io/io_process.h"
#include "tests/linux/child_process.h"

namespace tactus::host {
namespace {

using std::chrono::milliseconds;
constexpr int kAttempts = 20;  // a machine without time for the loop, or for the board, gives a fault first

std::string Place(const char* what) {
  return (std::filesystem::path(testing::TempDir()) / fmt::format("tactus-served-{}-{}", getpid(), what)).string();
}

/// Waits until `done`, at most 20 s of a busy machine.
bool Eventually(const std::function<bool()>& done) {
  for (int i = 0; i < 10'000 && !done(); ++i) usleep(2000);
  return done();
}

std::unique_ptr<EmulatorProcess> Board() {
  return std::make_unique<EmulatorProcess>(std::vector<std::string>{"--pty", Place("board")});
}

ChildProcess Serve(const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {
      TACTUS_TOOL,        "serve", "--device", "tactus-io:" + Place("board"), "--listen", "unix:" + Place("socket"),
      "--client-timeout", "20000"};
  words.insert(words.end(), more.begin(), more.end());
  return ChildProcess(words);
}

/// A host that watches each tick.
class Host {
 public:
  Host() : transport_(OpenTransport("unix:" + Place("socket"))), client_(*transport_, nullptr) {
    client_.set_patience(milliseconds(10000));
    client_.set_listener([this](const wire::Frame& frame) {
      if (wire::ReadMessage(frame, &last_) == Status::kOk) ++ticks_;
    });
    (void)client_.Hello();
    wire::Config config = servo::ConfigToWire(PegInHoleConfig());
    config.mutate_telemetry_every_ticks(1);
    client_.Configure(config);
  }
  BoardClient& client() { return client_; }
  wire::State state() const { return last_.state(); }
  std::string Say() const {
    return fmt::format("{}, {}", wire::EnumNameState(last_.state()), wire::EnumNameFaultCode(last_.fault()));
  }
  /// Watches for so many ticks.
  void Watch(int ticks) {
    client_.ReceiveUntil([&, end = ticks_ + ticks] { return ticks_ >= end; }, "with telemetry");
  }
  bool WatchUntil(const std::function<bool()>& done, int ticks = 10'000) {
    for (const int end = ticks_ + ticks; ticks_ < end && !done();) Watch(1);
    return done();
  }
  /// The operator's order. @returns whether force may go out
  bool ArmAnew() {
    for (int i = 0; i < 20; ++i) {
      try {
        if (state() == wire::State::kFaulted) client_.Control(wire::Action::kClearFault);
        client_.Arm();
        Watch(5);  // Telemetry from before the order may be under way
        return true;
      } catch (const HostError&) {  // the board is not back yet
        Watch(50);
      }
    }
    return false;
  }

 private:
  std::unique_ptr<Transport> transport_;
  BoardClient client_;
  wire::Telemetry last_;
  int ticks_ = 0;
};

double Output_A(const EmulatorProcess& board) {
  const auto trace = board.Trace();
  return trace.empty() ? 0 : trace.back().output_A;
}

/// Nothing but zeros in the whole trace.
bool NothingCameOut(const EmulatorProcess& board) {
  for (const EmulatorProcess::Line& line : board.Trace()) {
    if (line.output_A > 0) return false;
  }
  return true;
}

/// Arms until the board lets current out. The hand needs a second or two to the peg's wall.
bool Touch(Host* host, const EmulatorProcess& board) {
  for (int i = 0; i < kAttempts; ++i) {
    if (!host->ArmAnew()) return false;
    if (host->WatchUntil([&] { return Output_A(board) > 0.05 || host->state() == wire::State::kFaulted; }) &&
        host->state() != wire::State::kFaulted)
      return true;
  }
  return false;
}

TEST(ServedBoard, ThatIsUnpluggedAndComesBackGetsForceOnlyByAnOrder) {
  auto board = Board();
  ChildProcess serve = Serve();
  ASSERT_TRUE(serve.Says("serving")) << serve.said();
  Host host;
  ASSERT_TRUE(Touch(&host, *board));
  board->Kill(SIGKILL);
  EXPECT_TRUE(
      host.WatchUntil([&] { return host.state() == wire::State::kFaulted || host.state() == wire::State::kFading; }));
  board = Board();
  ASSERT_TRUE(Eventually([&] {
    const auto trace = board->Trace();
    return !trace.empty() && trace.back().state == "idle";
  })) << "the line is open again and the board has a session";
  host.Watch(500);
  EXPECT_TRUE(NothingCameOut(*board)) << "nobody has ordered force";
  EXPECT_EQ(host.state(), wire::State::kFaulted);
  EXPECT_THROW(host.client().Arm(), HostError) << "the fault waits for its order too";
  EXPECT_TRUE(Touch(&host, *board)) << host.Say();
}

TEST(ServedBoard, IsOneProgramsAlone) {
  const auto board = Board();
  ChildProcess serve = Serve();
  ASSERT_TRUE(serve.Says("serving")) << serve.said();
  Host host;
  ASSERT_TRUE(Touch(&host, *board));
  ChildProcess second(
      {TACTUS_TOOL, "serve", "--device", "tactus-io:" + Place("board"), "--listen", "unix:" + Place("second")});
  EXPECT_EQ(second.Wait(), kExitLink);
  EXPECT_TRUE(second.Says("in use")) << second.said();
  const auto trace = board->Trace();
  EXPECT_NE(trace.back().fault, "kOutputWrong");
  serve.Kill(SIGKILL);
  EXPECT_TRUE(Eventually([&] { return Output_A(*board) == 0; }));
  ChildProcess next = Serve();
  EXPECT_TRUE(next.Says("serving")) << "the lock goes with its program, however that ends: " << next.said();
}

TEST(ServedBoard, HasZerosBeforeServeEndsBySignal) {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    bool faded = false;
    for (int i = 0; i < kAttempts && !faded; ++i) {
      const auto board = Board();
      ChildProcess serve = Serve();
      ASSERT_TRUE(serve.Says("serving")) << serve.said();
      Host host;
      ASSERT_TRUE(Touch(&host, *board));
      serve.Kill(signal);
      EXPECT_EQ(serve.Wait(), kExitSignal + signal) << serve.said();
      EXPECT_EQ(Output_A(*board), 0) << "zeros were written before it ended";
      for (const EmulatorProcess::Line& line : board->Trace()) faded = line.output_A > 0 ? false : line.fault == "kNone";
    }
    EXPECT_TRUE(faded) << "the zeros are serve's, not the board's time-out";
  }
}

TEST(ServedBoard, GoesToZeroWhileServeIsStoppedAndStaysThereUntilAnOrder) {
  const auto board = Board();
  ChildProcess serve = Serve();
  ASSERT_TRUE(serve.Says("serving")) << serve.said();
  Host host;
  ASSERT_TRUE(Touch(&host, *board));
  serve.Kill(SIGSTOP);
  EXPECT_TRUE(Eventually([&] { return Output_A(*board) == 0; }));
  EXPECT_EQ(board->Trace().back().fault, "kCommandTimeout");
  const std::size_t lines = board->Trace().size();
  serve.Kill(SIGCONT);
  EXPECT_TRUE(host.WatchUntil([&] { return host.state() == wire::State::kFaulted; }));
  host.Watch(500);
  const auto trace = board->Trace();
  for (std::size_t i = lines; i < trace.size(); ++i) EXPECT_EQ(trace[i].output_A, 0) << trace[i].ms;
  EXPECT_TRUE(Touch(&host, *board)) << host.Say();
}

TEST(ServedBoard, IsRefusedAtARateThatItDoesNotHave) {
  const EmulatorProcess board({"--pty", Place("board"), "--period-us", "1000"});
  ChildProcess serve = Serve({"--rate", "4000"});
  EXPECT_EQ(serve.Wait(), kExitUsage);
  EXPECT_TRUE(serve.Says("--rate")) << serve.said();
}

TEST(ServedBoard, IsRefusedWithAWordOnTheRateOfItsLine) {
  ChildProcess odd({TACTUS_TOOL, "serve", "--device", "tactus-io:/dev/tty:12345"});
  EXPECT_EQ(odd.Wait(), kExitUsage);
  EXPECT_TRUE(odd.Says("12345 baud")) << odd.said();
}

/// A number of a report by its name; 0: it is not there.
double NumberOf(const std::string& json, const std::string& name) {
  const std::size_t at = json.find("\"" + name + "\":");
  return at == std::string::npos ? 0 : std::atof(json.c_str() + at + name.size() + 3);
}

std::string TextOf(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// An I/O board with one, two and three motors, a mechanism on it, a host that feels the wall.
class ServedMechanism : public testing::TestWithParam<const char*> {};

TEST_P(ServedMechanism, FeelsTheWall) {
  const std::string set = GetParam(), report = Place("report");
  const EmulatorProcess board({"--pty", Place("board"), "--set", set});
  ChildProcess serve({TACTUS_TOOL, "serve", "--device", "tactus-io:" + Place("board") + ",set=" + set, "--listen",
                      "unix:" + Place("socket"), "--client-timeout", "20000"});
  ASSERT_TRUE(serve.Says("serving")) << serve.said();
  double touched = 0, force_N = 0;  // In a fault the tool is in contact without a force
  for (int i = 0; i < kAttempts && (touched < 100 || force_N == 0); ++i) {
    ChildProcess host({TACTUS_TOOL, "hil", "--link", "unix:" + Place("socket"), "--device", "local", "--for",
                       "tactus-io,set=" + set, "--scene", "wall_tap", "--ticks", "1500", "--quiet", "--no-replay", "--json",
                       report});
    (void)host.Wait();
    touched = NumberOf(TextOf(report), "contact_ticks");
    force_N = NumberOf(TextOf(report), "largest_force_N");
  }
  std::filesystem::remove(report);
  EXPECT_GE(touched, 100) << "ticks of contact in a run";
  EXPECT_GT(force_N, 0.3);  // Source: wall_tap.toml, 0.37 N with the default hand
  EXPECT_LT(force_N, 3);    // Source: its check max_force_N
  double current_A = 0;
  for (const EmulatorProcess::Line& line : board.Trace()) current_A = std::max(current_A, line.output_A);
  EXPECT_GT(current_A, 0.005) << "by the board's own trace";
}

INSTANTIATE_TEST_SUITE_P(Sets, ServedMechanism, testing::Values("hapkit", "pantograph", "woodenhaptics"));

TEST(ServedBoard, WithTooFewMotorsForTheSimulatedDeviceIsRefusedAsAMistakeOfTheWords) {
  const EmulatorProcess board({"--pty", Place("board"), "--set", "hapkit"});
  ChildProcess serve = Serve();
  EXPECT_EQ(serve.Wait(), kExitUsage);
  EXPECT_TRUE(serve.Says(",set=")) << serve.said();
}

TEST(ServedProcessor, ThatIsNotThereIsNamedAndServeEnds) {
  ChildProcess serve({TACTUS_TOOL, "serve", "--cpu", "1023", "--listen", "unix:" + Place("socket")});
  EXPECT_EQ(serve.Wait(), kExitUsage);
  EXPECT_TRUE(serve.Says("no processor 1023")) << serve.said();
}

}  // namespace
}  // namespace tactus::host
