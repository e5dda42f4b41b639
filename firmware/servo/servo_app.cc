#include "firmware/servo/servo_app.h"

#include <limits>
#include <memory>
#include <utility>

#include "firmware/servo/config_from_wire.h"
#include "firmware/servo/tick_markers.h"

namespace tactus::servo {
namespace {

void CopyText(const char* text, flatbuffers::Array<std::uint8_t, 32>* field) {
  for (std::uint16_t i = 0; i < 32 && text[i] != '\0'; ++i) field->Mutate(i, static_cast<std::uint8_t>(text[i]));
}

/// a + b, or the largest number: an age that wrapped around would look fresh.
std::uint32_t SaturatingSum(std::uint32_t a, std::uint32_t b) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
  return b > kMost - a ? kMost : a + b;
}

}  // namespace

template <class Scalar>
ServoApp<Scalar>::ServoApp(const Identity& identity, hal::ByteLink& link, const hal::Clock& clock, hal::Watchdog& watchdog)
    : identity_(identity), link_(link), clock_(clock), watchdog_(watchdog), tell_failure_(identity.failed_before) {}

template <class Scalar>
void ServoApp<Scalar>::OnTick() noexcept {
  tactus_tick_begin();
  watchdog_.Feed();
  if (stopping_.load(std::memory_order_relaxed)) return;
  ReadClock();
  Receive();
  if (!TickIsDue()) return;
  const std::uint32_t begin_us =
      link_.frame_per_tick() ? clock_.now_us() : now_us_;  // such a link's clock may run while it waits
  RunTick();
  CheckDeadline(begin_us);
  tactus_tick_end();
}

template <class Scalar>
void ServoApp<Scalar>::ReadClock() {
  const std::uint32_t edges = clock_.edges();
  edge_ = edges != edges_;
  edges_ = edges;
  if (edge_ && silent_edges_ < kSilentEdges) ++silent_edges_;
  // A run with one frame per tick shall not depend on how many microseconds an interrupt took: whole periods there.
  now_us_ = link_.frame_per_tick() ? edges * clock_.period_us() : clock_.now_us();
}

template <class Scalar>
void ServoApp<Scalar>::Receive() {
  sample_is_new_ = false;
  if (next_ == end_) {
    next_ = end_ = 0;
    if (link_.Read(received_, &end_) == Status::kClosed) {
      stopping_.store(true, std::memory_order_release);
      stopped_.store(true, std::memory_order_release);
      return;
    }
  }
  for (int frames = 0; frames < kFramesPerCall && next_ != end_;) {
    std::size_t used = 0;
    const Status status = decoder_.Push(std::span(received_).subspan(next_, end_ - next_), &used);
    next_ += used;
    if (status == Status::kWouldBlock) continue;
    ++frames;
    if (status == Status::kOk) Handle(decoder_.frame());
    if (stopping_.load(std::memory_order_relaxed)) return;
    if (sample_is_new_ && pacing_ == wire::Pacing::kSample) return;  // one tick per sample: what follows it waits
  }
}

template <class Scalar>
void ServoApp<Scalar>::Handle(const wire::Frame& frame) {
  switch (frame.type) {
    case wire::MessageType::kHelloRequest: return HandleHello(frame);
    case wire::MessageType::kConfig: return HandleConfig(frame);
    case wire::MessageType::kControl: return HandleControl(frame);
    case wire::MessageType::kSample: return HandleSample(frame);
    default: ++misdirected_frames_;
  }
}

template <class Scalar>
void ServoApp<Scalar>::HandleHello(const wire::Frame& frame) {
  wire::HelloRequest request;
  if (wire::ReadMessage(frame, &request) != Status::kOk) return;
  const bool compatible = request.protocol_version() == wire::kProtocolVersion;
  refused_version_ = !compatible;
  if (compatible && state_ == wire::State::kConnecting) state_ = wire::State::kUnconfigured;

  wire::Hello hello;
  hello.mutate_protocol_version(wire::kProtocolVersion);
  hello.mutate_nonce(request.nonce());
  hello.mutate_compatible(compatible ? 1 : 0);
  hello.mutate_state(state_);
  hello.mutate_link(identity_.link);
  hello.mutate_scalar_bits(8 * sizeof(Scalar));
  hello.mutate_max_directions(kServoCapacity.directions);
  hello.mutate_max_contacts(kServoCapacity.contacts);
  hello.mutate_max_payload(wire::kMaxPayloadSize);
  hello.mutate_tick_period_us(clock_.period_us());
  hello.mutate_core_clock_Hz(identity_.core_clock_Hz);
  hello.mutate_tick(tick_state_.tick);
  hello.mutate_config_size(sizeof(wire::Config));
  hello.mutate_sample_size(sizeof(wire::Sample));
  hello.mutate_command_size(sizeof(wire::Command));
  hello.mutate_telemetry_size(sizeof(wire::Telemetry));
  CopyText(identity_.board, hello.mutable_board());
  CopyText(identity_.build, hello.mutable_build());
  Send(hello);
  if (compatible && std::exchange(tell_failure_, false)) {
    Send(wire::Fault(0, wire::FaultCode::kExternal, wire::ExternalCause::kControllerFault, 0, 0, 0));
  }
}

