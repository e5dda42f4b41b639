#include "host_tools/solve/sized_solver.h"

#include <algorithm>

namespace tactus::host {
namespace {

bool IsCompliant(const ContactDocument& contact) { return contact.compliance_mps_per_Ns > 0; }

}  // namespace

bool Holds(const Capacity& capacity, const ProblemDocument& problem) {
  const auto fits = [](std::size_t size, int most) { return size <= static_cast<std::size_t>(most); };
  const bool compliant = std::any_of(problem.contacts.begin(), problem.contacts.end(), IsCompliant);
  return fits(problem.bodies.size(), capacity.bodies) && fits(problem.contacts.size(), capacity.contacts) &&
         fits(problem.joints.size(), capacity.joints) && problem.directions <= capacity.directions &&
         (capacity.compliant || !compliant);
}

}  // namespace tactus::host
