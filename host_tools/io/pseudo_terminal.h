#pragma once
#include <string>

namespace tactus::host {

/// The board's end of a new pseudo terminal, and the name of the host's.
struct Pty {
  int master = -1;
  std::string name;
};

/// @throws HostError: there is none to have.
Pty OpenPty();

/// The terminal under a name that stays the same, a symbolic link that goes with this object. An empty name: none.
class TerminalName {
 public:
  /// @throws HostError: cannot be made.
  TerminalName(const std::string& name, const std::string& terminal);
  ~TerminalName();
  TerminalName(const TerminalName&) = delete;
  TerminalName& operator=(const TerminalName&) = delete;

 private:
  std::string name_;
};

}  // namespace tactus::host
