namespace tactus {

namespace internal {

/// 0 below `low`, 1 above `high`, a straight line between.
template <class Scalar>
Scalar Ramp(Scalar x, Scalar low, Scalar high) {
  return Clamp((x - low) / (high - low), Scalar(0), Scalar(1));
}

/// What is left of u outside ±width.
template <class Scalar>
Scalar Dead(Scalar u, Scalar width) {
  return u - Clamp(u, -width, width);
}

}  // namespace internal

template <class Scalar>
void HandleEstimator<Scalar>::Restart(const Vec<Scalar, 3>& p_WH_m, const Quaternion<Scalar>& q_WH,
                                      const Vec<Scalar, 6>& twist_W) noexcept {
  *this = HandleEstimator{};
  handle_ = {.p_WH_m = p_WH_m, .q_WH = q_WH, .twist_W = twist_W};
}

template <class Scalar>
void HandleEstimator<Scalar>::Reset(const Vec<Scalar, 3>& p_WH_m, const Quaternion<Scalar>& q_WH) noexcept {
  Restart(p_WH_m, q_WH, Vec<Scalar, 6>::Zero());
}

template <class Scalar>
auto HandleEstimator<Scalar>::KindOf(Scalar inertia, Scalar resolution, Scalar ideal, Scalar stiffness,
                                     const SampleGains& sample) noexcept -> Kind {
  using Numbers = internal::HandleGains<Scalar>;
  constexpr Scalar square_s2 = Numbers::kPeriod_s * Numbers::kPeriod_s;
  const Scalar stiff = internal::Ramp(stiffness * square_s2 / inertia, Numbers::kCalm, Numbers::kStiff);
  return {.inertia = inertia,
          .resolution = resolution,
          .unfed = Numbers::kUnfed * resolution / square_s2 * sample.periods * (Scalar(1) - stiff),
          .ideal = resolution < ideal};
}

template <class Scalar>
auto HandleEstimator<Scalar>::FilterGains(Scalar surprise, const SampleGains& sample) noexcept -> Gains {
  using Numbers = internal::HandleGains<Scalar>;
  const Scalar theta = sample.slow + (sample.fast - sample.slow) * surprise;
  const Scalar kappa = Numbers::kCalmJerk + (Numbers::kFastJerk - Numbers::kCalmJerk) * surprise;
  const Scalar square = theta * theta;
  return {
      .theta = theta, .beta = square / (Scalar(2) - theta), .gamma = kappa * square * theta, .learning = sample.learning};
}

/// What the force's change does to the acceleration, and to its derivative by φ.
template <class Scalar>
void HandleEstimator<Scalar>::Feed(Scalar pushed, Scalar unfed, Axis* axis) noexcept {
  const Scalar fed = internal::Dead(pushed - axis->pushed, unfed);
  axis->pushed = pushed;
  axis->acceleration += axis->share * fed;
  axis->sensitivity_a += fed;
}

/// z and g.
/// @param[in] step  of the sample
template <class Scalar>
void HandleEstimator<Scalar>::WatchMovement(Scalar step, Scalar resolution, Scalar time_s, Axis* axis) noexcept {
  using Numbers = internal::HandleGains<Scalar>;
  const Scalar play = axis->play - step, excess = internal::Dead(play, Numbers::kPlay * resolution);
  axis->play = play - excess;
  axis->moving = Max(axis->moving - time_s / Numbers::kMoving_s, Min(Scalar(1), 2 * Abs(excess) / resolution));
}

/// φ, and what the next gradient needs.
template <class Scalar>
void HandleEstimator<Scalar>::LearnShare(Scalar innovation, const Gains& gains, Scalar resolution, Scalar time_s,
                                         Axis* axis) noexcept {
  using Numbers = internal::HandleGains<Scalar>;
  const Scalar dv = time_s * axis->sensitivity_a;
  const Scalar sigma = axis->sensitivity + time_s * (axis->sensitivity_v + dv / 2);
  const Scalar unexplained = internal::Dead(innovation, Numbers::kUnlearned * resolution);
  const Scalar step = unexplained * sigma / (Numbers::kCaution * resolution * resolution + sigma * sigma);
  axis->share = Clamp(axis->share + gains.learning * step, Scalar(0), Numbers::kMaxShare);

  const Scalar rate = sigma / time_s;
  axis->sensitivity = sigma - gains.theta * sigma;
  axis->sensitivity_v += dv - gains.beta * rate;
  axis->sensitivity_a -= gains.gamma * rate / time_s;
}

/// @param[in] gap     from the last estimate to the sample
/// @param[in] pushed  F/m
/// @returns the estimate's way
template <class Scalar>
Scalar HandleEstimator<Scalar>::UpdateAxis(Scalar gap, Scalar pushed, const Kind& kind, const SampleGains& sample,
                                           Scalar time_s, Scalar* velocity, Axis* axis) noexcept {
  using Numbers = internal::HandleGains<Scalar>;
  const Scalar resolution = kind.resolution;
  WatchMovement(gap - axis->ahead, resolution, time_s, axis);
  Feed(pushed, axis->moving * kind.unfed, axis);

  const Scalar dv = time_s * axis->acceleration;
  const Scalar predicted = time_s * (*velocity + dv / 2), r = gap - predicted;
  axis->lag += sample.averaging * (r - axis->lag);
  const Scalar by_lag = internal::Ramp(Abs(axis->lag), Numbers::kInner * resolution, Numbers::kOuter * resolution);
  const Scalar by_one = internal::Ramp(Abs(r), Numbers::kSurprise * resolution, Numbers::kCertain * resolution);
  axis->surprise = Max(Max(by_lag, by_one), sample.memory * axis->surprise);
  const Gains gains = FilterGains(axis->surprise, sample);
  LearnShare(r, gains, resolution, time_s, axis);

  const Scalar rounding = Numbers::kRounding * resolution, band = Numbers::kBand * resolution;
  const Scalar believed = r - Numbers::kDoubt * (Scalar(1) - axis->surprise) * Clamp(r, -rounding, rounding);
  const Scalar rate = believed / time_s;
  *velocity += dv + gains.beta * rate;
  axis->acceleration += gains.gamma * rate / time_s;
  const Scalar step = Clamp(predicted + gains.theta * believed, gap - band, gap + band);
  axis->ahead = gap - step;
  return step;
}

template <class Scalar>
void HandleEstimator<Scalar>::Update(const Vec<Scalar, 3>& p_WH_m, const Quaternion<Scalar>& q_WH,
                                     const Vec<Scalar, 6>& applied_wrench_W, int periods, const DeviceConfig<Scalar>& device,
                                     const CouplingConfig<Scalar>& coupling, Scalar period_s) noexcept {
  using Numbers = internal::HandleGains<Scalar>;
  Vec<Scalar, 6> gap_W;
  gap_W.template head<3>() = p_WH_m - handle_.p_WH_m;
  gap_W.template tail<3>() = LogMap(Multiply(q_WH, Conjugate(handle_.q_WH)));
  const Scalar time_s = static_cast<Scalar>(periods) * period_s;
  const SampleGains sample = SampleGains::At(period_s);
  const Kind kinds[] = {KindOf(device.mass_kg, device.resolution_m, Numbers::kIdeal_m, coupling.stiffness_N_per_m, sample),
                        KindOf(device.inertia_kgm2, device.resolution_rad, Numbers::kIdeal_rad,
                               coupling.angular_stiffness_Nm_per_rad, sample)};
  if (periods > kMaxPredicted_periods) {
    Restart(p_WH_m, q_WH, gap_W / time_s);
    for (int i = 0; i < 6; ++i) axes_[i].pushed = applied_wrench_W(i) / kinds[i / 3].inertia;  // in balance with the hand
    return;
  }
  Vec<Scalar, 6> step_W;
  for (int i = 0; i < 6; ++i) {
    const Kind& kind = kinds[i / 3];
    if (kind.ideal) {
      step_W(i) = way_W_(i) = gap_W(i);
      handle_.twist_W(i) = gap_W(i) / time_s;
      continue;
    }
    const Scalar lag_before = axes_[i].lag;
    step_W(i) =
        UpdateAxis(gap_W(i), applied_wrench_W(i) / kind.inertia, kind, sample, time_s, &handle_.twist_W(i), &axes_[i]);
    way_W_(i) = step_W(i) + Numbers::kLagShare * (axes_[i].lag - lag_before);
  }
  handle_.p_WH_m += step_W.template head<3>();
  const Vec<Scalar, 3> turn_rad = step_W.template tail<3>();
  handle_.q_WH = Normalized(Multiply(ExpMap(turn_rad), handle_.q_WH));
}

}  // namespace tactus
