#pragma once
#include <array>
#include <atomic>

#include "hal/api/byte_link.h"
#include "hal/api/device.h"
#include "host_tools/io/command_times.h"
#include "host_tools/io/io_failure.h"
#include "host_tools/io/io_hello.h"
#include "tactus/wire/frame_decoder.h"

namespace tactus::host {

/// What happened on the line since it was opened.
struct IoCounters {
  std::uint32_t commands = 0;        ///< sent
  std::uint32_t unsent = 0;          ///< commands that found no room
  std::uint32_t states = 0;          ///< IoState that came
  std::uint32_t missing_states = 0;  ///< by their numbers
  std::uint32_t repeated = 0;        ///< states that came again bit for bit: dropped
  std::uint32_t empty_reads = 0;     ///< periods in which none came
  std::uint32_t refused = 0;         ///< states that tell of a refusal
  std::uint32_t fades = 0;           ///< states in which the board held back a command that had grown old
  std::uint32_t sessions = 0;        ///< IoHello that came
};

/// What a period brought from the board.
struct IoReading {
  bool valid = false;   ///< a Take had a new one, this or one before
  bool is_new = false;  ///< since the last Take
  std::uint32_t age_us = 0;
  bool e_stop = false;
  hal::DeviceState state = hal::DeviceState::kUninitialised;
  IoFailure trouble = IoFailure::kNone;  ///< of kFaulted
};

/// A board with the I/O firmware at the end of a line: one frame each way a period, docs/io_firmware.md. Take and Command
/// never wait and never allocate; the bytes of a call are bounded. What the counts and currents mean is its owner's.
///
/// A reading is as old as the oldest command that its state does not know (CommandTimes): states that come late are stale to
/// the loop, whenever they come.
///
/// A failure is the device's (DeviceState::kFaulted): the board's own fault, a lost session, a line that is gone, silent or
/// far too late, and, while the drives are meant to be on, a board that takes no commands or has left kArmed. What fails
/// with the drives on stays failed, with its first cause, until the controller has switched them off; nothing goes out
/// meanwhile. Once it has and the board's inputs are well, this class clears the *board's* fault and opens a session again
/// by itself. That lets nothing out: the controller's own fault waits for the operator's order, and the board for a command
/// with kOff and then one with kOn.
class IoLine {
 public:
  static constexpr std::uint32_t kSilence_us = 20'000;  ///< of a board that sends one state a millisecond: it is gone

  explicit IoLine(hal::ByteLink& link) : link_(link) {}
  virtual ~IoLine() = default;
  IoLine(const IoLine&) = delete;
  IoLine& operator=(const IoLine&) = delete;

  /// Takes what has come. Once in each period. @param[in] now_us  the loop's time
  IoReading Take(std::uint32_t now_us) noexcept;
  /// Sends currents; zeros and kOff while the drives are off or something has failed. @param[in] current_A  within the
  /// board's ceilings  @returns kWouldBlock: no room; kClosed: there is no board to take them
  Status Command(const float (&current_A)[hal::kMaxMotors]) noexcept;
  void SwitchOn() noexcept;
  void SwitchOff() noexcept { enabled_ = armed_ = on_ = false; }
  /// Its last failure, for reports. Any thread.
  IoFailure last_failure() const noexcept { return told_.load(std::memory_order_relaxed); }

  /// Asks for a session: once before the loop, until connected(). @param[in] nonce  any number, another one each time
  void AskForSession(std::uint32_t nonce) noexcept;
  /// Takes what has come, before the loop.
  void Poll() noexcept;

  bool connected() const noexcept { return hello_.compatible() != 0; }
  /// The other end is gone. If the link comes back, so does the board, as after a reset: another session.
  bool hung_up() const noexcept { return hung_up_; }
  const wire::IoHello& hello() const noexcept { return hello_; }
  /// What was wrong with the last hello that was for us; kNone: nothing, or none has come.
  HelloFault hello_fault() const noexcept { return hello_fault_; }
  /// The last hello that was for us and refused.
  const wire::IoHello& refused_hello() const noexcept { return refused_hello_; }
  /// Pieces between two zeros that were no frames of this version.
  std::uint32_t bad_frames() const noexcept { return decoder_.counters().bad(); }
  const wire::IoState& last() const noexcept { return state_; }
  /// How often the board on this line has started anew: each time its encoders count from another place.
  std::uint32_t restarts() const noexcept { return restarts_; }
  const IoCounters& counters() const noexcept { return counters_; }

