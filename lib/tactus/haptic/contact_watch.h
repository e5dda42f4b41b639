#pragma once
#include "tactus/contact/contact_events.h"
#include "tactus/haptic/config.h"
#include "tactus/haptic/state.h"
#include "tactus/haptic/telemetry.h"

namespace tactus {

/// Pairs of bodies of a scene or a stream, in the order that contacts name them: each with each other and with what is
/// fixed, either way round. Where that is more than a computer needs, twice the contacts of a tick: those that touch now,
/// and as many that have just parted. The tool alone touches nothing but what is fixed.
inline constexpr int kWatchedPairs = [] {
  constexpr int kStreamed = kSceneCapacity.bodies > 1 ? 1 + kStreamedBodies : 1;
  constexpr int kBodies = kServoScene.bodies < kStreamed ? kStreamed : kServoScene.bodies;
  constexpr int kAll = kBodies * (kBodies + 1), kMost = 2 * kServoScene.contacts;
  return kBodies == 1 ? 1 : kAll < kMost ? kAll : kMost;
}();

/// Calls `visit(problem, solution)` with that of its problems that the last tick solved, as the tick chooses among them.
template <class Scalar, class Visit>
void VisitSolved(const Config<Scalar>& config, const State<Scalar>& state, Visit&& visit) {
  if constexpr (kHasLargeScenes) {
    if (HasWorld(config) && config.world->is_large) return visit(state.large.problem, state.large.solution);
  }
  if constexpr (kSceneCapacity.bodies > 1) {
    const bool streams_many = config.stream.open && !state.stream.set.mass_kg.empty();
    const bool has_many = HasWorld(config) && !config.world->IsToolAlone();
    if (streams_many || has_many) return visit(state.many.problem, state.many.solution);
  }
  visit(state.problem, state.solution);
}

/// Finds the contact events of a servo loop, tick by tick, beside it: it reads what the tick has solved and changes nothing.
/// The controller and the export of a recording run this same code on the same numbers, so both have the same events.
template <class Scalar>
class ContactWatch {
 public:
  /// After each tick. @param[out] events  what changed in it
  void Take(const Config<Scalar>& config, const State<Scalar>& state, const Telemetry<Scalar>& telemetry,
            ContactEventList<Scalar>* events) noexcept {
    if (telemetry.work > 0) {  // a problem was solved in this tick
      VisitSolved(config, state, [&](const auto& problem, const auto& solution) {
        finder_.Take(telemetry.tick, problem, solution, events);
      });
    } else {
      finder_.Take(telemetry.tick, config.period_s, events);
    }
  }

  /// Begins anew: what touches is told again.
  void Reset() noexcept { finder_.Reset(); }

 private:
  ContactEventFinder<Scalar, kWatchedPairs> finder_;
};

}  // namespace tactus
