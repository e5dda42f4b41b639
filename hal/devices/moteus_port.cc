#include "hal/devices/moteus_port.h"

#include <algorithm>

namespace tactus::hal {
namespace {

constexpr float kMost_Nm = DrivePair::kMost_Nm;
constexpr std::uint32_t kOpenAgain_us = 200'000;

constexpr PortTraits kTraits{
    .name = "moteus",
    .motors = MoteusPort::kAxes,
    .max_current_A = {kMost_Nm, kMost_Nm},  // N·m: its drives take torques
    .max_joint_radps = {DrivePair::kMost_Radps, DrivePair::kMost_Radps},
    .max_age_us = MoteusPort::kSilence_us,
    .is_absolute = true,  // one that is not says so: kNotHomed
};

}  // namespace

const PortTraits& MoteusPort::DoTraits() const noexcept { return kTraits; }

PortReading MoteusPort::DoPoll(std::uint32_t now_us) noexcept {
  now_us_ = now_us;
  if (!started_) opened_us_ = now_us - kOpenAgain_us, started_ = true;
  Receive();
  nonsense_.Age(now_us);
  const PortCause wrong = Wrong();
  if (enabled_ && stopped_ == PortCause::kNone) stopped_ = wrong;
  const PortCause cause = stopped_ != PortCause::kNone ? stopped_ : wrong;
  PortReading reading;
  bool fresh = true;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    reading.count[i] = axes_[i].count;
    reading.age_us = std::max(reading.age_us, now_us - axes_[i].asked_us);
    fresh = fresh && axes_[i].is_fresh;
  }
  reading.valid = Measures() && cause == PortCause::kNone;
  reading.is_new = fresh && reading.valid;
  if (fresh)
    for (Axis& axis : axes_) axis.is_fresh = false;
  reading.missing = nonsense_.Missing();
  reading.cause = cause != PortCause::kNone || reading.valid ? cause : nonsense_.Missing();
  if (cause != PortCause::kNone)
    reading.state = cause == PortCause::kNotHomed && !enabled_ ? DeviceState::kUninitialised : DeviceState::kFaulted;
  else if (reading.valid)
    reading.state = enabled_ ? DeviceState::kEnabled : DeviceState::kReady;
  return reading;
}

void MoteusPort::Receive() {
  const auto is_end = [](std::uint8_t byte) { return byte == canfd_text::kEnd; };
  const auto take = [this](std::span<const std::uint8_t> line, std::uint8_t) { TakeLine(line); };
  const bool open = lines_.Read(link_, is_end, take, [this] { nonsense_.Note(Status::kCorrupt, now_us_); });
  if (!open && !closed_) Forget();
  closed_ = !open;
}

void MoteusPort::TakeLine(std::span<const std::uint8_t> line) {
  if (canfd_text::IsRefusal(line)) return void(++counters_.refused);  // also: it is on the bus already
  CanFdFrame frame;
  Status status =
      line.size() == kLongestLine ? Status::kCorrupt : canfd_text::Read(canfd_text::Way::kReceived, line, &frame);
  if (status == Status::kNotReady) return;  // the adapter's own
  moteus::Answer answer;
  if (status == Status::kOk) status = moteus::Read(frame, &answer);
  if (status == Status::kOk) return Take(answer);
  if (status == Status::kNotReady) return void(++counters_.unasked);  // of others on the bus
  NoteBad(status);
}

void MoteusPort::NoteBad(Status status) {
  ++counters_.corrupt;
  nonsense_.Note(status, now_us_);
}

/// An answer counts once, not behind a newer one, and not when it is too late.
void MoteusPort::Take(const moteus::Answer& answer) {
  Request& request = requests_[static_cast<std::size_t>(answer.tag)];
  const int at = answer.drive - 1;
  if (at >= kAxes || !request.waits[at]) return void(++counters_.unasked);
  request.waits[at] = false;
  Axis& axis = axes_[static_cast<std::size_t>(at)];
  // Behind a silence every answer is newer: the difference of two times is one for half of 2³² µs only.
  const bool counts = axis.has_answer && now_us_ - axis.asked_us <= kSilence_us;
  const bool is_older = counts && static_cast<std::int32_t>(request.sent_us - axis.asked_us) < 0;
  if (is_older || now_us_ - request.sent_us > kSilence_us) return void(++counters_.unasked);
  axis.answer = answer;
  if (!answer.refuses)
    axis.count = DrivePair::CountOf(answer.position_turns, counts_per_turn_[static_cast<std::size_t>(at)]);
  axis.asked_us = request.sent_us;
  axis.has_answer = axis.is_fresh = true;
  axis.has_run = enabled_ && (axis.has_run || answer.mode == moteus::Mode::kPosition);
  ++counters_.answers;
}