template <class Scalar>
void ServoApp<Scalar>::HandleConfig(const wire::Frame& frame) {
  wire::Config message;
  if (wire::ReadMessage(frame, &message) != Status::kOk) return;
  if (refused_version_) return SendAck(frame, wire::AckCode::kWrongVersion, wire::kNoField);
  if (state_ != wire::State::kUnconfigured && state_ != wire::State::kIdle) {
    return SendAck(frame, wire::AckCode::kWrongState, wire::kNoField);
  }
  const ConfigRefusal refusal = ConfigFromWire(message, clock_.period_us(), &config_);
  if (!refusal) {
    pacing_ = message.pacing();
    telemetry_every_ = static_cast<std::uint32_t>(message.telemetry_every_ticks());
    has_sample_ = false;
    ResetTick();
    state_ = wire::State::kIdle;
  }
  SendAck(frame, refusal.code, refusal.field);
}

template <class Scalar>
void ServoApp<Scalar>::HandleControl(const wire::Frame& frame) {
  wire::Control message;
  if (wire::ReadMessage(frame, &message) != Status::kOk) return;
  if (refused_version_) return SendAck(frame, wire::AckCode::kWrongVersion, wire::kNoField);
  const wire::AckCode code = Act(message.action());
  SendAck(frame, code, code == wire::AckCode::kOutOfRange ? std::uint16_t{0} : wire::kNoField);
}

// The state machine of docs/wire.md, section 5.
template <class Scalar>
wire::AckCode ServoApp<Scalar>::Act(wire::Action action) {
  using wire::AckCode;
  const bool idle = state_ == wire::State::kIdle, armed = state_ == wire::State::kArmed,
             faulted = state_ == wire::State::kFaulted;
  switch (action) {
    case wire::Action::kArm:
      if (!idle && !armed) return AckCode::kWrongState;
      if (idle && Arm(&tick_state_) != Status::kOk) return AckCode::kWrongState;
      state_ = wire::State::kArmed;
      return AckCode::kAccepted;
    case wire::Action::kDisarm:
      if (!idle && !armed && !faulted) return AckCode::kWrongState;
      Disarm(&tick_state_);
      if (armed) state_ = wire::State::kIdle;
      return AckCode::kAccepted;
    case wire::Action::kClearFault:
      if (!idle && !faulted) return AckCode::kWrongState;
      if (faulted) ClearFault(&tick_state_);
      external_cause_ = wire::ExternalCause::kNone;
      state_ = wire::State::kIdle;
      return AckCode::kAccepted;
    case wire::Action::kReset:
      if (!idle) return AckCode::kWrongState;
      ResetTick();
      return AckCode::kAccepted;
    case wire::Action::kStop:
      if (state_ == wire::State::kConnecting) return AckCode::kWrongState;
      state_ = wire::State::kStopped;
      stopping_.store(true, std::memory_order_release);
      return AckCode::kAccepted;
    case wire::Action::kNone: break;
  }
  return AckCode::kOutOfRange;
}

template <class Scalar>
void ServoApp<Scalar>::ResetTick() {
  std::destroy_at(&tick_state_);
  std::construct_at(&tick_state_);  // in place: a temporary would not fit on a small stack
  ticks_.store(0, std::memory_order_relaxed);
  missed_in_a_row_ = 0;
}

template <class Scalar>
void ServoApp<Scalar>::HandleSample(const wire::Frame& frame) {
  const bool running = state_ == wire::State::kIdle || state_ == wire::State::kArmed || state_ == wire::State::kFaulted;
  if (!running || wire::ReadMessage(frame, &sample_) != Status::kOk) return;
  has_sample_ = true;
  sample_is_new_ = true;
  sample_at_us_ = now_us_;
  silent_edges_ = 0;
}

template <class Scalar>
bool ServoApp<Scalar>::TickIsDue() const {
  const bool running = state_ == wire::State::kIdle || state_ == wire::State::kArmed || state_ == wire::State::kFaulted;
  if (!running || !has_sample_) return false;
  if (pacing_ == wire::Pacing::kClock) return edge_;
  return sample_is_new_ || (edge_ && silent_edges_ >= kSilentEdges);
}

template <class Scalar>
void ServoApp<Scalar>::RunTick() {
  TickStamp stamp;
  stamp.sample_age_us = SaturatingSum(sample_.age_us(), now_us_ - sample_at_us_);
  CommandFrame command;
  Telemetry<Scalar> telemetry;
  const SensorFrame sample = SampleFromWire(sample_, stamp.sample_age_us);
  (void)Tick(sample, config_, &tick_state_, &command, &telemetry);  // the outcome is in the telemetry's status and fault
  stamp.tick = telemetry.tick;
  ticks_.store(tick_state_.tick, std::memory_order_relaxed);
  Send(CommandToWire(command, telemetry, stamp));
  ReportFault(telemetry);
  QueueTelemetry(telemetry, stamp);
}

