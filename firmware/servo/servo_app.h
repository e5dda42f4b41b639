#pragma once
#include <array>
#include <atomic>
#include <cstdint>

#include "firmware/servo/messages.h"
#include "firmware/servo/servo_tick.h"
#include "firmware/servo/spsc_ring.h"
#include "hal/api/byte_link.h"
#include "hal/api/clock.h"
#include "hal/api/watchdog.h"
#include "tactus/wire/frame.h"
#include "tactus/wire/frame_decoder.h"

namespace tactus::servo {

/// What a controller tells the host about itself in its hello.
struct Identity {
  const char* board = "";                    ///< folder under firmware/boards, or "host"
  const char* build = "";                    ///< version and revision
  wire::Link link = wire::Link::kInProcess;  ///< what `link` is
  std::uint32_t core_clock_Hz = 0;           ///< 0: unknown
  bool failed_before = false;  ///< the last run ended in a fault of the controller: a Fault after the first hello tells
};

/// The servo application, the same source on every target: frames in, tick, frames out. docs/wire.md describes what it does.
///
/// Two contexts. The tick context (PendSV on a Cortex-M, the loop itself on the host) calls OnTick; the background, which
/// the tick may interrupt, calls DrainTelemetry. They share a ring of telemetry, the number of the next frame, and the link.
///
/// Every loop is bounded: bytes, frames and ticks per OnTick; frames and attempts per DrainTelemetry.
template <class Scalar>
class ServoApp {
 public:
  ServoApp(const Identity& identity, hal::ByteLink& link, const hal::Clock& clock, hal::Watchdog& watchdog);

  /// Tick context: reads the link, answers, runs a tick if one is due and sends its command. Call it after every clock edge,
  /// and if you like when a frame has arrived.
  void OnTick() noexcept;

  /// Background: sends what telemetry the link takes; never waits.
  void DrainTelemetry() noexcept;

  /// The run is over: the host asked for it and has got its Stopped, or the link is closed. No force is commanded any more.
  bool stopped() const noexcept { return stopped_.load(std::memory_order_acquire); }

  /// Ticks that ended after the next clock edge, since the start.
  std::uint32_t missed_deadlines() const noexcept { return missed_deadlines_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kReceiveBytes = 640;    // per call; more than the longest frame, so that one fits
  static constexpr int kFramesPerCall = 8;             // an answer costs about as much as 60 received bytes
  static constexpr std::uint32_t kTelemetryRing = 32;  // the background may be late by so many reports
  static constexpr int kSendAttempts = 3;              // a send fails only if a tick comes in between: once per period
  static constexpr std::uint32_t kSilentEdges =
      2000;                                    // with pacing kSample: so long without a sample and the clock takes over
  static constexpr int kDeadlinesInARow = 20;  // missed ones until it is a fault
  static_assert(kReceiveBytes >= wire::kMaxEncodedSize);

  // Time, read once at the start of OnTick.
  void ReadClock();

  // Frames in.
  void Receive();
  void Handle(const wire::Frame& frame);
  void HandleHello(const wire::Frame& frame);
  void HandleConfig(const wire::Frame& frame);
  void HandleControl(const wire::Frame& frame);
  void HandleSample(const wire::Frame& frame);
  wire::AckCode Act(wire::Action action);
  void ResetTick();

  // The tick.
  bool TickIsDue() const;
  void RunTick();
  void CheckDeadline(std::uint32_t begin_us);
  void ReportFault(const Telemetry<Scalar>& telemetry);
  void QueueTelemetry(const Telemetry<Scalar>& telemetry, const TickStamp& stamp);

  // Frames out.
  template <wire::Message M>
  void Send(const M& message);
  void SendAck(const wire::Frame& frame, wire::AckCode code, std::uint16_t field);
  template <wire::Message M>
  Status SendFromBackground(const M& message, hal::Lane lane);
  std::uint32_t bad_frames() const { return decoder_.counters().bad() + misdirected_frames_; }

  const Identity identity_;
  hal::ByteLink& link_;
  const hal::Clock& clock_;
  hal::Watchdog& watchdog_;

  // Tick context only.
  wire::State state_ = wire::State::kConnecting;
  bool tell_failure_;             // the host shall hear of identity_.failed_before
  bool refused_version_ = false;  // the last hello asked for a version that is not ours
  wire::FrameDecoder decoder_;
  std::array<std::uint8_t, kReceiveBytes> received_{};
  std::size_t next_ = 0, end_ = 0;  // [next_, end_): received, not yet decoded
  std::array<std::uint8_t, wire::kMaxEncodedSize> frame_{};
  std::uint32_t misdirected_frames_ = 0;  // of a type that only controllers send

  std::uint32_t edges_ = 0;  // of the clock, when OnTick began
  bool edge_ = false;        // there was one since the last call
  std::uint32_t now_us_ = 0;

  Config<Scalar> config_;
  wire::Pacing pacing_ = wire::Pacing::kClock;
  std::uint32_t telemetry_every_ = 0;
  State<Scalar> tick_state_;
  wire::Sample sample_;
  bool has_sample_ = false, sample_is_new_ = false;
  std::uint32_t sample_at_us_ = 0;  // when it came
  std::uint32_t silent_edges_ = 0;  // since it came

  int missed_in_a_row_ = 0;
  wire::ExternalCause external_cause_ = wire::ExternalCause::kNone;
  std::uint32_t faults_ = 0;

  // Shared with the background. The background writes next_sequence_ only under the link's lock.
  std::atomic<std::uint16_t> next_sequence_{0};
  SpscRing<wire::Telemetry, kTelemetryRing> telemetry_;
  std::atomic<bool> stopping_{false}, stopped_{false};
  std::atomic<std::uint32_t> ticks_{0}, missed_deadlines_{0}, dropped_telemetry_{0};

  // Background only.
  std::array<std::uint8_t, wire::kMaxEncodedSize> background_frame_{};
};

extern template class ServoApp<double>;
extern template class ServoApp<float>;

}  // namespace tactus::servo
