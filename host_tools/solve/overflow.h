#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "host_tools/solve/solution_document.h"
#include "tactus/contact/contact_problem.h"
#include "tactus/contact/validate.h"

namespace tactus::host {

/// Whether the free motion (what step_s and the wrenches make of the velocities), its energy and the rows of the contacts
/// fit in double. `problem` is valid.
template <Capacity kCapacity>
ProblemFault ValidateRange(const ContactProblem<double, kCapacity>& problem) {
  constexpr int kLinear = LinearSize(kCapacity.dof), kAngular = AngularSize(kCapacity.dof);
  for (int k = 0; k < problem.bodies.size(); ++k) {
    const auto fault = [k](const char* field, const char* what) { return ProblemFault{what, "bodies", k, field}; };
    const auto& body = problem.bodies[k];
    const Vec<double, kCapacity.dof> impulse = problem.step_s * body.wrench;
    if (!AllFinite(impulse)) return fault("wrench", "times step_s must be finite");
    const Vec<double, kLinear> v = body.velocity.template head<kLinear>(), push = impulse.template head<kLinear>();
    const Vec<double, kAngular> w = body.velocity.template tail<kAngular>(), twist = impulse.template tail<kAngular>();
    if (!std::isfinite(body.mass_kg * v.squaredNorm()) || !std::isfinite(w.dot(body.inertia_kgm2 * w))) {
      return fault("velocity", "must be small enough for a finite energy");
    }
    if (!std::isfinite(v.squaredNorm() + w.squaredNorm())) return fault("velocity", "must have a finite square");
    if (!std::isfinite((1 + push.squaredNorm()) / body.mass_kg)) {
      return fault("mass_kg", "must be large enough for wrench and step_s to give a finite velocity and energy");
    }
    typename std::remove_cvref_t<decltype(body)>::Inertia L;
    if (!Cholesky(body.inertia_kgm2, &L)) return fault("inertia_kgm2", "must be positive definite");
    const typename std::remove_cvref_t<decltype(body)>::Inertia inverse_L = InverseOfLower(L);
    const Vec<double, kAngular> spin = inverse_L * twist, change = inverse_L.transpose() * spin;
    if (!std::isfinite(inverse_L.squaredNorm() + spin.squaredNorm()) || !AllFinite(change)) {
      return fault("inertia_kgm2", "must be large enough for wrench and step_s to give a finite velocity and energy");
    }
  }
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    for (const int k : {contact.a, contact.b}) {
      if (k == kFixed) continue;
      const auto& body = problem.bodies[k];
      const double lever_squared = (contact.point_m - body.position_m).squaredNorm();
      if (std::isfinite(lever_squared / body.inertia_kgm2.diagonal().minCoeff())) continue;
      return {"must be nearer to the bodies: the square of the distance, by the inertia, is infinite", "contacts", i,
              "point_m"};
    }
  }
  return {};
}

/// Whether every number of an answer is one.
inline bool IsFinite(const SolutionDocument& answer) {
  const auto finite = [](double x) { return std::isfinite(x); };
  const auto all = [&](const std::vector<double>& numbers) { return std::all_of(numbers.begin(), numbers.end(), finite); };
  const auto whole = [&](const ImpulseDocument& impulse) { return finite(impulse.normal_Ns) && all(impulse.friction_Ns); };
  const auto& verdict = answer.verdict;
  const auto pair = [&](const std::array<double, 2>& t) { return finite(t[0]) && finite(t[1]); };
  const std::vector<double> judged{answer.round_residual, answer.residual, verdict.contact, verdict.penetration,
                                   verdict.joint,         verdict.motion,  verdict.energy,  verdict.nu_mps,
                                   verdict.sigma_mps,     verdict.gamma_Ns};
  return all(judged) && all(answer.friction_coefficient) &&
         std::all_of(answer.friction_Ns.begin(), answer.friction_Ns.end(), pair) && all(answer.joint_impulse_Ns) &&
         all(answer.certificate_joint_Ns) && std::all_of(answer.velocity.begin(), answer.velocity.end(), all) &&
         std::all_of(answer.tangent.begin(), answer.tangent.end(), all) &&
         std::all_of(answer.impulse.begin(), answer.impulse.end(), whole) &&
         std::all_of(answer.certificate.begin(), answer.certificate.end(), whole);
}

/// The answer to a problem whose every number is finite, and what comes of them is not.
inline SolutionDocument Overflowed() {
  SolutionDocument answer;
  answer.error = "problem: its numbers are so large or so small that products of them are beyond double precision";
  return answer;
}

}  // namespace tactus::host
