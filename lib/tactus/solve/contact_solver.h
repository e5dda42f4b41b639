#pragma once
#include "tactus/contact/contact_problem.h"
#include "tactus/contact/contact_solution.h"

namespace tactus {

/// How ContactSolver works. The defaults are for the servo loop.
template <class Scalar>
struct SolverOptions {
  bool warm = true;              ///< start from the last answer's basis, by contact id
  bool merge = false;            ///< drop near-duplicate contacts (theory 2.4); their impulses are reported as zero
  int max_pivots = 0;            ///< per attempt; 0: 100 + 50 (bodies - 1) cold, 60 warm
  int reseeds = 3;               ///< further cold attempts with another covering vector
  unsigned seed = 0;             ///< of the first covering vector
  Scalar max_push_out_mps = Scalar(0);  ///< > 0: limits b ≥ -max_push_out_mps; 0: contacts are solved as given
};

/// Solves contact problems: validation, whitening, joint elimination, row normalisation, the ladder of solvers (warm, cold,
/// reseeded, energy-safe fallbacks), verification of the answer, physical units. Keeps the basis and the impulses of the last
/// answer for the next call. No heap; bounded time.
///
/// Errors: every outcome is `solution->status`; the velocities are usable whenever it is not kInvalid, and then
/// |u|² ≤ |k|² in the whitened norm if no contact penetrates, no surface moves and no joint has a speed.
template <class Scalar, Capacity kCapacity>
class ContactSolver {
 public:
  void Solve(const ContactProblem<Scalar, kCapacity>& problem, const SolverOptions<Scalar>& options,
             ContactSolution<Scalar, kCapacity>* solution) noexcept;

  /// Forgets the last answer: the next call starts cold.
  void Reset() noexcept;
};

}  // namespace tactus
