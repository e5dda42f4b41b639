// Hosts that behave badly while there is force: the loop goes on, and the force fades.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <random>

#include "tests/linux/live_server.h"

namespace tactus::host {
namespace {

using std::chrono::milliseconds;

/// A bare socket: what is sent over it is the test's business.
class BareSocket {
 public:
  explicit BareSocket(const std::string& address) : descriptor_(socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un place{};
    place.sun_family = AF_UNIX;
    std::strcpy(place.sun_path, address.substr(5).c_str());
    EXPECT_EQ(connect(descriptor_, reinterpret_cast<sockaddr*>(&place), sizeof(place)), 0);
  }
  ~BareSocket() { close(descriptor_); }
  BareSocket(const BareSocket&) = delete;
  BareSocket& operator=(const BareSocket&) = delete;

  void Send(const std::string& text) { (void)send(descriptor_, text.data(), text.size(), MSG_NOSIGNAL); }
  /// The other side has closed, within 10 s. What comes before is thrown away.
  bool IsClosed() {
    const timeval patience{.tv_sec = 10, .tv_usec = 0};
    setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    char bytes[4096];
    ssize_t count = 0;
    while ((count = recv(descriptor_, bytes, sizeof(bytes), 0)) > 0) {
    }
    return count == 0 || errno == ECONNRESET;
  }

