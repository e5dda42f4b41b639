#pragma once
#include <cstdint>

#include "tactus/contact/contact_problem.h"
#include "tactus/contact/contact_solution.h"
#include "tactus/contact/lever.h"
#include "tactus/core/fixed_vector.h"
#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"

namespace tactus {

/// What two bodies that carry a load between them have begun.
enum class ContactChange : std::uint8_t { kBegins, kEnds, kSlips, kSticks };

constexpr const char* Name(ContactChange change) {
  switch (change) {
    case ContactChange::kBegins: return "begins";
    case ContactChange::kEnds: return "ends";
    case ContactChange::kSlips: return "slips";
    case ContactChange::kSticks: return "sticks";
  }
  return "unknown";
}

/// A change between two bodies of a problem.
template <class Scalar>
struct ContactEvent {
  ContactChange change = ContactChange::kBegins;
  std::uint32_t tick = 0;                           ///< that found it; kEnds: the last one with a load
  int a = 0, b = kFixed;                            ///< as the contacts have them
  Vec<Scalar, 3> point_m = Vec<Scalar, 3>::Zero();  ///< where the load is, in the mean, in W; kEnds: where it was last
  Scalar impulse_Ns = Scalar(0);                    ///< along the normals, in that tick
};

/// A tick tells so many events at most; what finds no room is told by a later one.
inline constexpr int kEventsPerTick = 4;
template <class Scalar>
using ContactEventList = FixedVector<ContactEvent<Scalar>, kEventsPerTick>;

/// Velocity of the point of a body that is there, after the step [m/s]; zero of what is fixed.
template <class Scalar, Capacity kCapacity>
Vec<Scalar, 3> VelocityAt(const ContactProblem<Scalar, kCapacity>& problem,
                          const ContactSolution<Scalar, kCapacity>& solution, int body, const Vec<Scalar, 3>& point_m) {
  if (body == kFixed) return Vec<Scalar, 3>::Zero();
  return VelocityAt(solution.velocity[body], Vec<Scalar, 3>(point_m - problem.bodies[body].position_m));
}

/// Velocity of a's point along b's surface, after the step [m/s], in W: what moves the surface itself is taken off.
template <class Scalar, Capacity kCapacity>
Vec<Scalar, 3> SlipAt(const ContactProblem<Scalar, kCapacity>& problem, const ContactSolution<Scalar, kCapacity>& solution,
                      int contact) {
  const auto& c = problem.contacts[contact];
  const Vec<Scalar, 3>&t = solution.tangent[contact], o = Cross(c.normal, t);
  Vec<Scalar, 3> slip = VelocityAt(problem, solution, c.a, c.point_m) - VelocityAt(problem, solution, c.b, c.point_m);
  slip -= c.surface_velocity_mps(0) * t + c.surface_velocity_mps(1) * o;
  slip -= c.normal * c.normal.dot(slip);
  return slip;
}

/// Finds what begins and ends between bodies, tick by tick. A value: it has no part in the tick, and the same ticks give the
/// same events.
///
/// Two bodies touch when the normal impulses between them are above zero; they have parted when they have carried nothing
/// for more than 5 ms. They slip from 1 mm/s on, of the fastest of their contacts that carry a load, and stick again below
/// half of that.
///
/// @tparam kPairs  pairs of bodies that are followed at a time; one more is not seen while they touch
template <class Scalar, int kPairs>
class ContactEventFinder {
 public:
  /// After a tick that solved a contact problem.
  ///
  /// @param[in]  tick    counts by one
  /// @param[out] events  pair by pair in the order of their bodies: begins, slips or sticks, then those that ended
  template <Capacity kCapacity>
  void Take(std::uint32_t tick, const ContactProblem<Scalar, kCapacity>& problem,
            const ContactSolution<Scalar, kCapacity>& solution, ContactEventList<Scalar>* events) noexcept {
    Begin(events);
    for (int i = 0; i < problem.contacts.size() && i < solution.impulse.size(); ++i) {
      const Scalar impulse_Ns = solution.impulse.normal_Ns(i);
      if (!(impulse_Ns > Scalar(0))) continue;
      Touch* const touch = Find(problem.contacts[i].a, problem.contacts[i].b);
      if (touch == nullptr) continue;
      touch->load_Ns += impulse_Ns;
      touch->moment += impulse_Ns * problem.contacts[i].point_m;
      touch->slip_mps = Max(touch->slip_mps, Norm(SlipAt(problem, solution, i)));
    }
    End(tick, problem.step_s, events);
  }

  /// After a tick that solved none: nothing carried a load. @param[in] period_s  of the ticks
  void Take(std::uint32_t tick, Scalar period_s, ContactEventList<Scalar>* events) noexcept {
    Begin(events);
    End(tick, period_s, events);
  }

  /// Begins anew: what touches is told again.
  void Reset() noexcept { touches_.clear(); }

 private:
  /// Two bodies that carry a load, or did so a moment ago.
  struct Touch {
    ContactEvent<Scalar> last;  ///< of the last tick with a load
    bool begun = false;         ///< kBegins has been told
    bool slips = false;         ///< as was told last
    // Of this tick.
    Scalar load_Ns = Scalar(0), slip_mps = Scalar(0);
    Vec<Scalar, 3> moment = Vec<Scalar, 3>::Zero();
  };

  void Begin(ContactEventList<Scalar>* events) noexcept;
  Touch* Find(int a, int b) noexcept;
  void End(std::uint32_t tick, Scalar period_s, ContactEventList<Scalar>* events) noexcept;
  static bool Tell(const Touch& touch, ContactChange change, ContactEventList<Scalar>* events) noexcept;
  static void Advance(std::uint32_t tick, Touch* touch, ContactEventList<Scalar>* events) noexcept;

  FixedVector<Touch, kPairs> touches_;  // in the order of their bodies
};

}  // namespace tactus

#include "tactus/contact/contact_events.inl"
