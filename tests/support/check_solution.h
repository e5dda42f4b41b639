#pragma once
#include "host_tools/solve/problem_document.h"
#include "host_tools/solve/solution_document.h"
#include "tests/support/dense_contact.h"

namespace tactus::test {

/// How good an answer is, measured on the written-out problem (DenseContact) in extended precision.
struct SolutionCheck {
  /// Conditions (3)-(5) from the impulses alone, divided by max(|k|, max θ): the oracle of docs/theory, section 3.
  Real residual = 0;
  /// |v - M⁻¹(M v0 + h f + Nθ + Dφ + Bc)| in the kinetic norm, divided by max(|k|, max θ): are the printed velocities those
  /// of the printed impulses?
  Real momentum = 0;
  /// max |Bᵀv - speed|, whitened, divided the same way.
  Real joints = 0;
  /// (|u|² - |k|²)/|k|², for problems that cannot gain energy: no gap < 0, no moving surface, no joint speed. Otherwise 0.
  Real energy_gain = 0;
};

/// SolutionCheck::residual alone.
Real Residual(const DenseContact& dense, const std::vector<host::ImpulseDocument>& impulses);

/// `solution` is not kInvalid.
SolutionCheck Check(const host::ProblemDocument& problem, const host::SolutionDocument& solution);

/// How much a certificate proves: impulses ≥ 0 inside the friction cones that balance each other although the gaps forbid it
/// (theory, section 3).
struct CertificateCheck {
  Real imbalance = 0;  ///< |P(Nθ + Dφ)| / max θ: 0 for a proof
  Real joints = 0;     ///< |G⁻¹(Nθ + Dφ + Bc)| over what the contacts push, with c as it is told; 0 without joints
  Real outside = 0;  ///< largest violation of θ ≥ 0, φ ≥ 0, Σφ ≤ μθ, ε θ = 0, divided by max θ: 0 for a proof
  Real work = 0;     ///< (bᵀθ + τᵀφ) / max θ: below 0 for a proof
};

CertificateCheck CheckCertificate(const host::ProblemDocument& problem, const host::SolutionDocument& solution);

}  // namespace tactus::test
