#pragma once
#include <type_traits>

#include "tactus/contact/contact_problem.h"
#include "tactus/contact/whiten.h"

namespace tactus::test {

/// Small scenes with answers that can be worked out by hand.
inline constexpr Capacity kSmall{.bodies = 2, .contacts = 16, .joints = 6, .directions = 8, .dof = 6};
template <class Scalar = double>
using SmallProblem = ContactProblem<Scalar, kSmall>;
/// A parameter whose type is the named Scalar's, not the argument's.
template <class T>
using Given = std::type_identity_t<T>;

/// A ball of 0.5 kg, 10 mm radius, at the origin, nothing acting on it.
template <class Scalar = double>
Body<Scalar, 6> Ball() {
  Body<Scalar, 6> body;
  body.mass_kg = Scalar(0.5);
  body.inertia_kgm2 *= Scalar(0.4 * 0.5 * 0.01 * 0.01);  // 2/5 m r²
  return body;
}

/// Body 0 against a fixed one at `point_m`, normal up, tangent along x.
template <class Scalar = double>
Contact<Scalar, 6> ContactBelow(int id, Given<Scalar> friction,
                                const Given<Vec<Scalar, 3>>& point_m = {0, 0, Scalar(-0.01)}) {
  Contact<Scalar, 6> contact;
  contact.id = id;
  contact.point_m = point_m;
  contact.tangent = Vec<Scalar, 3>(1, 0, 0);
  contact.friction = friction;
  return contact;
}

/// The ball on a floor, moving with `velocity` and pressed by `wrench`; one friction direction along -x.
template <class Scalar = double>
SmallProblem<Scalar> BallOnFloor(const Given<Vec<Scalar, 6>>& velocity, const Given<Vec<Scalar, 6>>& wrench,
                                 Given<Scalar> friction) {
  SmallProblem<Scalar> problem;
  problem.direction_offset_rad = 0;
  (void)problem.bodies.push_back(Ball<Scalar>());  // the capacity is ours
  problem.bodies[0].velocity = velocity;
  problem.bodies[0].wrench = wrench;
  (void)problem.contacts.push_back(ContactBelow<Scalar>(0, friction));
  return problem;
}

/// A box of 0.5 kg, 50 mm, squeezed between two plates along x by four contacts on each side.
template <class Scalar = double>
SmallProblem<Scalar> SqueezedBox(Given<Scalar> friction, Given<Scalar> gap_m, const Given<Vec<Scalar, 6>>& wrench) {
  SmallProblem<Scalar> problem;
  Body<Scalar, 6> box;
  box.mass_kg = Scalar(0.5);
  box.inertia_kgm2 *= Scalar(0.5 * 0.05 * 0.05 / 6);
  box.wrench = wrench;
  (void)problem.bodies.push_back(box);
  constexpr Scalar kHalf = Scalar(0.025);
  for (int corner = 0; corner < 8; ++corner) {
    Contact<Scalar, 6> contact;
    contact.id = corner;
    const Scalar side = corner & 4 ? kHalf : -kHalf;
    contact.point_m = Vec<Scalar, 3>(side, corner & 1 ? kHalf : -kHalf, corner & 2 ? kHalf : -kHalf);
    contact.normal = Vec<Scalar, 3>(side > 0 ? Scalar(-1) : Scalar(1), 0, 0);
    contact.tangent = Vec<Scalar, 3>(0, 1, 0);
    contact.friction = friction;
    contact.gap_m = gap_m;
    (void)problem.contacts.push_back(contact);
  }
  return problem;
}

constexpr Capacity Compliant(Capacity capacity) {
  capacity.compliant = true;
  return capacity;
}
inline constexpr Capacity kSoft = Compliant(kSmall);
inline ContactProblem<double, kSoft> Soft(const SmallProblem<>& problem) {
  ContactProblem<double, kSoft> soft;
  soft.directions = problem.directions;
  for (const auto& body : problem.bodies) (void)soft.bodies.push_back(body);
  for (const auto& contact : problem.contacts) (void)soft.contacts.push_back(contact);
  return soft;
}

/// The problem whitened, with the tangents as given.
template <class Scalar, Capacity kCapacity>
WhitenedProblem<Scalar, kCapacity> Whitened(const ContactProblem<Scalar, kCapacity>& problem) {
  WhitenedProblem<Scalar, kCapacity> whitened;
  FixedVector<Vec<Scalar, LinearSize(kCapacity.dof)>, kCapacity.contacts> tangents;
  for (const auto& contact : problem.contacts) (void)tangents.push_back(contact.tangent);
  const ProblemFault fault = Whiten(problem, tangents, WhitenOptions<Scalar, kCapacity>{}, &whitened);
  TACTUS_CHECK(!fault);
  return whitened;
}

}  // namespace tactus::test
