// What a board says in its hello, and whom the host refuses for it: each with a sentence that says what is wrong and where.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <ostream>
#include <thread>

#include "host_tools/io/pseudo_terminal.h"
#include "host_tools/io/tty_link.h"
#include "host_tools/link/host_error.h"
#include "slow_line.h"

namespace tactus::host {
namespace {

/// What the emulator says, six motors of 2 A.
wire::IoHello GoodHello() {
  wire::IoHello hello;
  hello.mutate_protocol_version(wire::kProtocolVersion);
  hello.mutate_compatible(1);
  hello.mutate_session(4711);
  hello.mutate_command_timeout_us(3000);
  hello.mutate_command_hold_us(2000);
  hello.mutate_period_us(250);
  hello.mutate_lowest_rate_Hz(1000);
  hello.mutate_highest_rate_Hz(4000);
  hello.mutate_motors(6);
  hello.mutate_command_size(sizeof(wire::IoCommand));
  hello.mutate_state_size(sizeof(wire::IoState));
  for (std::uint16_t i = 0; i < 6; ++i) hello.mutable_max_current_A()->Mutate(i, 2);
  for (std::uint16_t i = 0; i < 5; ++i) hello.mutable_board()->Mutate(i, static_cast<std::uint8_t>("Bench"[i]));
  return hello;
}

/// A board that answers each HelloRequest with the same hello, on a pseudo terminal.
class HelloBoard {
 public:
  explicit HelloBoard(const wire::IoHello& hello) : hello_(hello), pty_(OpenPty()), line_(pty_.master, true) {
    thread_ = std::thread([this] { Answer(); });
  }
  ~HelloBoard() {
    ends_ = true;
    thread_.join();
  }
  HelloBoard(const HelloBoard&) = delete;
  HelloBoard& operator=(const HelloBoard&) = delete;
  std::string name() const { return pty_.name; }

 private:
  void Answer() {
    wire::FrameDecoder decoder;
    wire::FrameWriter writer;
    for (; !ends_; std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
      std::array<std::uint8_t, 256> bytes{};
      std::size_t count = 0;
      (void)line_.Read(bytes, &count);
      for (const std::uint8_t byte : std::span(bytes).first(count)) {
        wire::HelloRequest request;
        if (decoder.Push(byte) != Status::kOk || wire::ReadMessage(decoder.frame(), &request) != Status::kOk) continue;
        hello_.mutate_nonce(request.nonce());
        (void)line_.Write(writer.Write(hello_), hal::Lane::kCommand);
      }
    }
  }
  wire::IoHello hello_;
  Pty pty_;
  TtyLink line_;
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

TEST(IoHost, TakesAGoodHello) {
  const HelloBoard board(GoodHello());
  EXPECT_TRUE(OpenIoDevice(board.name())->connected());
}

TEST(IoHost, TakesATimeOutOfSomeMilliseconds) {
  wire::IoHello hello = GoodHello();
  hello.mutate_command_timeout_us(8000);
  hello.mutate_command_hold_us(7000);
  hello.mutate_period_us(1000);
  const HelloBoard board(hello);
  EXPECT_TRUE(OpenIoDevice(board.name())->connected());
}

struct Claim {
  const char* name;
  void (*make)(wire::IoHello* hello);
  const char* says;  ///< a part of the sentence
};

void PrintTo(const Claim& claim, std::ostream* out) { *out << claim.name; }

class IoHostRefuses : public testing::TestWithParam<Claim> {};

TEST_P(IoHostRefuses, AHelloThatIsAbsurdByName) {
  wire::IoHello hello = GoodHello();
  GetParam().make(&hello);
  const HelloBoard board(hello);
  try {
    (void)OpenIoDevice(board.name());
    FAIL() << "it was taken";
  } catch (const HostError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find(GetParam().says), std::string::npos) << text;
    EXPECT_NE(text.find(board.name()), std::string::npos) << text;
    EXPECT_NE(text.find("Bench"), std::string::npos) << text;
    EXPECT_NE(text.find(": "), std::string::npos) << "what to do about it: " << text;
    EXPECT_EQ(text.find("answers on"), std::string::npos) << text;
  }
}

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();

INSTANTIATE_TEST_SUITE_P(
    IoDevice, IoHostRefuses,
    testing::Values(
        Claim{"no_period", [](wire::IoHello* h) { h->mutate_period_us(0); }, "period_us 0"},
        Claim{"a_period_of_a_second", [](wire::IoHello* h) { h->mutate_period_us(1'000'000); }, "period_us 1000000"},
        Claim{"a_timeout_of_two_seconds", [](wire::IoHello* h) { h->mutate_command_timeout_us(2'000'000); },
              "command_timeout_us 2000000"},
        Claim{"no_timeout", [](wire::IoHello* h) { h->mutate_command_timeout_us(0); }, "command_timeout_us 0"},
        Claim{"a_hold_past_the_timeout", [](wire::IoHello* h) { h->mutate_command_hold_us(3001); }, "command_hold_us 3001"},
        Claim{"another_version", [](wire::IoHello* h) { h->mutate_protocol_version(999); }, "version 999,"},
        Claim{"another_version_that_refuses",
              [](wire::IoHello* h) { h->mutate_protocol_version(1), h->mutate_compatible(0), h->mutate_session(0); },
              "version 1,"},
        Claim{"no_session", [](wire::IoHello* h) { h->mutate_session(0); }, "session 0"},
        Claim{"a_refusal", [](wire::IoHello* h) { h->mutate_compatible(0); }, "compatible 0"},
        Claim{"ceilings_of_nan", [](wire::IoHello* h) { h->mutable_max_current_A()->Mutate(2, kNaN); }, "max_current_A"},
        Claim{"infinite_ceilings", [](wire::IoHello* h) { h->mutable_max_current_A()->Mutate(0, kInfinity); },
              "max_current_A"},
        Claim{"negative_ceilings", [](wire::IoHello* h) { h->mutable_max_current_A()->Mutate(5, -1); }, "max_current_A"},
        Claim{"too_many_motors", [](wire::IoHello* h) { h->mutate_motors(7); }, "7 motors"},
        Claim{"too_few_motors", [](wire::IoHello* h) { h->mutate_motors(3); }, "3 motors"}),
    [](const auto& claim) { return claim.param.name; });

TEST(IoDevice, NamesABoardThatComesBackAsAnother) {
  SlowLine line;
  line.Drive();
  line.claim = [](wire::IoHello* hello) { hello->mutate_command_timeout_us(2'000'000); };
  line.board.Put(wire::HelloRequest(wire::kProtocolVersion, 99));  // ends the session
  line.Periods(60);
  line.device.Disable();
  line.Periods(60);
  EXPECT_TRUE(line.failed());
  EXPECT_TRUE(line.SaysWhy("another board")) << line.why();
}

}  // namespace
}  // namespace tactus::host
