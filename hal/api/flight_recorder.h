#pragma once
#include <cstdint>

namespace tactus::hal {

/// One tick in a few words, for whoever must find out later what the last ones were like.
struct TickNote {
  std::uint32_t tick;           ///< of the Command
  std::uint32_t edge;           ///< of the clock, when the tick began
  std::uint32_t now_us;         ///< of the clock, when the tick began
  std::uint32_t status;         ///< status bits of the tick
  float force_N[3];             ///< commanded
  std::uint8_t state;           ///< wire::State
  std::uint8_t mode;            ///< tactus::Mode
  std::uint8_t fault;           ///< tactus::Fault
  std::uint8_t external_cause;  ///< wire::ExternalCause
  std::uint32_t tick_us;        ///< how long the tick took
};
static_assert(sizeof(TickNote) == 36);

/// Remembers the last ticks where a reset leaves them alone.
class FlightRecorder {
 public:
  virtual ~FlightRecorder() = default;

  /// Once in every tick, at its end. Tick context only.
  void Note(const TickNote& note) noexcept { DoNote(note); }

 private:
  virtual void DoNote(const TickNote& note) noexcept = 0;
};

}  // namespace tactus::hal
