#pragma once
#include <algorithm>
#include <cstdio>
#include <string>

#include "host_tools/solve/compiled_solvers.h"
#include "tactus/solve/contact_solver.h"
#include "tactus/solve/judge/residual.h"
#include "tests/audit/audit.h"
#include "tests/audit/law_case.h"
#include "tests/solve/family_scene.h"

namespace tactus::test {

/// What became of many problems.
struct Tally {
  int problems = 0;
  int later = 0;     // solved, but not by the first attempt
  int jammed = 0;    // with a certificate
  int given_up = 0;  // answered safely, not exactly
  int wrong = 0;     // called solved, and the law is broken by more than audit::Limits::wrong of a contact's own scale
  double worst = 0;  // residual of what was called solved
};

inline void Print(const std::string& problems, const char* form, const Tally& tally) {
  std::printf("%-16s %s: of %d %d by a later attempt, %d jammed, %d given up, %d wrong, worst residual %.1e\n",
              problems.c_str(), form, tally.problems, tally.later, tally.jammed, tally.given_up, tally.wrong, tally.worst);
}

/// A form of Lemke's algorithm behind the ladder, cold. Judged is the answer to the problem as `Scalar` holds it, contacts
/// that were merged included, by a checker that shares no code with the solver (tests/audit/law.h); and its residual, from
/// the impulses in N·s.
template <class Scalar, Capacity kCapacity, template <class, Capacity> class Lemke>
class Trial {
 public:
  void Run(const host::ProblemDocument& document, Tally* tally) {
    host::ToContactProblem(document, &problem_);
    solver_.Reset();
    solver_.Solve(problem_, {.warm = false, .merge = sizeof(Scalar) == sizeof(float)}, &solution_);
    ++tally->problems;
    tally->jammed += solution_.status == SolveStatus::kJammed;
    tally->given_up += solution_.status == SolveStatus::kBudget;
    if (solution_.status != SolveStatus::kSolved) return;
    tally->later += solution_.rung != Rung::kCold;
    const double residual = Residual(document);
    tally->wrong += !(audit::CheckLaw(audit::ToLawCase(problem_, solution_)).Worst() <= kWrong);
    tally->worst = std::max(tally->worst, residual);
  }

 private:
  static constexpr audit::Real kWrong = (sizeof(Scalar) == sizeof(float) ? audit::kFloatLimits : audit::kDoubleLimits).wrong;

  double Residual(const host::ProblemDocument& document) {
    WhitenDocument(document, &whitened_);
    impulses_ = {};
    for (int i = 0; i < whitened_.contacts.size(); ++i) {
      const auto& contact = whitened_.contacts[i];
      const auto& impulse = solution_.impulse[contact.source];
      const std::size_t I = static_cast<std::size_t>(i);
      impulses_.theta[I] = impulse.normal_Ns * contact.normal_scale;
      for (int j = 0; contact.mu > Scalar(0) && j < whitened_.directions; ++j) {
        impulses_.phi[I][static_cast<std::size_t>(j)] = impulse.friction_Ns(j) * contact.tangent_scale;
      }
    }
    return ComplementarityResidual(whitened_, impulses_);
  }

  ContactProblem<Scalar, kCapacity> problem_;
  ContactSolver<Scalar, kCapacity, Lemke<Scalar, kCapacity>> solver_;
  ContactSolution<Scalar, kCapacity> solution_;
  WhitenedProblem<Scalar, kCapacity> whitened_;
  WhitenedImpulses<Scalar, kCapacity> impulses_;
};

}  // namespace tactus::test
