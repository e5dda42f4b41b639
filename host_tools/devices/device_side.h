#pragma once
#include <memory>
#include <string>

#include "host_tools/io/pseudo_terminal.h"
#include "host_tools/io/tty_link.h"

namespace tactus::host {

/// The device's end of a line: a pseudo terminal or a socket, that can be unplugged and comes back under the same name.
class DeviceSide {
 public:
  /// @param pty   a name for the terminal; empty with an empty `unix_path`: none but /dev/pts/N
  /// @param unix_path  of a socket; empty: a terminal
  /// @throws HostError: cannot be made.
  DeviceSide(const std::string& pty, const std::string& unix_path);
  ~DeviceSide();
  DeviceSide(const DeviceSide&) = delete;
  DeviceSide& operator=(const DeviceSide&) = delete;

  /// What a host opens.
  const std::string& place() const { return place_; }
  /// That the host has set; 0: not known, or a socket.
  std::uint32_t rate() const;
  /// To wait for bytes; -1: nobody can have sent any.
  int fd() const { return link_ ? link_->fd() : listener_; }
  /// Of the host; never waits. @returns bytes.
  std::size_t Read(std::span<std::uint8_t> room);
  void Write(std::span<const std::uint8_t> bytes);
  /// The line goes, or comes again.
  void SetPlugged(bool plugged);

 private:
  void MakeTerminal();
  void Listen();

  const std::string pty_, unix_path_;
  std::string place_;
  int listener_ = -1;
  std::unique_ptr<TtyLink> link_;
  std::unique_ptr<TerminalName> name_;
  bool plugged_ = true;
};

}  // namespace tactus::host
