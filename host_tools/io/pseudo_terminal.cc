#include "host_tools/io/pseudo_terminal.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "host_tools/io/tty_link.h"
#include "host_tools/link/host_error.h"

namespace tactus::host {

Pty OpenPty() {
  const int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
    throw HostError(fmt::format("cannot make a pseudo terminal: {}", std::strerror(errno)), kExitLink);
  }
  Pty pty{master, ptsname(master)};
  const int slave = open(pty.name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);  // its settings stay when it is closed
  if (slave < 0 || !MakeRaw(slave, 921600)) throw HostError("cannot set up the pseudo terminal", kExitLink);
  close(slave);
  return pty;
}

TerminalName::TerminalName(const std::string& name, const std::string& terminal) : name_(name) {
  if (name_.empty()) return;
  std::error_code error;
  if (std::filesystem::is_symlink(name_)) std::filesystem::remove(name_, error);
  std::filesystem::create_symlink(terminal, name_, error);
  if (error) throw HostError(fmt::format("cannot make '{}': {}", name_, error.message()));
}

TerminalName::~TerminalName() {
  std::error_code error;
  if (!name_.empty()) std::filesystem::remove(name_, error);
}

}  // namespace tactus::host
