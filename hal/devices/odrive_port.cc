#include "hal/devices/odrive_port.h"

#include <algorithm>

namespace tactus::hal {
namespace {

constexpr float kMost_Nm = DrivePair::kMost_Nm;
constexpr std::uint32_t kOrderAgain_us = 20'000, kOpenAgain_us = 200'000;
constexpr std::uint32_t kAskAgain_us = 800;   // one drive or the other, once in a period of 1 ms
constexpr std::uint32_t kLeastStep_us = 500;  // of the readings' time, however suddenly a line is late

constexpr PortTraits kTraits{
    .name = "ODrive",
    .motors = ODrivePort::kAxes,
    .max_current_A = {kMost_Nm, kMost_Nm},  // N·m: its drives take torques
    .max_joint_radps = {DrivePair::kMost_Radps, DrivePair::kMost_Radps},
    .max_age_us = ODrivePort::kSilence_us,
    .is_absolute = true,  // as its user was told to: a position that is not known reads 0, and is true again when it is
};

}  // namespace

const PortTraits& ODrivePort::DoTraits() const noexcept { return kTraits; }

PortReading ODrivePort::DoPoll(std::uint32_t now_us) noexcept {
  now_us_ = now_us;
  if (!started_) opened_us_ = now_us - kOpenAgain_us, ordered_us_ = now_us, asked_us_ = now_us - kAskAgain_us;
  started_ = true;
  for (Axis& axis : axes_) axis.clock.SetNow(now_us);
  Receive();
  nonsense_.Age(now_us);
  for (Axis& axis : axes_) {  // what a drive said before a silence does not count behind it
    if (axis.has_estimate && now_us - axis.estimate_us > kSilence_us) axis.has_heartbeat = false;
  }
  const PortCause wrong = Wrong();
  PortReading reading;
  bool fresh = true;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    reading.count[i] = axes_[i].count;
    fresh = fresh && axes_[i].is_fresh;
  }
  reading.valid = Measures() && wrong == PortCause::kNone;
  reading.is_new = fresh && reading.valid;
  reading.age_us = Age(reading.is_new);
  if (fresh)
    for (Axis& axis : axes_) axis.is_fresh = false;
  reading.missing = nonsense_.Missing();
  reading.cause = wrong != PortCause::kNone || reading.valid ? wrong : nonsense_.Missing();
  if (wrong != PortCause::kNone)
    reading.state = DeviceState::kFaulted;
  else if (reading.valid)
    reading.state = enabled_ ? DeviceState::kEnabled : DeviceState::kReady;
  return reading;
}

/// Of the older position: since it came, and what the line took. A line that is late at once does not turn time back:
/// positions would have no time to have come from one to the next.
std::uint32_t ODrivePort::Age(bool is_new) {
  std::uint32_t since_us = 0, late_us = 0;
  for (const Axis& axis : axes_) {
    since_us = std::max(since_us, now_us_ - axis.estimate_us);
    late_us = std::max(late_us, axis.clock.late_us());
  }
  std::uint32_t age_us = since_us + late_us;
  if (!is_new) return age_us;
  const std::uint32_t told_age_us = now_us_ - told_us_;
  const std::uint32_t step_us = std::min(told_age_us, kLeastStep_us);  // two may come at once
  if (told_age_us <= 2 * kSilence_us) age_us = std::min(age_us, told_age_us - step_us);
  told_us_ = now_us_ - age_us;
  return age_us;
}

void ODrivePort::Receive() {
  const auto is_end = [](std::uint8_t byte) { return byte == can_text::kEnd || byte == can_text::kRefused; };
  const auto take = [this](std::span<const std::uint8_t> line, std::uint8_t end) {
    if (end == can_text::kEnd) return TakeLine(line);
    ++counters_.refused;
  };
  const bool open = lines_.Read(link_, is_end, take, [this] { nonsense_.Note(Status::kCorrupt, now_us_); });
  if (!open && !closed_) Forget();
  closed_ = !open;
}

void ODrivePort::TakeLine(std::span<const std::uint8_t> line) {
  CanFrame frame;
  const Status status = line.size() == kLongestLine ? Status::kCorrupt : can_text::Read(line, &frame);
  if (status == Status::kOk) return Take(frame);
  if (status == Status::kNotReady) return;  // the adapter's own
  NoteBad(Status::kCorrupt);
}

