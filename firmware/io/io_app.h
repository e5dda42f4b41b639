#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "hal/api/byte_link.h"
#include "hal/api/clock.h"
#include "hal/api/motor_io.h"
#include "hal/api/sense_check.h"
#include "hal/api/watchdog.h"
#include "tactus/supervise/supervisor.h"
#include "tactus/wire/frame_decoder.h"

namespace tactus::io {

/// What a board tells the host about itself in its hello.
struct Identity {
  const char* board = "";                    ///< folder under firmware/boards, or "emulator"
  const char* build = "";                    ///< version and revision
  wire::Link link = wire::Link::kInProcess;  ///< what `link` is
  std::uint32_t boot_seed = 0;               ///< differs from boot to boot where the board can make it so
};

// Compiled in, told by IoHello, changed by nobody.
inline constexpr std::uint32_t kCommandTimeout_us = 3000;  ///< without a valid command the currents are zero by then
inline constexpr std::uint32_t kCommandHold_us = 2000;     ///< so long one holds: a host at 1 kHz may lose one
inline constexpr std::uint32_t kSoftStart_us = 10'000;     ///< from zero to what the host asks for, after an arming or a gap
inline constexpr std::uint32_t kHeartbeat_us = 1000;       ///< from one IoState to the next while no frame comes
inline constexpr std::uint32_t kMaxPeriod_us = 1000;       ///< of the board's loop: two of them fit into the hold

/// The thin I/O firmware, the same source on every board: encoders out, currents in, no solver. The host computes; this
/// application answers for the outputs. docs/io_firmware.md describes what the host sees.
///
/// Whether current may flow is the supervisor's (tactus/supervise), as on the big controller. Its force is here the largest
/// share of a ceiling, max |I|/I_max, so its ceiling is 1; it has no torque. What is written is
///     I = s I_c,   s = min(soft start, (t_out - a) / (t_out - t_hold), the fade's line) in [0, 1]
/// with I_c of the last valid command and a its age at the end of the period for which it is written. So s = 0 before the
/// command is t_out old, whatever else happens.
///
/// One context. OnTick is bounded: bytes per call.
class IoApp {
 public:
  /// All of them outlive the application. The clock's period is at most kMaxPeriod_us.
  IoApp(const Identity& identity, hal::ByteLink& link, const hal::Clock& clock, hal::Watchdog& watchdog,
        hal::MotorIo& motors);

  /// Reads the link; at a clock edge reads the hardware, writes the currents and answers. Call it after every clock edge,
  /// and if you like when a frame has arrived.
  void OnTick() noexcept;

  const Supervisor& supervisor() const noexcept { return supervisor_; }
  wire::IoFault fault() const noexcept { return fault_; }
  /// What was written last; all zero: Zero() was called.
  const float (&written_A() const noexcept)[hal::kMaxMotors] { return written_A_; }

 private:
  static constexpr std::size_t kReadBytes = 256;
  // A call looks at no more, and ends with a read: more than a UART's buffer holds (hal/stm32/uart_link_base.h: 2048).
  static constexpr std::size_t kReceiveBytes = 2560;
  static constexpr int kStandingCalls = 16;  // so many calls in which the clock has not moved: it stands still

  // The parts of one OnTick.
  void CutBetweenEdges();
  void ReadClock();
  void Receive();
  void Decode(std::span<const std::uint8_t> bytes);
  void ReadMotors();
  Observation Observe() const;
  void NameTheFault();
  wire::IoFault CheckMotors();
  void RunTick();
  void Deliver(float scale);
  Status WriteMotors(float scale, bool zero);
  void Obey(std::uint8_t tick_orders);
  void Raise(wire::IoFault fault);
  /// All faults but that of late periods, which fades.
  bool IsCut() const { return fault_ != wire::IoFault::kNone && fault_ != wire::IoFault::kLatePeriods; }
  float AliveScale() const;
  float Scale() const;
  std::uint32_t CommandAge_us() const;

  // Frames: io_frames.cc.
  void CountBadFrame();
  void Handle(const wire::Frame& frame);
  void HandleHello(const wire::Frame& frame);
  void HandleCommand(const wire::Frame& frame);
  void HandleControl(const wire::Frame& frame);
  wire::IoAnswer Judge(const wire::IoCommand& command) const;
  wire::IoAnswer TakeOutputs(const wire::IoCommand& command);
  void Answer(wire::IoAnswer answer);
  void Order(tactus::Order order);
  void SendState();
  wire::IoInput Inputs() const;

  const Identity identity_;
  hal::ByteLink& link_;
  const hal::Clock& clock_;
  hal::Watchdog& watchdog_;
  hal::MotorIo& motors_;
  const SupervisorLimits limits_;

  Supervisor supervisor_;
  wire::IoFault fault_ = wire::IoFault::kNone;
  wire::FrameDecoder decoder_;
  wire::DecoderCounters counted_;  // of the decoder, when a bad frame was last counted
  wire::FrameWriter writer_;
  std::array<std::uint8_t, kReadBytes> received_{};

  std::uint32_t edges_ = 0, new_edges_ = 0, now_us_ = 0;
  int standing_calls_ = 0;
  std::uint16_t late_periods_ = 0;

  hal::MotorReading reading_, before_;
  bool has_reading_ = false, has_before_ = false;  // `before_` is what a jump is measured from
  bool forgets_ = false;                           // the next reading has none before it
  hal::SenseCheck sense_;

  std::uint32_t session_ = 0, sessions_ = 0;  // 0: no host has asked
  bool refused_version_ = false;
  bool off_seen_ = false;                                     // a command with kOff in kIdle: the next kOn arms
  bool has_command_ = false, has_accepted_ = false;           // with kOn; with either
  std::uint32_t command_sequence_ = 0, command_time_us_ = 0;  // of the last with kOn: what the currents age by
  std::uint32_t accepted_time_us_ = 0;                        // of the last with either
  float command_A_[hal::kMaxMotors] = {};
  float written_A_[hal::kMaxMotors] = {};
  float soft_start_ = 0, fade_from_ = 0;  // shares of command_A_
  bool drives_on_ = false;

  wire::IoAnswer answer_ = wire::IoAnswer::kNothing;
  bool answer_due_ = false;
  std::uint16_t refused_frames_ = 0;
  std::uint32_t states_ = 0, state_time_us_ = 0;
};

}  // namespace tactus::io