bool MoteusPort::Measures() const {
  bool all = !closed_;
  for (const Axis& axis : axes_) all = all && axis.has_answer && now_us_ - axis.asked_us <= kSilence_us;
  return all;
}

PortCause MoteusPort::Wrong() const {
  if (closed_) return PortCause::kClosed;
  if (nonsense_.is(Status::kOutOfRange)) return PortCause::kOutOfRange;
  for (const Axis& axis : axes_) {
    if (const PortCause wrong = WrongAxis(axis); wrong != PortCause::kNone) return wrong;
  }
  return PortCause::kNone;
}

PortCause MoteusPort::WrongAxis(const Axis& axis) const {
  if (!axis.has_answer) return PortCause::kNone;
  if (now_us_ - axis.asked_us > kSilence_us) return nonsense_.Missing();
  if (axis.answer.refuses) return PortCause::kRefused;
  if (axis.answer.mode == moteus::Mode::kFault || moteus::IsFault(axis.answer.fault))
    return moteus::IsOfEncoder(axis.answer.fault) ? PortCause::kSensorFault : PortCause::kDriveFault;
  if (!axis.answer.is_referenced) return PortCause::kNotHomed;
  return enabled_ ? WrongMode(axis) : PortCause::kNone;
}

PortCause MoteusPort::WrongMode(const Axis& axis) const {
  const moteus::Mode mode = axis.answer.mode;
  if (mode == moteus::Mode::kPosition) return PortCause::kNone;
  if (mode > moteus::Mode::kPosition) return PortCause::kDriveFault;  // its watchdog, or another's command
  if (axis.has_run) return PortCause::kRestarted;
  return now_us_ - enabled_us_ > kAnswer_us ? PortCause::kRefused : PortCause::kNone;
}

void MoteusPort::DoEnable(bool on) noexcept {
  if (on == enabled_) return;
  enabled_ = on;
  enabled_us_ = now_us_;
  stopped_ = PortCause::kNone;
  for (Axis& axis : axes_) axis.has_run = false;
  if (!on) (void)Send({});  // now: there may be no next period
}

/// After a line that was gone nothing that was said before counts.
void MoteusPort::Forget() {
  axes_ = {};
  requests_ = {};
  lines_.Forget();
  opened_us_ = now_us_ - kOpenAgain_us;
}

/// All of a period in one write.
Status MoteusPort::Send(const std::array<float, kAxes>& torque_Nm) {
  if (closed_) return Status::kClosed;
  const bool opens = !Measures() && now_us_ - opened_us_ >= kOpenAgain_us;
  const bool runs = enabled_ && stopped_ == PortCause::kNone;
  std::size_t size = 0;
  if (opens)
    size =
        static_cast<std::size_t>(std::copy(canfd_text::kOpen.begin(), canfd_text::kOpen.end(), out_.begin()) - out_.begin());
  for (int i = 0; i < kAxes; ++i) {
    const CanFdFrame frame = runs ? moteus::WriteTorque(i + 1, tag_, torque_Nm[static_cast<std::size_t>(i)], kMost_Nm)
                                  : moteus::WriteStop(i + 1, tag_);
    size += canfd_text::Write(canfd_text::Way::kSend, frame, std::span(out_).subspan(size));
  }
  const Status status = link_.Write(std::span(out_).first(size), Lane::kCommand);
  requests_[static_cast<std::size_t>(tag_)] = {.sent_us = now_us_, .waits = {true, true}};  // a part of it may be out
  tag_ = (tag_ + 1) % moteus::kTags;
  if (status != Status::kOk) return status;
  ++counters_.requests;
  if (opens) opened_us_ = now_us_;
  return Status::kOk;
}

Status MoteusPort::DoWrite(const float (&current_A)[kMaxMotors]) noexcept {
  std::array<float, kAxes> torque_Nm{};
  for (std::size_t i = 0; i < torque_Nm.size(); ++i) torque_Nm[i] = Clamp(current_A[i], -kMost_Nm, kMost_Nm);
  const Status status = Send(torque_Nm);
  return enabled_ && Measures() ? status : Status::kNotReady;
}

MotorDeviceConfig<FiveBar<double>> MoteusConfig(double period_s) noexcept {
  return DrivePantographConfig("moteus pantograph", period_s);
}

}  // namespace tactus::hal
