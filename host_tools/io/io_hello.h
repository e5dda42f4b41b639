#pragma once
#include <fmt/core.h>

#include <cmath>
#include <cstring>
#include <string>

#include "hal/api/motor_io.h"
#include "tactus/wire/message.h"

namespace tactus::host {

// What this host takes of a board's hello. A board that holds currents for long after its host is gone is no I/O board.
inline constexpr std::uint32_t kMaxBoardPeriod_us = 1000;
inline constexpr std::uint32_t kMinCommandTimeout_us = 1000, kMaxCommandTimeout_us = 10'000;

/// What is wrong with a hello.
enum class HelloFault : std::uint8_t { kNone, kVersion, kRefused, kSession, kMotors, kCeilings, kPeriod, kTimeout, kHold };

/// Each motor that is there has a ceiling that is a number.
inline bool HasCeilings(const wire::IoHello& hello) {
  for (std::uint16_t i = 0; i < hello.motors(); ++i) {
    const float max_A = hello.max_current_A()->Get(i);
    if (!std::isfinite(max_A) || max_A < 0) return false;
  }
  return true;
}

/// The first thing that is wrong.
inline HelloFault Judge(const wire::IoHello& hello) {
  if (hello.protocol_version() != wire::kProtocolVersion) return HelloFault::kVersion;
  if (hello.compatible() != 1) return HelloFault::kRefused;
  if (hello.session() == 0) return HelloFault::kSession;
  if (hello.motors() > hal::kMaxMotors) return HelloFault::kMotors;
  if (!HasCeilings(hello)) return HelloFault::kCeilings;
  if (hello.period_us() == 0 || hello.period_us() > kMaxBoardPeriod_us) return HelloFault::kPeriod;
  const std::uint32_t timeout_us = hello.command_timeout_us();
  if (timeout_us < kMinCommandTimeout_us || timeout_us > kMaxCommandTimeout_us) return HelloFault::kTimeout;
  return hello.command_hold_us() > timeout_us ? HelloFault::kHold : HelloFault::kNone;
}

/// All that a board compiles in. Its session and state may differ, and which link this is.
inline bool HasSameBounds(const wire::IoHello& a, const wire::IoHello& b) {
  return a.command_timeout_us() == b.command_timeout_us() && a.command_hold_us() == b.command_hold_us() &&
         a.period_us() == b.period_us() && a.max_step_counts() == b.max_step_counts() && a.motors() == b.motors() &&
         std::memcmp(a.counts_per_turn(), b.counts_per_turn(), 24) == 0 &&
         std::memcmp(a.max_current_A(), b.max_current_A(), 24) == 0;
}

/// The board's name, without what would move a terminal's cursor.
inline std::string BoardName(const wire::IoHello& hello) {
  std::string name;
  for (std::uint16_t i = 0; i < 32 && hello.board()->Get(i) != 0; ++i) {
    const std::uint8_t byte = hello.board()->Get(i);
    name += byte < 0x20 || byte == 0x7F ? '?' : static_cast<char>(byte);
  }
  return name;
}

/// What is wrong and what to do, to go on with behind the board's name.
inline std::string Sentence(HelloFault fault, const wire::IoHello& hello) {
  switch (fault) {
    case HelloFault::kNone: return "is well";
    case HelloFault::kVersion:
      return fmt::format("speaks protocol version {}, this program {}: bring both to the same release",
                         hello.protocol_version(), wire::kProtocolVersion);
    case HelloFault::kRefused:
      return fmt::format("refuses a session (compatible {}) in the protocol version of this program: start it anew",
                         hello.compatible());
    case HelloFault::kSession:
      return "says that it takes a session and tells session 0, which is none: correct its firmware, 1 and more are taken";
    case HelloFault::kMotors:
      return fmt::format("tells {} motors, more than a message holds: correct its firmware, {} are the most", hello.motors(),
                         hal::kMaxMotors);
    case HelloFault::kCeilings:
      return "tells a max_current_A that is no finite number from 0 up: correct the ceilings in its firmware";
    case HelloFault::kPeriod:
      return fmt::format("tells period_us {}: correct its firmware, 1 to {} are taken", hello.period_us(),
                         kMaxBoardPeriod_us);
    case HelloFault::kTimeout:
      return fmt::format(
          "tells command_timeout_us {}, for which current would flow without a host: correct its firmware, {} "
          "to {} are taken",
          hello.command_timeout_us(), kMinCommandTimeout_us, kMaxCommandTimeout_us);
    case HelloFault::kHold:
      return fmt::format("tells command_hold_us {}, longer than its command_timeout_us {}: correct its firmware",
                         hello.command_hold_us(), hello.command_timeout_us());
  }
  return "is unknown";
}

}  // namespace tactus::host