 private:
  int descriptor_;
};

TEST(Serve, FadesWhenTheHostHangsUpAndLetsTheNextOneIn) {
  LiveServer server;
  {
    TouchingHost host(server);
    const std::size_t from = server.device().count();
    host.Leave();
    server.ExpectFade(from);
  }
  TouchingHost again(server);
  EXPECT_EQ(server.loop().counts().sessions.load(), 1u);
  EXPECT_EQ(server.loop().counts().faults.load(), 0u);
}

TEST(Serve, FadesWhenTheHostDiesInTheMiddleOfAFrame) {
  LiveServer server;
  TouchingHost host(server);
  constexpr std::uint8_t kHalf[] = {0x02, 0x03, 0x02, 0x04, 0x02};  // a Control, docs/wire.md section 10
  host.client().SendRaw(kHalf);
  const std::size_t from = server.device().count();
  host.Leave();
  server.ExpectFade(from);
  TouchingHost again(server);  // the half frame is not the next host's
}

TEST(Serve, FadesWhenTheHostSendsNothing) {
  LiveServer server({.token = "", .client_timeout = milliseconds(200)});
  TouchingHost host(server);
  const std::size_t from = server.device().count();
  EXPECT_TRUE(Eventually([&] { return !server.device().drives_on(); }));
  server.ExpectFade(from + 200);
  server.Stop();
  EXPECT_EQ(server.counts().hung, 1u);
}

TEST(Serve, FadesWhenTheHostReadsNothing) {
  LiveServer server({.token = "", .client_timeout = milliseconds(300)});
  TouchingHost host(server);
  constexpr std::uint8_t kEmpty[] = {0};
  EXPECT_TRUE(Eventually([&] {
    try {
      host.client().SendRaw(kEmpty);  // it lives, but it does not read: the sockets hold some 500 Telemetry
    } catch (const HostError&) {
    }
    return !server.device().drives_on();
  }));
  EXPECT_EQ(server.device().last_N(), 0);
  server.Stop();
  EXPECT_EQ(server.counts().hung, 1u);
}

TEST(Serve, GoesOnWhileAHostReadsSlowly) {
  LiveServer server;
  TouchingHost host(server);
  constexpr std::uint64_t kPeriods = 1500, kBetween = 30;  // sockets and ring hold some 660 Telemetry
  const std::uint64_t begin = server.loop().counts().periods.load();
  for (std::uint64_t i = 1; i <= kPeriods / kBetween; ++i) {
    ASSERT_TRUE(Eventually([&] { return server.loop().counts().periods.load() >= begin + i * kBetween; }));
    for (int k = 0; k < 4; ++k) (void)host.client().Receive(milliseconds(1));
  }
  EXPECT_TRUE(server.device().drives_on());
  server.Stop();
  EXPECT_GT(server.link_counters().refused_frames, 0u) << "Telemetry is dropped, the force is not";
}

TEST(Serve, GoesOnThroughAMegabyteOfGarbageAndAnswersAfterIt) {
  LiveServer server;
  TouchingHost host(server);
  std::mt19937 random(1);
  std::vector<std::uint8_t> garbage(4096);
  const std::uint64_t before = server.loop().counts().periods.load();
  for (int i = 0; i < 256; ++i) {
    for (std::uint8_t& byte : garbage) byte = static_cast<std::uint8_t>(random());
    host.client().SendRaw(garbage);
    while (host.client().Receive(milliseconds(0))) {
    }
  }
  EXPECT_TRUE(server.device().drives_on());
  EXPECT_GT(server.loop().counts().periods.load() - before, 1000u) << "640 bytes a period, docs/safety.md";
  constexpr std::uint8_t kEnd[] = {0};
  host.client().SendRaw(kEnd);
  host.client().Control(wire::Action::kDisarm);
  EXPECT_TRUE(Eventually([&] { return !server.device().drives_on(); }));
}

TEST(Serve, LetsAHostInAtOnceWhenTheOneBeforeHasLeftBytesBehind) {
  LiveServer server;
  for (int i = 0; i < 3; ++i) {
    TouchingHost host(server);
    host.client().SendRaw(std::vector<std::uint8_t>(100'000, 7));  // more than the loop takes in 100 periods
    host.Leave();
  }
  TouchingHost last(server);
  server.Stop();
  EXPECT_EQ(server.counts().busy, 0u);
}

TEST(Serve, SendsASecondHostAwayAndTheFirstFeelsNothing) {
  LiveServer server;
  TouchingHost host(server);
  BareSocket second(server.address());
  EXPECT_TRUE(second.IsClosed());
  EXPECT_TRUE(server.device().drives_on());
  (void)host.client().Hello();
  server.Stop();
  EXPECT_EQ(server.counts().busy, 1u);
}

TEST(Serve, EndsOnSigtermWithAFadeZerosAndStopped) {
  LiveServer server;
  TouchingHost host(server);
  const std::size_t from = server.device().count();
  bool stopped = false;
  host.client().set_listener([&](const wire::Frame& frame) {
    wire::Stopped message;
    stopped = stopped || wire::ReadMessage(frame, &message) == Status::kOk;
  });
  std::thread ender([&] { server.Stop(); });
  try {
    host.client().ReceiveUntil([&] { return stopped; }, "to stop");
  } catch (const HostError& error) {
    ADD_FAILURE() << error.what();
  }
  host.Leave();
  ender.join();
  EXPECT_TRUE(server.loop().zeros_written());
  EXPECT_FALSE(server.device().drives_on());
  EXPECT_EQ(server.device().last_N(), 0);
  for (std::size_t i = from + 1; i < server.device().count(); ++i)
    ASSERT_LE(server.device().force_N(i - 1) - server.device().force_N(i), 3.01f);
}

// The guard of the line and the device's own time-out are what is left then; serve's exit code is 1.
TEST(Serve, EndsOnSigtermThoughItsDeviceTakesNoZeros) {
  LiveServer server;
  TouchingHost host(server);
  server.device().TakeNothing();
  const auto begin = std::chrono::steady_clock::now();
  server.Stop();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  EXPECT_FALSE(server.loop().zeros_written());
  EXPECT_FALSE(server.device().drives_on());
}

TEST(Serve, EndsOnSigtermWhileAHostFloodsItAndReadsNothing) {
  LiveServer server;
  TouchingHost host(server);
  std::atomic<bool> end = false;
  std::atomic<int> written = 0;
  std::thread flood([&] {
    const std::vector<std::uint8_t> frames(4096, 0);
    while (!end) {
      try {
        host.transport().Write(frames);
        ++written;
      } catch (const HostError&) {
        return;
      }
    }
  });
  EXPECT_TRUE(Eventually([&] { return written >= 64; })) << "256 kB: more than the sockets and the ring hold";
  const auto begin = std::chrono::steady_clock::now();
  server.Stop();
  end = true;
  flood.join();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  EXPECT_TRUE(server.loop().zeros_written());
}

TEST(Serve, LetsOnlyTheTokenIn) {
  const std::string token = "0123456789abcdef";
  LiveServer server({.token = token});
  for (std::size_t i = 0; i < token.size(); ++i) {
    std::string wrong = token;
    wrong[i] = 'x';
    BareSocket guest(server.address());
    guest.Send("tactus-token " + wrong + "\n");
    EXPECT_TRUE(guest.IsClosed()) << i;
  }
  BareSocket no_greeting(server.address()), too_long(server.address());
  no_greeting.Send(token + "\n");
  too_long.Send(std::string(10000, 'a'));
  EXPECT_TRUE(no_greeting.IsClosed());
  EXPECT_TRUE(too_long.IsClosed());
  TouchingHost host(server, token);
  server.Stop();
  EXPECT_EQ(server.counts().turned_away, 18u);
  EXPECT_EQ(server.counts().hosts, 1u);
}

/// What a host of ours says when the server has closed the link.
std::string WordsOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const HostError& error) {
    return error.what();
  }
  return "";
}

TEST(Serve, HostSaysThatATokenMayBeMissing) {
  LiveServer server({.token = "0123456789abcdef"});
  const std::string words = WordsOf([&] {
    const auto transport = OpenTransport(server.address(), "0123456789abcdeX");
    BoardClient client(*transport, nullptr);
    (void)client.Hello();
  });
  EXPECT_NE(words.find("--token-file"), std::string::npos) << words;
}

TEST(Serve, HostSaysThatTheControllerHasStopped) {
  LiveServer server;
  const auto transport = OpenTransport(server.address(), "");
  BoardClient client(*transport, nullptr);
  (void)client.Hello();
  const std::string words = WordsOf([&] {
    client.Control(wire::Action::kStop);
    for (int i = 0; i < 1000; ++i) (void)client.Receive(std::chrono::milliseconds(10));
  });
  EXPECT_NE(words.find("has stopped"), std::string::npos) << words;
}

TEST(Serve, IsNotHeldUpByGuestsWhoSayNothing) {
  LiveServer server({.token = "0123456789abcdef"});
  std::vector<std::unique_ptr<BareSocket>> guests;
  for (int i = 0; i < 6; ++i) guests.push_back(std::make_unique<BareSocket>(server.address()));
  const auto begin = std::chrono::steady_clock::now();
  TouchingHost host(server, "0123456789abcdef");
  EXPECT_TRUE(guests.back()->IsClosed());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(8)) << "two seconds of patience";
  EXPECT_TRUE(server.device().drives_on());
}

}  // namespace
}  // namespace tactus::host
