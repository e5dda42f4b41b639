#pragma once
#include "tactus/contact/contact_problem.h"
#include "tactus/contact/contact_solution.h"
#include "tactus/contact/merge.h"
#include "tactus/contact/unwhiten.h"
#include "tactus/contact/validate.h"
#include "tactus/contact/whiten.h"
#include "tactus/solve/ladder.h"

namespace tactus {

/// Solves contact problems: validation, whitening, joint elimination, row normalisation, the ladder of solvers (warm, cold,
/// reseeded, energy-safe fallbacks), verification of the answer, physical units. Keeps the basis and the impulses of the
/// last answer for the next call. No heap; bounded time. `sizeof` is all it keeps; it also works in the solution's impulses
/// and certificate, and on the stack (docs/benchmarks.md).
///
///     ContactSolver<double, kPeg> solver;
///     ContactSolution<double, kPeg> solution;
///     solver.Solve(problem, {}, &solution);
///     if (solution.status == SolveStatus::kSolved) Use(solution.velocity[0]);
///
/// Errors: every outcome is `solution->status`; the velocities are usable whenever it is not kInvalid. If no contact
/// penetrates, no surface moves and no joint has a speed, the kinetic energy after the step is not above that of (M v0 + h
/// f), up to rounding (Tolerances::kEnergy).
///
/// @tparam Lemke  the exact solver on the ladder; the default is the fast one and the only one that starts warm
template <class Scalar, Capacity kCapacity, class Lemke = LemkeReduced<Scalar, kCapacity>>
class ContactSolver {
 public:
  using PhysicalProblem = ContactProblem<Scalar, kCapacity>;
  using Solution = ContactSolution<Scalar, kCapacity>;

  void Solve(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, Solution* solution) noexcept;

  /// Forgets the last answer: the next call starts cold.
  void Reset() noexcept {
    remembered_.clear();
    failures_ = 0;
  }

 private:
  static constexpr int kDof = kCapacity.dof, kLinear = LinearSize(kDof);
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using Point = Vec<Scalar, kLinear>;
  using Tangential = typename Problem::Tangential;
  static constexpr int kMaxFailures = 1000;  // after as many, covering vectors come round again (GenericCover: seed % 1000)

  // What the next tick needs to know of a contact.
  struct Remembered {
    std::int32_t id;
    ContactBasis basis;
    Point tangent;
    Scalar normal_Ns;
    Tangential friction_Ns;  // along the tangent and, in space, normal × tangent
  };

  void RecallContacts(const PhysicalProblem& problem);
  const Remembered* Recalled(int contact) const {
    const int place = recalled_[contact];
    return place < 0 ? nullptr : &remembered_[place];
  }
  std::int64_t WorkAround(const PhysicalProblem& problem) const {
    return work::Setup(problem.contacts.size()) + work::Search(compared_);
  }
  void ChooseTangents(const PhysicalProblem& problem, Solution* solution) const;
  void PrepareWarmStart();
  void RecallImpulses(WhitenedImpulses<Scalar, kCapacity>* impulses) const;
  LadderOptions MakeLadderOptions(const PhysicalProblem& problem, const SolverOptions<Scalar>& options) const;
  ProblemFault SolveOnce(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, Solution* solution);
  ProblemFault RunLadder(const PhysicalProblem& problem, const SolverOptions<Scalar>& options, bool shorten_far_gaps,
                         Solution* solution);
  bool LoadsFarContact(const Solution& solution) const;
  Scalar Violation(const PhysicalProblem& problem, int contact, const Solution& solution) const;
  bool RestoreViolated(const PhysicalProblem& problem, bool all, Solution* solution);
  void Remember(const PhysicalProblem& problem, const Solution& solution);

  Problem whitened_;
  WhitenOptions<Scalar, kCapacity> whiten_options_;
  Ladder<Scalar, kCapacity, Lemke> ladder_;
  std::array<int, kCapacity.contacts> keeper_;  // of merged contacts; -1: stands for itself
  FixedVector<Remembered, kCapacity.contacts> remembered_;
  std::array<std::int16_t, kCapacity.contacts> recalled_;  // place in remembered_ by contact; -1: new
  int compared_ = 0;                                       // ids compared to find them: what the search cost
  int failures_ = 0;                                       // inexact answers in a row, from 1 again after kMaxFailures
};

}  // namespace tactus

#include "tactus/solve/contact_solver.inl"
