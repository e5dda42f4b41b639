namespace tactus {

namespace internal {

/// The largest |1 - |q|²| of a quaternion that was rounded to single precision, sent as text with 4 digits, or left
/// unnormalised by a careful sender; a torn frame is almost always further off.
inline constexpr double kQuaternionSlack = 2e-3;

/// A sample may be so many periods further than the ticks that passed: the sender's clock and the loop's drift apart, or one
/// sample was lost on a link where each sample drives a tick. A sequence number that skips more proves nothing about time.
inline constexpr int kPeriodSlack = 1;

/// A jump may be so many times the way of one period, however long the gap was.
inline constexpr int kMaxJump_periods = 16;

template <class Scalar>
void Refuse(Status status, Fault cause, std::uint32_t bit, SampleCheck<Scalar>* check) {
  check->status = status;
  check->cause = cause;
  check->bits |= bit;
}

/// A defect that no later sample can excuse.
template <class Scalar>
void Condemn(Fault fault, std::uint32_t bit, SampleCheck<Scalar>* check) {
  Refuse(Status::kOutOfRange, fault, bit, check);
  if (check->fault == Fault::kNone) check->fault = fault;
}

/// The pose against the workspace, the last good pose, and itself.
template <class Scalar>
void CheckPose(const GuardConfig<Scalar>& config, const GuardState& guard, SampleCheck<Scalar>* check) {
  const Vec<Scalar, 3> from_center_m = check->p_WH_m - config.workspace_center_W_m;
  if (Norm(from_center_m) > config.workspace_radius_m) Condemn(Fault::kHandleOutside, status_bit::kHandleOutside, check);
  if (!guard.has_sample) return;

  const Vec<Scalar, 3> step_m = check->step_W.template head<3>(), step_rad = check->step_W.template tail<3>();
  const Scalar periods = static_cast<Scalar>(Min(check->periods, kMaxJump_periods));
  if (Norm(step_m) > periods * config.max_jump_m || Norm(step_rad) > periods * config.max_jump_rad) {
    Condemn(Fault::kHandleJump, status_bit::kHandleJump, check);
  }
}

}  // namespace internal

template <class Scalar>
SampleCheck<Scalar> CheckSample(const SensorFrame& sample, const GuardConfig<Scalar>& config,
                                const GuardState& guard) noexcept {
  SampleCheck<Scalar> check;
  for (int i = 0; i < 3; ++i) check.p_WH_m(i) = static_cast<Scalar>(sample.p_WH_m[i]);
  for (int i = 0; i < 4; ++i) check.q_WH(i) = static_cast<Scalar>(sample.q_WH[i]);
  const Scalar norm2 = check.q_WH.squaredNorm();
  if (!IsFinite(check.p_WH_m) || !IsFinite(norm2)) {
    internal::Refuse(Status::kNotFinite, Fault::kSampleNotFinite, status_bit::kSampleNotFinite, &check);
    return check;
  }
  if (Abs(norm2 - Scalar(1)) > Scalar(internal::kQuaternionSlack)) {
    internal::Refuse(Status::kOutOfRange, Fault::kSampleRotation, status_bit::kSampleRotation, &check);
    return check;
  }
  check.q_WH = Normalized(check.q_WH);

  // Sequence numbers wrap around: the difference as a signed number.
  const std::int32_t advance = static_cast<std::int32_t>(sample.sequence - guard.sequence);
  if (sample.age_us > static_cast<std::uint32_t>(config.max_age_us) || (guard.has_sample && advance <= 0)) {
    internal::Refuse(Status::kStale, Fault::kSampleStale, status_bit::kSampleStale, &check);
    return check;
  }
  if (guard.has_sample) {
    check.periods = Min(static_cast<int>(advance), guard.ticks_without_sample + 1 + internal::kPeriodSlack);
    if (advance > 1) check.bits |= status_bit::kSampleMissed;
    Vec<Scalar, 3> p_last_m;
    Quaternion<Scalar> q_last;
    for (int i = 0; i < 3; ++i) p_last_m(i) = static_cast<Scalar>(guard.p_WH_m[i]);
    for (int i = 0; i < 4; ++i) q_last(i) = static_cast<Scalar>(guard.q_WH[i]);
    check.step_W.template head<3>() = check.p_WH_m - p_last_m;
    check.step_W.template tail<3>() = LogMap(Multiply(check.q_WH, Conjugate(Normalized(q_last))));
  }
  internal::CheckPose(config, guard, &check);
  return check;
}

template <class Scalar>
void RememberSample(const SensorFrame& sample, const SampleCheck<Scalar>& check, GuardState* guard) noexcept {
  constexpr int kLongTime = 1 << 14;  // the counter stops here; any limit is lower
  if (check.status != Status::kOk) {
    guard->ticks_without_sample = Min(guard->ticks_without_sample + 1, kLongTime);
    return;
  }
  guard->ticks_without_sample = 0;
  guard->sequence = sample.sequence;
  for (int i = 0; i < 3; ++i) guard->p_WH_m[i] = sample.p_WH_m[i];
  for (int i = 0; i < 4; ++i) guard->q_WH[i] = sample.q_WH[i];
  guard->has_sample = true;
}

}  // namespace tactus
