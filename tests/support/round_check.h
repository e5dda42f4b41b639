#pragma once
#include <array>
#include <vector>

#include "tests/support/dense_contact.h"

namespace tactus::test {

/// How good impulses on the round cone are, measured on the written-out problem (DenseContact) in extended precision, from
/// Coulomb's and Signorini's laws and nothing of the library. Everything but `energy_gain` is a share of the contact's own
/// scale: Σ over its bodies of |N| max(|k| of that body, max |N_j| θ_j over the contacts of that body).
struct RoundCheck {
  Real residual = 0;  ///< |min(ν, θ)|; and the least of max(|s|, |f| - μθ), which a sticking contact has, |f + μθ s/|s||,
                      ///< which one that slides, and max(|s + |s| f/|f||, ||f| - μθ|), the same by the slip
  Real penetration = 0;  ///< -ν, -θ
  Real outside = 0;      ///< |f| - μθ
  Real drive = 0;        ///< f·s > 0: friction that does work on the motion, of the scale squared
  Real energy_gain = 0;  ///< (|u|² - k·u + b·θ + τ·f)/|k|²: above 0 for no solution (docs/theory/round.md, "Energy")
  Real lateral = 0;      ///< largest share of a sliding contact's friction that is across its slip
};

/// Impulses of one contact [N·s]: along the normal, the tangent and normal × tangent.
using RoundImpulse = std::array<double, 3>;

/// @param[in] problem  spatial; every contact has its tangent
RoundCheck CheckRound(const host::ProblemDocument& problem, const std::vector<RoundImpulse>& impulses);

}  // namespace tactus::test
