#pragma once
#include <array>
#include <atomic>
#include <cstdint>

#include "firmware/servo/frame_sender.h"
#include "firmware/servo/link_device.h"
#include "firmware/servo/scene_loader.h"
#include "firmware/servo/servo_tick.h"
#include "firmware/servo/spsc_ring.h"
#include "firmware/servo/stream_inbox.h"
#include "hal/api/byte_link.h"
#include "hal/api/clock.h"
#include "hal/api/device.h"
#include "hal/api/drive_enable.h"
#include "hal/api/flight_recorder.h"
#include "hal/api/watchdog.h"
#include "tactus/haptic/ceilings.h"
#include "tactus/haptic/contact_watch.h"
#include "tactus/haptic/tune.h"
#include "tactus/supervise/supervisor.h"
#include "tactus/wire/fields.h"
#include "tactus/wire/frame_decoder.h"

namespace tactus::servo {

/// What a controller tells the host about itself in its hello.
struct Identity {
  const char* board = "";                    ///< folder under firmware/boards, "linux" or "this machine"
  const char* build = "";                    ///< version and revision
  wire::Link link = wire::Link::kInProcess;  ///< what `link` is
  std::uint32_t core_clock_Hz = 0;           ///< 0: unknown
  bool failed_before = false;  ///< the last run ended in a fault of the controller: a Fault after the first hello tells
  std::uint32_t boot_seed =
      0;                     ///< differs from boot to boot where the board can make it so: the nonces of Arm follow from it
  WorkBudget work = {};      ///< of a tick; for a Cortex-M7 at 480 MHz and 1 ms unless a board says otherwise
  DeviceLimits device = {};  ///< what no Config may go beyond; a local device's own peak force and torque narrow it
};

/// What some boards have.
struct BoardParts {
  hal::Device* device = nullptr;            ///< the board's own; nullptr: the device is at the host's end of the link
  hal::DriveEnable* drives = nullptr;       ///< a line that lets the drives have current
  hal::FlightRecorder* recorder = nullptr;  ///< keeps the last ticks where a reset leaves them alone
  /// Armed, and no byte of the host for so long: as kDisarm. For a device of the board's own, whose samples never grow old
  /// although the host is gone; 0: never.
  std::uint32_t most_silence_us = 0;
};

/// What no Config can go beyond, as Hello tells it.
struct Ceilings {
  SupervisorLimits supervisor;
  std::uint16_t max_silence_ticks = 0;
};

/// What one tick tells the host.
struct TickReport {
  wire::Telemetry telemetry;
  std::array<wire::SecondTelemetry, kServoScene.hands - 1> second;  ///< of a scene with two tools
  bool has_second = false;
  wire::SampleCounts counts;  ///< of a device of the controller's own
  bool has_counts = false;
};

/// The servo application, the same source on every target. It carries bytes: frames to orders, the device's samples to the
/// tick, the tick's commands to the device. What is allowed when is the supervisor's (tactus/supervise); what the force is,
/// the tick's (tactus/haptic). docs/wire.md describes what the host sees.
///
/// Two contexts. The tick context (PendSV on a Cortex-M, the loop itself on the host) calls OnTick; the background, which
/// the tick may interrupt, calls DrainTelemetry. They share a ring of telemetry, the number of the next frame, and the link.
///
/// Every loop is bounded: bytes, frames and ticks per OnTick; frames and attempts per DrainTelemetry.
template <class Scalar>
class ServoApp {
 public:
  /// @param parts  what the board has besides; all of them outlive the application
  ServoApp(const Identity& identity, hal::ByteLink& link, const hal::Clock& clock, hal::Watchdog& watchdog,
           const BoardParts& parts = {});

  /// Before the first OnTick: a piece of the scene to begin with, as a host would send it. @returns the answer to it
  SceneAnswer BeginWith(const wire::ScenePart& part) noexcept { return scene_loader_.Take(part); }

  /// Tick context: reads the link, answers, runs a tick if one is due and writes its command; where none is due and no force
  /// may stand, it writes zeros. Call it after every clock edge, and if you like when a frame has arrived.
  void OnTick() noexcept;

