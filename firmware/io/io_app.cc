// The age of a command counts from the edge, or the frame, at which it was taken. What is written at an edge stands until
// the next one, a period p later. So the share that an ageing command keeps is taken at the end of that time:
//
//     s(a) = 1                                        a + p ≤ t_hold
//     s(a) = (t_out - a - p) / (t_out - t_hold)       t_hold < a + p < t_out
//     s(a) = 0                                        a + p ≥ t_out
//
// and the motors are without current from the last edge before t_out on.
#include "firmware/io/io_app.h"

#include "tactus/core/scalar.h"

namespace tactus::io {
namespace {

/// A fade takes as long as the time-out: from the order to zero, whatever the host does.
SupervisorLimits LimitsOf(std::uint32_t period_us) {
  return {.fade_periods = static_cast<int>(kCommandTimeout_us / period_us), .max_force_N = 1, .max_torque_Nm = 0};
}

bool HasTick(Phase phase) {
  return phase == Phase::kIdle || phase == Phase::kArmed || phase == Phase::kFading || phase == Phase::kFaulted;
}

/// The way from one count to another, which may have wrapped.
std::uint32_t Distance(std::int32_t from, std::int32_t to) {
  const std::uint32_t up = static_cast<std::uint32_t>(to) - static_cast<std::uint32_t>(from);
  return up <= 0x8000'0000u ? up : 0u - up;
}

}  // namespace

IoApp::IoApp(const Identity& identity, hal::ByteLink& link, const hal::Clock& clock, hal::Watchdog& watchdog,
             hal::MotorIo& motors)
    : identity_(identity),
      link_(link),
      clock_(clock),
      watchdog_(watchdog),
      motors_(motors),
      limits_(LimitsOf(clock.period_us())) {
  TACTUS_CHECK(clock.period_us() > 0 && clock.period_us() <= kMaxPeriod_us);
  TACTUS_CHECK(motors.traits().motors > 0 && motors.traits().motors <= hal::kMaxMotors);
}

void IoApp::OnTick() noexcept {
  ReadClock();
  Receive();
  if (new_edges_ > 0) ReadMotors();
  const Plan plan = Begin(Observe(), &supervisor_);
  Obey(plan.tick_orders);
  NameTheFault();
  if (plan.run_tick) RunTick();
  if (plan.write_zero) Deliver(0);
  if (new_edges_ == 0) return CutBetweenEdges();
  SendState();
  if (!plan.run_tick && !plan.write_zero) return;  // nothing was written: whoever waits for the outputs shall bite
  if (clock_.edges() != edges_) {
    ++late_periods_;
    NoteLateTick(&supervisor_);
  }
  watchdog_.Feed();
}

/// A frame that asks for zero at once need not wait for the edge; the state follows there.
void IoApp::CutBetweenEdges() {
  if (IsCut() && drives_on_) (void)WriteMotors(0, true);
}

void IoApp::ReadClock() {
  const std::uint32_t edges = clock_.edges(), before_us = now_us_;
  new_edges_ = edges - edges_;
  edges_ = edges;
  now_us_ = clock_.now_us();
  if (new_edges_ > 1) late_periods_ = static_cast<std::uint16_t>(late_periods_ + new_edges_ - 1);
  const bool stands = new_edges_ == 0 && now_us_ == before_us;
  standing_calls_ = !stands ? 0 : standing_calls_ < kStandingCalls ? standing_calls_ + 1 : kStandingCalls;
}

/// All that has come, in the order in which it came: of many commands the last one counts, and an order to stop counts
/// wherever it stands. A link whose host is gone is one on which nothing comes: the time-out ends the currents, and another
/// host may open it.
void IoApp::Receive() {
  for (std::size_t taken = 0; taken < kReceiveBytes;) {
    std::size_t count = 0;
    if (link_.Read(received_, &count) == Status::kClosed || count == 0) return;
    Decode(std::span(received_).first(count));
    taken += count;
  }
  // What waits behind so much is not known: an order to stop, too. So nothing goes out while this board is behind.
  if (drives_on_) Raise(wire::IoFault::kCommandTimeout);
}

void IoApp::Decode(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    std::size_t used = 0;
    const Status status = decoder_.Push(bytes, &used);
    bytes = bytes.subspan(used);
    if (status != Status::kWouldBlock) status == Status::kOk ? Handle(decoder_.frame()) : CountBadFrame();
  }
}

void IoApp::ReadMotors() {
  before_ = reading_;
  has_before_ = has_reading_ && !forgets_;
  forgets_ = false;
  reading_ = motors_.Read();
  has_reading_ = true;
}

Observation IoApp::Observe() const {
  return {.edges = new_edges_,
          .has_sample = has_reading_,
          .new_sample = new_edges_ > 0,
          .e_stop = reading_.e_stop,
          .device_failed = reading_.drive_fault || reading_.brown_out || reading_.encoder_fault,
          .clock_stands = standing_calls_ >= kStandingCalls};
}

