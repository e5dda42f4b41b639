#pragma once
#include <algorithm>
#include <compare>
#include <cstdint>

#include "tactus/supervise/supervisor.h"

namespace tactus {

/// What happens in one call of the loop.
enum class Event : std::uint8_t {
  kNothing,  ///< a good sample, a clock edge
  kHello,
  kConfig,
  kArm,
  kDisarm,
  kClearFault,
  kReset,
  kStop,
  kEStop,
  kSilence,      ///< a clock edge without a sample
  kTickFault,    ///< the tick finds a fault
  kEStopInput,   ///< the e-stop input is open
  kDeviceFault,  ///< a drive reports a fault
  kLateBurst,    ///< twenty edges at once
  kClockStands,  ///< calls without an edge, and time does not pass
  kLinkClosed,
  kCommandLost,  ///< a good sample; the device does not take the command
};
inline constexpr int kEvents = static_cast<int>(Event::kCommandLost) + 1;

/// A tick made of a gain alone: 4.5 N when armed, up and down by a third a tick, as tactus::Tick does it.
struct TickModel {
  bool armed = false, fault = false, has_sample = false;
  int gain = 0;    ///< in thirds
  int silent = 0;  ///< ticks without a sample

  static constexpr int kFull = 3, kHoldTicks = 1;
  static constexpr float kForce_N = 4.5f;

  void Obey(std::uint8_t orders) {
    if (orders & tick_order::kArm) armed = !fault;
    if (orders & tick_order::kDisarm) armed = false;
    if (orders & (tick_order::kRaiseFault | tick_order::kCutForce)) fault = true;
    if (orders & tick_order::kCutForce) gain = 0;
    if (orders & tick_order::kClearFault) armed = fault = false;
    if (orders & (tick_order::kReset | tick_order::kConfigure)) *this = TickModel{.has_sample = has_sample};
    if (orders & tick_order::kConfigure) has_sample = false;
  }
  float Run(bool sample) {
    silent = sample ? 0 : std::min(silent + 1, kHoldTicks + 1);
    const bool fades = fault || !armed || silent > kHoldTicks;
    if (fades) gain = std::max(0, gain - 1);
    if (!fades && silent == 0) gain = std::min(kFull, gain + 1);
    if (fades && armed && !fault && gain == 0) fault = true;
    return kForce_N * static_cast<float>(gain) / kFull;
  }
  auto operator<=>(const TickModel&) const = default;
};

/// Supervisor, tick and device, as the servo application puts them together.
struct LoopModel {
  Supervisor supervisor;
  TickModel tick;
  float force_N = 0;         ///< written last: the device holds it until the next is written
  int edges_since_off = -1;  ///< clock edges since force had to go; -1: it need not
  bool broken = false;       ///< a promise was not kept

  static constexpr SupervisorLimits kLimits{.fade_periods = TickModel::kFull + 1};

  void Do(Event event) {
    const bool was_on = force_N > 0;
    const Order order = OrderOf(event);
    if (order != Order::kNone) {
      const Judgement judgement = Take(order, &supervisor);
      tick.Obey(judgement.tick_orders);
    }
    const bool sample = event != Event::kSilence && event != Event::kClockStands;
    if (sample && supervisor.phase != Phase::kConnecting && supervisor.phase != Phase::kUnconfigured) tick.has_sample = true;
    const Observation seen{.edges = event == Event::kClockStands ? 0u
                                    : event == Event::kLateBurst ? 20u
                                                                 : 1u,
                           .has_sample = tick.has_sample,
                           .new_sample = sample && tick.has_sample,
                           .e_stop = event == Event::kEStopInput,
                           .device_failed = event == Event::kDeviceFault,
                           .clock_stands = event == Event::kClockStands,
                           .link_closed = event == Event::kLinkClosed};
    const Plan plan = Begin(seen, &supervisor);
    tick.Obey(plan.tick_orders);
    if (event == Event::kTickFault) tick.fault = true;
    const bool lost = event == Event::kCommandLost;
    bool writes = false;
    if (plan.run_tick || plan.write_zero) {
      const float command_N = plan.run_tick ? tick.Run(sample) : 0.0f;
      const Output output{
          .force_N = command_N, .zero = command_N == 0 && (!plan.run_tick || tick.gain == 0), .tick_faulted = tick.fault};
      const Duty duty = Settle(output, kLimits, &supervisor);
      broken |= duty.cut;  // this tick keeps its promises: the supervisor has nothing to cut
      if (!lost) force_N = duty.cut ? 0.0f : command_N;
      tick.Obey(NoteWrite(!lost, &supervisor).tick_orders);
      broken |= !lost && supervisor.phase != duty.phase;  // the command has said it
      writes = true;
    }
    const bool must_be_off = supervisor.phase != Phase::kArmed && supervisor.phase != Phase::kFading;
    const bool edge = seen.edges > 0;
    if (must_be_off && (edge || seen.clock_stands) && !writes) broken = true;
    if (must_be_off && force_N != 0) broken = true;
    WatchOffTime(event, was_on, edge && !lost);
  }

 private:
  static Order OrderOf(Event event) {
    switch (event) {
      case Event::kHello: return Order::kHello;
      case Event::kConfig: return Order::kConfigure;
      case Event::kArm: return Order::kArm;
      case Event::kDisarm: return Order::kDisarm;
      case Event::kClearFault: return Order::kClearFault;
      case Event::kReset: return Order::kReset;
      case Event::kStop: return Order::kStop;
      case Event::kEStop: return Order::kEStop;
      default: return Order::kNone;
    }
  }

  /// Disarm, stop, fault, silence: zero within the fade (and the hold); e-stop, a failed device, a lost clock: in this call.
  void WatchOffTime(Event event, bool was_on, bool edge) {
    const bool cuts = event == Event::kEStop || event == Event::kEStopInput || event == Event::kDeviceFault ||
                      event == Event::kClockStands;
    if (cuts && was_on && force_N != 0) broken = true;
    const bool fades = event == Event::kDisarm || event == Event::kStop || event == Event::kTickFault ||
                       event == Event::kLateBurst || event == Event::kLinkClosed || event == Event::kSilence;
    if (fades && event != Event::kSilence && supervisor.phase == Phase::kArmed) broken = true;
    if (fades && was_on && edges_since_off < 0) edges_since_off = 0;
    // A sample ends a silence.
    const bool silence_over = supervisor.phase == Phase::kArmed && event != Event::kSilence;
    if (force_N == 0 || silence_over) edges_since_off = -1;
    if (edges_since_off >= 0 && edge) ++edges_since_off;
    if (edges_since_off > kLimits.fade_periods + TickModel::kHoldTicks) broken = true;
  }
};

}  // namespace tactus
