#include "host_tools/io/io_line.h"

#include <algorithm>
#include <cstring>

namespace tactus::host {
namespace {

/// States that only a HelloRequest ends.
bool HasNoHost(wire::State state) {
  return state == wire::State::kConnecting || state == wire::State::kUnconfigured || state == wire::State::kStopped;
}

}  // namespace

void IoLine::AskForSession(std::uint32_t nonce) noexcept {
  constexpr std::uint8_t kEnd[] = {0};  // of what stood on the line
  nonce_ = nonce;
  (void)link_.Write(kEnd, hal::Lane::kCommand);
  (void)Send(wire::HelloRequest(wire::kProtocolVersion, nonce));
}

void IoLine::Poll() noexcept {
  for (int i = 0; i < kReadsPerCall; ++i) {
    std::size_t count = 0;
    hung_up_ = link_.Read(received_, &count) == Status::kClosed;
    if (hung_up_) Lose(IoFailure::kUnplugged);
    if (count == 0) return;
    for (std::span<const std::uint8_t> bytes(received_.data(), count); !bytes.empty();) {
      std::size_t used = 0;
      if (decoder_.Push(bytes, &used) == Status::kOk) Handle(decoder_.frame());
      bytes = bytes.subspan(used);
    }
  }
}

void IoLine::Handle(const wire::Frame& frame) {
  wire::IoHello hello;
  wire::IoState state;
  if (wire::ReadMessage(frame, &hello) == Status::kOk) HandleHello(hello);
  if (wire::ReadMessage(frame, &state) == Status::kOk) HandleState(state);
}

/// The first hello tells the bounds. A board that comes back with others is another board.
void IoLine::HandleHello(const wire::IoHello& hello) {
  if (hello.nonce() != nonce_) return;
  hello_fault_ = Judge(hello);
  if (hello_fault_ != HelloFault::kNone) refused_hello_ = hello;
  other_board_ = connected() && (hello_fault_ != HelloFault::kNone || !HasSameBounds(hello, hello_));
  if (hello_fault_ != HelloFault::kNone || other_board_) return;
  hello_ = hello;
  command_sequence_ = 0;
  has_state_ = ready_ = false;
  state_time_us_ = now_us_;  // it has been heard: its first state may come in the line's next burst
  lost_ = IoFailure::kNone;
  ++counters_.sessions;
  DoTakeBounds(hello);
}

/// A line may double what it carries; a board that says the same for ever has no other way to be silent.
void IoLine::HandleState(const wire::IoState& state) {
  if (!connected()) return;
  if (has_state_ && std::memcmp(&state, &state_, sizeof(state)) == 0) {
    ++counters_.repeated;
    return;
  }
  CheckSession(state);
  ++counters_.states;
  if (state.answer() > wire::IoAnswer::kAccepted) ++counters_.refused;
  if (state.state() == wire::State::kArmed && state.command_age_us() + hello_.period_us() > hello_.command_hold_us())
    ++counters_.fades;
  NoteTaken(state);
  if (!has_state_ || state.time_us() != state_.time_us()) moved_time_us_ = now_us_;
  WatchDrives(state);
  state_ = state;
  state_time_us_ = now_us_;
  bad_frames_at_state_ = bad_frames();
  has_state_ = is_new_ = true;
}

void IoLine::CheckSession(const wire::IoState& state) {
  const std::uint32_t ahead = state.sequence() - state_.sequence();
  const bool counts_anew = counters_.states > 0 && (ahead == 0 || ahead > 0x8000'0000u);
  restarts_ += counts_anew;
  if (has_state_ && counts_anew) Lose(IoFailure::kRestarted);
  if (has_state_ && ahead > 1 && ahead < 0x8000'0000u) counters_.missing_states += ahead - 1;
  const bool refused = state.answer() == wire::IoAnswer::kWrongSession || state.answer() == wire::IoAnswer::kWrongVersion;
  if (refused) Lose(IoFailure::kOtherSession);
}

void IoLine::NoteTaken(const wire::IoState& state) {
  const std::uint32_t taken = state.command_sequence();
  if (!has_state_ || taken != state_.command_sequence() || taken == command_sequence_) taken_time_us_ = now_us_;
}

/// What a board does once it has a command with kOn. Before, its states are those of the time when the drives were off.
void IoLine::WatchDrives(const wire::IoState& state) {
  if (state.state() != wire::State::kIdle) ready_ = false;
  if (SaysWhatNoBoardCan(state)) Fail(IoFailure::kNonsense);
  if (!on_ || state.command_sequence() - first_on_ > 0x8000'0000u) return;
  wrong_states_ = state.answer() == wire::IoAnswer::kWrongState ? wrong_states_ + 1 : 0;
  const bool is_armed = state.state() == wire::State::kArmed;
  const bool has_left = state.state() == wire::State::kIdle || state.state() == wire::State::kFading;
  const bool says_why = state.fault() != wire::IoFault::kNone;  // a board that fades in a fault
  if (armed_ && has_left) Fail(says_why ? FailureOf(state.fault()) : IoFailure::kDisarmed);
  if (armed_ && wrong_states_ >= kWrongStates) Fail(IoFailure::kTakesNothing);
  armed_ |= is_armed;
}

bool IoLine::SaysWhatNoBoardCan(const wire::IoState& state) const {
  const bool of_the_future = command_sequence_ - state.command_sequence() > 0x8000'0000u;
  return state.state() > wire::State::MAX || state.fault() > wire::IoFault::MAX || state.answer() > wire::IoAnswer::MAX ||
         of_the_future;
}

IoReading IoLine::Take(std::uint32_t now_us) noexcept {
  now_us_ = now_us;
  is_new_ = false;
  Poll();
  has_taken_ |= is_new_;
  if (!is_new_) ++counters_.empty_reads;
  Recover();
  if (!IsHeard() || LateBy_us() <= kLate_us) late_since_us_ = now_us;
  const IoFailure now = Trouble();
  if (now != IoFailure::kNone) Fail(now);
  const IoFailure trouble = failure_ != IoFailure::kNone ? failure_ : now;
  Tell(trouble);
  const bool e_stop = (static_cast<unsigned>(state_.inputs()) & static_cast<unsigned>(wire::IoInput::kEStop)) != 0;
  return {.valid = has_taken_,
          .is_new = is_new_,
          .age_us = std::max(now_us - state_time_us_, LateBy_us()),
          .e_stop = has_state_ && e_stop,
          .state = State(trouble),
          .trouble = trouble};
}

/// How old the last state is by the commands that it does not know.
std::uint32_t IoLine::LateBy_us() const {
  return has_state_ && !session_lost() ? sent_.Age_us(state_.command_sequence(), command_sequence_, now_us_) : 0;
}

/// With the drives off: another session for a lost one, the end of a fault whose inputs are well.
void IoLine::Recover() {
  if (hung_up_ || now_us_ - retry_time_us_ < kRetry_us) return;
  if (IsSilent()) Lose(Silence());
  const bool well = has_state_ && static_cast<unsigned>(state_.inputs()) == 0;
  if (!enabled_ && has_state_ && HasNoHost(state_.state())) Lose(IoFailure::kStopped);
  if (session_lost()) {
    retry_time_us_ = now_us_;
    AskForSession(nonce_ + 1);
  } else if (!enabled_ && well && state_.state() == wire::State::kFaulted) {
    retry_time_us_ = now_us_;
    wire::Control control;
    control.mutate_action(wire::Action::kClearFault);
    (void)Send(control);
  }
}

IoFailure IoLine::Silence() const {
  return bad_frames() != bad_frames_at_state_ ? IoFailure::kBadFrames : IoFailure::kSilent;
}

/// What is wrong now, from what hides the rest to what is only seen when all else is well.
IoFailure IoLine::Trouble() const {
  if (hung_up_) return IoFailure::kUnplugged;
  if (other_board_) return IoFailure::kOtherBoard;
  if (session_lost()) return lost_;
  if (IsSilent()) return Silence();
  if (!has_state_) return IoFailure::kNone;
  if (SaysWhatNoBoardCan(state_)) return IoFailure::kNonsense;
  if (state_.state() == wire::State::kFaulted) return FailureOf(state_.fault());
  if (HasNoHost(state_.state())) return IoFailure::kStopped;
  if (ItsTimeStands()) return IoFailure::kTimeStands;
  if (LateBy_us() >= kSilence_us && StaysLate()) return Lateness();
  return enabled_ ? TroubleOfDrives() : IoFailure::kNone;
}

IoFailure IoLine::TroubleOfDrives() const {
  const std::uint32_t since_us = now_us_ - enable_time_us_;
  if (StandsStill() && since_us >= kStanding_us) return IoFailure::kTakesNothing;
  return !armed_ && since_us >= kArming_us ? IoFailure::kNotArmed : IoFailure::kNone;
}

/// States come, and tell the same command although others were sent.
bool IoLine::StandsStill() const {
  return IsHeard() && state_.command_sequence() != command_sequence_ && now_us_ - taken_time_us_ >= kStanding_us;
}

/// What is no failure yet, or the loop's own to act on, and needs a name.
IoFailure IoLine::Omen() const {
  if (StaysLate()) return Lateness();
  return has_state_ ? FailureOf(state_.inputs()) : IoFailure::kNone;
}

/// Keeps the words of the last failure.
void IoLine::Tell(IoFailure trouble) {
  const IoFailure told = trouble != IoFailure::kNone ? trouble : Omen();
  if (told != IoFailure::kNone) told_.store(told, std::memory_order_relaxed);
}

hal::DeviceState IoLine::State(IoFailure trouble) const {
  using enum hal::DeviceState;
  const bool awaits_first = counters_.states == 0 && !hung_up_ && !other_board_ && failure_ == IoFailure::kNone;
  if (awaits_first) return kUninitialised;
  if (trouble != IoFailure::kNone) return kFaulted;
  return state_.state() == wire::State::kArmed || state_.state() == wire::State::kFading ? kEnabled : kReady;
}

void IoLine::SwitchOn() noexcept {
  if (enabled_) return;
  enabled_ = true;
  told_.store(IoFailure::kNone, std::memory_order_relaxed);  // the same one again is another one
  enable_time_us_ = now_us_;
  wrong_states_ = 0;
}

/// kOn only to a board that had kOff in kIdle, else it refuses it for ever: one that is armed anew while it still fades gets
/// kOff until the fade is over. Behind a failure, kOff too.
Status IoLine::Command(const float (&current_A)[hal::kMaxMotors]) noexcept {
  if (!enabled_) failure_ = IoFailure::kNone;  // the controller has seen it and let go
  // A command of the old session behind the request for a new one would be refused, and look like another loss.
  if (hung_up_ || !connected() || session_lost()) return Status::kClosed;
  const bool on = enabled_ && failure_ == IoFailure::kNone && (armed_ || ready_);
  wire::IoCommand message;
  message.mutate_session(hello_.session());
  message.mutate_sequence(++command_sequence_);
  message.mutate_outputs(on ? wire::IoOutputs::kOn : wire::IoOutputs::kOff);
  for (std::uint16_t i = 0; on && i < hal::kMaxMotors; ++i) message.mutable_current_A()->Mutate(i, current_A[i]);
  sent_.Note(command_sequence_, now_us_);
  if (on && !on_) first_on_ = command_sequence_;
  on_ = on;
  const Status status = Send(message);
  ready_ |= !on && status == Status::kOk && has_state_ && state_.state() == wire::State::kIdle;
  ++(status == Status::kOk ? counters_.commands : counters_.unsent);
  return status;
}

}  // namespace tactus::host
