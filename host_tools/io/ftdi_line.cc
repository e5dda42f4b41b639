#include "host_tools/io/ftdi_line.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>

#include "hal/devices/ftdi_codec.h"
#include "hal/linux/realtime_thread.h"
#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

using namespace hal;

constexpr int kTimeout_ms = 100;

}  // namespace

FtdiLine::FtdiLine(std::unique_ptr<UsbPipe> pipe, int priority)
    : pipe_(std::move(pipe)), priority_(priority), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  const bool well = wake_ >= 0 && pipe_->Control(ftdi::kData, ftdi::kEightBitsNoParityOneStop, 0) == Status::kOk &&
                    pipe_->Control(ftdi::kFlow, 0, 0) == Status::kOk;
  reads_ = well && StartThread(ReadAll, this, &reader_) == 0;
  writes_ = reads_ && StartThread(WriteAll, this, &writer_) == 0;
  if (writes_) return;
  End();
  throw HostError(well ? "no thread for the USB pipe" : "the FTDI chip does not take its settings", kExitLink);
}

FtdiLine::~FtdiLine() { End(); }

void FtdiLine::End() noexcept {
  end_.store(true, std::memory_order_release);
  if (writes_) pthread_join(writer_, nullptr);
  if (reads_) pthread_join(reader_, nullptr);
  if (wake_ >= 0) close(wake_);
}

void* FtdiLine::ReadAll(void* self) {
  auto& line = *static_cast<FtdiLine*>(self);
  RealtimeGrant grant;
  EnterRealtime({.priority = line.priority_}, &grant);
  std::array<std::uint8_t, 8 * ftdi::kPacket_B> room;
  while (!line.end_.load(std::memory_order_acquire) && !line.closed_.load(std::memory_order_acquire)) {
    std::size_t count = 0;
    const bool closed = line.pipe_->Read(room, kTimeout_ms, &count) == Status::kClosed;
    const std::span<const std::uint8_t> bytes = std::span(room).first(ftdi::StripStatus(std::span(room).first(count)));
    const bool fits = line.received_.Push(bytes);
    (fits ? line.received_B_ : line.overruns_)
        .fetch_add(static_cast<std::uint32_t>(bytes.size()), std::memory_order_relaxed);
    if (closed) line.closed_.store(true, std::memory_order_release);  // behind what came last
  }
  return nullptr;
}

void FtdiLine::WaitForBytes() noexcept {
  constexpr int kPatience_ms = 20;
  pollfd wake{.fd = wake_, .events = POLLIN, .revents = 0};
  std::uint64_t times;
  if (poll(&wake, 1, kPatience_ms) > 0 && read(wake_, &times, sizeof(times)) < 0) return;
}

void* FtdiLine::WriteAll(void* self) {
  auto& line = *static_cast<FtdiLine*>(self);
  RealtimeGrant grant;
  EnterRealtime({.priority = line.priority_}, &grant);
  std::array<std::uint8_t, 512> room;
  while (!line.closed_.load(std::memory_order_acquire)) {
    const std::size_t count = line.to_send_.Pop(room);
    if (count > 0) {
      if (line.pipe_->Write(std::span(room).first(count), kTimeout_ms) != Status::kOk)
        line.closed_.store(true, std::memory_order_release);
    } else if (line.end_.load(std::memory_order_acquire)) {
      break;
    } else {
      line.WaitForBytes();
    }
  }
  return nullptr;
}

Status FtdiLine::DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept {
  const bool closed = closed_.load(std::memory_order_acquire);  // before the ring: what came last is read first
  *count = received_.Pop(room);
  return *count == 0 && closed ? Status::kClosed : Status::kOk;
}

Status FtdiLine::DoWrite(std::span<const std::uint8_t> frame, Lane) noexcept {
  if (closed_.load(std::memory_order_acquire)) return Status::kClosed;
  if (!to_send_.Push(frame)) {
    ++refused_;
    return Status::kWouldBlock;
  }
  sent_B_ += static_cast<std::uint32_t>(frame.size());
  const std::uint64_t once = 1;
  return write(wake_, &once, sizeof(once)) == sizeof(once) ? Status::kOk : Status::kClosed;
}

LinkCounters FtdiLine::DoCounters() const noexcept {
  return {.received_bytes = received_B_.load(std::memory_order_relaxed),
          .sent_bytes = sent_B_,
          .receive_overruns = overruns_.load(std::memory_order_relaxed),
          .refused_frames = refused_};
}

Status FtdiLine::DoSetRate(std::uint32_t baud) noexcept {
  ftdi::Divisor divisor;
  if (const Status status = ftdi::DivisorFor(baud, &divisor); status != Status::kOk) return status;
  return pipe_->Control(ftdi::kBaud, divisor.value, divisor.index);
}

Status FtdiLine::DoSetDtr(bool high) noexcept {
  return pipe_->Control(ftdi::kModem, high ? ftdi::kDtrHigh : ftdi::kDtrLow, 0);
}
Status FtdiLine::DoSetRts(bool high) noexcept {
  return pipe_->Control(ftdi::kModem, high ? ftdi::kRtsHigh : ftdi::kRtsLow, 0);
}

Status FtdiLine::DoSetLatency(std::uint32_t latency_ms) noexcept {
  if (latency_ms < 1 || latency_ms > 255) return Status::kOutOfRange;
  return pipe_->Control(ftdi::kLatency, static_cast<std::uint16_t>(latency_ms), 0);
}

Status FtdiLine::DoPurge() noexcept {
  const Status received = pipe_->Control(ftdi::kReset, ftdi::kPurgeReceived, 0);
  const Status sent = pipe_->Control(ftdi::kReset, ftdi::kPurgeSent, 0);
  std::array<std::uint8_t, 64> room;
  while (received_.Pop(room) > 0) {
  }
  return received == Status::kOk ? sent : received;
}

}  // namespace tactus::host