void ODrivePort::NoteBad(Status status) {
  ++counters_.corrupt;
  nonsense_.Note(status, now_us_);
}

void ODrivePort::Take(const CanFrame& frame) {
  const int node = odrive::NodeOf(frame.id);
  if (node >= kAxes || frame.is_request) return void(++counters_.unasked);  // of others on the bus
  Axis& axis = axes_[static_cast<std::size_t>(node)];
  switch (odrive::CommandOf(frame.id)) {
    case odrive::Command::kHeartbeat: return TakeHeartbeat(frame, &axis);
    case odrive::Command::kEstimates: return TakeEstimates(frame, node, &axis);
    case kAsked[0]: return TakeAnswer(frame, 0, &axis);
    case kAsked[1]: return TakeAnswer(frame, 1, &axis);
    default: ++counters_.unasked; return;
  }
}

void ODrivePort::TakeHeartbeat(const CanFrame& frame, Axis* axis) {
  const Status status = odrive::ReadHeartbeat(frame, &axis->heartbeat);
  if (status != Status::kOk) return NoteBad(status);
  axis->heartbeat_us = now_us_;
  axis->has_heartbeat = axis->answered = true;
  axis->has_run = enabled_ && (axis->has_run || axis->heartbeat.state == odrive::AxisState::kClosedLoop);
  ++counters_.answers;
}

void ODrivePort::TakeEstimates(const CanFrame& frame, int node, Axis* axis) {
  float position_turns = 0;
  const Status status = odrive::ReadEstimates(frame, &position_turns);
  if (status != Status::kOk) return NoteBad(status);
  axis->count = DrivePair::CountOf(position_turns, counts_per_turn_[static_cast<std::size_t>(node)]);
  axis->estimate_us = now_us_;
  axis->has_estimate = axis->is_fresh = true;
  ++counters_.answers;
}

void ODrivePort::TakeAnswer(const CanFrame& frame, int kind, Axis* axis) {
  if (const Status status = odrive::CheckAnswer(frame); status != Status::kOk) return NoteBad(status);
  const bool asked = axis->clock.NoteAnswer(kind);
  axis->has_answer = axis->has_answer || asked;
  ++(asked ? counters_.answers : counters_.unasked);
}

bool ODrivePort::Measures() const {
  bool all = !closed_;
  for (const Axis& axis : axes_) all = all && axis.has_estimate && axis.has_heartbeat && axis.has_answer;
  return all;
}

PortCause ODrivePort::Wrong() const {
  if (closed_) return PortCause::kClosed;
  if (nonsense_.is(Status::kOutOfRange)) return PortCause::kOutOfRange;
  for (const Axis& axis : axes_) {
    if (!axis.has_heartbeat || axis.heartbeat.error == 0) continue;
    const bool of_encoder = (axis.heartbeat.error & odrive::kEncoderFailed) != 0;
    return of_encoder ? PortCause::kSensorFault : PortCause::kDriveFault;
  }
  for (const Axis& axis : axes_) {
    if (const PortCause wrong = WrongAxis(axis); wrong != PortCause::kNone) return wrong;
  }
  return PortCause::kNone;
}

PortCause ODrivePort::WrongAxis(const Axis& axis) const {
  if (axis.has_estimate && now_us_ - axis.estimate_us > kSilence_us) return nonsense_.Missing();
  if (axis.has_heartbeat && now_us_ - axis.heartbeat_us > kHeartbeat_us) return PortCause::kSilent;
  if (axis.has_answer && axis.clock.silent()) return nonsense_.Missing();
  if (!enabled_ || !axis.answered || axis.heartbeat.state == odrive::AxisState::kClosedLoop) return PortCause::kNone;
  if (axis.has_run) return PortCause::kRestarted;
  return now_us_ - enabled_us_ > kAnswer_us ? PortCause::kRefused : PortCause::kNone;
}

