#include "host_tools/link/transport.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

constexpr std::size_t kSampleSize = 46, kCommandSize = 50;  // frames, docs/wire.md section 6

/// The controller's end of a TCP link, in this process.
class Peer {
 public:
  Peer() : listener_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
    socklen_t size = sizeof(address);
    EXPECT_EQ(bind(listener_, reinterpret_cast<const sockaddr*>(&address), size), 0);
    EXPECT_EQ(listen(listener_, 1), 0);
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  ~Peer() {
    close(socket_);
    close(listener_);
  }

  std::string address() const { return "tcp:127.0.0.1:" + std::to_string(port_); }
  int port() const { return port_; }

  void Accept(bool no_delay) {
    socket_ = accept(listener_, nullptr, nullptr);
    const int value = no_delay ? 1 : 0;
    ASSERT_EQ(setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &value, sizeof(value)), 0);
  }

  /// Takes a sample and answers as an emulated UART does, byte by byte.
  void Tick() {
    std::array<std::uint8_t, kSampleSize> sample;
    ASSERT_EQ(recv(socket_, sample.data(), sample.size(), MSG_WAITALL), static_cast<ssize_t>(sample.size()));
    const std::uint8_t byte = 1;
    for (std::size_t i = 0; i < kCommandSize; ++i) ASSERT_EQ(send(socket_, &byte, 1, 0), 1);
  }

 private:
  int listener_, socket_ = -1;
  int port_ = 0;
};

/// TCP_NODELAY of this process's socket to `port`; nothing: there is none.
std::optional<int> NoDelayTo(int port) {
  for (int fd = 0; fd < 1024; ++fd) {
    sockaddr_in address{};
    socklen_t size = sizeof(address);
    if (getpeername(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0 || address.sin_family != AF_INET) continue;
    if (ntohs(address.sin_port) != port) continue;
    int value = -1;
    socklen_t value_size = sizeof(value);
    getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &value, &value_size);
    return value;
  }
  return std::nullopt;
}

void ReadCommand(Transport& transport) {
  std::array<std::uint8_t, kCommandSize> room;
  for (std::size_t count = 0; count < room.size();) {
    const std::size_t more = transport.Read(std::span(room).subspan(count), std::chrono::seconds(10));
    ASSERT_GT(more, 0u);
    count += more;
  }
}

/// Time of a hundred ticks; each sample goes out in two pieces.
std::chrono::duration<double> TimeOfTicks(bool peer_has_no_delay) {
  Peer peer;
  const std::unique_ptr<Transport> transport = OpenTransport(peer.address());
  peer.Accept(peer_has_no_delay);
  const std::array<std::uint8_t, kSampleSize> sample{};
  const auto start = std::chrono::steady_clock::now();
  for (int tick = 0; tick < 100; ++tick) {
    transport->Write(std::span(sample).first(20));
    transport->Write(std::span(sample).subspan(20));
    peer.Tick();
    ReadCommand(*transport);
  }
  return std::chrono::steady_clock::now() - start;
}

TEST(TcpTransport, SendsWithoutDelay) {
  Peer peer;
  const std::unique_ptr<Transport> transport = OpenTransport(peer.address());
  EXPECT_EQ(NoDelayTo(peer.port()), 1);
}

// Source: a side that waits for an acknowledgement waits 40 ms (TCP_DELACK_MIN, Linux, include/net/tcp.h), so a link on
// which one does takes 4 s. A tick on the loopback takes 0.2 ms; 1 s leaves room for a busy machine.
TEST(TcpTransport, TicksWithoutWaitingForAcknowledgements) { EXPECT_LT(TimeOfTicks(true).count(), 1.0); }

TEST(TcpTransport, DoesNotMakeAPeerWaitThatDelays) { EXPECT_LT(TimeOfTicks(false).count(), 1.0); }

TEST(Transport, RefusesATerminalThatAnotherProgramHas) {
  const int pty = posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_EQ(grantpt(pty) + unlockpt(pty), 0);
  const std::string address = std::string("serial:") + ptsname(pty);
  std::unique_ptr<Transport> first = OpenTransport(address);
  try {
    (void)OpenTransport(address);
    ADD_FAILURE() << "two programs drive one board";
  } catch (const HostError& error) {
    EXPECT_EQ(error.code(), kExitLink);
    EXPECT_NE(std::string(error.what()).find("is in use"), std::string::npos) << error.what();
  }
  first.reset();
  EXPECT_NE(OpenTransport(address), nullptr);
  close(pty);
}

// A controller that stops says so and closes. A sign of life that meets the closed link must not lose what it said.
TEST(Transport, GivesTheLastWordsOfASideThatIsGone) {
  std::signal(SIGPIPE, SIG_IGN);  // as the commands do
  std::array<int, 2> ends{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  const std::unique_ptr<Transport> transport = MakeFdTransport(ends[0], ends[0]);
  const std::array<std::uint8_t, 3> last_words{1, 2, 0}, sign_of_life{0, 0, 0};
  ASSERT_EQ(write(ends[1], last_words.data(), last_words.size()), 3);
  close(ends[1]);

  transport->Write(sign_of_life);
  std::array<std::uint8_t, 16> room{};
  ASSERT_EQ(transport->Read(room, std::chrono::milliseconds(100)), 3u);
  EXPECT_EQ(room[1], 2);
  transport->Write(sign_of_life);
  EXPECT_THROW(transport->Read(room, std::chrono::milliseconds(100)), HostError);
}

}  // namespace
}  // namespace tactus::host
