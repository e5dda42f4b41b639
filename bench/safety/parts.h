#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "hal/api/byte_link.h"
#include "hal/api/clock.h"
#include "hal/api/device.h"
#include "hal/api/watchdog.h"

namespace tactus::bench::safety {

/// A link in memory that can be closed, and whose writing can take time.
class MemoryLink final : public hal::ByteLink {
 public:
  std::deque<std::uint8_t> incoming;
  std::vector<std::vector<std::uint8_t>> sent;  ///< whole frames
  bool closed = false;
  std::function<void()> in_next_write;  ///< once

 private:
  Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept override {
    if (closed) return Status::kClosed;
    *count = std::min(room.size(), incoming.size());
    const auto end = incoming.begin() + static_cast<std::ptrdiff_t>(*count);
    std::copy(incoming.begin(), end, room.begin());
    incoming.erase(incoming.begin(), end);
    return Status::kOk;
  }
  Status DoWrite(std::span<const std::uint8_t> frame, hal::Lane) noexcept override {
    if (in_next_write) std::exchange(in_next_write, nullptr)();
    sent.emplace_back(frame.begin(), frame.end());
    return Status::kOk;
  }
  hal::LinkCounters DoCounters() const noexcept override { return {}; }
};

/// A clock of 1 kHz that is moved by hand.
class HandClock final : public hal::Clock {
 public:
  std::uint32_t edge_count = 0, us_in_period = 0;

 private:
  std::uint32_t DoEdges() const noexcept override { return edge_count; }
  std::uint32_t DoNowUs() const noexcept override { return edge_count * 1000 + us_in_period; }
  std::uint32_t DoPeriodUs() const noexcept override { return 1000; }
};

class CountingWatchdog final : public hal::Watchdog {
 public:
  int fed = 0;

 private:
  void DoStart(std::uint32_t) noexcept override {}
  void DoFeed() noexcept override { ++fed; }
};

/// The board's own device. It says what it is told to say, and keeps what is written.
class LocalDevice final : public hal::Device {
 public:
  hal::DeviceReading reading{.sample = {}, .valid = true, .is_new = true, .state = hal::DeviceState::kReady};
  std::vector<CommandFrame> written;
  bool enabled = false;

 private:
  const hal::DeviceCapabilities& DoCapabilities() const noexcept override { return capabilities_; }
  hal::DeviceReading DoReadSample(std::uint32_t) noexcept override { return reading; }
  Status DoWriteCommand(const CommandFrame& command, const hal::CommandNote&) noexcept override {
    written.push_back(command);
    return Status::kOk;
  }
  void DoEnable() noexcept override { enabled = true; }
  void DoDisable() noexcept override { enabled = false; }

  hal::DeviceCapabilities capabilities_;
};

}  // namespace tactus::bench::safety
