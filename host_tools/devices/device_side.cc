#include "host_tools/devices/device_side.h"

#include <fmt/core.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "host_tools/io/tty_orders.h"
#include "host_tools/link/host_error.h"

namespace tactus::host {

DeviceSide::DeviceSide(const std::string& pty, const std::string& unix_path) : pty_(pty), unix_path_(unix_path) {
  unix_path_.empty() ? MakeTerminal() : Listen();
}

DeviceSide::~DeviceSide() {
  if (listener_ >= 0) close(listener_);
  if (!unix_path_.empty()) unlink(unix_path_.c_str());
}

void DeviceSide::MakeTerminal() {
  const Pty pty = OpenPty();
  link_ = std::make_unique<TtyLink>(pty.master, true);
  name_ = std::make_unique<TerminalName>(pty_, pty.name);
  place_ = pty_.empty() ? pty.name : pty_;
}

void DeviceSide::Listen() {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (unix_path_.size() >= sizeof(address.sun_path))
    throw HostError(fmt::format("'{}' is too long for a socket", unix_path_));
  std::memcpy(address.sun_path, unix_path_.c_str(), unix_path_.size() + 1);
  listener_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener_ < 0 || bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
      listen(listener_, 1) != 0) {
    throw HostError(fmt::format("cannot listen on '{}': {}", unix_path_, std::strerror(errno)), kExitLink);
  }
  place_ = "unix:" + unix_path_;
}

std::uint32_t DeviceSide::rate() const { return link_ && listener_ < 0 ? RateOfTerminal(link_->fd()) : 0; }

std::size_t DeviceSide::Read(std::span<std::uint8_t> room) {
  if (!link_ && listener_ >= 0) {
    const int fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd >= 0) link_ = std::make_unique<TtyLink>(fd);  // its end is told: the next may come
  }
  std::size_t count = 0;
  if (link_ && link_->Read(room, &count) == Status::kClosed) link_.reset();
  return count;
}

void DeviceSide::Write(std::span<const std::uint8_t> bytes) {
  while (link_ && !bytes.empty()) {  // what a host does not take is lost, as on a line
    const std::span<const std::uint8_t> part = bytes.first(std::min<std::size_t>(bytes.size(), 64));
    (void)link_->Write(part, hal::Lane::kCommand);
    bytes = bytes.subspan(part.size());
  }
}

void DeviceSide::SetPlugged(bool plugged) {
  if (plugged == plugged_) return;
  plugged_ = plugged;
  if (!plugged) {
    name_.reset();
    link_.reset();
    if (listener_ >= 0) close(listener_);
    if (!unix_path_.empty()) unlink(unix_path_.c_str());
    listener_ = -1;
    return;
  }
  unix_path_.empty() ? MakeTerminal() : Listen();
}

}  // namespace tactus::host
