// A controller in this process behind a unix socket, for clients in other languages: wire_server PATH
// It prints "ready", serves one client, and ends when it has said its last word. No clock: every frame that comes is one
// period, and after the order to stop periods pass by themselves.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <memory>
#include <string>

#include "firmware/servo/servo_app.h"

namespace tactus::wire {
namespace {

class SocketLink final : public hal::ByteLink {
 public:
  explicit SocketLink(int socket) : socket_(socket) {}

  /// Waits for the end of a frame. @returns false: the client has closed
  bool WaitForFrame() {
    while (std::find(bytes_.begin(), bytes_.end(), 0) == bytes_.end()) {
      std::uint8_t room[4096];
      const ssize_t count = read(socket_, room, sizeof(room));
      if (count <= 0) return false;
      bytes_.insert(bytes_.end(), room, room + count);
    }
    return true;
  }

 private:
  Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept override {
    bool end = false;
    for (*count = 0; *count < room.size() && !bytes_.empty() && !end; bytes_.pop_front()) {
      room[(*count)++] = bytes_.front();
      end = bytes_.front() == 0;
    }
    return Status::kOk;
  }
  Status DoWrite(std::span<const std::uint8_t> frame, hal::Lane) noexcept override {
    return write(socket_, frame.data(), frame.size()) == static_cast<ssize_t>(frame.size()) ? Status::kOk : Status::kClosed;
  }
  bool DoFramePerTick() const noexcept override { return true; }
  hal::LinkCounters DoCounters() const noexcept override { return {}; }

  int socket_;
  std::deque<std::uint8_t> bytes_;
};

class FrameClock final : public hal::Clock {
 public:
  std::uint32_t edge_count = 0;

 private:
  std::uint32_t DoEdges() const noexcept override { return edge_count; }
  std::uint32_t DoNowUs() const noexcept override { return 1000 * edge_count; }
  std::uint32_t DoPeriodUs() const noexcept override { return 1000; }
};

/// The first client that connects to `path`, or -1. The file gets its name when the socket listens, so whoever sees the file
/// can connect.
int Accept(const std::string& path) {
  const std::string unfinished = path + ".new";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (unfinished.size() >= sizeof(address.sun_path)) return -1;
  unfinished.copy(address.sun_path, unfinished.size());
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 || listen(listener, 1) != 0 ||
      std::rename(unfinished.c_str(), path.c_str()) != 0)
    return -1;
  std::puts("ready");
  std::fflush(stdout);
  return accept(listener, nullptr, nullptr);
}

int Serve(const char* path) {
  const int client = Accept(path);
  if (client < 0) {
    std::perror(path);
    return 1;
  }
  SocketLink link(client);
  FrameClock clock;
  hal::NoWatchdog watchdog;
  const auto app = std::make_unique<servo::ServoApp<double>>(
      servo::Identity{.board = "wire_server", .link = wire::Link::kFifo}, link, clock, watchdog);
  while (!app->stopped() && (app->last_word_heard() || link.WaitForFrame())) {
    ++clock.edge_count;
    app->OnTick();
    app->DrainTelemetry();
  }
  return app->stopped() ? 0 : 1;
}

}  // namespace
}  // namespace tactus::wire

int main(int argc, char** argv) {
  if (argc == 2) return tactus::wire::Serve(argv[1]);
  std::fprintf(stderr, "usage: %s PATH\n", argv[0]);
  return 2;
}
