#include <fcntl.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "host_tools/link/host_error.h"
#include "host_tools/link/transport.h"

namespace tactus::host {
namespace {

constexpr std::chrono::milliseconds kWritePatience{10000};

class FdTransport final : public Transport {
 public:
  FdTransport(int read_fd, int write_fd) : read_fd_(read_fd), write_fd_(write_fd) {
    for (const int fd : {read_fd_, write_fd_}) fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    is_tcp_ = AcknowledgeAtOnce();
  }
  FdTransport(const FdTransport&) = delete;
  FdTransport& operator=(const FdTransport&) = delete;
  ~FdTransport() override {
    close(read_fd_);
    if (write_fd_ != read_fd_) close(write_fd_);
  }

  void Write(std::span<const std::uint8_t> bytes) override {
    while (!bytes.empty()) {
      const ssize_t count = write(write_fd_, bytes.data(), bytes.size());
      if (count > 0) {
        bytes = bytes.subspan(static_cast<std::size_t>(count));
      } else if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
        if (!Ready(write_fd_, POLLOUT, kWritePatience)) throw HostError("the board takes no more bytes", kExitLink);
      } else if (count < 0 && (errno == EPIPE || errno == ECONNRESET)) {
        return;  // its last words may still be there to be read; behind them Read tells the end
      } else {
        throw HostError(fmt::format("cannot write to the board: {}", std::strerror(errno)), kExitLink);
      }
    }
  }

  std::size_t Read(std::span<std::uint8_t> room, std::chrono::milliseconds timeout) override {
    if (!Ready(read_fd_, POLLIN, timeout)) return 0;
    const ssize_t count = read(read_fd_, room.data(), room.size());
    if (is_tcp_) AcknowledgeAtOnce();
    if (count > 0) return static_cast<std::size_t>(count);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    throw HostError("the board has closed the link", kExitLink);
  }

 private:
  static bool Ready(int fd, short events, std::chrono::milliseconds timeout) {
    pollfd wait{fd, events, 0};
    int ready = 0;
    do {
      ready = poll(&wait, 1, static_cast<int>(timeout.count()));
    } while (ready < 0 && errno == EINTR);  // StopSignal: what is on its way still goes out
    return ready > 0;
  }

  /// A peer that has not set TCP_NODELAY keeps a Command back until its last bytes are acknowledged, and Linux does that 40
  /// ms late unless it is asked again after each read. @returns whether this is a TCP socket
  bool AcknowledgeAtOnce() {
    const int on = 1;
    return setsockopt(read_fd_, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof(on)) == 0;
  }

  int read_fd_, write_fd_;
  bool is_tcp_;
};

}  // namespace

std::unique_ptr<Transport> MakeFdTransport(int read_fd, int write_fd) {
  return std::make_unique<FdTransport>(read_fd, write_fd);
}

}  // namespace tactus::host
