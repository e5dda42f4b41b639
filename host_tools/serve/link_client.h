#pragma once
#include <chrono>
#include <span>
#include <vector>

#include "hal/linux/thread_link.h"

namespace tactus::host {

/// The host that is connected: moves bytes between its socket and the loop's link.
class LinkClient {
 public:
  using Time = std::chrono::steady_clock::time_point;

  LinkClient(int descriptor, Time now);
  ~LinkClient();
  LinkClient(const LinkClient&) = delete;
  LinkClient& operator=(const LinkClient&) = delete;

  int descriptor() const { return descriptor_; }
  /// What poll() shall wait for.
  short Events(const hal::ThreadLink& link) const;

  /// Whatever it has sent before: what a host leaves behind shall not keep its place.
  bool IsGone() const;

  /// Moves what can be moved now. @returns false: the host is gone.
  bool Move(hal::ThreadLink& link, Time now);

  /// Since it sent a byte, or took one that waits for it: the longer.
  std::chrono::steady_clock::duration Silence(Time now) const;

  /// Sends what is left and closes in good order, within `patience`.
  void Finish(hal::ThreadLink& link, std::chrono::milliseconds patience);

 private:
  bool Receive(hal::ThreadLink& link, Time now);
  bool Send(hal::ThreadLink& link, Time now);

  int descriptor_;
  std::vector<std::uint8_t> chunk_;       // from the link
  std::span<const std::uint8_t> unsent_;  // the rest of it
  Time heard_, taken_;
};

}  // namespace tactus::host
