#include "host_tools/io/tty_link.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "host_tools/link/host_error.h"
#include "host_tools/link/terminal_lock.h"

namespace tactus::host {
namespace {

struct Rate {
  unsigned baud;
  speed_t speed;
};
constexpr Rate kRates[] = {{115200, B115200},   {230400, B230400},   {460800, B460800},   {500000, B500000},
                           {921600, B921600},   {1000000, B1000000}, {1500000, B1500000}, {2000000, B2000000},
                           {2500000, B2500000}, {3000000, B3000000}, {3500000, B3500000}, {4000000, B4000000}};

speed_t Speed(unsigned baud) {
  std::string rates;
  for (const Rate& rate : kRates) {
    if (rate.baud == baud) return rate.speed;
    rates += fmt::format("{}{}", rates.empty() ? "" : ", ", rate.baud);
  }
  throw HostError(fmt::format("no terminal has {} baud; there is: {}", baud, rates));
}

[[noreturn]] void RefuseTty(int fd, const std::string& path, const std::string& why) {
  if (fd >= 0) close(fd);
  throw HostError(fmt::format("'{}' {}", path, why), kExitLink);
}

}  // namespace

TtyLink::TtyLink(int fd, bool silent_hang_up) : fd_(fd), silent_hang_up_(silent_hang_up) {
  fcntl(fd_, F_SETFL, fcntl(fd_, F_GETFL) | O_NONBLOCK);
}

TtyLink::~TtyLink() { close(fd_); }

Status TtyLink::DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept {
  *count = 0;
  const ssize_t got = read(fd_, room.data(), room.size());
  if (got > 0) {
    *count = static_cast<std::size_t>(got);
    counters_.received_bytes += static_cast<std::uint32_t>(got);
    return Status::kOk;
  }
  const bool waits = got < 0 && (errno == EAGAIN || errno == EINTR);
  return waits || silent_hang_up_ ? Status::kOk : Status::kClosed;
}

/// What the terminal took in part it gets the rest of before the next frame.
Status TtyLink::Flush() noexcept {
  while (rest_begin_ != rest_end_) {
    const ssize_t put = write(fd_, rest_.data() + rest_begin_, rest_end_ - rest_begin_);
    if (put > 0) {
      rest_begin_ += static_cast<std::size_t>(put);
      counters_.sent_bytes += static_cast<std::uint32_t>(put);
      continue;
    }
    if (put < 0 && (errno == EAGAIN || errno == EINTR)) return Status::kWouldBlock;
    rest_begin_ = rest_end_ = 0;
    return silent_hang_up_ ? Status::kWouldBlock : Status::kClosed;
  }
  return Status::kOk;
}

Status TtyLink::DoWrite(std::span<const std::uint8_t> frame, hal::Lane) noexcept {
  const Status before = Flush();
  if (before != Status::kOk || frame.size() > rest_.size()) {
    ++counters_.refused_frames;
    return before == Status::kClosed ? before : Status::kWouldBlock;
  }
  std::copy(frame.begin(), frame.end(), rest_.begin());
  rest_begin_ = 0;
  rest_end_ = frame.size();
  const Status now = Flush();
  if (now == Status::kWouldBlock && rest_begin_ == 0) {  // not a byte of it: the caller may try again
    rest_end_ = 0;
    ++counters_.refused_frames;
    return now;
  }
  return now == Status::kClosed ? now : Status::kOk;
}

bool MakeRaw(int fd, unsigned baud) {
  termios settings{};
  if (tcgetattr(fd, &settings) != 0) return false;
  cfmakeraw(&settings);
  settings.c_cflag |= CLOCAL | CREAD;  // no modem line says whether somebody is there
  settings.c_cflag &= ~static_cast<tcflag_t>(CRTSCTS | HUPCL);
  settings.c_cc[VMIN] = 1;  // a read of nothing is EAGAIN, and 0 a hang-up
  settings.c_cc[VTIME] = 0;
  const speed_t speed = Speed(baud);
  cfsetispeed(&settings, speed);
  cfsetospeed(&settings, speed);
  if (tcsetattr(fd, TCSANOW, &settings) != 0) return false;
  return tcgetattr(fd, &settings) == 0 && cfgetospeed(&settings) == speed;  // it says yes if it took any of it
}

int OpenTty(const std::string& path, unsigned baud) {
  (void)Speed(baud);
  const int fd = open(path.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0 && errno == EBUSY) RefuseTty(fd, path, kTerminalInUse);
  if (fd < 0) throw HostError(fmt::format("cannot open '{}': {}", path, std::strerror(errno)), kExitLink);
  if (isatty(fd) == 0) RefuseTty(fd, path, "is no terminal");
  if (!TakeTerminal(fd)) RefuseTty(fd, path, kTerminalInUse);  // before anything that its user would feel
  if (!MakeRaw(fd, baud)) RefuseTty(fd, path, fmt::format("does not take {} baud", baud));
  tcflush(fd, TCIOFLUSH);
  return fd;
}

}  // namespace tactus::host
