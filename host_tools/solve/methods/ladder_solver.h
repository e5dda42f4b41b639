#pragma once
#include <chrono>
#include <cmath>
#include <memory>
#include <type_traits>

#include "host_tools/solve/methods/make_ladder_solver.h"
#include "host_tools/solve/overflow.h"
#include "host_tools/solve/to_problem.h"
#include "host_tools/solve/verify.h"
#include "tactus/contact/validate.h"
#include "tactus/solve/contact_solver.h"

namespace tactus::host {

/// SizedSolver for one scalar, capacity and form of Lemke's algorithm. The objects are large; they live on the heap, as
/// one.
template <class Scalar, Capacity kCapacity, class Lemke>
class LadderSolver final : public SizedSolver {
 public:
  LadderSolver() : memory_(std::make_unique<Memory>()) {}

 private:
  struct Memory {
    ContactProblem<double, kCapacity> exact;
    ContactProblem<Scalar, kCapacity> problem;
    ContactSolver<Scalar, kCapacity, Lemke> solver;
    ContactSolution<Scalar, kCapacity> solution;
    Verifier<kCapacity> verifier;
  };

  SolutionDocument DoSolve(const ProblemDocument& document, const SolveRequest& request) override {
    SolutionDocument answer;
    ToContactProblem(document, &memory_->exact);
    answer.fault = Validate(memory_->exact);
    if (!answer.fault) answer.fault = ValidateRange(memory_->exact);
    if (answer.fault) return answer;
    if (!request.warm) memory_->solver.Reset();
    ToContactProblem(document, &memory_->problem);
    SolverOptions<Scalar> options;
    options.warm = request.warm;
    options.merge = request.merge;
    options.seed = request.seed;
    options.cone = request.cone;
    const std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    memory_->solver.Solve(memory_->problem, options, &memory_->solution);
    answer.solve_ns = std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
    Copy(document, &answer);
    if (answer.status == SolveStatus::kInvalid) return answer;
    for (const Scalar mu : memory_->solution.friction_coefficient) answer.friction_coefficient.push_back(mu);
    if (request.cone == Cone::kRound) CopyFriction(&answer);
    Verify(&answer);
    return IsFinite(answer) ? answer : Overflowed();
  }

  // The status is the library's. What will be printed is measured once more, in double against the problem as it was read,
  // which float may have rounded to another one.
  void Verify(SolutionDocument* answer) {
    answer->residual = memory_->verifier.Verify(memory_->exact, *answer).residual;
    answer->verdict = memory_->verifier.Judge(memory_->exact, *answer);
    if (answer->cone) answer->round_residual = memory_->verifier.RoundResidual();
    if (answer->cone == Cone::kRound) answer->residual = answer->round_residual;
    if (std::is_same_v<Scalar, double> || answer->status != SolveStatus::kSolved) return;
    const VerdictLimits<float> limits(0.f);
    const double accept = static_cast<double>(Tolerances<float>::kAccept), share = static_cast<double>(limits.share);
    if (answer->residual <= accept && answer->verdict.Holds(share, static_cast<double>(limits.energy))) return;
    answer->status = SolveStatus::kBudget;
    answer->shortfall = Shortfall::kRounding;
  }

  void Copy(const ProblemDocument& document, SolutionDocument* answer) const {
    const ContactSolution<Scalar, kCapacity>& solution = memory_->solution;
    answer->status = solution.status;
    answer->fault = solution.fault;
    answer->rung = solution.rung;
    answer->pivots = solution.pivots;
    answer->shortfall = solution.shortfall;
    if (solution.status == SolveStatus::kInvalid) return;
    for (const auto& velocity : solution.velocity) answer->velocity.emplace_back(velocity.begin(), velocity.end());
    CopyImpulses(document.directions, solution.impulse, &answer->impulse);
    for (const Scalar impulse : solution.joint_impulse_Ns) answer->joint_impulse_Ns.push_back(impulse);
    for (int i = 0; i < solution.tangent.size(); ++i) CopyTangent(document.contacts[static_cast<std::size_t>(i)], i, answer);
    if (solution.status != SolveStatus::kJammed) return;
    CopyImpulses(document.directions, solution.certificate, &answer->certificate);
    for (const Scalar impulse : solution.certificate_joint_Ns) answer->certificate_joint_Ns.push_back(impulse);
  }

  void CopyFriction(SolutionDocument* answer) const {
    const ContactSolution<Scalar, kCapacity>& solution = memory_->solution;
    answer->cone = solution.cone;
    answer->contact_cone.assign(solution.contact_cone.begin(), solution.contact_cone.end());
    for (const auto& friction : solution.friction_Ns) {
      auto& copy = answer->friction_Ns.emplace_back();
      for (int x = 0; x < friction.size(); ++x) copy[static_cast<std::size_t>(x)] = friction(x);
    }
  }

  // A tangent that was given comes back as it was given, not rounded to Scalar.
  void CopyTangent(const ContactDocument& contact, int i, SolutionDocument* answer) const {
    if constexpr (kCapacity.dof == 3) {
      answer->tangent.push_back({-contact.normal[1], contact.normal[0]});
    } else if (contact.tangent) {
      answer->tangent.emplace_back(contact.tangent->begin(), contact.tangent->end());
    } else {
      const auto& tangent = memory_->solution.tangent[i];
      answer->tangent.emplace_back(tangent.begin(), tangent.end());
    }
  }

  template <class Impulses>
  static void CopyImpulses(int directions, const Impulses& impulses, std::vector<ImpulseDocument>* copies) {
    for (const auto& impulse : impulses) {
      ImpulseDocument& copy = copies->emplace_back();
      copy.normal_Ns = impulse.normal_Ns;
      copy.friction_Ns.assign(impulse.friction_Ns.begin(), impulse.friction_Ns.begin() + directions);
    }
  }

  std::unique_ptr<Memory> memory_;
};

template <Capacity kCapacity, template <class, Capacity> class Lemke>
std::unique_ptr<SizedSolver> MakeLadderSolver(ScalarKind scalar) {
  if (scalar == ScalarKind::kFloat) return std::make_unique<LadderSolver<float, kCapacity, Lemke<float, kCapacity>>>();
  return std::make_unique<LadderSolver<double, kCapacity, Lemke<double, kCapacity>>>();
}

}  // namespace tactus::host