  /// Background: sends what telemetry the link takes; never waits.
  void DrainTelemetry() noexcept;

  /// The host has asked for the end. No frame is expected any more; clock edges are, until stopped().
  bool last_word_heard() const noexcept {
    return supervisor_.phase == Phase::kStopped ||
           (supervisor_.phase == Phase::kFading && supervisor_.after_fade == Phase::kStopped);
  }

  /// The force is zero for good; telemetry and Stopped are still to be sent.
  bool stopping() const noexcept { return stopping_.load(std::memory_order_acquire); }

  /// The run is over: the host asked for it and has got its Stopped, or the link is closed.
  bool stopped() const noexcept { return stopped_.load(std::memory_order_acquire); }

  /// Ticks that ended after the next clock edge, and edges that had no tick, since the start.
  std::uint32_t missed_deadlines() const noexcept { return missed_deadlines_.load(std::memory_order_relaxed); }

  const Supervisor& supervisor() const noexcept { return supervisor_; }

 private:
  static constexpr std::size_t kReceiveBytes = 640;    // per call; more than the longest frame, so that one fits
  static constexpr int kFramesPerCall = 8;             // an answer costs about as much as 60 received bytes
  static constexpr std::uint32_t kTelemetryRing = 32;  // the background may be late by so many reports
  static constexpr std::uint32_t kEventRing = kHasScenes ? 32 : 2;  // of the peg alone: begins, and slips
  // Each call takes some microseconds: so many in which the clock has not moved by one mean that it stands still.
  static constexpr int kStandingCalls = 16;
  static_assert(kReceiveBytes >= wire::kMaxEncodedSize);

  /// An order that waits until the output is zero, and the frame to answer then.
  struct WaitingFrame {
    bool waits = false;
    std::uint16_t sequence = 0;
    wire::MessageType type = wire::MessageType::kNone;
  };

  // The parts of one OnTick.
  void ReadClock();
  void Receive();
  void WatchHost();
  const hal::DeviceReading& ReadDevice();
  Observation Observe(const hal::DeviceReading& reading) const;
  void RunTick(const hal::DeviceReading& reading);
  void WriteZero();
  Duty Deliver(CommandFrame command, CommandFrame second, hal::CommandNote note, bool tick_faulted);
  Status Write(const CommandFrame& command, const CommandFrame& second, const hal::CommandNote& note);
  void FinishWaiting();
  void CheckDeadline(std::uint32_t begin_us);
  void FeedWatchdog();
  void SwitchDrives(bool on);
  void NoteTick(std::uint32_t begin_us);

  // Frames in: servo_orders.cc.
  void Handle(const wire::Frame& frame);
  void HandleHello(const wire::Frame& frame);
  void HandleConfig(const wire::Frame& frame);
  void HandleArm(const wire::Frame& frame);
  void HandleTune(const wire::Frame& frame);
  void HandleScenePart(const wire::Frame& frame);
  void HandleSubscribe(const wire::Frame& frame);
  void HandleSceneRequest(const wire::Frame& frame);
  void HandleStreamOpen(const wire::Frame& frame);
  void HandleContactSet(const wire::Frame& frame);
  void HandleWorkspace(const wire::Frame& frame);
  void HandleControl(const wire::Frame& frame);
  void HandleClutch(const wire::Frame& frame, bool pressed);
  void HandleHome(const wire::Frame& frame);
  template <class Message>
  void HandleSample(const wire::Frame& frame);
  void Order(const wire::Frame& frame, tactus::Order order);
  void Obey(std::uint8_t tick_orders, Cause cut = Cause::kNone);
  void Cut(Cause cause);
  void ApplyConfig();
  void ResetTick();
  void AnswerDropped();
  void RenewNonce(std::uint32_t salt);

  // Frames out.
  void SendAck(const WaitingFrame& frame, wire::AckCode code, std::uint16_t field = wire::kNoField, double limit = 0);
  void SendFault(Cause cause, std::uint32_t tick, std::uint32_t status, std::uint32_t sample_sequence);
  void QueueTelemetry(const Telemetry<Scalar>& telemetry, const hal::DeviceReading& reading);
  void ReportStream();
  void ReportWorkspace();
  void WatchContacts(const Telemetry<Scalar>& telemetry);
  bool TellBounds();
  bool TellScene();
  bool TellEvents();
  bool TellTicks();
  bool TellBefore(const TickReport& report);
  wire::State state() const;
  std::uint32_t bad_frames() const { return decoder_.counters().bad() + misdirected_frames_; }

