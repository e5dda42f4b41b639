// The part of the servo application that takes the host's messages.
#include <memory>
#include <utility>

#include "firmware/servo/config_from_wire.h"
#include "firmware/servo/messages.h"
#include "firmware/servo/servo_app.h"
#include "tactus/wire/nonce.h"

namespace tactus::servo {
namespace {

void CopyText(const char* text, flatbuffers::Array<std::uint8_t, 32>* field) {
  for (std::uint16_t i = 0; i < 32 && text[i] != '\0'; ++i) field->Mutate(i, static_cast<std::uint8_t>(text[i]));
}

Order OrderOf(wire::Action action) {
  switch (action) {
    case wire::Action::kDisarm: return Order::kDisarm;
    case wire::Action::kClearFault: return Order::kClearFault;
    case wire::Action::kReset: return Order::kReset;
    case wire::Action::kStop: return Order::kStop;
    case wire::Action::kEStop: return Order::kEStop;
    case wire::Action::kPressClutch:
    case wire::Action::kReleaseClutch:
    case wire::Action::kHome:
    case wire::Action::kNone: break;
  }
  return Order::kNone;
}

/// Taken in every state, and from a host of any version.
bool TurnsForceOff(Order order) { return order == Order::kDisarm || order == Order::kStop || order == Order::kEStop; }

// The enumerations of the schema mirror the library's.
static_assert(static_cast<int>(wire::State::kFading) == static_cast<int>(Phase::kFading));
static_assert(static_cast<int>(wire::ExternalCause::kOutputWrong) == static_cast<int>(Cause::kOutputWrong));
static_assert(static_cast<int>(wire::DeviceState::kFaulted) == static_cast<int>(hal::DeviceState::kFaulted));

}  // namespace

template <class Scalar>
void ServoApp<Scalar>::Handle(const wire::Frame& frame) {
  switch (frame.type) {
    case wire::MessageType::kHelloRequest: return HandleHello(frame);
    case wire::MessageType::kConfig: return HandleConfig(frame);
    case wire::MessageType::kControl: return HandleControl(frame);
    case wire::MessageType::kArm: return HandleArm(frame);
    case wire::MessageType::kTune: return HandleTune(frame);
    case wire::MessageType::kScenePart: return HandleScenePart(frame);
    case wire::MessageType::kSubscribe: return HandleSubscribe(frame);
    case wire::MessageType::kSceneRequest: return HandleSceneRequest(frame);
    case wire::MessageType::kStreamOpen: return HandleStreamOpen(frame);
    case wire::MessageType::kContactSet: return HandleContactSet(frame);
    case wire::MessageType::kWorkspace: return HandleWorkspace(frame);
    case wire::MessageType::kSample: return HandleSample<wire::Sample>(frame);
    case wire::MessageType::kCountedSample: return HandleSample<wire::CountedSample>(frame);
    case wire::MessageType::kSampleOfTwo: return HandleSample<wire::SampleOfTwo>(frame);
    default: ++misdirected_frames_;
  }
}

template <class Scalar>
void ServoApp<Scalar>::HandleHello(const wire::Frame& frame) {
  wire::HelloRequest request;
  if (wire::ReadMessage(frame, &request) != Status::kOk) return;
  const bool compatible = request.protocol_version() == wire::kProtocolVersion;
  refused_version_ = !compatible;
  if (compatible) (void)Take(tactus::Order::kHello, &supervisor_);
  RenewNonce(request.nonce());
  watches_contacts_.store(false, std::memory_order_relaxed);
  watches_workspace_ = false;
  scene_asked_.store(kNothingAsked, std::memory_order_relaxed);

  wire::Hello hello;
  hello.mutate_protocol_version(wire::kProtocolVersion);
  hello.mutate_nonce(request.nonce());
  hello.mutate_compatible(compatible ? 1 : 0);
  hello.mutate_state(state());
  hello.mutate_link(identity_.link);
  hello.mutate_scalar_bits(8 * sizeof(Scalar));
  hello.mutate_max_directions(kServoCapacity.directions);
  hello.mutate_max_contacts(static_cast<std::uint16_t>(identity_.work.contacts));
  hello.mutate_max_payload(wire::kMaxPayloadSize);
  hello.mutate_tick_period_us(clock_.period_us());
  hello.mutate_core_clock_Hz(identity_.core_clock_Hz);
  hello.mutate_work_budget(static_cast<std::uint32_t>(identity_.work.alone));
  hello.mutate_work_budget_of_many(static_cast<std::uint32_t>(identity_.work.of_many));
  hello.mutate_tick(tick_state_.tick);
  hello.mutate_arm_nonce(arm_nonce_);
  hello.mutate_config_crc(config_crc_);
  hello.mutate_max_force_N(ceilings_.supervisor.max_force_N);
  hello.mutate_max_torque_Nm(ceilings_.supervisor.max_torque_Nm);
  hello.mutate_max_fade_ticks(static_cast<std::uint16_t>(ceilings_.supervisor.fade_periods));
  hello.mutate_max_silence_ticks(ceilings_.max_silence_ticks);
  hello.mutate_device(&device_ == &link_device_ ? wire::DeviceKind::kAtHost : wire::DeviceKind::kLocal);
  hello.mutate_device_state(static_cast<wire::DeviceState>(reading_.state));
  hello.mutate_scene_bodies(static_cast<std::uint8_t>(kHasScenes ? kServoScene.bodies : 0));
  hello.mutate_scene_shapes(static_cast<std::uint8_t>(kHasScenes ? kServoScene.shapes : 0));
  hello.mutate_config_size(sizeof(wire::Config));
  hello.mutate_sample_size(sizeof(wire::Sample));
  hello.mutate_command_size(sizeof(wire::Command));
  hello.mutate_telemetry_size(sizeof(wire::Telemetry));
  CopyText(identity_.board, hello.mutable_board());
  CopyText(identity_.build, hello.mutable_build());
  (void)sender_.Send(hello);
  bounds_asked_.fetch_add(1, std::memory_order_release);
  if (compatible && std::exchange(tell_failure_, false)) {
    (void)sender_.Send(wire::Fault(0, wire::FaultCode::kExternal, wire::ExternalCause::kControllerFault, 0, 0, 0));
  }
}

template <class Scalar>
void ServoApp<Scalar>::HandleConfig(const wire::Frame& frame) {
  wire::Config message;
  if (wire::ReadMessage(frame, &message) != Status::kOk) return;
  const WaitingFrame from{.sequence = frame.sequence, .type = frame.type};
  if (refused_version_) return SendAck(from, wire::AckCode::kWrongVersion);
  if (waiting_frame_.waits) return SendAck(from, wire::AckCode::kWrongState);
  Config<Scalar> checked;
  const ConfigRefusal refusal = ConfigFromWire(message, clock_.period_us(), &checked, identity_.device);
  if (refusal) return SendAck(from, refusal.code, refusal.field, refusal.limit);
  Supervisor asked = supervisor_;  // a Config that is refused must not stand in the place of the one in force
  if (Take(tactus::Order::kConfigure, &asked).acceptance == Acceptance::kWrongState)
    return SendAck(from, wire::AckCode::kWrongState);
  waiting_config_ = message;
  Order(frame, tactus::Order::kConfigure);
}

template <class Scalar>
void ServoApp<Scalar>::HandleArm(const wire::Frame& frame) {
  wire::Arm message;
  if (wire::ReadMessage(frame, &message) != Status::kOk) return;
  const WaitingFrame from{.sequence = frame.sequence, .type = frame.type};
  if (refused_version_) return SendAck(from, wire::AckCode::kWrongVersion);
  if (supervisor_.phase != Phase::kIdle && supervisor_.phase != Phase::kArmed) {
    return SendAck(from, wire::AckCode::kWrongState);
  }
  if (supervisor_.unsafe) return SendAck(from, wire::AckCode::kWrongState);
  if (message.nonce() != arm_nonce_) return SendAck(from, wire::AckCode::kWrongNonce);
  if (message.config_crc() != config_crc_) return SendAck(from, wire::AckCode::kWrongConfig);
  RenewNonce(message.nonce());  // a nonce arms once
  Order(frame, tactus::Order::kArm);
}

template <class Scalar>
void ServoApp<Scalar>::HandleTune(const wire::Frame& frame) {
  wire::Tune message;
  if (wire::ReadMessage(frame, &message) != Status::kOk) return;
  const WaitingFrame from{.sequence = frame.sequence, .type = frame.type};
  if (refused_version_) return SendAck(from, wire::AckCode::kWrongVersion);
  if (Take(tactus::Order::kTune, &supervisor_).acceptance != Acceptance::kAccepted) {
    return SendAck(from, wire::AckCode::kWrongState);
  }
  const ConfigRefusal refusal = TuneFromWire(message, config_, &tune_, identity_.device);
  if (refusal) return SendAck(from, refusal.code, refusal.field, refusal.limit);
  tuning_ = true;
  telemetry_every_ = static_cast<std::uint32_t>(message.telemetry_every_ticks());
  config_crc_ = Crc32(wire::PayloadOf(message), config_crc_);
  SendAck(from, wire::AckCode::kAccepted);
}

/// Only where no force is and none can come: a scene that is complete makes the tick anew.
template <class Scalar>
void ServoApp<Scalar>::HandleScenePart(const wire::Frame& frame) {
  wire::ScenePart message;
  if (wire::ReadMessage(frame, &message) != Status::kOk) return;
  const WaitingFrame from{.sequence = frame.sequence, .type = frame.type};
  if (refused_version_) return SendAck(from, wire::AckCode::kWrongVersion);
  const bool configured = supervisor_.phase == Phase::kIdle;
  if ((!configured && supervisor_.phase != Phase::kUnconfigured) || waiting_frame_.waits) {
    return SendAck(from, wire::AckCode::kWrongState);
  }
  const SceneAnswer answer = scene_loader_.Take(message);
  if (answer.complete) scene_changes_.fetch_add(1, std::memory_order_relaxed);
  if (answer.complete && configured) ApplyConfig();
  SendAck(from, answer.code, answer.field, answer.limit);
}

/// Where a scene may come, a stream may begin or end.
template <class Scalar>
void ServoApp<Scalar>::HandleStreamOpen(const wire::Frame& frame) {
  wire::StreamOpen message;
  if (wire::ReadMessage(frame, &message) != Status::kOk) return;
  const WaitingFrame from{.sequence = frame.sequence, .type = frame.type};
  if (refused_version_) return SendAck(from, wire::AckCode::kWrongVersion);
  const bool configured = supervisor_.phase == Phase::kIdle;
  if ((!configured && supervisor_.phase != Phase::kUnconfigured) || waiting_frame_.waits) {
    return SendAck(from, wire::AckCode::kWrongState);
  }
  if (message.turns() > 1) return SendAck(from, wire::AckCode::kOutOfRange, 4, 1);
  stream_open_ = message;
  stream_inbox_.Open(message.session());
  if (configured) ApplyConfig();
  SendAck(from, wire::AckCode::kAccepted);
}

/// In force between two ticks, as a whole or not at all.
template <class Scalar>
void ServoApp<Scalar>::HandleContactSet(const wire::Frame& frame) {
  wire::ContactSet message;
  if (wire::ReadMessage(frame, &message) != Status::kOk) return;
  const WaitingFrame from{.sequence = frame.sequence, .type = frame.type};
  if (refused_version_) return SendAck(from, wire::AckCode::kWrongVersion);
  const bool runs = supervisor_.phase != Phase::kConnecting && supervisor_.phase != Phase::kUnconfigured &&
                    supervisor_.phase != Phase::kStopped;
  if (!runs) return SendAck(from, wire::AckCode::kWrongState);
  const StreamAnswer answer = stream_inbox_.Take(message, tick_state_.tick);
  if (answer.complete) PutInForce(stream_inbox_.set(), config_, &tick_state_);
  SendAck(from, answer.code, answer.field, answer.limit);
}

/// At zero force only: in kIdle it makes the tick anew, as a scene does; while the clutch holds, the clutch sees to it that
/// nothing jumps.
template <class Scalar>
void ServoApp<Scalar>::HandleWorkspace(const wire::Frame& frame) {
  wire::Workspace message;
  if (wire::ReadMessage(frame, &message) != Status::kOk) return;
  const WaitingFrame from{.sequence = frame.sequence, .type = frame.type};
  if (refused_version_) return SendAck(from, wire::AckCode::kWrongVersion);
  const bool idle = supervisor_.phase == Phase::kIdle && !waiting_frame_.waits;
  if (!idle && supervisor_.phase != Phase::kArmed) return SendAck(from, wire::AckCode::kWrongState);
  if (HasSecondHand(config_)) return SendAck(from, wire::AckCode::kOverCapacity);
  WorkspaceConfig<Scalar> wanted;
  if (const ConfigRefusal refusal = WorkspaceFromWire(message, &wanted))
    return SendAck(from, refusal.code, refusal.field, refusal.limit);
  if (!idle && ChangeWorkspace(wanted, &config_, tick_state_) != Status::kOk)
    return SendAck(from, wire::AckCode::kForceIsOn);
  workspace_ = message;
  has_workspace_ = true;
  if (!idle) config_crc_ = Crc32(wire::PayloadOf(message), config_crc_);
  if (idle) ApplyConfig();
  SendAck(from, wire::AckCode::kAccepted);
  told_workspace_ = false;
  if (watches_workspace_) ReportWorkspace();
}

/// Wherever ticks run: a clutch only takes force away.
template <class Scalar>
void ServoApp<Scalar>::HandleClutch(const wire::Frame& frame, bool pressed) {
  const WaitingFrame from{.sequence = frame.sequence, .type = frame.type};
  const bool runs = supervisor_.phase != Phase::kConnecting && supervisor_.phase != Phase::kUnconfigured &&
                    supervisor_.phase != Phase::kStopped;
  if (!runs) return SendAck(from, wire::AckCode::kWrongState);
  if (HasSecondHand(config_)) return SendAck(from, wire::AckCode::kOverCapacity);
  PressClutch(pressed, &tick_state_);
  SendAck(from, wire::AckCode::kAccepted);
}

template <class Scalar>
void ServoApp<Scalar>::HandleControl(const wire::Frame& frame) {
  wire::Control message;
  if (wire::ReadMessage(frame, &message) != Status::kOk) return;
  const WaitingFrame from{.sequence = frame.sequence, .type = frame.type};
  const tactus::Order order = OrderOf(message.action());
  if (refused_version_ && !TurnsForceOff(order)) return SendAck(from, wire::AckCode::kWrongVersion);
  const bool presses = message.action() == wire::Action::kPressClutch;
  if (presses || message.action() == wire::Action::kReleaseClutch) return HandleClutch(frame, presses);
  if (message.action() == wire::Action::kHome) return HandleHome(frame);
  if (order == tactus::Order::kNone) return SendAck(from, wire::AckCode::kOutOfRange, 0);
  Order(frame, order);
}

/// Not while force may be out; and a device at the host's end of the link is the host's to home.
template <class Scalar>
void ServoApp<Scalar>::HandleHome(const wire::Frame& frame) {
  const bool may_push = drives_on_ || supervisor_.phase == Phase::kArmed || supervisor_.phase == Phase::kFading;
  const bool homes = !may_push && device_.Home() == Status::kOk;
  if (homes) {  // what is known until the next one
    reading_ = hal::DeviceReading{};
    reading_.state = hal::DeviceState::kHoming;
  }
  SendAck({.sequence = frame.sequence, .type = frame.type}, homes ? wire::AckCode::kAccepted : wire::AckCode::kWrongState);
}

/// Asks the supervisor, does what it says, and answers: now, or when the output is zero.
template <class Scalar>
void ServoApp<Scalar>::Order(const wire::Frame& frame, tactus::Order order) {
  const Judgement judgement = Take(order, &supervisor_);
  const WaitingFrame from{.waits = true, .sequence = frame.sequence, .type = frame.type};
  Obey(judgement.tick_orders, judgement.cut);
  AnswerDropped();
  if (judgement.acceptance == Acceptance::kWaits) {
    waiting_frame_ = from;
    return;
  }
  SendAck(from, judgement.acceptance == Acceptance::kAccepted ? wire::AckCode::kAccepted : wire::AckCode::kWrongState);
}

template <class Scalar>
void ServoApp<Scalar>::Obey(std::uint8_t tick_orders, Cause cut) {
  if (tick_orders & tick_order::kArm) (void)Arm(&tick_state_);
  if (tick_orders & tick_order::kDisarm) Disarm(&tick_state_);
  if (tick_orders & tick_order::kRaiseFault) RaiseFault(&tick_state_);
  if (tick_orders & tick_order::kCutForce) Cut(cut);
  const bool faulted = tick_state_.fault != Fault::kNone;  // without one there is nothing to clear, and the tool stays
  if ((tick_orders & tick_order::kClearFault) && faulted) ClearFault(&tick_state_);
  if (tick_orders & tick_order::kReset) ResetTick();
  if (tick_orders & tick_order::kConfigure) {
    has_workspace_ = false;  // a host that does not know of it has 1 : 1
    config_message_ = waiting_config_;
    ApplyConfig();
  }
}

/// A first fault is told once it has latched. What cuts the rest of a faulted state's force is told here, or no replay could
/// know.
template <class Scalar>
void ServoApp<Scalar>::Cut(Cause cause) {
  const bool cuts_the_rest =
      tick_state_.fault != Fault::kNone && (tick_state_.gain != Scalar(0) || !tick_state_.raw_wrench_W.isZero(0));
  CutForce(&tick_state_);
  if (cuts_the_rest) SendFault(cause, tick_state_.tick + 1, 0, 0);
}

template <class Scalar>
void ServoApp<Scalar>::ApplyConfig() {
  (void)ConfigFromWire(config_message_, clock_.period_us(), &config_, identity_.device);  // it has been checked
  config_.work = identity_.work;
  supervisor_.pacing = config_message_.pacing() == wire::Pacing::kSample ? TickPacing::kSample : TickPacing::kClock;
  supervisor_.silent_limit = config_.guard.silence_ticks;
  supervisor_.silent_periods = 0;
  supervisor_.had_sample = false;  // what is forgotten below is no device that has failed
  telemetry_every_ = static_cast<std::uint32_t>(config_message_.telemetry_every_ticks());
  config_crc_ = Crc32(wire::PayloadOf(config_message_), scene_loader_.crc());
  if (scene_loader_.world() != nullptr && stream_open_.session() == 0) UseScene(*scene_loader_.world(), &config_);
  config_.stream = StreamFromWire(stream_open_);
  if (config_.stream.open) config_crc_ = Crc32(wire::PayloadOf(stream_open_), config_crc_);
  if (has_workspace_) {
    WorkspaceConfig<Scalar> workspace;
    (void)WorkspaceFromWire(workspace_, &workspace);  // it has been checked
    UseWorkspace(workspace, &config_);
    config_crc_ = Crc32(wire::PayloadOf(workspace_), config_crc_);
  }
  tuning_ = false;
  link_device_.Forget();
  reading_.is_new = false;
  if (&device_ == &link_device_) reading_ = hal::DeviceReading{};
  ResetTick();
}

template <class Scalar>
void ServoApp<Scalar>::ResetTick() {
  std::destroy_at(&tick_state_);
  std::construct_at(&tick_state_);  // in place: a temporary would not fit on a small stack
  told_phase_ = StreamPhase::kClosed;
  told_swaps_ = 0;
  told_workspace_ = false;
  contact_watch_.Reset();
  ticks_.store(0, std::memory_order_relaxed);
}

/// What waited for zero output and lost its place to a fault or a stop is refused, not forgotten.
template <class Scalar>
void ServoApp<Scalar>::AnswerDropped() {
  if (!waiting_frame_.waits || supervisor_.waiting != tactus::Order::kNone) return;
  waiting_frame_.waits = false;
  SendAck(waiting_frame_, wire::AckCode::kWrongState);
}

/// Another number for the next Arm.
template <class Scalar>
void ServoApp<Scalar>::RenewNonce(std::uint32_t salt) {
  arm_nonce_ = wire::NextNonce(identity_.boot_seed, now_us_, ++nonces_, salt, arm_nonce_);
}

/// One of the kinds of a sample.
template <class Scalar>
template <class Message>
void ServoApp<Scalar>::HandleSample(const wire::Frame& frame) {
  Message message;
  if (&device_ != &link_device_) {
    ++misdirected_frames_;
    return;
  }
  const bool runs = supervisor_.phase != Phase::kConnecting && supervisor_.phase != Phase::kUnconfigured;
  if (!runs) return;
  if (wire::ReadMessage(frame, &message) == Status::kOk) link_device_.Take(message, now_us_);
}

template <class Scalar>
void ServoApp<Scalar>::SendAck(const WaitingFrame& frame, wire::AckCode code, std::uint16_t field, double limit) {
  (void)sender_.Send(wire::Ack(tick_state_.tick, frame.sequence, frame.type, code, state(), 0, field, arm_nonce_, limit));
}

template <class Scalar>
wire::State ServoApp<Scalar>::state() const {
  return static_cast<wire::State>(supervisor_.phase);
}

template class ServoApp<double>;
template class ServoApp<float>;

}  // namespace tactus::servo
