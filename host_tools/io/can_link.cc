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

CanLink::CanLink(int fd, CanKind kind) : fd_(fd), kind_(kind) {}

CanLink::~CanLink() { close(fd_); }

/// Takes one frame into the text. The two structures begin alike. @returns whether there was one
bool CanLink::Receive() noexcept {
  canfd_frame raw{};
  const ssize_t size = recv(fd_, &raw, sizeof(raw), MSG_DONTWAIT);
  if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return false;
  if (size <= 0) closed_ = true;
  if (size != CAN_MTU && (kind_ == CanKind::kClassic || size != CANFD_MTU)) return false;
  if ((raw.can_id & CAN_ERR_FLAG) != 0) {
    closed_ = closed_ || (raw.can_id & CAN_ERR_BUSOFF) != 0;
    return true;
  }
  if (kind_ == CanKind::kClassic)
    TakeClassic(raw);
  else
    TakeFd(raw);
  return true;
}

void CanLink::TakeClassic(const canfd_frame& raw) noexcept {
  if ((raw.can_id & CAN_EFF_FLAG) != 0 || raw.len > 8) return;  // not of a device that we know
  hal::CanFrame frame{.id = static_cast<std::uint16_t>(raw.can_id & CAN_SFF_MASK),
                      .is_request = (raw.can_id & CAN_RTR_FLAG) != 0,
                      .size = raw.len};
  std::copy_n(raw.data, 8, frame.data.begin());
  end_ += hal::can_text::Write(frame, std::span(text_).subspan(end_));
}

void CanLink::TakeFd(const canfd_frame& raw) noexcept {
  if ((raw.can_id & CAN_RTR_FLAG) != 0 || !hal::canfd_text::IsSize(raw.len)) return;
  hal::CanFdFrame frame{.id = raw.can_id & CAN_EFF_MASK, .size = raw.len};
  std::copy_n(raw.data, frame.data.size(), frame.data.begin());
  end_ += hal::canfd_text::Write(hal::canfd_text::Way::kReceived, frame, std::span(text_).subspan(end_));
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

Status CanLink::Send(const canfd_frame& raw, std::size_t size) noexcept {
  if (send(fd_, &raw, size, MSG_DONTWAIT | MSG_NOSIGNAL) == static_cast<ssize_t>(size)) return Status::kOk;
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS || errno == EINTR) return Status::kWouldBlock;
  closed_ = true;
  return Status::kClosed;
}

/// A line that is a frame; the rest is for an adapter: there is none.
Status CanLink::SendLine(std::span<const std::uint8_t> line) noexcept {
  canfd_frame raw{};
  if (kind_ == CanKind::kClassic) {
    hal::CanFrame frame;
    if (hal::can_text::Read(line, &frame) != Status::kOk) return Status::kOk;
    raw.can_id = frame.id | (frame.is_request ? CAN_RTR_FLAG : 0u);
    raw.len = frame.size;
    std::copy(frame.data.begin(), frame.data.end(), raw.data);
    return Send(raw, CAN_MTU);
  }
  hal::CanFdFrame frame;
  if (hal::canfd_text::Read(hal::canfd_text::Way::kSend, line, &frame) != Status::kOk) return Status::kOk;
  raw.can_id = frame.id | (frame.id > CAN_SFF_MASK ? CAN_EFF_FLAG : 0u);
  raw.len = frame.size;
  raw.flags = CANFD_BRS;
  std::copy(frame.data.begin(), frame.data.end(), raw.data);
  return Send(raw, CANFD_MTU);
}

Status CanLink::DoWrite(std::span<const std::uint8_t> bytes, hal::Lane) noexcept {
  if (closed_) return Status::kClosed;
  while (!bytes.empty()) {
    const std::uint8_t stop = kind_ == CanKind::kClassic ? hal::can_text::kEnd : hal::canfd_text::kEnd;
    const auto end = std::find(bytes.begin(), bytes.end(), stop);
    if (end == bytes.end()) break;
    const auto size = static_cast<std::size_t>(end - bytes.begin());
    if (const Status status = SendLine(bytes.first(size)); status != Status::kOk) {
      counters_.refused_frames += status == Status::kWouldBlock;
      return status;
    }
    counters_.sent_bytes += static_cast<std::uint32_t>(size + 1);
    bytes = bytes.subspan(size + 1);
  }
  return Status::kOk;
}

int OpenCan(const std::string& name, CanKind kind) {
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
  const int fd_frames = kind == CanKind::kFd;
  const bool well = address.can_ifindex != 0 &&
                    setsockopt(fd, SOL_CAN_RAW, CAN_RAW_FD_FRAMES, &fd_frames, sizeof(fd_frames)) == 0 &&
                    setsockopt(fd, SOL_CAN_RAW, CAN_RAW_ERR_FILTER, &errors, sizeof(errors)) == 0 &&
                    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &small, sizeof(small)) == 0 &&
                    bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  if (well) return fd;
  const int error = errno;
  close(fd);
  errno = error;
  const char* const rates = kind == CanKind::kFd ? " dbitrate 5000000 fd on" : "";
  return fail("bring it up with: ip link set " + name + " up type can bitrate 1000000" + rates);
}

}  // namespace tactus::host
