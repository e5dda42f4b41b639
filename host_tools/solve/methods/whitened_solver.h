#pragma once
#include <algorithm>
#include <chrono>
#include <memory>
#include <type_traits>
#include <utility>

#include "host_tools/solve/methods/make_whitened_solver.h"
#include "host_tools/solve/methods/refuse.h"
#include "host_tools/solve/overflow.h"
#include "host_tools/solve/to_problem.h"
#include "host_tools/solve/verify.h"
#include "tactus/contact/friction_frame.h"
#include "tactus/contact/unwhiten.h"
#include "tactus/contact/validate.h"
#include "tactus/contact/whiten.h"
#include "tactus/solve/convex/nearest_velocity.h"
#include "tactus/solve/judge/tolerances.h"

namespace tactus::host {

/// SizedSolver for an algorithm outside the ladder.
template <class Scalar, Capacity kCapacity>
class WhitenedSolver final : public SizedSolver {
 public:
  explicit WhitenedSolver(std::unique_ptr<WhitenedMethod<Scalar, kCapacity>> method)
      : method_(std::move(method)), memory_(std::make_unique<Memory>()) {}

 private:
  static constexpr int kMaxIterations = 20000;  // of the nearest velocity
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using Tangent = Vec<Scalar, LinearSize(kCapacity.dof)>;

  struct Memory {
    ContactProblem<double, kCapacity> exact;
    ContactProblem<Scalar, kCapacity> problem;
    Problem whitened;
    MethodAnswer<Scalar, kCapacity> found;
    NearestVelocity<Scalar, kCapacity> nearest;
    ContactSolution<Scalar, kCapacity> solution;
    Verifier<kCapacity> verifier;
  };

  SolutionDocument DoSolve(const ProblemDocument& document, const SolveRequest&) override {
    Memory& memory = *memory_;
    SolutionDocument answer;
    ToContactProblem(document, &memory.exact);
    answer.fault = Validate(memory.exact);
    if (!answer.fault) answer.fault = ValidateRange(memory.exact);
    if (answer.fault) return answer;
    answer.error = RefuseFrictionLaws(document);
    if (answer.error.empty()) answer.error = method_->Refuse(document);
    if (!answer.error.empty()) return answer;
    ToContactProblem(document, &memory.problem);
    answer.fault = Validate(memory.problem);  // rounded, it may not be a problem any more
    if (answer.fault) return answer;
    const std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    ChooseTangents();
    answer.fault = WhitenAndSolve(true);
    if (!answer.fault && LoadsFarContact()) answer.fault = WhitenAndSolve(false);
    if (answer.fault) return answer;
    answer.error = memory.found.refused;
    if (!answer.error.empty()) return answer;
    answer.rung = memory.found.status == SolveStatus::kSolved ? Rung::kCold : FallBack();
    TakeAnswer(document, &answer);
    answer.solve_ns = std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
    if (!Holds(&answer) && memory.found.status == SolveStatus::kSolved) {  // what is refused goes to nobody
      memory.found.status = SolveStatus::kBudget;
      memory.found.shortfall = Shortfall::kRounding;
      answer.rung = FallBack();
      TakeAnswer(document, &answer);
      (void)Holds(&answer);
    }
    return IsFinite(answer) ? answer : Overflowed();
  }

  void TakeAnswer(const ProblemDocument& document, SolutionDocument* answer) {
    Memory& memory = *memory_;
    memory.solution.impulse.storage() = memory.found.impulses;
    Unwhiten(memory.whitened, memory.whitened.VelocityFor(memory.found.impulses), memory.problem.contacts.size(),
             memory.problem.joints.size(), &memory.solution);
    Copy(document, answer);
  }

  ProblemFault WhitenAndSolve(bool shorten_far_gaps) {
    WhitenOptions<Scalar, kCapacity> options;
    options.shorten_far_gaps = shorten_far_gaps;
    const ProblemFault fault = Whiten(memory_->problem, memory_->solution.tangent, options, &memory_->whitened);
    if (fault) return fault;
    memory_->found = method_->Solve(memory_->whitened);
    if (ProvesJam()) memory_->found.status = SolveStatus::kJammed;
    return fault;
  }

  // What a method that failed, or that does not see the contact which the joints contradict, cannot say itself.
  bool ProvesJam() {
    const Problem& problem = memory_->whitened;
    SolveStatus& status = memory_->found.status;
    if (problem.contradicted_contact >= 0 && status == SolveStatus::kSolved) {
      status = SolveStatus::kBudget;
      memory_->found.shortfall = Shortfall::kRounding;
    }
    if (problem.contradicted_contact >= 0 && problem.contradiction_is_proof) return true;
    return status == SolveStatus::kBudget &&
           memory_->nearest.FindCertificate(memory_->whitened, kMaxIterations, &memory_->found.certificate);
  }

  bool LoadsFarContact() const {
    const MethodAnswer<Scalar, kCapacity>& found = memory_->found;
    if (found.status == SolveStatus::kSolved) return memory_->whitened.LoadsFarContact(found.impulses);
    return found.status == SolveStatus::kJammed && memory_->whitened.LoadsFarContact(found.certificate);
  }