/// The supervisor knows that something outside the tick is wrong; the host hears what.
void IoApp::NameTheFault() {
  using enum wire::IoFault;
  if (fault_ != kNone) return;
  switch (supervisor_.cause) {
    case Cause::kEStop: fault_ = kEStop; break;
    case Cause::kDeviceFault:
      fault_ = reading_.drive_fault ? kDriveFault : reading_.brown_out ? kBrownOut : kEncoderFault;
      break;
    case Cause::kClockLost: fault_ = kClockLost; break;
    case Cause::kDeadline: fault_ = kLatePeriods; break;
    case Cause::kOutputWrong: fault_ = kOutputWrong; break;
    case Cause::kNone:
    case Cause::kLinkClosed:
    case Cause::kControllerFault: break;
  }
}

/// What the readings themselves show.
wire::IoFault IoApp::CheckMotors() {
  const hal::MotorTraits& traits = motors_.traits();
  bool jumped = false;
  for (int i = 0; i < traits.motors; ++i) {
    const std::uint32_t way = Distance(before_.count[i], reading_.count[i]);
    jumped |= has_before_ && way / new_edges_ > traits.max_step_counts;
  }
  const bool senses_well = sense_.Look(traits, reading_, written_A_, new_edges_ * clock_.period_us());
  if (jumped) return wire::IoFault::kEncoderJump;
  return senses_well ? wire::IoFault::kNone : wire::IoFault::kCurrentSense;
}

void IoApp::RunTick() {
  const bool armed = supervisor_.phase == Phase::kArmed;
  const wire::IoFault seen = CheckMotors();
  if (seen != wire::IoFault::kNone) Raise(seen);
  if (armed && AliveScale() == 0.0f) Raise(wire::IoFault::kCommandTimeout);
  const float scale = Scale();
  if (armed) {
    fade_from_ = scale;
    const float step = static_cast<float>(new_edges_ * clock_.period_us()) / static_cast<float>(kSoftStart_us);
    soft_start_ = Min(1.0f, scale + step);
  }
  Deliver(scale);
}

std::uint32_t IoApp::CommandAge_us() const { return now_us_ - command_time_us_; }

/// What a command that grows old keeps: the derivation above.
float IoApp::AliveScale() const {
  const std::uint32_t age_us = CommandAge_us();
  if (!has_command_ || age_us >= kCommandTimeout_us) return 0;
  const std::uint32_t end_us = age_us + clock_.period_us();
  if (end_us >= kCommandTimeout_us) return 0;
  if (end_us <= kCommandHold_us) return 1;
  return static_cast<float>(kCommandTimeout_us - end_us) / static_cast<float>(kCommandTimeout_us - kCommandHold_us);
}

float IoApp::Scale() const {
  if (IsCut()) return 0;
  if (supervisor_.phase == Phase::kArmed) return Min(soft_start_, AliveScale());
  if (supervisor_.phase != Phase::kFading) return 0;
  const int left = limits_.fade_periods - supervisor_.fade_ticks - 1;  // when this period is settled
  if (left <= 0) return 0;
  return Min(fade_from_ * static_cast<float>(left) / static_cast<float>(limits_.fade_periods), AliveScale());
}

/// Asks the supervisor, writes, and switches the drives: on behind zeros, off behind zeros.
void IoApp::Deliver(float scale) {
  const hal::MotorTraits& traits = motors_.traits();
  float share = 0;
  for (int i = 0; i < traits.motors; ++i) share = Max(share, scale * Abs(command_A_[i]) / traits.max_current_A[i]);
  const bool zero = !(share > 0.0f);
  const Duty duty = Settle({.force_N = zero ? 0.0f : share, .zero = zero, .tick_faulted = fault_ != wire::IoFault::kNone},
                           limits_, &supervisor_);
  NameTheFault();
  const bool drives_on = duty.phase == Phase::kArmed || duty.phase == Phase::kFading;
  if (drives_on && !drives_on_) {
    (void)motors_.Zero();  // what it says of these zeros it says again of what follows
    motors_.SetEnable(true);
  }
  const Status status = WriteMotors(scale, zero || duty.cut);
  if (!drives_on && drives_on_) motors_.SetEnable(false);
  drives_on_ = drives_on;
  Obey(NoteWrite(status == Status::kOk, &supervisor_).tick_orders);
}

Status IoApp::WriteMotors(float scale, bool zero) {
  for (int i = 0; i < hal::kMaxMotors; ++i) {
    written_A_[i] = zero || i >= motors_.traits().motors ? 0.0f : scale * command_A_[i];
  }
  const Status status = zero ? motors_.Zero() : motors_.Write(written_A_);
  if (status == Status::kOk || zero) return status;
  for (float& current_A : written_A_) current_A = 0;  // what flows is unknown: zeros, and the lost write is counted
  (void)motors_.Zero();
  return status;
}

/// A fault that this application finds: zero at once.
void IoApp::Raise(wire::IoFault fault) {
  if (fault_ == wire::IoFault::kNone && HasTick(supervisor_.phase)) fault_ = fault;
}

void IoApp::Obey(std::uint8_t tick_orders) {
  if (tick_orders & tick_order::kArm) soft_start_ = fade_from_ = 0;
  if (tick_orders & tick_order::kCutForce) soft_start_ = fade_from_ = 0;
  if (tick_orders & tick_order::kClearFault) {
    fault_ = wire::IoFault::kNone;
    forgets_ = true;  // where the counts stand now is no jump
    sense_.Forget();
    off_seen_ = false;
  }
}

}  // namespace tactus::io
