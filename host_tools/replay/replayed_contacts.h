#pragma once
#include <vector>

#include "host_tools/replay/replay.h"
#include "tactus/contact/contact_solution.h"
#include "tactus/core/spatial.h"

namespace tactus::host {

/// Velocity of the point of a body that is there.
template <class Scalar, Capacity kCapacity>
Vec<double, 3> VelocityAt(const ContactProblem<Scalar, kCapacity>& problem,
                          const ContactSolution<Scalar, kCapacity>& solution, int body, const Vec<double, 3>& point_m) {
  if (body == kFixed) return Vec<double, 3>::Zero();
  const Vec<double, 6> twist_W = solution.velocity[body].template cast<double>();
  const Vec<double, 3> v = twist_W.template head<3>(), omega = twist_W.template tail<3>();
  return v + Cross(omega, Vec<double, 3>(point_m - problem.bodies[body].position_m.template cast<double>()));
}

/// The contacts of a solved problem.
template <class Scalar, Capacity kCapacity>
std::vector<ReplayedContact> ContactsOf(const ContactProblem<Scalar, kCapacity>& problem,
                                        const ContactSolution<Scalar, kCapacity>& solution) {
  using Vec3 = Vec<double, 3>;
  std::vector<ReplayedContact> contacts;
  const auto step_s = static_cast<double>(problem.step_s);
  for (int i = 0; i < problem.contacts.size() && i < solution.impulse.size(); ++i) {
    const auto& contact = problem.contacts[i];
    const Vec3 point_m = contact.point_m.template cast<double>(), n = contact.normal.template cast<double>(),
               t = solution.tangent[i].template cast<double>(), o = Cross(n, t);
    const Vec<double, 2> w = contact.surface_velocity_mps.template cast<double>();
    const Vec3 surface_mps = w(0) * t + w(1) * o;
    Vec3 slip_mps =
        VelocityAt(problem, solution, contact.a, point_m) - VelocityAt(problem, solution, contact.b, point_m) - surface_mps;
    slip_mps -= n * n.dot(slip_mps);
    Vec3 friction_N = Vec3::Zero();
    if (i < solution.friction_Ns.size()) {
      const Vec<double, 2> f = solution.friction_Ns[i].template cast<double>() / step_s;
      friction_N = f(0) * t + f(1) * o;
    }
    ReplayedContact seen{.id = contact.id,
                         .a = contact.a,
                         .b = contact.b,
                         .gap_m = static_cast<double>(contact.gap_m),
                         .normal_N = static_cast<double>(solution.impulse.normal_Ns(i)) / step_s,
                         .slip_mps = Norm(slip_mps)};
    for (int k = 0; k < 3; ++k) {
      seen.point_m[k] = point_m(k);
      seen.normal[k] = n(k);
      seen.friction_N[k] = friction_N(k);
    }
    contacts.push_back(seen);
  }
  return contacts;
}

}  // namespace tactus::host
