namespace tactus {

namespace internal {

inline constexpr double kDebtTime_s = 0.010;       ///< T: a debt is taken back within this time
inline constexpr double kRatioRate_per_s = 300;    ///< of α
inline constexpr double kDampingOnset_N = 0.05;    ///< α changes the force by no more in a period
inline constexpr double kDampingOnset_Nm = 0.001;  ///< α changes the torque by no more in a period

inline constexpr double kLateDamping = 1.5;  ///< [periods] half a held one, and one of the estimate

/// What of a wanted value is within a bound, 0 to 1.
template <class Scalar>
constexpr Scalar ShareWithin(Scalar wanted, Scalar bound) {
  return wanted > bound ? bound / wanted : Scalar(1);
}

/// How far α may move in this period.
template <class Scalar>
Scalar RatioSlack(Scalar damper_N, Scalar damper_Nm, Scalar period_s) {
  Scalar slack = Scalar(kRatioRate_per_s) * period_s;
  if (slack * damper_N > Scalar(kDampingOnset_N)) slack = Scalar(kDampingOnset_N) / damper_N;
  if (slack * damper_Nm > Scalar(kDampingOnset_Nm)) slack = Scalar(kDampingOnset_Nm) / damper_Nm;
  return slack;
}

/// K D² of all axes.
/// @param[in] counts_m2  in the place of the three D², where the position is from counts of motors
template <class Scalar>
Scalar CountEnergy(const CouplingConfig<Scalar>& coupling, const DeviceConfig<Scalar>& device,
                   const CountChart<Scalar>& chart, Scalar counts_m2) {
  constexpr int kAxes = 3;
  const Scalar turn_J = coupling.angular_stiffness_Nm_per_rad * device.resolution_rad * device.resolution_rad;
  if (chart.motors() > 0) return coupling.stiffness_N_per_m * counts_m2 + kAxes * turn_J;
  return kAxes * (coupling.stiffness_N_per_m * device.resolution_m * device.resolution_m + turn_J);
}

}  // namespace internal

template <class Scalar>
void ObserveEnergy(const Vec<Scalar, 6>& applied_wrench_W, const Vec<Scalar, 6>& handle_way_W, Scalar stored_J,
                   const Config<Scalar>& config, PassivityState<Scalar>* state, const CountChart<Scalar>& chart) noexcept {
  if (state->started) {
    const Scalar work_by_hand_J = -applied_wrench_W.dot(handle_way_W);
    const Scalar gain_J = stored_J - state->stored_J - state->given_J;
    state->dissipated_J = Min(state->dissipated_J + work_by_hand_J - gain_J, config.passivity.tank_J);
    if (state->dissipated_J < Scalar(0)) {
      state->dissipated_J =
          Min(Scalar(0), state->dissipated_J + EnergyDrift(config.coupling, config.device, config.period_s, chart));
    }
  }
  state->stored_J = stored_J;
  state->given_J = Scalar(0);
  state->started = true;
}

template <class Scalar>
Scalar EnergyDrift(const CouplingConfig<Scalar>& coupling, const DeviceConfig<Scalar>& device, Scalar period_s,
                   const CountChart<Scalar>& chart) noexcept {
  const Scalar theta = internal::SampleGains<Scalar>::At(period_s).slow;
  return theta * theta / 6 * internal::CountEnergy(coupling, device, chart, chart.Square_m2());
}

template <class Scalar>
Scalar EnergyGrain(const CouplingConfig<Scalar>& coupling, const DeviceConfig<Scalar>& device,
                   const CountChart<Scalar>& chart) noexcept {
  const Scalar band = internal::HandleGains<Scalar>::kBand;
  return band * band / 2 * internal::CountEnergy(coupling, device, chart, chart.Widest_m2());
}

template <class Scalar>
Scalar MostDampingRatio(const Config<Scalar>& config) noexcept {
  const DeviceConfig<Scalar>& device = config.device;
  const Scalar late_s = (Scalar(internal::kLateDamping) + Scalar(device.command_delay_ticks)) * config.period_s;
  const Scalar most_Ns_per_m = kPi<Scalar> / 4 * device.mass_kg / late_s;
  const Scalar most_Nms_per_rad = kPi<Scalar> / 4 * device.inertia_kgm2 / late_s;
  const Scalar most = 1 + config.passivity.max_damping_ratio;
  const Scalar share = Min(internal::ShareWithin(most * config.coupling.damping_Ns_per_m, most_Ns_per_m),
                           internal::ShareWithin(most * config.coupling.angular_damping_Nms_per_rad, most_Nms_per_rad));
  return Max(share * most - 1, Scalar(0));
}

template <class Scalar>
PassivityDamping<Scalar> ControlEnergy(const Vec<Scalar, 6>& handle_twist_W, const Config<Scalar>& config,
                                       PassivityState<Scalar>* state, const CountChart<Scalar>& chart) noexcept {
  const CouplingConfig<Scalar>& coupling = config.coupling;
  const Vec<Scalar, 3> velocity_mps = handle_twist_W.template head<3>(), omega_radps = handle_twist_W.template tail<3>();
  const Scalar speed_mps = Norm(velocity_mps), speed_radps = Norm(omega_radps);
  const Scalar damper_N = coupling.damping_Ns_per_m * speed_mps;
  const Scalar damper_Nm = coupling.angular_damping_Nms_per_rad * speed_radps;
  const Scalar power_W = damper_N * speed_mps + damper_Nm * speed_radps;

  const Scalar beyond_J = -state->dissipated_J - EnergyGrain(coupling, config.device, chart);
  const Scalar debt_J = config.passivity.enabled ? Max(Scalar(0), beyond_J) : Scalar(0);
  const Scalar capacity_J = Scalar(internal::kDebtTime_s) * power_W, most = MostDampingRatio(config);
  const bool limited = debt_J > most * capacity_J;
  const Scalar wanted = limited ? most : (debt_J > Scalar(0) ? debt_J / capacity_J : Scalar(0));

  const Scalar slack = internal::RatioSlack(damper_N, damper_Nm, config.period_s);
  state->damping_ratio = Clamp(wanted, state->damping_ratio - slack, state->damping_ratio + slack);
  return {.ratio = state->damping_ratio, .limited = limited};
}

}  // namespace tactus
