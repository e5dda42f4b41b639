#include "host_tools/link/terminal_lock.h"

#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <termios.h>

namespace tactus::host {

bool TakeTerminal(int fd) {
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) return false;
  constexpr unsigned kFirstPty = 136, kLastPty = 143;  // Source: Documentation/admin-guide/devices.txt, Unix98 PTY slaves
  struct stat file {};
  const bool is_pty = fstat(fd, &file) == 0 && major(file.st_rdev) >= kFirstPty && major(file.st_rdev) <= kLastPty;
  return is_pty || ioctl(fd, TIOCEXCL) == 0;
}

}  // namespace tactus::host