template <class Scalar>
void ServoApp<Scalar>::ReportFault(const Telemetry<Scalar>& telemetry) {
  if (telemetry.fault == Fault::kNone || state_ == wire::State::kFaulted) return;
  state_ = wire::State::kFaulted;
  ++faults_;
  Send(wire::Fault(telemetry.tick, static_cast<wire::FaultCode>(telemetry.fault), external_cause_, 0, telemetry.status,
                   telemetry.sample_sequence));
}

template <class Scalar>
void ServoApp<Scalar>::QueueTelemetry(const Telemetry<Scalar>& telemetry, const TickStamp& stamp) {
  if (telemetry_every_ == 0 || telemetry.tick % telemetry_every_ != 0) return;
  wire::Telemetry message = TelemetryToWire(telemetry, stamp);
  message.mutate_state(state_);
  message.mutate_missed_deadlines(missed_deadlines_.load(std::memory_order_relaxed));
  message.mutate_bad_frames(bad_frames());
  message.mutate_dropped_telemetry(dropped_telemetry_.load(std::memory_order_relaxed));
  if (!telemetry_.Push(message)) dropped_telemetry_.fetch_add(1, std::memory_order_relaxed);
}

// By clock: the next edge has come. By sample: the tick began anywhere in a period, so it has taken longer than one.
template <class Scalar>
void ServoApp<Scalar>::CheckDeadline(std::uint32_t begin_us) {
  const bool by_clock = pacing_ == wire::Pacing::kClock && !link_.frame_per_tick();
  const bool missed = by_clock ? clock_.edges() != edges_ : clock_.now_us() - begin_us > clock_.period_us();
  if (!missed) {
    missed_in_a_row_ = 0;
    return;
  }
  missed_deadlines_.fetch_add(1, std::memory_order_relaxed);
  // By sample the host sets the pace, and an emulator without virtual time is late often: counted, but no fault.
  if (++missed_in_a_row_ >= kDeadlinesInARow && pacing_ == wire::Pacing::kClock && state_ != wire::State::kFaulted) {
    external_cause_ = wire::ExternalCause::kDeadline;
    RaiseFault(&tick_state_);
  }
}

template <class Scalar>
template <wire::Message M>
void ServoApp<Scalar>::Send(const M& message) {
  std::size_t size = 0;
  const std::uint16_t sequence = next_sequence_.load(std::memory_order_relaxed);
  const Status encoded = wire::EncodeFrame(wire::kTypeOf<M>, sequence, wire::PayloadOf(message), frame_, &size);
  TACTUS_CHECK(encoded == Status::kOk);
  next_sequence_.store(static_cast<std::uint16_t>(sequence + 1), std::memory_order_relaxed);
  (void)link_.Write(std::span(frame_).first(size), hal::Lane::kCommand);  // no room: the gap in the sequence tells the host
}

template <class Scalar>
void ServoApp<Scalar>::SendAck(const wire::Frame& frame, wire::AckCode code, std::uint16_t field) {
  Send(wire::Ack(tick_state_.tick, frame.sequence, frame.type, code, state_, 0, field));
}

template <class Scalar>
void ServoApp<Scalar>::DrainTelemetry() noexcept {
  const bool stopping = stopping_.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < kTelemetryRing; ++i) {
    const wire::Telemetry* const oldest = telemetry_.Front();
    if (oldest == nullptr) break;
    if (SendFromBackground(*oldest, hal::Lane::kTelemetry) == Status::kWouldBlock) return;
    telemetry_.Pop();
  }
  if (!stopping || stopped()) return;
  const wire::Stopped last_word(ticks_.load(), missed_deadlines_.load(), decoder_.counters().frames, bad_frames(),
                                dropped_telemetry_.load(), faults_);
  if (SendFromBackground(last_word, hal::Lane::kCommand) != Status::kWouldBlock)
    stopped_.store(true, std::memory_order_release);
}

// The frame is made outside the lock, which is held for the copy into the link alone. If a tick has sent a frame in between,
// the number is taken: once more, with the next one.
template <class Scalar>
template <wire::Message M>
Status ServoApp<Scalar>::SendFromBackground(const M& message, hal::Lane lane) {
  for (int attempt = 0; attempt < kSendAttempts; ++attempt) {
    std::size_t size = 0;
    const std::uint16_t sequence = next_sequence_.load(std::memory_order_relaxed);
    const Status encoded = wire::EncodeFrame(wire::kTypeOf<M>, sequence, wire::PayloadOf(message), background_frame_, &size);
    TACTUS_CHECK(encoded == Status::kOk);
    link_.Lock();
    const bool mine = next_sequence_.load(std::memory_order_relaxed) == sequence;
    const Status sent = mine ? link_.Write(std::span(background_frame_).first(size), lane) : Status::kWouldBlock;
    if (sent == Status::kOk) next_sequence_.store(static_cast<std::uint16_t>(sequence + 1), std::memory_order_relaxed);
    link_.Unlock();
    if (mine) return sent;
  }
  return Status::kWouldBlock;
}

template class ServoApp<double>;
template class ServoApp<float>;

}  // namespace tactus::servo
