#include "host_tools/io/tty_orders.h"

#include <asm/termbits.h>  // any rate; it and <termios.h> do not go into one file
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <memory>

namespace tactus::host {
namespace {

bool IsNear(std::uint32_t got, std::uint32_t wanted) {
  const std::uint32_t off = got > wanted ? got - wanted : wanted - got;
  return std::uint64_t{off} * 100 <= std::uint64_t{wanted} * 3;
}

Status SetModemLine(int fd, int line, bool high) {
  return ioctl(fd, high ? TIOCMBIS : TIOCMBIC, &line) == 0 ? Status::kOk : Status::kNotReady;
}

}  // namespace

Status SetTerminalRate(int fd, std::uint32_t baud) noexcept {
  termios2 settings{};
  if (ioctl(fd, TCGETS2, &settings) != 0) return Status::kNotReady;
  settings.c_cflag &= ~static_cast<tcflag_t>(CBAUD | (CBAUD << IBSHIFT));
  settings.c_cflag |= BOTHER | static_cast<tcflag_t>(BOTHER << IBSHIFT);
  settings.c_ispeed = settings.c_ospeed = baud;
  if (ioctl(fd, TCSETS2, &settings) != 0 || ioctl(fd, TCGETS2, &settings) != 0) return Status::kNotReady;
  return IsNear(settings.c_ospeed, baud) ? Status::kOk : Status::kOutOfRange;
}

std::uint32_t RateOfTerminal(int fd) noexcept {
  termios2 settings{};
  return ioctl(fd, TCGETS2, &settings) == 0 ? settings.c_ospeed : 0;
}

Status SetTerminalDtr(int fd, bool high) noexcept { return SetModemLine(fd, TIOCM_DTR, high); }
Status SetTerminalRts(int fd, bool high) noexcept { return SetModemLine(fd, TIOCM_RTS, high); }

Status PurgeTerminal(int fd) noexcept { return ioctl(fd, TCFLSH, TCIOFLUSH) == 0 ? Status::kOk : Status::kNotReady; }

Status SetTerminalLatency(const std::string& path, std::uint32_t latency_ms) noexcept {
  char real[4096], file[4200], text[16];
  if (realpath(path.c_str(), real) == nullptr) return Status::kNotReady;
  const char* const slash = std::strrchr(real, '/');
  (void)std::snprintf(file, sizeof(file), "/sys/class/tty/%s/device/latency_timer", slash == nullptr ? real : slash + 1);
  const int fd = open(file, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return Status::kNotReady;
  const int size = std::snprintf(text, sizeof(text), "%u", latency_ms);
  const bool written = write(fd, text, static_cast<std::size_t>(size)) == size;
  close(fd);
  return written ? Status::kOk : Status::kNotReady;
}

}  // namespace tactus::host
