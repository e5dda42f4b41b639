namespace tactus {

namespace internal {

/// A tick runs in these, once there is a sample.
constexpr bool HasTick(Phase phase) {
  return phase == Phase::kIdle || phase == Phase::kArmed || phase == Phase::kFading || phase == Phase::kFaulted;
}

inline void BeginFade(Phase after, Supervisor* s) noexcept {
  if (s->phase != Phase::kFading) {
    s->fade_ticks = 0;
    s->fade_from_N = s->last_N;
    s->fade_from_Nm = s->last_Nm;
  }
  s->phase = Phase::kFading;
  s->after_fade = after;
  if (after != Phase::kIdle) s->waiting = Order::kNone;
}

/// A fault from outside the tick. The first cause stays. Where there is no tick yet there is nothing to fault.
inline std::uint8_t Trip(Cause cause, Supervisor* s) noexcept {
  if (!HasTick(s->phase)) return 0;
  const std::uint8_t order = CutsForce(cause) ? tick_order::kCutForce : tick_order::kRaiseFault;
  const bool faulted = s->phase == Phase::kFaulted || (s->phase == Phase::kFading && s->after_fade == Phase::kFaulted);
  if (faulted && !CutsForce(cause)) return 0;
  if (faulted) s->waiting = Order::kNone;  // whoever waits for the fault's end has not seen this one
  if (faulted) return order;
  s->cause = cause;
  BeginFade(s->phase == Phase::kFading && s->after_fade == Phase::kStopped ? Phase::kStopped : Phase::kFaulted, s);
  return order;
}

/// The same, into the plan.
inline void Trip(Cause cause, Plan* plan, Supervisor* s) noexcept {
  const std::uint8_t orders = Trip(cause, s);
  if ((orders & tick_order::kCutForce) != 0 && plan->cut == Cause::kNone) plan->cut = cause;
  plan->tick_orders |= orders;
}

/// Waits for the end of a fade to kIdle, or if `from_fault` to kFaulted. One order waits at a time.
inline Judgement Wait(Order order, bool from_fault, Supervisor* s) noexcept {
  const bool leads_there = s->after_fade == Phase::kIdle || (from_fault && s->after_fade == Phase::kFaulted);
  if (s->phase != Phase::kFading || !leads_there || s->waiting != Order::kNone) return {};
  s->waiting = order;
  return {Acceptance::kWaits, 0};
}

/// Does what waited, or what need not wait. Only at zero output.
inline std::uint8_t DoAtZero(Order order, Supervisor* s) noexcept {
  s->phase = Phase::kIdle;
  s->waiting = Order::kNone;
  s->cause = Cause::kNone;
  s->fault_told = false;
  s->late.Clear();
  if (order == Order::kConfigure) s->had_sample = false;
  switch (order) {
    case Order::kConfigure: return tick_order::kConfigure;
    case Order::kReset: return tick_order::kReset;
    case Order::kClearFault: return tick_order::kClearFault;
    default: return 0;
  }
}

inline Judgement TakeClearFault(Supervisor* s) noexcept {
  if (s->unsafe) return {};
  if (s->phase == Phase::kIdle) return {Acceptance::kAccepted, 0};
  if (s->phase == Phase::kFaulted) return {Acceptance::kAccepted, DoAtZero(Order::kClearFault, s)};
  return Wait(Order::kClearFault, true, s);
}

inline Judgement TakeStop(Supervisor* s) noexcept {
  if (s->phase == Phase::kStopped) return {Acceptance::kAccepted, 0};
  BeginFade(Phase::kStopped, s);
  return {Acceptance::kAccepted, tick_order::kDisarm};
}

/// Whether a latched fault changes where the controller is going. A stop stays a stop.
inline bool FaultLeadsElsewhere(const Supervisor& s) noexcept {
  if (s.phase == Phase::kFading) return s.after_fade == Phase::kIdle;
  return s.phase == Phase::kArmed || s.phase == Phase::kIdle;
}

/// The output is zero: on to where the fade leads, and what waited has its turn.
inline Sequel EndFade(Supervisor* s) noexcept {
  s->phase = s->after_fade;
  s->fade_is_over = false;
  const Order ready = s->waiting;
  return ready == Order::kNone ? Sequel{} : Sequel{ready, DoAtZero(ready, s)};
}

/// Whether force and torque stay below these. NaN does not.
inline bool IsBelow(const Output& output, float most_N, float most_Nm) noexcept {
  constexpr float kRounding = 1 + 1e-5f;  // of the command to single precision, and of its magnitude
  return output.force_N <= most_N * kRounding && output.torque_Nm <= most_Nm * kRounding;
}

inline bool BreaksItsPromise(const Output& output, const SupervisorLimits& limits, const Supervisor& s) noexcept {
  if (s.phase == Phase::kArmed) return !IsBelow(output, limits.max_force_N, limits.max_torque_Nm);
  if (s.phase != Phase::kFading) return !output.zero;
  const float left = s.fade_ticks >= limits.fade_periods
                         ? 0.0f
                         : 1.0f - static_cast<float>(s.fade_ticks) / static_cast<float>(limits.fade_periods);
  return !IsBelow(output, s.fade_from_N * left, s.fade_from_Nm * left) ||
         (s.fade_ticks >= limits.fade_periods && !output.zero);
}

}  // namespace internal

inline Judgement Take(Order order, Supervisor* s) noexcept {
  const bool idle = s->phase == Phase::kIdle, armed = s->phase == Phase::kArmed;
  switch (order) {
    case Order::kHello:
      if (s->phase == Phase::kConnecting) s->phase = Phase::kUnconfigured;
      return {Acceptance::kAccepted, 0};
    case Order::kConfigure:
      if (idle || s->phase == Phase::kUnconfigured) return {Acceptance::kAccepted, internal::DoAtZero(order, s)};
      return internal::Wait(order, false, s);
    case Order::kReset:
      if (idle) return {Acceptance::kAccepted, internal::DoAtZero(order, s)};
      return internal::Wait(order, false, s);
    case Order::kClearFault: return internal::TakeClearFault(s);
    case Order::kTune: return {idle || armed ? Acceptance::kAccepted : Acceptance::kWrongState, 0};
    case Order::kArm:
      if (armed) return {Acceptance::kAccepted, 0};
      if (!idle || s->unsafe) return {};
      s->phase = Phase::kArmed;
      return {Acceptance::kAccepted, tick_order::kArm};
    case Order::kDisarm:
      if (armed) internal::BeginFade(Phase::kIdle, s);
      return {Acceptance::kAccepted, tick_order::kDisarm};
    case Order::kStop: return internal::TakeStop(s);
    case Order::kEStop: return {Acceptance::kAccepted, internal::Trip(Cause::kEStop, s), Cause::kEStop};
    case Order::kNone: break;
  }
  return {};
}

inline Plan Begin(const Observation& seen, Supervisor* s) noexcept {
  Plan plan;
  const bool edge = seen.edges > 0;
  if (edge) s->late.Advance(seen.edges);
  // A device that loses its sample, as one that homes anew: its force would come back with a step when the sample does.
  const bool device_failed = seen.device_failed || (s->had_sample && !seen.has_sample);
  s->had_sample |= seen.has_sample;
  s->unsafe = seen.e_stop || device_failed || seen.device_homes || seen.clock_stands;
  if (seen.e_stop) internal::Trip(Cause::kEStop, &plan, s);
  if (device_failed) internal::Trip(Cause::kDeviceFault, &plan, s);
  if (seen.clock_stands) internal::Trip(Cause::kClockLost, &plan, s);
  if (s->late.TooMany()) internal::Trip(Cause::kDeadline, &plan, s);
  if (seen.link_closed) plan.tick_orders |= internal::TakeStop(s).tick_orders;

  if (seen.new_sample) {
    s->silent_periods = 0;
  } else if (edge) {
    const std::uint32_t left = static_cast<std::uint32_t>(s->silent_limit - s->silent_periods);
    s->silent_periods = seen.edges < left ? s->silent_periods + static_cast<int>(seen.edges) : s->silent_limit;
  }
  const bool by_clock =
      s->pacing == TickPacing::kClock || s->silent_periods >= s->silent_limit || s->phase == Phase::kFading;
  plan.run_tick = internal::HasTick(s->phase) && seen.has_sample && !seen.clock_stands &&
                  ((edge && by_clock) || (seen.new_sample && s->pacing == TickPacing::kSample));
  // What holds between the samples of an armed controller is the force of the last one. All else is zero, and is written.
  const bool holds = s->phase == Phase::kArmed && seen.has_sample;
  plan.write_zero = !plan.run_tick && (seen.clock_stands || (edge && !holds));
  return plan;
}

inline Duty Settle(const Output& output, const SupervisorLimits& limits, Supervisor* s) noexcept {
  Duty duty;
  if (s->phase == Phase::kFading && s->fade_ticks < limits.fade_periods) ++s->fade_ticks;
  duty.cut = internal::BreaksItsPromise(output, limits, *s);
  if (duty.cut) s->waiting = Order::kNone;  // as in Trip: a clear-fault that waits has not seen this fault
  if (duty.cut && s->cause == Cause::kNone) s->cause = Cause::kOutputWrong;

  const bool faulted = output.tick_faulted || s->cause != Cause::kNone;
  duty.new_fault = faulted && !s->fault_told;
  s->fault_told |= faulted;
  if (faulted && internal::FaultLeadsElsewhere(*s)) internal::BeginFade(Phase::kFaulted, s);

  s->last_N = duty.cut ? 0.0f : output.force_N;
  s->last_Nm = duty.cut ? 0.0f : output.torque_Nm;
  s->fade_is_over = s->phase == Phase::kFading && (output.zero || duty.cut);
  if (s->fade_is_over && s->waiting == Order::kClearFault && s->unsafe) s->waiting = Order::kNone;
  duty.phase = !s->fade_is_over ? s->phase : s->waiting != Order::kNone ? Phase::kIdle : s->after_fade;
  return duty;
}

inline Sequel NoteWrite(bool written, Supervisor* s) noexcept {
  if (!written && (s->phase == Phase::kArmed || s->phase == Phase::kFading)) s->late.AddLate();
  if (!written) return {};
  return s->fade_is_over ? internal::EndFade(s) : Sequel{};
}

}  // namespace tactus
