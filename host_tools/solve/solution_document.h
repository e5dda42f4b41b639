#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/contact/contact_solution.h"
#include "tactus/solve/rung.h"

namespace tactus::host {

/// The impulses of one contact.
struct ImpulseDocument {
  double normal_Ns = 0;
  std::vector<double> friction_Ns;  ///< one per friction direction
};

/// The answer to a ProblemDocument: what one line of the output says. An invalid problem has a status and an error only.
struct SolutionDocument {
  std::optional<std::string> name;
  std::string_view scalar = "double";  ///< what it was computed in
  SolveStatus status = SolveStatus::kInvalid;
  ProblemFault fault;  ///< for kInvalid, when a field's value is the reason
  std::string error;   ///< for kInvalid, when there is no fault: field and reason as a sentence
  Rung rung = Rung::kNone;
  int pivots = 0;
  double residual = 0;
  Shortfall shortfall = Shortfall::kNone;  ///< for kBudget
  Verdict<double> verdict;                 ///< in double, for the problem as it was read
  /// Where the round cone was asked for: the cone that the answer is on, its distance from the round one, and each contact's
  /// friction along its tangent and normal × tangent.
  std::optional<Cone> cone;
  double round_residual = 0;
  std::vector<Cone> contact_cone;  ///< each contact's, where they are not the same
  std::vector<std::array<double, 2>> friction_Ns;
  /// Where a contact has static or viscous friction: Coulomb's μ that stood for it, of each contact.
  std::vector<double> friction_coefficient;
  std::vector<std::vector<double>> velocity;
  std::vector<ImpulseDocument> impulse;
  std::vector<double> joint_impulse_Ns;
  std::vector<std::vector<double>> tangent;
  std::vector<ImpulseDocument> certificate;  ///< for kJammed
  std::vector<double> certificate_joint_Ns;  ///< and the joints' share of it
  std::int64_t solve_ns = 0;
};

}  // namespace tactus::host
