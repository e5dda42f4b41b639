#pragma once
#include <fmt/format.h>

#include <cstddef>
#include <string>

#include "host_tools/solve/problem_document.h"

// What a solver does not solve, in words: "contacts[3].friction: must be 0 for this solver, is 0.2", for the first contact
// whose field is not allowed; "" when all are.

namespace tactus::host {

template <class Field, class Allowed>
std::string RefuseContacts(const ProblemDocument& document, const char* name, Field ContactDocument::*field, Allowed allowed,
                           const char* must_be) {
  for (std::size_t i = 0; i < document.contacts.size(); ++i) {
    const double value = document.contacts[i].*field;
    if (allowed(value)) continue;
    return fmt::format("contacts[{}].{}: must be {}, is {}", i, name, must_be, value);
  }
  return "";
}

inline std::string RefuseFriction(const ProblemDocument& document) {
  return RefuseContacts(
      document, "friction", &ContactDocument::friction, [](double x) { return x == 0; },
      "0 for this solver, which knows no friction");
}
/// Friction that is more than Coulomb's μ.
inline std::string RefuseFrictionLaws(const ProblemDocument& document) {
  const auto none = [](double x) { return x == 0; };
  const char* const what = "0 for this solver, which has one coefficient for each contact";
  const std::string refused = RefuseContacts(document, "static_friction", &ContactDocument::static_friction, none, what);
  if (!refused.empty()) return refused;
  return RefuseContacts(document, "viscous_friction_Ns_per_m", &ContactDocument::viscous_friction_Ns_per_m, none, what);
}
inline std::string RefuseCompliance(const ProblemDocument& document) {
  return RefuseContacts(
      document, "compliance_mps_per_Ns", &ContactDocument::compliance_mps_per_Ns, [](double x) { return x == 0; },
      "0 for this solver, which knows no compliance");
}

}  // namespace tactus::host
