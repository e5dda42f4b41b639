#pragma once
#include "host_tools/solve/problem_document.h"
#include "tests/support/check_solution.h"
#include "tests/support/dense_contact.h"

namespace tactus::test {

/// A linear complementarity problem: w = M z + q, 0 ≤ w ⊥ z ≥ 0.
struct Lcp {
  DenseMatrix M;
  DenseVector q;
};

enum class LcpOutcome { kSolved, kRay, kBudget };

struct LcpAnswer {
  LcpOutcome outcome = LcpOutcome::kBudget;
  DenseVector z;
  int pivots = 0;
};

/// Lemke's method on an explicit dictionary of all n(2 + d) rows, ties broken by z0 first and then lexicographically: the
/// textbook algorithm, slow and simple.
LcpAnswer SolveLemke(const Lcp& lcp, const DenseVector& covering, int max_pivots);

/// Matrix (6) of docs/theory, section 3, row by row: all ν, then all σ, then all γ.
Lcp FullLcp(const DenseContact& dense);

/// The answer for a contact problem.
struct DenseAnswer {
  LcpOutcome outcome = LcpOutcome::kBudget;
  int pivots = 0;
  std::vector<host::ImpulseDocument> impulse;
  Real residual = 0;  ///< by Residual of check_solution.h
};

/// Solves a contact problem through its full LCP. Every contact has its tangent.
DenseAnswer SolveDense(const host::ProblemDocument& problem, int max_pivots = 2000);

/// The impulses in z of FullLcp, in physical units.
std::vector<host::ImpulseDocument> ImpulsesOf(const DenseContact& dense, const DenseVector& z);

}  // namespace tactus::test