void ODrivePort::DoEnable(bool on) noexcept {
  if (on == enabled_) return;
  enabled_ = on;
  enabled_us_ = now_us_;
  ordered_ = false;
  for (Axis& axis : axes_) axis.answered = axis.has_run = false;
  if (!on) (void)Send({});  // idle now: there may be no next period. What does not go out goes with the next zeros
}

/// After a line that was gone nothing that was said before counts.
void ODrivePort::Forget() {
  axes_ = {};
  lines_.Forget();
  opened_us_ = now_us_ - kOpenAgain_us;
  ordered_ = false;
}

/// Once behind each change. To idle again while a drive says otherwise, or has an error to be cleared; never into closed
/// loop again: a drive that starts anew must not take up its force unasked.
bool ODrivePort::OrdersAreDue() const {
  if (!ordered_) return true;
  if (enabled_ || now_us_ - ordered_us_ < kOrderAgain_us) return false;
  for (const Axis& axis : axes_) {
    const bool as_wanted = axis.heartbeat.state == odrive::AxisState::kIdle && axis.heartbeat.error == 0;
    if (!axis.has_heartbeat || (axis.answered && !as_wanted)) return true;
  }
  return false;
}

void ODrivePort::Put(const CanFrame& frame) { out_size_ += can_text::Write(frame, std::span(out_).subspan(out_size_)); }

void ODrivePort::PutOrders() {
  for (int node = 0; node < kAxes; ++node) {
    if (!enabled_) {
      Put(odrive::WriteState(node, odrive::AxisState::kIdle));
      if (axes_[static_cast<std::size_t>(node)].heartbeat.error != 0) Put(odrive::WriteClearErrors(node));
      continue;
    }
    Put(odrive::WriteTorqueMode(node));
    Put(odrive::WriteState(node, odrive::AxisState::kClosedLoop));
  }
}

/// To the drive whose turn it is, where its last question of that kind has been answered. @returns the kind, or kNone
int ODrivePort::PutQuestion() {
  const int kind = axes_[asks_].clock.Next();
  if (kind != QuestionClock::kNone) Put(odrive::WriteQuestion(static_cast<int>(asks_), kAsked[kind]));
  return kind;
}

/// All of a period in one write: the torques first, the question last.
Status ODrivePort::Send(const std::array<float, kAxes>& torque_Nm) {
  if (closed_) return Status::kClosed;
  const bool nobody_speaks = !Measures() || Wrong() == PortCause::kSilent;
  const bool opens = nobody_speaks && now_us_ - opened_us_ >= kOpenAgain_us;
  const bool orders = OrdersAreDue();
  out_size_ = 0;
  if (opens) {  // also an adapter that has started anew
    std::copy(can_text::kOpen.begin(), can_text::kOpen.end(), out_.begin());
    out_size_ = can_text::kOpen.size();
  }
  for (int node = 0; node < kAxes; ++node) Put(odrive::WriteTorque(node, torque_Nm[static_cast<std::size_t>(node)]));
  if (orders) PutOrders();
  const bool asks = now_us_ - asked_us_ >= kAskAgain_us;
  const int kind = asks ? PutQuestion() : QuestionClock::kNone;
  const Status status = link_.Write(std::span(out_).first(out_size_), Lane::kCommand);
  if (status != Status::kOk) return status;
  ++counters_.requests;
  if (opens) opened_us_ = now_us_;
  if (orders) ordered_ = true, ordered_us_ = now_us_;
  if (kind != QuestionClock::kNone) axes_[asks_].clock.NoteQuestion();
  if (asks) asks_ = (asks_ + 1) % axes_.size(), asked_us_ = now_us_;
  return Status::kOk;
}

Status ODrivePort::DoWrite(const float (&current_A)[kMaxMotors]) noexcept {
  std::array<float, kAxes> torque_Nm{};
  for (std::size_t i = 0; enabled_ && i < torque_Nm.size(); ++i) torque_Nm[i] = Clamp(current_A[i], -kMost_Nm, kMost_Nm);
  const Status status = Send(torque_Nm);
  return enabled_ && Measures() ? status : Status::kNotReady;
}

MotorDeviceConfig<FiveBar<double>> ODriveConfig(double period_s) noexcept {
  return DrivePantographConfig("ODrive pantograph", period_s);
}

}  // namespace tactus::hal
