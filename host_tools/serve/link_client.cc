#include "host_tools/serve/link_client.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace tactus::host {
namespace {

constexpr std::size_t kChunk_B = 4096;
bool WouldBlock() { return errno == EAGAIN || errno == EINTR; }

}  // namespace

LinkClient::LinkClient(int descriptor, Time now) : descriptor_(descriptor), chunk_(kChunk_B), heard_(now), taken_(now) {}

LinkClient::~LinkClient() { close(descriptor_); }

short LinkClient::Events(const hal::ThreadLink& link) const {
  return static_cast<short>((link.host_room() > 0 ? POLLIN : 0) | (unsent_.empty() ? 0 : POLLOUT));
}

bool LinkClient::Move(hal::ThreadLink& link, Time now) { return !IsGone() && Receive(link, now) && Send(link, now); }

bool LinkClient::IsGone() const {
  pollfd one{descriptor_, POLLRDHUP, 0};
  return poll(&one, 1, 0) > 0;
}

bool LinkClient::Receive(hal::ThreadLink& link, Time now) {
  std::array<std::uint8_t, hal::ThreadLink::kIn_B> bytes;
  const std::size_t room = std::min(bytes.size(), link.host_room());
  if (room == 0) return true;
  const ssize_t count = recv(descriptor_, bytes.data(), room, MSG_DONTWAIT);
  if (count <= 0) return count < 0 && WouldBlock();
  (void)link.HostWrite(std::span(bytes).first(static_cast<std::size_t>(count)));  // there is room: only we fill it
  heard_ = now;
  return true;
}

bool LinkClient::Send(hal::ThreadLink& link, Time now) {
  for (int i = 0; i < 64; ++i) {  // 256 kB: more than the link holds
    if (unsent_.empty()) {
      unsent_ = std::span(chunk_).first(link.HostRead(chunk_));
      taken_ = now;
      if (unsent_.empty()) return true;
    }
    const ssize_t count = send(descriptor_, unsent_.data(), unsent_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0) return WouldBlock();
    unsent_ = unsent_.subspan(static_cast<std::size_t>(count));
    taken_ = now;
  }
  return true;
}

std::chrono::steady_clock::duration LinkClient::Silence(Time now) const {
  return unsent_.empty() ? now - heard_ : std::max(now - heard_, now - taken_);
}

void LinkClient::Finish(hal::ThreadLink& link, std::chrono::milliseconds patience) {
  const Time deadline = std::chrono::steady_clock::now() + patience;
  const auto wait = [&](short events) {
    pollfd one{descriptor_, events, 0};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    return left.count() > 0 && poll(&one, 1, static_cast<int>(left.count())) >= 0;
  };
  while (Send(link, deadline) && !unsent_.empty() && wait(POLLOUT)) {
  }
  shutdown(descriptor_, SHUT_WR);
  // What the host has sent and nobody reads would make the kernel throw away what it has not read yet.
  std::array<std::uint8_t, kChunk_B> dropped;
  while (wait(POLLIN)) {
    const ssize_t count = recv(descriptor_, dropped.data(), dropped.size(), MSG_DONTWAIT);
    if (count == 0 || (count < 0 && !WouldBlock())) return;
  }
}

}  // namespace tactus::host
