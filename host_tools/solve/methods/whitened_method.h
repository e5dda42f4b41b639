#pragma once
#include <string>

#include "host_tools/solve/problem_document.h"
#include "tactus/contact/contact_solution.h"
#include "tactus/contact/whitened_problem.h"

namespace tactus::host {

/// What an algorithm outside the ladder made of a whitened problem.
template <class Scalar, Capacity kCapacity>
struct MethodAnswer {
  SolveStatus status = SolveStatus::kBudget;
  Shortfall shortfall = Shortfall::kRounding;  ///< for kBudget: kPivots, or it ended and does not hold
  int pivots = 0;
  std::string refused;  ///< why it does not solve such problems, where Refuse() could not tell yet; with kInvalid
  WhitenedImpulses<Scalar, kCapacity> impulses;
  WhitenedImpulses<Scalar, kCapacity> certificate;  ///< for kJammed
};

/// An algorithm that stands alone, without warm start and ladder.
template <class Scalar, Capacity kCapacity>
class WhitenedMethod {
 public:
  virtual ~WhitenedMethod() = default;

  /// @returns why it does not solve such problems; "": it does
  std::string Refuse(const ProblemDocument& document) const { return DoRefuse(document); }
  MethodAnswer<Scalar, kCapacity> Solve(const WhitenedProblem<Scalar, kCapacity>& problem) { return DoSolve(problem); }
  /// Of the conditions that it solves, in double whatever it computes in.
  double Residual(const WhitenedProblem<double, kCapacity>& problem,
                  const WhitenedImpulses<double, kCapacity>& impulses) const {
    return DoResidual(problem, impulses);
  }
  /// Whether those are (3)-(5) as they stand, so that the whole verdict must hold of an answer; if not, all of it but
  /// `contact`.
  bool SolvesTheLaw() const { return DoSolvesTheLaw(); }

 private:
  virtual std::string DoRefuse(const ProblemDocument& document) const = 0;
  virtual MethodAnswer<Scalar, kCapacity> DoSolve(const WhitenedProblem<Scalar, kCapacity>& problem) = 0;
  virtual double DoResidual(const WhitenedProblem<double, kCapacity>& problem,
                            const WhitenedImpulses<double, kCapacity>& impulses) const = 0;
  virtual bool DoSolvesTheLaw() const = 0;
};

}  // namespace tactus::host