  const Identity identity_;
  hal::ByteLink& link_;
  const hal::Clock& clock_;
  hal::Watchdog& watchdog_;
  FrameSender sender_;
  LinkDevice link_device_;
  hal::Device& device_;  // link_device_, or the board's own
  hal::DriveEnable* const drives_;
  hal::FlightRecorder* const recorder_;
  const std::uint32_t most_silence_us_;

  const Ceilings ceilings_;

  // Tick context only.
  Supervisor supervisor_;
  Sequel sequel_;                 // of the last command
  bool tell_failure_;             // the host shall hear of identity_.failed_before
  bool refused_version_ = false;  // the last hello asked for a version that is not ours
  bool link_closed_ = false;
  wire::FrameDecoder decoder_;
  std::array<std::uint8_t, kReceiveBytes> received_{};
  std::size_t next_ = 0, end_ = 0;        // [next_, end_): received, not yet decoded
  std::uint32_t misdirected_frames_ = 0;  // of a type that only controllers send, or of a device that is not at the host

  std::uint32_t edges_;          // of the clock, when OnTick began
  std::uint32_t new_edges_ = 0;  // since the last call
  std::uint32_t now_us_ = 0;
  std::uint32_t heard_us_ = 0;  // when the last good frame came, or an empty one alone
  hal::DeviceReading reading_;
  int standing_calls_ = 0;  // calls in a row in which the clock has not moved

  SceneLoader<Scalar> scene_loader_;
  StreamInbox stream_inbox_;
  wire::StreamOpen stream_open_;  // in force
  StreamPhase told_phase_ = StreamPhase::kClosed;
  std::uint32_t told_swaps_ = 0;
  wire::Workspace workspace_;   // in force, if there is one
  bool has_workspace_ = false;  // false: 1 : 1
  bool watches_workspace_ = false, told_workspace_ = false;
  ClutchPhase told_clutch_ = ClutchPhase::kOpen;
  ContactWatch<Scalar> contact_watch_;
  std::uint32_t missed_events_ = 0;  // since the Subscribe
  Config<Scalar> config_;
  TuneConfig<Scalar> tune_;  // where config_ goes, one step before each tick
  bool tuning_ = false;
  wire::Config waiting_config_, config_message_;  // the one that is to be put in force, and the one that is
  WaitingFrame waiting_frame_;
  std::uint32_t config_crc_ = 0;  // 0: there is no Config
  std::uint32_t arm_nonce_ = 0, nonces_ = 0;
  std::uint32_t telemetry_every_ = 0;
  State<Scalar> tick_state_;
  CommandFrame command_;   // written last
  hal::CommandNote note_;  // with it
  bool drives_on_ = false, written_ = false;
  std::uint32_t faults_ = 0;
  std::uint32_t fed_turns_ = 0;  // of the background, when the watchdog was last fed

  // Shared with the background.
  SpscRing<TickReport, kTelemetryRing> reports_;
  bool part_told_ = false;  // what goes before the Telemetry of the oldest report; background only
  SpscRing<wire::ContactEvent, kEventRing> events_;
  std::atomic<bool> watches_contacts_{false};
  static constexpr std::uint32_t kNothingAsked = 0xFFFF'FFFFu;
  std::atomic<std::uint32_t> scene_asked_{kNothingAsked};  // place in the image
  std::atomic<std::uint32_t> scene_changes_{0};
  std::atomic<bool> stopping_{false}, stopped_{false};
  std::atomic<std::uint32_t> bounds_asked_{0};        // hellos so far that have been answered
  std::uint32_t lowest_told_ = 0, highest_told_ = 0;  // of which; background only
  std::atomic<std::uint32_t> ticks_{0}, missed_deadlines_{0}, dropped_telemetry_{0}, background_turns_{0};
};

extern template class ServoApp<double>;
extern template class ServoApp<float>;

}  // namespace tactus::servo
