#include "firmware/servo/servo_app.h"

#include "firmware/servo/config_from_wire.h"
#include "firmware/servo/messages.h"
#include "firmware/servo/tick_markers.h"

namespace tactus::servo {
namespace {

/// A fade is over when the longest ramp that a Config may have is, and one tick for its rounding.
Ceilings CeilingsOf(const wire::Config& highest, std::uint32_t period_us) {
  const double periods = highest.guard_ramp_down_s() * 1e6 / period_us;
  return {.supervisor = {.fade_periods = static_cast<int>(periods + 1.999),
                         .max_force_N = static_cast<float>(highest.limits_max_force_N()),
                         .max_torque_Nm = static_cast<float>(highest.limits_max_torque_Nm())},
          .max_silence_ticks = static_cast<std::uint16_t>(highest.guard_silence_ticks())};
}

/// Its length; nothing that a motor could follow is 0: in single precision the square of 1e-23 is a rounding of itself, and
/// a fade of it would not seem to fall.
float LengthOf(const Vec<float, 3>& v) {
  constexpr float kNothing = 1e-12f;                                // [N] or [N·m]
  return (v.cwiseAbs().array() < kNothing).all() ? 0.0f : Norm(v);  // a NaN is not nothing
}

/// What is about to be written, for the supervisor.
Output Measure(const CommandFrame& command, bool gain_is_zero, bool tick_faulted) {
  const Vec<float, 3> force_N(command.force_N[0], command.force_N[1], command.force_N[2]);
  const Vec<float, 3> torque_Nm(command.torque_Nm[0], command.torque_Nm[1], command.torque_Nm[2]);
  return {.force_N = LengthOf(force_N),
          .torque_Nm = LengthOf(torque_Nm),
          .zero = gain_is_zero && force_N.isZero(0) && torque_Nm.isZero(0),
          .tick_faulted = tick_faulted};
}

/// Of two hands: the larger force, and zero only where both are.
Output Larger(const Output& a, const Output& b) {
  Output both = a;
  if (!(b.force_N <= a.force_N)) both.force_N = b.force_N;  // a NaN is the larger one
  if (!(b.torque_Nm <= a.torque_Nm)) both.torque_Nm = b.torque_Nm;
  both.zero = a.zero && b.zero;
  return both;
}

/// The lesser of what is compiled in and what the device can do; 0: the device does not say.
double Narrow(double limit, double of_device) { return of_device > 0 && of_device < limit ? of_device : limit; }

Identity Narrowed(Identity identity, const hal::Device* device) {
  if (device == nullptr) return identity;
  const hal::DeviceCapabilities& can = device->capabilities();
  identity.device.force_N = Narrow(identity.device.force_N, static_cast<double>(can.peak_force_N));
  identity.device.torque_Nm = Narrow(identity.device.torque_Nm, static_cast<double>(can.peak_torque_Nm));
  return identity;
}

}  // namespace

template <class Scalar>
ServoApp<Scalar>::ServoApp(const Identity& identity, hal::ByteLink& link, const hal::Clock& clock, hal::Watchdog& watchdog,
                           const BoardParts& parts)
    : identity_(Narrowed(identity, parts.device)),
      link_(link),
      clock_(clock),
      watchdog_(watchdog),
      sender_(link),
      link_device_(sender_),
      device_(parts.device != nullptr ? *parts.device : link_device_),
      drives_(parts.drives),
      recorder_(parts.recorder),
      most_silence_us_(parts.most_silence_us),
      ceilings_(CeilingsOf(HighestToWire(identity_.device).config(), clock.period_us())),
      tell_failure_(identity.failed_before),
      edges_(clock.edges()),
      scene_loader_(Min(device_.hands(), kServoScene.hands)) {}

template <class Scalar>
void ServoApp<Scalar>::OnTick() noexcept {
  tactus_tick_begin();
  if (stopped()) return;
  ReadClock();
  Receive();
  WatchHost();
  const std::uint32_t begin_us =
      link_.frame_per_tick() ? clock_.now_us() : now_us_;  // such a link's clock may run while it waits
  const hal::DeviceReading& reading = ReadDevice();
  const Plan plan = Begin(Observe(reading), &supervisor_);
  Obey(plan.tick_orders, plan.cut);
  AnswerDropped();
  written_ = !plan.run_tick && !plan.write_zero;  // then the last command holds, as it should
  if (plan.run_tick) RunTick(reading);
  if (plan.write_zero) WriteZero();
  if (supervisor_.phase == Phase::kStopped) stopping_.store(true, std::memory_order_release);
  if (plan.run_tick) CheckDeadline(begin_us);
  if (plan.run_tick) NoteTick(begin_us);
  FeedWatchdog();
  if (plan.run_tick) tactus_tick_end();
}

template <class Scalar>
void ServoApp<Scalar>::ReadClock() {
  const std::uint32_t edges = clock_.edges(), before_us = now_us_;
  new_edges_ = edges - edges_;
  edges_ = edges;
  // A run with one frame per tick shall not depend on how many microseconds an interrupt took: whole periods there. Its
  // clock may have run while the link waited, which is no tick missed.
  now_us_ = link_.frame_per_tick() ? edges * clock_.period_us() : clock_.now_us();
  if (link_.frame_per_tick() && new_edges_ > 1) new_edges_ = 1;
  if (new_edges_ > 1) missed_deadlines_.fetch_add(new_edges_ - 1, std::memory_order_relaxed);
  const bool stands = new_edges_ == 0 && now_us_ == before_us;
  standing_calls_ = !stands ? 0 : standing_calls_ < kStandingCalls ? standing_calls_ + 1 : kStandingCalls;
}

template <class Scalar>
void ServoApp<Scalar>::Receive() {
  // A link that gives one frame a tick would wait for a host that has said its last word.
  if (link_closed_ || stopping() || (last_word_heard() && link_.frame_per_tick())) return;
  if (next_ == end_) {
    next_ = end_ = 0;
    link_closed_ = link_.Read(received_, &end_) == Status::kClosed;
  }
  const bool is_alone = end_ == 1 && received_[0] == 0;  // an empty frame, or the end of one
  for (int frames = 0; frames < kFramesPerCall && next_ != end_;) {
    std::size_t used = 0;
    const Status status = decoder_.Push(std::span(received_).subspan(next_, end_ - next_), &used);
    next_ += used;
    if (status == Status::kOk || (status == Status::kWouldBlock && is_alone)) heard_us_ = now_us_;
    if (status == Status::kWouldBlock) continue;
    ++frames;
    if (status == Status::kOk) Handle(decoder_.frame());
    // One tick per sample: what follows it waits.
    if (link_device_.has_new_sample() && supervisor_.pacing == TickPacing::kSample) return;
  }
}

/// A host that is gone without a word, its cable pulled. What a line makes up by itself is no sign of life: bytes that are
/// no frame, or one 0x00 after the other of a line that is held low.
template <class Scalar>
void ServoApp<Scalar>::WatchHost() {
  if (most_silence_us_ == 0 || supervisor_.phase != Phase::kArmed || now_us_ - heard_us_ < most_silence_us_) return;
  const Judgement judgement = Take(tactus::Order::kDisarm, &supervisor_);
  Obey(judgement.tick_orders, judgement.cut);
}

template <class Scalar>
const hal::DeviceReading& ServoApp<Scalar>::ReadDevice() {
  const bool at_host = &device_ == &link_device_;
  if (at_host || new_edges_ > 0) reading_ = device_.Read(now_us_);
  if (!at_host && new_edges_ == 0) reading_.is_new = false;
  return reading_;
}

template <class Scalar>
Observation ServoApp<Scalar>::Observe(const hal::DeviceReading& reading) const {
  return {.edges = new_edges_,
          .has_sample = reading.valid,
          .new_sample = reading.is_new,
          .e_stop = reading.e_stop,
          .device_failed = reading.state == hal::DeviceState::kFaulted,
          .device_homes = reading.state == hal::DeviceState::kHoming,
          .clock_stands = standing_calls_ >= kStandingCalls,
          .link_closed = link_closed_};
}

template <class Scalar>
void ServoApp<Scalar>::RunTick(const hal::DeviceReading& reading) {
  CommandFrame command;
  Telemetry<Scalar> telemetry;
  if (tuning_) tuning_ = Tune(tune_, &config_, &tick_state_) == Status::kWouldBlock;
  TellButtons(reading.buttons, config_, &tick_state_);
  if (reading.has_second) TellSecondHand(reading.second, &tick_state_);
  // The outcome is in the telemetry's status and fault.
  (void)Tick(reading.sample, config_, &tick_state_, &command, &telemetry);
  ticks_.store(tick_state_.tick, std::memory_order_relaxed);
  const hal::CommandNote note = NoteOf(telemetry, reading.sample);
  const Duty duty = Deliver(command, SecondCommand(tick_state_), note, telemetry.fault != Fault::kNone);
  if (duty.cut) telemetry.command_wrench_W.setZero();
  QueueTelemetry(telemetry, reading);
  if (config_.stream.open) ReportStream();
  if (watches_workspace_) ReportWorkspace();
  if (watches_contacts_.load(std::memory_order_relaxed)) WatchContacts(telemetry);
  if (duty.new_fault) ++faults_;
  if (duty.new_fault) SendFault(supervisor_.cause, telemetry.tick, telemetry.status, telemetry.sample_sequence);
  const bool told = duty.new_fault && supervisor_.cause == Cause::kOutputWrong;
  if (duty.cut && !told) SendFault(Cause::kOutputWrong, telemetry.tick, telemetry.status, telemetry.sample_sequence);
  FinishWaiting();
}

template <class Scalar>
void ServoApp<Scalar>::WriteZero() {
  const Duty duty = Deliver({}, {}, {}, tick_state_.fault != Fault::kNone);
  if (duty.new_fault) ++faults_;
  if (duty.new_fault) SendFault(supervisor_.cause, tick_state_.tick + 1, 0, 0);  // a fault is met by the next tick
  FinishWaiting();
}

/// Asks the supervisor, writes, and switches the drives: on before a force, off after zeros, whether the device took them
/// or not. A device that is gone holds no force.
template <class Scalar>
Duty ServoApp<Scalar>::Deliver(CommandFrame command, CommandFrame second, hal::CommandNote note, bool tick_faulted) {
  const bool gain_is_zero = note.tick == 0 || tick_state_.gain == Scalar(0);
  Output output = Measure(command, gain_is_zero, tick_faulted);
  if (HasSecondHand(config_)) output = Larger(output, Measure(second, gain_is_zero, tick_faulted));
  const Duty duty = Settle(output, ceilings_.supervisor, &supervisor_);
  if (duty.cut) {
    CutForce(&tick_state_);
    ZeroCommand(&tick_state_);
    command = CommandFrame{.sequence = command.sequence};
    second = CommandFrame{.sequence = second.sequence};
  }
  note.state = static_cast<std::uint8_t>(duty.phase);
  const bool drives_on = duty.phase == Phase::kArmed || duty.phase == Phase::kFading;
  if (drives_on && !drives_on_) SwitchDrives(true);
  const Status status = Write(command, second, note);
  if (!drives_on && drives_on_) SwitchDrives(false);
  sequel_ = NoteWrite(status != Status::kWouldBlock, &supervisor_);
  written_ = status != Status::kClosed;
  command_ = command;
  note_ = note;
  return duty;
}

/// The second hand's first: the device acts when the other comes.
template <class Scalar>
Status ServoApp<Scalar>::Write(const CommandFrame& command, const CommandFrame& second, const hal::CommandNote& note) {
  if (!HasSecondHand(config_)) return device_.Write(command, note);
  const Status of_second = device_.WriteSecond(second, note);
  const Status of_first = device_.Write(command, note);
  return of_second != Status::kOk ? of_second : of_first;
}

template <class Scalar>
void ServoApp<Scalar>::SwitchDrives(bool on) {
  on ? device_.Enable() : device_.Disable();
  if (drives_ != nullptr) drives_->Set(on);
  drives_on_ = on;
}

template <class Scalar>
void ServoApp<Scalar>::NoteTick(std::uint32_t begin_us) {
  if (recorder_ == nullptr) return;
  recorder_->Note({.tick = note_.tick,
                   .edge = edges_,
                   .now_us = now_us_,
                   .status = note_.status,
                   .force_N = {command_.force_N[0], command_.force_N[1], command_.force_N[2]},
                   .state = note_.state,
                   .mode = note_.mode,
                   .fault = static_cast<std::uint8_t>(tick_state_.fault),
                   .external_cause = static_cast<std::uint8_t>(supervisor_.cause),
                   .tick_us = clock_.now_us() - begin_us});
}

/// The order that waited for zero output.
template <class Scalar>
void ServoApp<Scalar>::FinishWaiting() {
  if (sequel_.ready == tactus::Order::kNone) return;
  Obey(sequel_.tick_orders);
  SendAck(waiting_frame_, wire::AckCode::kAccepted);
  waiting_frame_.waits = false;
}

// By clock: the next edge has come. By sample: the tick began anywhere in a period, so it has taken longer than one.
template <class Scalar>
void ServoApp<Scalar>::CheckDeadline(std::uint32_t begin_us) {
  const bool by_clock = supervisor_.pacing == TickPacing::kClock && !link_.frame_per_tick();
  const bool late = by_clock ? clock_.edges() != edges_ : clock_.now_us() - begin_us > clock_.period_us();
  if (!late) return;
  missed_deadlines_.fetch_add(1, std::memory_order_relaxed);
  NoteLateTick(&supervisor_);
}

// At the end, so that a tick that hangs is caught; only for a clock edge, so that frames alone feed nothing; only if the
// background has had its turn since the last time.
template <class Scalar>
void ServoApp<Scalar>::FeedWatchdog() {
  const std::uint32_t turns = background_turns_.load(std::memory_order_relaxed);
  if (new_edges_ == 0 || !written_ || turns == fed_turns_) return;
  fed_turns_ = turns;
  watchdog_.Feed();
}

template <class Scalar>
void ServoApp<Scalar>::SendFault(Cause cause, std::uint32_t tick, std::uint32_t status, std::uint32_t sample_sequence) {
  const auto code = static_cast<wire::FaultCode>(tick_state_.fault);
  const auto external = static_cast<wire::ExternalCause>(cause);
  (void)sender_.Send(wire::Fault(tick, code, external, 0, status, sample_sequence));
}

template <class Scalar>
void ServoApp<Scalar>::QueueTelemetry(const Telemetry<Scalar>& telemetry, const hal::DeviceReading& reading) {
  if (telemetry_every_ == 0 || telemetry.tick % telemetry_every_ != 0) return;
  TickReport* const report = reports_.Claim();
  if (report == nullptr) {
    dropped_telemetry_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  wire::Telemetry& message = report->telemetry;
  TelemetryToWire(telemetry, reading.sample, reading.buttons, &message);
  message.mutate_state(state());
  message.mutate_external(static_cast<wire::ExternalCause>(supervisor_.cause));
  message.mutate_missed_deadlines(missed_deadlines_.load(std::memory_order_relaxed));
  message.mutate_bad_frames(bad_frames());
  message.mutate_dropped_telemetry(dropped_telemetry_.load(std::memory_order_relaxed));
  report->has_second = HasSecondHand(config_);
  if (report->has_second) report->second.fill(SecondTelemetryToWire(tick_state_));
  report->has_counts = &device_ != &link_device_ && !report->has_second && reading.sample.counts.motors > 0;
  if (report->has_counts) {
    report->counts.mutate_tick(telemetry.tick);
    CountsToWire(reading.sample.counts, &report->counts);
  }
  reports_.Publish();
}

/// After a swap, at a change of the phase, and now and then.
template <class Scalar>
void ServoApp<Scalar>::ReportStream() {
  constexpr std::uint32_t kEvery_ticks = 100;
  const tactus::StreamPhase phase = PhaseOf(config_.stream, tick_state_);
  const bool swapped = tick_state_.stream.swaps != told_swaps_;
  if (!swapped && phase == told_phase_ && tick_state_.tick % kEvery_ticks != 0) return;
  told_phase_ = phase;
  told_swaps_ = tick_state_.stream.swaps;
  wire::StreamReport report = StreamToWire(tick_state_.stream, tick_state_.tick);
  report.mutate_session(stream_inbox_.session());
  report.mutate_refused(stream_inbox_.refused());
  report.mutate_phase(static_cast<wire::StreamPhase>(phase));
  (void)sender_.Send(report);
}

/// After a hello: what a Config may be. Long messages, so not in the tick. @returns false: the link is full, later.
template <class Scalar>
bool ServoApp<Scalar>::TellBounds() {
  constexpr hal::Lane kLane = hal::Lane::kTelemetry;
  const std::uint32_t asked = bounds_asked_.load(std::memory_order_acquire);
  if (lowest_told_ != asked) {
    if (sender_.SendFromBackground(LowestToWire(identity_.device), kLane) == Status::kWouldBlock) return false;
    lowest_told_ = asked;
  }
  if (highest_told_ != asked) {
    if (sender_.SendFromBackground(HighestToWire(identity_.device), kLane) == Status::kWouldBlock) return false;
    highest_told_ = asked;
  }
  return true;
}

/// What of a tick has no place in its Telemetry. @returns false: the link is full, later.
template <class Scalar>
bool ServoApp<Scalar>::TellBefore(const TickReport& report) {
  constexpr hal::Lane kLane = hal::Lane::kTelemetry;
  for (const wire::SecondTelemetry& second : report.second) {
    if (report.has_second && sender_.SendFromBackground(second, kLane) == Status::kWouldBlock) return false;
  }
  return !report.has_counts || sender_.SendFromBackground(report.counts, kLane) != Status::kWouldBlock;
}

/// @returns false: the link is full, later.
template <class Scalar>
bool ServoApp<Scalar>::TellTicks() {
  for (std::uint32_t i = 0; i < kTelemetryRing; ++i) {
    const TickReport* const oldest = reports_.Front();
    if (oldest == nullptr) return true;
    part_told_ = part_told_ || TellBefore(*oldest);
    if (!part_told_) return false;
    if (sender_.SendFromBackground(oldest->telemetry, hal::Lane::kTelemetry) == Status::kWouldBlock) return false;
    part_told_ = false;
    reports_.Pop();
  }
  return true;
}

template <class Scalar>
void ServoApp<Scalar>::DrainTelemetry() noexcept {
  background_turns_.fetch_add(1, std::memory_order_relaxed);
  const bool last_turn = stopping();
  if (!TellBounds() || !TellScene() || !TellEvents() || !TellTicks()) return;
  if (!last_turn || stopped()) return;
  const wire::Stopped last_word(ticks_.load(), missed_deadlines_.load(), decoder_.counters().frames, bad_frames(),
                                dropped_telemetry_.load(), faults_);
  if (sender_.SendFromBackground(last_word, hal::Lane::kCommand) != Status::kWouldBlock)
    stopped_.store(true, std::memory_order_release);
}

template class ServoApp<double>;
template class ServoApp<float>;

}  // namespace tactus::servo
