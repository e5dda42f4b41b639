#pragma once
#include <cstdint>

#include "tactus/supervise/late_periods.h"
#include "tactus/supervise/phase.h"

namespace tactus {

/// What the host may ask for.
enum class Order : std::uint8_t {
  kNone,
  kHello,       ///< a HelloRequest of our version
  kConfigure,   ///< a Config that has been checked
  kTune,        ///< a Tune that has been checked
  kArm,         ///< an Arm with the right nonce and the right Config
  kDisarm,      ///< the force fades
  kClearFault,  ///< forgets the fault
  kReset,       ///< the tick's state anew
  kStop,        ///< the force fades, then the run ends
  kEStop,       ///< zero at once
};

/// How an order is taken.
enum class Acceptance : std::uint8_t {
  kAccepted,
  kWaits,       ///< it will be done when the output is zero; Sequel::ready tells
  kWrongState,  ///< refused, nothing has changed
};

/// What the caller must now do to the state of the tick (haptic/state.h). Several bits may be set; they are done in this
/// order.
namespace tick_order {
inline constexpr std::uint8_t kArm = 1u << 0;         ///< Arm()
inline constexpr std::uint8_t kDisarm = 1u << 1;      ///< Disarm()
inline constexpr std::uint8_t kRaiseFault = 1u << 2;  ///< RaiseFault(): the force fades
inline constexpr std::uint8_t kCutForce = 1u << 3;    ///< CutForce(): a fault, and zero at once
inline constexpr std::uint8_t kClearFault = 1u << 4;  ///< ClearFault()
inline constexpr std::uint8_t kReset = 1u << 5;       ///< a new state
inline constexpr std::uint8_t kConfigure = 1u << 6;   ///< the new Config, and a new state
}  // namespace tick_order

/// The answer to an order.
struct Judgement {
  Acceptance acceptance = Acceptance::kWrongState;
  std::uint8_t tick_orders = 0;  ///< tick_order::…
  Cause cut = Cause::kNone;      ///< of tick_order::kCutForce
};

/// What drives the tick.
enum class TickPacing : std::uint8_t {
  kClock,   ///< each clock edge is a tick
  kSample,  ///< each new sample is a tick; after silent_limit periods without one, each clock edge
};

/// Bounds that are compiled in.
struct SupervisorLimits {
  int fade_periods = 101;   ///< a fade is over after so many ticks, whatever the Config says
  float max_force_N = 20;   ///< of the device, whatever the Config says
  float max_torque_Nm = 1;  ///< the same for the torque
};

/// What one call of the loop saw.
struct Observation {
  std::uint32_t edges = 0;  ///< clock edges since the last call; 0: a frame has called
  bool has_sample = false;  ///< there has been a sample since the Config, and it is valid
  bool new_sample = false;  ///< one has come since the last call
  bool e_stop = false;      ///< the e-stop input is open
  bool device_failed = false;
  bool device_homes = false;  ///< its place is not known yet: it is not armed
  bool clock_stands = false;  ///< time does not pass although the loop is called
  bool link_closed = false;
};

/// What the loop has to do in this call.
struct Plan {
  std::uint8_t tick_orders = 0;  ///< before the tick
  Cause cut = Cause::kNone;      ///< of tick_order::kCutForce; of several the first in Observation's order
  bool run_tick = false;         ///< run the tick and write its command
  bool write_zero = false;       ///< run no tick and write a command of zeros
};

/// What was going to be written when Settle is asked.
struct Output {
  float force_N = 0;          ///< magnitude
  float torque_Nm = 0;        ///< magnitude
  bool zero = true;           ///< all six numbers are zero, and so is the tick's gain
  bool tick_faulted = false;  ///< the tick has a fault latched
};

/// What Settle decided.
struct Duty {
  bool cut = false;  ///< write zeros instead of the command, and do tick_order::kCutForce: the tick has broken its promise
  bool new_fault = false;            ///< tell the host: a fault has latched
  Phase phase = Phase::kConnecting;  ///< the phase once this command is written: the command says so
};

/// What follows from a command that was written.
struct Sequel {
  Order ready = Order::kNone;    ///< the order that waited: its turn is now, for the output is zero
  std::uint8_t tick_orders = 0;  ///< of that order
};

/// Whether force may go out. Like the tick it is a value and pure functions over it: no link, no clock, no device. The servo
/// application carries bytes; the tests run the same functions without it.
///
/// Promises, checked in every call of Settle and not only in tests:
///     not armed and not fading  ⇒  zeros have been written since there was force, and are written again at each clock edge
///     fading, k-th tick         ⇒  |F| ≤ F₀ (1 - k/N), the torque alike; F₀ when the fade began, N = limits.fade_periods
///     armed                     ⇒  |F| ≤ limits.max_force_N, the torque alike
/// What breaks them is cut to zero and latches Cause::kOutputWrong. A fade ends when its zeros have been *written*: a device
/// that takes no command keeps the phase at kFading, and too many lost commands are a fault (LatePeriods).
struct Supervisor {
  Phase phase = Phase::kConnecting;
  Phase after_fade = Phase::kIdle;  ///< kIdle, kFaulted or kStopped
  Order waiting = Order::kNone;     ///< done when the fade is over: kConfigure, kReset or kClearFault
  Cause cause = Cause::kNone;       ///< of the latched fault, if it came from outside the tick
  bool fault_told = false;          ///< Duty::new_fault has been said of it
  TickPacing pacing = TickPacing::kClock;
  int silent_limit = 10;   ///< periods; with TickPacing::kSample
  int silent_periods = 0;  ///< since the last sample; stops at silent_limit
  int fade_ticks = 0;      ///< since the fade began
  float fade_from_N = 0;   ///< F₀
  float fade_from_Nm = 0;  ///< the same for the torque
  float last_N = 0;        ///< of the last command
  float last_Nm = 0;
  bool fade_is_over = false;  ///< as soon as the command of zeros has been written
  bool unsafe = false;        ///< e-stop, device or clock are not well: no Arm, and faults cannot be cleared
  bool had_sample = false;    ///< since the Config: a device that has none any more has failed
  LatePeriods late;
};

/// Takes an order of the host. Disarm, stop and e-stop are taken in every phase.
Judgement Take(Order order, Supervisor* supervisor) noexcept;

/// Once in every call of the loop, after the orders: faults from outside, and whether a tick is due.
Plan Begin(const Observation& seen, Supervisor* supervisor) noexcept;

/// Once for every Plan with run_tick or write_zero, before the command is written: the promises above, faults of the tick.
Duty Settle(const Output& output, const SupervisorLimits& limits, Supervisor* supervisor) noexcept;

/// After each Settle: whether the device took the command. If so, a fade at zero ends, and what waited has its turn. If not,
/// the device still holds the command before; while armed or fading that counts as a late period.
Sequel NoteWrite(bool written, Supervisor* supervisor) noexcept;

/// The tick ended after the next clock edge.
inline void NoteLateTick(Supervisor* supervisor) noexcept { supervisor->late.AddLate(); }

}  // namespace tactus

#include "tactus/supervise/supervisor.inl"
