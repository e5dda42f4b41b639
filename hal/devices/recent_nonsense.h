#pragma once
#include <cstdint>

#include "hal/devices/motor_port.h"
#include "tactus/core/status.h"

namespace tactus::hal {

/// What of a device's words could not be read last, as long as that tells why there is no position.
class RecentNonsense {
 public:
  /// @param kept_us  how long it counts
  explicit constexpr RecentNonsense(std::uint32_t kept_us) : kept_us_(kept_us) {}

  void Note(Status what, std::uint32_t now_us) {
    what_ = what;
    noted_us_ = now_us;
  }
  /// Once a period: what is old is forgotten, before the clock comes round to it after 2³² µs.
  void Age(std::uint32_t now_us) {
    if (now_us - noted_us_ > kept_us_) what_ = Status::kOk;
  }
  bool is(Status what) const { return what_ == what; }
  /// Why there is no position: nobody speaks, or what is said is nonsense.
  PortCause Missing() const { return is(Status::kOk) ? PortCause::kSilent : PortCause::kCorrupt; }

 private:
  std::uint32_t kept_us_, noted_us_ = 0;
  Status what_ = Status::kOk;
};

}  // namespace tactus::hal
