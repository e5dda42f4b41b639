#pragma once
#include <cstdint>

namespace tactus {

/// How a call ended. Bad data is a status with a documented, usable output; a bug of ours is a TACTUS_CHECK.
enum class [[nodiscard]] Status : std::uint8_t{
    kOk,
    kNotFinite,     ///< a NaN or an infinity came in
    kOutOfRange,    ///< a value is outside its documented range
    kOverCapacity,  ///< more items than the compile-time capacity holds
    kStale,         ///< the data is older than allowed
    kCorrupt,       ///< a frame is torn, has a wrong checksum or an unknown type
    kNotReady,      ///< not in this state (not configured, not armed, faulted)
    kWouldBlock,    ///< no data, or no room, right now
    kClosed,        ///< the other side is gone
};

/// The name in lower case, for logs and error messages.
constexpr const char* Name(Status status) {
  switch (status) {
    case Status::kOk: return "ok";
    case Status::kNotFinite: return "not finite";
    case Status::kOutOfRange: return "out of range";
    case Status::kOverCapacity: return "over capacity";
    case Status::kStale: return "stale";
    case Status::kCorrupt: return "corrupt";
    case Status::kNotReady: return "not ready";
    case Status::kWouldBlock: return "would block";
    case Status::kClosed: return "closed";
  }
  return "unknown";
}

}  // namespace tactus
