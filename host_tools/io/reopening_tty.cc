#include "host_tools/io/reopening_tty.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstring>

#include "hal/linux/realtime_thread.h"
#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

constexpr useconds_t kLook_us = 10'000;  // the user cannot wake the keeper without a system call, so the keeper looks
constexpr int kLooksPerTry = 10;

}  // namespace

ReopeningTty::ReopeningTty(const std::string& path, unsigned baud)
    : ReopeningTty(path, baud, std::make_unique<TtyLink>(OpenTty(path, baud))) {}

ReopeningTty::ReopeningTty(const std::string& path, unsigned baud, std::unique_ptr<TtyLink> open)
    : path_(path), baud_(baud), tty_(std::move(open)) {
  if (const int error = hal::StartThread(Keep, this, &keeper_); error != 0)
    throw HostError(fmt::format("cannot start the thread that keeps '{}' open: {}", path, std::strerror(error)));
}

ReopeningTty::~ReopeningTty() {
  if (owner_.load(std::memory_order_acquire) == Owner::kUser) tty_.reset();  // at once
  end_.store(true, std::memory_order_release);
  pthread_join(keeper_, nullptr);
}

Status ReopeningTty::HandOverIfClosed(Status status) noexcept {
  if (status == Status::kClosed) owner_.store(Owner::kKeeper, std::memory_order_release);
  return status;
}

Status ReopeningTty::DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept {
  *count = 0;
  if (owner_.load(std::memory_order_acquire) != Owner::kUser) {
    Owner again = Owner::kUserAgain;  // taken over here, and told as closed once more: a Write may have seen it, no Read
    (void)owner_.compare_exchange_strong(again, Owner::kUser, std::memory_order_acq_rel);
    return Status::kClosed;
  }
  const Status status = tty_->Read(room, count);
  counters_.received_bytes += static_cast<std::uint32_t>(*count);
  return HandOverIfClosed(status);
}

Status ReopeningTty::DoWrite(std::span<const std::uint8_t> frame, hal::Lane lane) noexcept {
  if (owner_.load(std::memory_order_acquire) != Owner::kUser) return Status::kClosed;
  const Status status = tty_->Write(frame, lane);
  if (status == Status::kOk) counters_.sent_bytes += static_cast<std::uint32_t>(frame.size());
  if (status == Status::kWouldBlock) ++counters_.refused_frames;
  return HandOverIfClosed(status);
}

void* ReopeningTty::Keep(void* self) {
  auto& tty = *static_cast<ReopeningTty*>(self);
  for (int wait = 0; !tty.end_.load(std::memory_order_acquire); usleep(kLook_us)) {
    if (tty.owner_.load(std::memory_order_acquire) != Owner::kKeeper) continue;
    tty.tty_.reset();  // before the other end is there again: an open descriptor keeps its name
    if (wait == 0) wait = tty.Reopen() ? 0 : kLooksPerTry;
    if (wait > 0) --wait;
  }
  return nullptr;
}

bool ReopeningTty::Reopen() {
  try {
    tty_ = std::make_unique<TtyLink>(OpenTty(path_, baud_));
  } catch (const HostError&) {
    return false;  // not there yet
  }
  owner_.store(Owner::kUserAgain, std::memory_order_release);
  return true;
}

}  // namespace tactus::host