 private:
  static constexpr int kReadsPerCall = 4;
  static constexpr std::uint32_t kRetry_us = 20'000;    // between two requests for a session or the end of a fault
  static constexpr std::uint32_t kLate_us = 2000;       // a state that is older is late: no sample for the loop
  static constexpr std::uint32_t kLasting_us = 10'000;  // what is late for so long is no hiccup: it gets a name
  static constexpr std::uint32_t kStanding_us = 8000;  // so long without a command taken: the board takes none; its time too
  static constexpr std::uint32_t kHeard_us = 5000;     // a state has come since then: the board is there
  static constexpr std::uint32_t kArming_us = 50'000;  // from Enable to kArmed, with the end of a fade and lost commands
  static constexpr int kWrongStates = 4;               // refusals in a row while armed

  /// A session is open: its bounds are those of all later ones.
  virtual void DoTakeBounds(const wire::IoHello&) noexcept {}

  void Handle(const wire::Frame& frame);
  void HandleHello(const wire::IoHello& hello);
  void HandleState(const wire::IoState& state);
  void CheckSession(const wire::IoState& state);
  void NoteTaken(const wire::IoState& state);
  void WatchDrives(const wire::IoState& state);
  void Recover();
  void Tell(IoFailure trouble);
  /// The session is over, a failure even if the next one is open before the loop looks; the first cause stays.
  void Lose(IoFailure why) {
    lost_ = lost_ == IoFailure::kNone ? why : lost_;
    Fail(why);
  }
  /// With the drives on: stays so until they are off; the first cause stays.
  void Fail(IoFailure why) { failure_ = enabled_ && failure_ == IoFailure::kNone ? why : failure_; }
  bool session_lost() const { return lost_ != IoFailure::kNone; }
  bool SaysWhatNoBoardCan(const wire::IoState& state) const;
  bool IsSilent() const { return now_us_ - state_time_us_ >= kSilence_us; }
  bool IsHeard() const { return has_state_ && now_us_ - state_time_us_ < kHeard_us; }
  bool StandsStill() const;
  bool ItsTimeStands() const { return IsHeard() && now_us_ - moved_time_us_ >= kStanding_us; }
  bool StaysLate() const { return now_us_ - late_since_us_ > kLasting_us; }
  IoFailure Lateness() const { return StandsStill() ? IoFailure::kTakesNothing : IoFailure::kLate; }
  std::uint32_t LateBy_us() const;
  IoFailure Silence() const;
  IoFailure Trouble() const;
  IoFailure TroubleOfDrives() const;
  IoFailure Omen() const;
  hal::DeviceState State(IoFailure trouble) const;
  template <wire::Message M>
  Status Send(const M& message) {
    return link_.Write(writer_.Write(message), hal::Lane::kCommand);
  }

  hal::ByteLink& link_;
  wire::FrameDecoder decoder_;
  wire::FrameWriter writer_;
  std::array<std::uint8_t, 512> received_{};

  wire::IoHello hello_, refused_hello_;
  HelloFault hello_fault_ = HelloFault::kNone;
  wire::IoState state_;
  IoCounters counters_;
  CommandTimes sent_;
  std::uint32_t nonce_ = 0, command_sequence_ = 0;
  std::uint32_t first_on_ = 0;  // the first command with kOn since Enable
  std::uint32_t now_us_ = 0, state_time_us_ = 0, retry_time_us_ = 0, enable_time_us_ = 0;
  std::uint32_t taken_time_us_ = 0;        // when the board last told a command that it had not told before, or the newest
  std::uint32_t moved_time_us_ = 0;        // when the board's own time last went on
  std::uint32_t bad_frames_at_state_ = 0;  // of the decoder, when the last state came
  std::uint32_t late_since_us_ = 0;        // the last Read that was not late
  std::uint32_t restarts_ = 0;
  int wrong_states_ = 0;  // in a row
  bool hung_up_ = false, has_state_ = false, is_new_ = false, has_taken_ = false, other_board_ = false;
  bool enabled_ = false;  // by the controller
  bool ready_ = false;    // kOff went to a board in kIdle: it takes kOn
  bool on_ = false;       // the last command had kOn
  bool armed_ = false;    // the board has answered such a one with kArmed
  IoFailure lost_ = IoFailure::kNone, failure_ = IoFailure::kNone;
  std::atomic<IoFailure> told_{IoFailure::kNone};
};

}  // namespace tactus::host
