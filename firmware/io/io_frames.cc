// The part of the I/O firmware that takes the host's frames and answers them.
#include "firmware/io/io_app.h"
#include "tactus/core/scalar.h"
#include "tactus/wire/nonce.h"

namespace tactus::io {
namespace {

using wire::IoAnswer;

void CopyText(const char* text, flatbuffers::Array<std::uint8_t, 32>* field) {
  for (std::uint16_t i = 0; i < 32 && text[i] != '\0'; ++i) field->Mutate(i, static_cast<std::uint8_t>(text[i]));
}

std::uint16_t Low16(std::uint32_t count) { return static_cast<std::uint16_t>(count & 0xFFFFu); }

/// Rounded to the nearest and saturated; what is no number is the least.
std::int16_t ToMilliampere(float current_A) {
  constexpr float kMost = 32767;
  if (!IsFinite(current_A)) return -32768;
  const float x = Clamp(current_A * 1000, -kMost, kMost);
  return static_cast<std::int16_t>(Floor(x + 0.5f));
}

}  // namespace

void IoApp::CountBadFrame() {
  const wire::DecoderCounters& now = decoder_.counters();
  const bool torn = now.torn + now.oversized + now.undersized != counted_.torn + counted_.oversized + counted_.undersized;
  Answer(torn ? IoAnswer::kTorn : now.wrong_crc != counted_.wrong_crc ? IoAnswer::kWrongChecksum : IoAnswer::kUnknown);
  counted_ = now;
}

void IoApp::Handle(const wire::Frame& frame) {
  switch (frame.type) {
    case wire::MessageType::kHelloRequest: return HandleHello(frame);
    case wire::MessageType::kIoCommand: return HandleCommand(frame);
    case wire::MessageType::kControl: return HandleControl(frame);
    default: Answer(IoAnswer::kUnknown), ++refused_frames_;
  }
}

/// A new session: commands of the one before are refused, what current there is fades.
void IoApp::HandleHello(const wire::Frame& frame) {
  wire::HelloRequest request;
  if (wire::ReadMessage(frame, &request) != Status::kOk) return;
  refused_version_ = request.protocol_version() != wire::kProtocolVersion;
  session_ = wire::NextNonce(identity_.boot_seed, now_us_, ++sessions_, request.nonce(), session_);
  off_seen_ = false;
  command_sequence_ = 0;
  if (supervisor_.phase == Phase::kArmed) Order(tactus::Order::kDisarm);
  if (!refused_version_) {
    if (supervisor_.phase == Phase::kStopped) supervisor_ = Supervisor{};
    (void)Take(tactus::Order::kHello, &supervisor_);
    if (supervisor_.phase == Phase::kUnconfigured) (void)Take(tactus::Order::kConfigure, &supervisor_);
  }

  const hal::MotorTraits& traits = motors_.traits();
  wire::IoHello hello;
  hello.mutate_protocol_version(wire::kProtocolVersion);
  hello.mutate_nonce(request.nonce());
  hello.mutate_compatible(refused_version_ ? 0 : 1);
  hello.mutate_session(refused_version_ ? 0 : session_);
  hello.mutate_command_timeout_us(kCommandTimeout_us);
  hello.mutate_command_hold_us(kCommandHold_us);
  hello.mutate_period_us(clock_.period_us());
  hello.mutate_max_step_counts(traits.max_step_counts);
  hello.mutate_lowest_rate_Hz(1'000'000 / (kCommandHold_us / 2));
  hello.mutate_highest_rate_Hz(Low16(1'000'000 / clock_.period_us()));
  hello.mutate_motors(static_cast<std::uint8_t>(traits.motors));
  hello.mutate_state(static_cast<wire::State>(supervisor_.phase));
  hello.mutate_link(identity_.link);
  hello.mutate_command_size(sizeof(wire::IoCommand));
  hello.mutate_state_size(sizeof(wire::IoState));
  for (std::uint16_t i = 0; i < traits.motors; ++i) {
    hello.mutable_counts_per_turn()->Mutate(i, traits.counts_per_turn[i]);
    hello.mutable_max_current_A()->Mutate(i, traits.max_current_A[i]);
  }
  CopyText(identity_.board, hello.mutable_board());
  CopyText(identity_.build, hello.mutable_build());
  (void)link_.Write(writer_.Write(hello), hal::Lane::kCommand);
  Answer(refused_version_ ? IoAnswer::kWrongVersion : IoAnswer::kAccepted);
}

void IoApp::HandleCommand(const wire::Frame& frame) {
  wire::IoCommand command;
  if (wire::ReadMessage(frame, &command) != Status::kOk) return;
  IoAnswer answer = Judge(command);
  if (answer == IoAnswer::kNotFinite) Raise(wire::IoFault::kCommandNotFinite);
  if (answer == IoAnswer::kTooLarge) Raise(wire::IoFault::kCommandTooLarge);
  if (answer == IoAnswer::kAccepted) answer = TakeOutputs(command);
  if (answer == IoAnswer::kAccepted) {
    has_accepted_ = true;
    accepted_time_us_ = now_us_;
  } else {
    ++refused_frames_;
  }
  Answer(answer);
}

/// Whether the command is one: of this host, newer than the last, and within the ceilings.
IoAnswer IoApp::Judge(const wire::IoCommand& command) const {
  if (refused_version_) return IoAnswer::kWrongVersion;
  if (session_ == 0 || command.session() != session_) return IoAnswer::kWrongSession;
  const std::uint32_t ahead = command.sequence() - command_sequence_;
  if (ahead == 0 || ahead >= 0x8000'0000u) return IoAnswer::kNotNewer;
  const hal::MotorTraits& traits = motors_.traits();
  for (std::uint16_t i = 0; i < hal::kMaxMotors; ++i) {
    const float current_A = command.current_A()->Get(i);
    if (!IsFinite(current_A)) return IoAnswer::kNotFinite;
    if (i < traits.motors && Abs(current_A) > traits.max_current_A[i]) return IoAnswer::kTooLarge;
  }
  return IoAnswer::kAccepted;
}

/// kOff fades and, once idle, makes ready; kOn arms behind a kOff, and keeps the currents alive while armed.
IoAnswer IoApp::TakeOutputs(const wire::IoCommand& command) {
  command_sequence_ = command.sequence();
  if (command.outputs() == wire::IoOutputs::kOff) {
    off_seen_ |= supervisor_.phase == Phase::kIdle;
    if (supervisor_.phase == Phase::kArmed) Order(tactus::Order::kDisarm);
    return IoAnswer::kAccepted;
  }
  if (command.outputs() != wire::IoOutputs::kOn) return IoAnswer::kUnknown;
  if (supervisor_.phase == Phase::kIdle && off_seen_ && fault_ == wire::IoFault::kNone) {
    off_seen_ = false;
    Order(tactus::Order::kArm);
  }
  if (supervisor_.phase != Phase::kArmed || fault_ != wire::IoFault::kNone) return IoAnswer::kWrongState;
  for (std::uint16_t i = 0; i < hal::kMaxMotors; ++i) command_A_[i] = command.current_A()->Get(i);
  command_time_us_ = now_us_;
  has_command_ = true;
  return IoAnswer::kAccepted;
}

/// Disarm, stop and e-stop are taken in every state, of every version and without a session; so is the end of a fault, for
/// it lets no current out.
void IoApp::HandleControl(const wire::Frame& frame) {
  wire::Control control;
  if (wire::ReadMessage(frame, &control) != Status::kOk) return;
  switch (control.action()) {
    case wire::Action::kDisarm: return Order(tactus::Order::kDisarm), Answer(IoAnswer::kAccepted);
    case wire::Action::kStop: return Order(tactus::Order::kStop), Answer(IoAnswer::kAccepted);
    case wire::Action::kEStop: return Order(tactus::Order::kEStop), Answer(IoAnswer::kAccepted);
    case wire::Action::kClearFault: break;
    case wire::Action::kNone:
    case wire::Action::kReset:
    default: return ++refused_frames_, Answer(IoAnswer::kUnknown);
  }
  const Judgement judgement = Take(tactus::Order::kClearFault, &supervisor_);
  Obey(judgement.tick_orders);
  if (judgement.acceptance == Acceptance::kWrongState) ++refused_frames_;
  Answer(judgement.acceptance == Acceptance::kWrongState ? IoAnswer::kWrongState : IoAnswer::kAccepted);
}

void IoApp::Order(tactus::Order order) { Obey(Take(order, &supervisor_).tick_orders); }

/// The first refusal since the last IoState is what the host hears.
void IoApp::Answer(IoAnswer answer) {
  answer_due_ = true;
  if (answer_ == IoAnswer::kNothing || answer_ == IoAnswer::kAccepted) answer_ = answer;
}

wire::IoInput IoApp::Inputs() const {
  const auto bit = [](bool on, wire::IoInput input) { return on ? static_cast<unsigned>(input) : 0u; };
  return static_cast<wire::IoInput>(
      bit(reading_.e_stop, wire::IoInput::kEStop) | bit(reading_.drive_fault, wire::IoInput::kDriveFault) |
      bit(reading_.brown_out, wire::IoInput::kBrownOut) | bit(reading_.encoder_fault, wire::IoInput::kEncoderFault));
}

void IoApp::SendState() {
  const bool heartbeat = session_ != 0 && now_us_ - state_time_us_ >= kHeartbeat_us;
  if (!answer_due_ && !heartbeat) return;
  wire::IoState state;
  state.mutate_sequence(++states_);
  state.mutate_time_us(now_us_);
  state.mutate_command_sequence(command_sequence_);
  float largest_A = 0;
  for (std::uint16_t i = 0; i < hal::kMaxMotors; ++i) {
    state.mutable_count()->Mutate(i, reading_.count[i]);
    state.mutable_current_mA()->Mutate(i, ToMilliampere(reading_.current_A[i]));
    largest_A = Max(largest_A, Abs(written_A_[i]));
  }
  state.mutate_output_mA(static_cast<std::uint16_t>(-Floor(-Min(65535.0f, largest_A * 1000))));
  const std::uint32_t age_us = now_us_ - accepted_time_us_;
  state.mutate_command_age_us(has_accepted_ && age_us < 0xFFFFu ? Low16(age_us) : 0xFFFF);
  state.mutate_state(static_cast<wire::State>(supervisor_.phase));
  state.mutate_fault(fault_);
  state.mutate_answer(answer_);
  state.mutate_inputs(Inputs());
  state.mutate_bad_frames(Low16(decoder_.counters().bad()));
  state.mutate_refused_frames(refused_frames_);
  state.mutate_missing_frames(Low16(decoder_.counters().missing));
  state.mutate_late_periods(late_periods_);
  // A host that does not read loses states, which their numbers tell.
  (void)link_.Write(writer_.Write(state), hal::Lane::kCommand);
  answer_ = IoAnswer::kNothing;
  answer_due_ = false;
  state_time_us_ = now_us_;
}

}  // namespace tactus::io
