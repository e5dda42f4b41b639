#pragma once
#include <cstdint>

#include "hal/api/byte_link.h"
#include "hal/api/clock.h"
#include "hal/api/watchdog.h"

namespace tactus::servo {

/// What a controller tells the host about itself in its hello.
struct Identity {
  const char* board = "";     ///< folder name under firmware/boards, or "host"
  const char* build_id = "";  ///< what was built: version and commit
};

/// The servo application, the same source on every target: frames in, tick, frames out.
///
/// Two contexts. The tick context (PendSV on a Cortex-M, the loop itself on the host) calls OnTick; the background calls
/// DrainTelemetry. Nothing else is shared than a single-producer single-consumer ring of telemetry, and the link's Write.
///
/// Every loop in OnTick is bounded: received bytes per call, frames per call, ticks per call.
template <class Scalar>
class ServoApp {
 public:
  ServoApp(const Identity& identity, hal::ByteLink& link, hal::Clock& clock, hal::Watchdog& watchdog);

  /// Tick context: reads the link, answers, runs the servo tick if one is due, sends its command. Call it after every clock edge;
  /// with pacing kSample also when bytes have arrived.
  void OnTick() noexcept;

  /// Background: sends what telemetry the link takes; never waits.
  void DrainTelemetry() noexcept;

  /// The host has asked for the end (control stop) or has closed the link; the outputs are at zero.
  bool stopped() const noexcept;
};

}  // namespace tactus::servo