  void ChooseTangents() {
    memory_->solution.tangent.resize(memory_->problem.contacts.size());
    for (int i = 0; i < memory_->problem.contacts.size(); ++i) {
      const auto& contact = memory_->problem.contacts[i];
      Tangent& tangent = memory_->solution.tangent[i];
      if constexpr (kCapacity.dof == 3) {
        tangent << -contact.normal(1), contact.normal(0);
      } else {
        tangent = contact.tangent == Tangent::Zero() ? DefaultTangent(contact.normal) : contact.tangent;
      }
    }
  }

  Rung FallBack() {
    memory_->found.impulses = {};
    typename Problem::Velocity u = memory_->whitened.k;
    if (memory_->nearest.Solve(memory_->whitened, kMaxIterations, &u)) {
      memory_->nearest.AddImpulses(&memory_->found.impulses);
    }
    return Rung::kFrictionless;
  }

  void Copy(const ProblemDocument& document, SolutionDocument* answer) const {
    answer->velocity.clear();
    answer->impulse.clear();
    answer->joint_impulse_Ns.clear();
    answer->tangent.clear();
    answer->status = memory_->found.status;
    answer->shortfall = answer->status == SolveStatus::kBudget ? memory_->found.shortfall : Shortfall::kNone;
    answer->pivots = memory_->found.pivots;
    for (const auto& velocity : memory_->solution.velocity) answer->velocity.emplace_back(velocity.begin(), velocity.end());
    for (const Scalar impulse : memory_->solution.joint_impulse_Ns) answer->joint_impulse_Ns.push_back(impulse);
    CopyImpulses(document.directions, memory_->solution.impulse, &answer->impulse);
    for (int i = 0; i < memory_->solution.tangent.size(); ++i) {
      const Tangent& tangent = memory_->solution.tangent[i];
      const ContactDocument& contact = document.contacts[static_cast<std::size_t>(i)];
      answer->tangent.emplace_back(tangent.begin(), tangent.end());
      if (kCapacity.dof == 6 && contact.tangent)
        answer->tangent.back().assign(contact.tangent->begin(), contact.tangent->end());
    }
    if (answer->status != SolveStatus::kJammed) return;
    WriteCertificateJoints(memory_->whitened, memory_->found.certificate, memory_->problem.joints.size(),
                           &memory_->solution.certificate_joint_Ns);
    for (const Scalar impulse : memory_->solution.certificate_joint_Ns) answer->certificate_joint_Ns.push_back(impulse);
    memory_->solution.certificate.storage() = memory_->found.certificate;
    TakeToPhysicalUnits(memory_->whitened, memory_->problem.contacts.size(), &memory_->solution.certificate);
    TakeContradiction(memory_->whitened, &memory_->solution.certificate.storage());
    CopyImpulses(document.directions, memory_->solution.certificate, &answer->certificate);
  }

  template <class Impulses>
  static void CopyImpulses(int directions, const Impulses& impulses, std::vector<ImpulseDocument>* copies) {
    for (const auto& impulse : impulses) {
      ImpulseDocument& copy = copies->emplace_back();
      copy.normal_Ns = impulse.normal_Ns;
      copy.friction_Ns.assign(impulse.friction_Ns.begin(), impulse.friction_Ns.begin() + directions);
    }
  }

  // Measured is what will be printed, against the problem as it was read. @returns whether it is an answer
  bool Holds(SolutionDocument* answer) {
    constexpr bool kDouble = std::is_same_v<Scalar, double>;
    constexpr double kResidual = kDouble ? 1e-8 : 1e-3;  // theory section 6, "accept residual"
    constexpr double kEnergy = kDouble ? 1e-9 : 1e-3;    // of |k|²: rounding
    const Measures measures = memory_->verifier.Verify(memory_->exact, *answer);
    answer->residual = std::max(method_->Residual(memory_->verifier.problem(), memory_->verifier.impulses()),
                                memory_->verifier.contradiction());
    answer->verdict = memory_->verifier.Judge(memory_->exact, *answer);
    return answer->residual <= kResidual && MotionHolds(measures, kResidual, kEnergy) && VerdictHolds(answer->verdict);
  }

  // Penetration is a share of (3), and so part of the law of every method.
  bool VerdictHolds(Verdict<double> verdict) const {
    const VerdictLimits<Scalar> limits(Scalar(0));
    if (!method_->SolvesTheLaw()) verdict.contact = verdict.penetration;
    return verdict.Holds(static_cast<double>(limits.share), static_cast<double>(limits.energy));
  }

  std::unique_ptr<WhitenedMethod<Scalar, kCapacity>> method_;
  std::unique_ptr<Memory> memory_;
};

template <class Scalar, Capacity kCapacity>
std::unique_ptr<SizedSolver> SolveWith(std::unique_ptr<WhitenedMethod<Scalar, kCapacity>> method) {
  return std::make_unique<WhitenedSolver<Scalar, kCapacity>>(std::move(method));
}

}  // namespace tactus::host
