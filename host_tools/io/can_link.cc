#include "host_tools/io/can_link.h"

#include <fmt/core.h>
#include <linux/can.h>
#include <linux/can/error.h>
#include <linux/can/raw.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "host_tools/link/host_error.h"

namespace tactus::host {

CanLink::CanLink(int fd) : fd_(fd) {}

CanLink::~CanLink() { close(fd_); }

/// Takes one frame into the text. @returns whether there was one
bool CanLink::Receive() noexcept {
  can_frame raw{};
  const ssize_t size = recv(fd_, &raw, sizeof(raw), MSG_DONTWAIT);
  if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return false;
  if (size <= 0) closed_ = true;
  if (size != sizeof(raw)) return false;
  if ((raw.can_id & CAN_ERR_FLAG) != 0) {
    closed_ = closed_ || (raw.can_id & CAN_ERR_BUSOFF) != 0;
    return true;
  }
  if ((raw.can_id & CAN_EFF_FLAG) != 0 || raw.can_dlc > 8) return true;  // not of a device that we know
  hal::CanFrame frame{.id = static_cast<std::uint16_t>(raw.can_id & CAN_SFF_MASK),
                      .is_request = (raw.can_id & CAN_RTR_FLAG) != 0,
                      .size = raw.can_dlc};
  std::copy_n(raw.data, 8, frame.data.begin());
  end_ += hal::can_text::Write(frame, std::span(text_).subspan(end_));
  return true;
}

Status CanLink::DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept {
  if (begin_ == end_) {
    begin_ = end_ = 0;
    for (int i = 0; i < kFramesPerRead && Receive();) ++i;
  }
  *count = std::min(room.size(), end_ - begin_);
  std::copy_n(text_.begin() + static_cast<std::ptrdiff_t>(begin_), *count, room.begin());
  begin_ += *count;
  counters_.received_bytes += static_cast<std::uint32_t>(*count);
  return closed_ && *count == 0 ? Status::kClosed : Status::kOk;
}

Status CanLink::Send(const hal::CanFrame& frame) noexcept {
  can_frame raw{};
  raw.can_id = frame.id | (frame.is_request ? CAN_RTR_FLAG : 0u);
  raw.can_dlc = frame.size;
  std::copy(frame.data.begin(), frame.data.end(), raw.data);
  if (send(fd_, &raw, sizeof(raw), MSG_DONTWAIT | MSG_NOSIGNAL) == sizeof(raw)) return Status::kOk;
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS || errno == EINTR) return Status::kWouldBlock;
  closed_ = true;
  return Status::kClosed;
}

Status CanLink::DoWrite(std::span<const std::uint8_t> bytes, hal::Lane) noexcept {
  if (closed_) return Status::kClosed;
  while (!bytes.empty()) {
    const auto end = std::find(bytes.begin(), bytes.end(), hal::can_text::kEnd);
    if (end == bytes.end()) break;
    const auto size = static_cast<std::size_t>(end - bytes.begin());
    hal::CanFrame frame;
    if (hal::can_text::Read(bytes.first(size), &frame) == Status::kOk) {  // the rest is for an adapter: there is none
      if (const Status status = Send(frame); status != Status::kOk) {
        counters_.refused_frames += status == Status::kWouldBlock;
        return status;
      }
    }
    counters_.sent_bytes += static_cast<std::uint32_t>(size + 1);
    bytes = bytes.subspan(size + 1);
  }
  return Status::kOk;
}

int OpenCan(const std::string& name) {
  const auto fail = [&](const std::string& what) -> int {
    throw HostError(fmt::format("cannot open the CAN interface '{}': {}: {}", name, std::strerror(errno), what), kExitLink);
  };
  const int fd = socket(AF_CAN, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, CAN_RAW);
  if (fd < 0) return fail("has this kernel CAN (modprobe can_raw)?");
  sockaddr_can address{};
  address.can_family = AF_CAN;
  address.can_ifindex = static_cast<int>(if_nametoindex(name.c_str()));
  const can_err_mask_t errors = CAN_ERR_BUSOFF;
  const int small = 4096;  // old torques shall not queue up
  const bool well = address.can_ifindex != 0 &&
                    setsockopt(fd, SOL_CAN_RAW, CAN_RAW_ERR_FILTER, &errors, sizeof(errors)) == 0 &&
                    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &small, sizeof(small)) == 0 &&
                    bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  if (well) return fd;
  const int error = errno;
  close(fd);
  errno = error;
  return fail("bring it up with: ip link set " + name + " up type can bitrate 1000000");
}

}  // namespace tactus::host
