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

/// The rotation stays as it is.
template <class Scalar>
void HandleEstimator<Scalar>::Into(const CountChart<Scalar>& chart, Vec<Scalar, 6>* a) noexcept {
  if (chart.motors() > 0) a->template head<3>() = chart.Into(a->template head<3>());
}

template <class Scalar>
void HandleEstimator<Scalar>::OutOf(const CountChart<Scalar>& chart, Vec<Scalar, 6>* a) noexcept {
  if (chart.motors() > 0) a->template head<3>() = chart.OutOf(a->template head<3>());
}

/// What the coordinates remember of motion and force goes on along W: the filter has no step where the chart turns. What
/// they have learned (φ, w, g) stays with their numbers.
template <class Scalar>
void HandleEstimator<Scalar>::Turn(const CountChart<Scalar>& chart) noexcept {
  if (chart.motors() == 0 && chart_.motors() == 0) return;
  for (Scalar Axis::*const part : {&Axis::pushed, &Axis::acceleration, &Axis::lag, &Axis::ahead, &Axis::play,
                                   &Axis::sensitivity, &Axis::sensitivity_v, &Axis::sensitivity_a}) {
    const Vec<Scalar, 3> old(axes_[0].*part, axes_[1].*part, axes_[2].*part), turned = chart.Into(chart_.OutOf(old));
    for (int i = 0; i < 3; ++i) axes_[i].*part = turned(i);
  }
  chart_ = chart;
}

template <class Scalar>
void HandleEstimator<Scalar>::Update(const Vec<Scalar, 3>& p_WH_m, const Quaternion<Scalar>& q_WH,
                                     const Vec<Scalar, 6>& applied_wrench_W, int periods, const DeviceConfig<Scalar>& device,
                                     const CouplingConfig<Scalar>& coupling, Scalar period_s,
                                     const CountChart<Scalar>& chart) noexcept {
  using Numbers = internal::HandleGains<Scalar>;
  Vec<Scalar, 6> gap_W;
  gap_W.template head<3>() = p_WH_m - handle_.p_WH_m;
  gap_W.template tail<3>() = LogMap(Multiply(q_WH, Conjugate(handle_.q_WH)));
  const Scalar time_s = static_cast<Scalar>(periods) * period_s;
  const SampleGains sample = SampleGains::At(period_s);
  const bool counted = chart.motors() > 0;
  const Kind kinds[] = {KindOf(device.mass_kg, counted ? Scalar(1) : device.resolution_m, Numbers::kIdeal_m,
                               coupling.stiffness_N_per_m, sample),
                        KindOf(device.inertia_kgm2, device.resolution_rad, Numbers::kIdeal_rad,
                               coupling.angular_stiffness_Nm_per_rad, sample)};
  Vec<Scalar, 6> gap = gap_W, pushed = applied_wrench_W;
  pushed.template head<3>() /= device.mass_kg;
  pushed.template tail<3>() /= device.inertia_kgm2;
  Into(chart, &gap);
  Into(chart, &pushed);
  if (periods > kMaxPredicted_periods) {
    Restart(p_WH_m, q_WH, gap_W / time_s);
    chart_ = chart;
    for (int i = 0; i < 6; ++i) axes_[i].pushed = pushed(i);  // in balance with the hand
    return;
  }
  Turn(chart);
  Vec<Scalar, 6> step = gap, way = gap, rate = handle_.twist_W;
  Into(chart, &rate);
  for (int i = 0; i < 6; ++i) {
    if (i >= chart.axes() && i < 3) continue;
    const Kind& kind = kinds[i / 3];
    if (counted && i < 3 ? chart.Step_m(i) < Numbers::kIdeal_m : kind.ideal) {
      rate(i) = gap(i) / time_s;
      axes_[i] = Axis{.pushed = pushed(i), .share = axes_[i].share};
      continue;
    }
    const Scalar lag_before = axes_[i].lag;
    step(i) = UpdateAxis(gap(i), pushed(i), kind, sample, time_s, &rate(i), &axes_[i]);
    way(i) = step(i) + Numbers::kLagShare * (axes_[i].lag - lag_before);
  }
  for (Vec<Scalar, 6>* const a : {&step, &way, &rate}) OutOf(chart, a);
  if (counted) {  // what no motor counts is as the sample has it
    OutOf(chart, &gap);
    const Vec<Scalar, 3> left_m = gap_W.template head<3>() - gap.template head<3>();
    step.template head<3>() += left_m;
    way.template head<3>() += left_m;
    rate.template head<3>() += left_m / time_s;
  }
  way_W_ = way;
  handle_.twist_W = rate;
  handle_.p_WH_m += step.template head<3>();
  const Vec<Scalar, 3> turn_rad = step.template tail<3>();
  handle_.q_WH = Normalized(Multiply(ExpMap(turn_rad), handle_.q_WH));
}

}  // namespace tactus
