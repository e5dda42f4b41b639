#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>

#include "host_tools/solve/solution_document.h"
#include "tactus/contact/judge.h"
#include "tactus/contact/whiten.h"
#include "tactus/solve/judge/residual.h"
#include "tactus/solve/round/round_judge.h"

namespace tactus::host {

/// What is measured of an answer, for the problem as it was read, in double, whatever the answer was computed in.
struct Measures {
  double residual = 0;        ///< complementarity residual of the impulses (docs/theory, section 3)
  double full_residual = 0;   ///< the same with u from all impulses, those of the joints included
  double velocity_error = 0;  ///< |v - what the impulses make of v0| in the kinetic norm, divided by max(|k|, max θ); here
                              ///< and below |k| is that before the joints
  double joint_error =
      0;  ///< largest |J v - speed| of the joint rows as given, as a share of |G⁻¹Jᵀ| max(|k|, max θ, |u_b|)
  double energy_gain = 0;  ///< share of |k|² that |u|² gains where no energy may be gained (theory, section 3); 0 elsewhere
};

/// Of joint_error. Rows that depend on each other may disagree by as much before Whiten() calls it a contradiction; no
/// velocity holds them better.
inline constexpr double kJointTolerance = 1e-6;

/// Whether the velocities of `verdict` are the impulses' and the joints', and no energy was gained.
inline bool MotionHolds(const Measures& verdict, double tolerance, double energy_tolerance) {
  return verdict.velocity_error <= tolerance && verdict.joint_error <= Max(tolerance, kJointTolerance) &&
         verdict.energy_gain <= energy_tolerance;
}

template <Capacity kCapacity>
class Verifier {
 public:
  /// `problem` is valid, `answer` not kInvalid.
  Measures Verify(const ContactProblem<double, kCapacity>& problem, const SolutionDocument& answer) {
    Measures verdict;
    ReadTangents(answer);
    ReadFriction(answer);
    WhitenOptions<double, kCapacity> options;
    if (!friction_.empty()) options.friction = &friction_;
    if (Whiten(problem, tangents_, options, &whitened_)) {
      verdict.residual = std::numeric_limits<double>::quiet_NaN();
      return verdict;
    }
    ReadImpulses(answer);
    const Velocity u = WithJointImpulses(problem, answer);
    const double before = whitened_.k.squaredNorm(), free = FreeMotionSquared();
    verdict.residual = std::max(ComplementarityResidual(whitened_, impulses_), contradiction());
    verdict.full_residual = ComplementarityResidual(whitened_, impulses_, u) * Scale(before) / Scale();
    verdict.velocity_error = Distance(problem, answer, u) / Scale();
    verdict.joint_error = JointError(problem, answer);
    if (CannotGainEnergy(problem) && free > 0) verdict.energy_gain = (u.squaredNorm() - before) / free;
    return verdict;
  }

  /// The library's verdict of the answer as it will be printed, for the problem as it was read.
  Verdict<double> Judge(const ContactProblem<double, kCapacity>& problem, const SolutionDocument& answer) {
    ReadTangents(answer);
    ReadFriction(answer);
    read_.tangent = tangents_;
    read_.friction_coefficient = friction_;
    read_.velocity.resize(problem.bodies.size());
    for (int k = 0; k < problem.bodies.size(); ++k) {
      read_.velocity[k] = Twist(answer.velocity[static_cast<std::size_t>(k)].data());
    }
    read_.joint_impulse_Ns.resize(problem.joints.size());
    for (int j = 0; j < problem.joints.size(); ++j) {
      read_.joint_impulse_Ns[j] = answer.joint_impulse_Ns[static_cast<std::size_t>(j)];
    }
    read_.impulse.resize(problem.contacts.size(), problem.directions);
    for (std::size_t i = 0; i < answer.impulse.size(); ++i) {
      read_.impulse.storage().theta[i] = answer.impulse[i].normal_Ns;
      std::copy(answer.impulse[i].friction_Ns.begin(), answer.impulse[i].friction_Ns.end(),
                read_.impulse.storage().phi[i].begin());
    }
    read_.cone = answer.cone.value_or(Cone::kPolygon);
    read_.contact_cone.clear();
    for (const Cone cone : answer.contact_cone) (void)read_.contact_cone.push_back(cone);  // as many as contacts: they fit
    return JudgeAnswer(problem, read_);
  }

  /// How far the last answer's impulses are from the round cone: (R1) of docs/theory/round.md.
  double RoundResidual() {
    round_impulses_.TakePolygon(whitened_, impulses_);
    judge_.Measure(whitened_, round_impulses_);
    return std::max(judge_.residual(), contradiction());
  }

  /// The problem and the impulses of the last answer, as they were measured.
  const WhitenedProblem<double, kCapacity>& problem() const { return whitened_; }
  const WhitenedImpulses<double, kCapacity>& impulses() const { return impulses_; }
  /// By how much the gap of a contact that the joints hold fast is violated; of the residual's kind.
  double contradiction() const { return whitened_.contradicted_contact >= 0 ? whitened_.contradiction : 0; }

 private:
  using Velocity = typename WhitenedProblem<double, kCapacity>::Velocity;
  using Twist = Vec<double, kCapacity.dof>;
  static constexpr int kLinear = LinearSize(kCapacity.dof), kAngular = AngularSize(kCapacity.dof);

  void ReadImpulses(const SolutionDocument& answer) {
    for (int i = 0; i < whitened_.contacts.size(); ++i) {
      const auto& contact = whitened_.contacts[i];
      const ImpulseDocument& impulse = answer.impulse[static_cast<std::size_t>(contact.source)];
      impulses_.theta[static_cast<std::size_t>(i)] = impulse.normal_Ns * contact.normal_scale;
      for (std::size_t j = 0; j < impulse.friction_Ns.size(); ++j) {
        impulses_.phi[static_cast<std::size_t>(i)][j] =
            contact.mu > 0 ? impulse.friction_Ns[j] * contact.tangent_scale : 0;  // held by the joints: no say in u
      }
    }
  }

  // u from the impulses of contacts and joints as they are, k + N θ + D φ + B c, less what the joints prescribe.
  Velocity WithJointImpulses(const ContactProblem<double, kCapacity>& problem, const SolutionDocument& answer) const {
    if (problem.joints.empty()) return whitened_.VelocityFor(impulses_);
    WhitenedImpulses<double, kCapacity> all = impulses_;
    for (int i = 0; i < whitened_.contacts.size(); ++i) {
      if (whitened_.contacts[i].held_mu == 0) continue;  // the joints pay for this friction
      const auto& friction = answer.impulse[static_cast<std::size_t>(whitened_.contacts[i].source)].friction_Ns;
      std::copy(friction.begin(), friction.end(), all.phi[static_cast<std::size_t>(i)].begin());
    }
    Velocity u = whitened_.k + whitened_.ContactImpulse(all);
    for (int c = 0; c < whitened_.joint_rank; ++c) {
      const std::size_t C = static_cast<std::size_t>(c);
      u += (whitened_.joint_k[C] - whitened_.joint_u[C]) * whitened_.Q[C];
    }
    for (int j = 0; j < problem.joints.size(); ++j) {
      const auto& joint = problem.joints[j];
      AddJointImpulse(joint.a, joint.jacobian_a * answer.joint_impulse_Ns[static_cast<std::size_t>(j)], &u);
      AddJointImpulse(joint.b, joint.jacobian_b * answer.joint_impulse_Ns[static_cast<std::size_t>(j)], &u);
    }
    return u;
  }

  void AddJointImpulse(int body, Twist impulse, Velocity* u) const {
    if (body < 0) return;
    WhitenBlock(whitened_.factor[static_cast<std::size_t>(body)], &impulse);
    u->template segment<kCapacity.dof>(body * kCapacity.dof) += impulse;
  }

  // Of the velocities printed and G⁻ᵀ(u + u_b), in the kinetic norm √(Δvᵀ M Δv).
  double Distance(const ContactProblem<double, kCapacity>& problem, const SolutionDocument& answer, Velocity u) const {
    if constexpr (WhitenedProblem<double, kCapacity>::kHasJoints) {
      for (int c = 0; c < whitened_.joint_rank; ++c) {
        u += whitened_.joint_u[static_cast<std::size_t>(c)] * whitened_.Q[static_cast<std::size_t>(c)];
      }
    }
    double squared = 0;
    for (int k = 0; k < problem.bodies.size(); ++k) {
      const auto& factor = whitened_.factor[static_cast<std::size_t>(k)];
      Twist v = u.template segment<kCapacity.dof>(k * kCapacity.dof);
      v.template head<kLinear>() *= factor.inverse_sqrt_mass;
      v.template tail<kAngular>() = (factor.inverse_L.transpose() * v.template tail<kAngular>()).eval();
      const Twist error = Twist(answer.velocity[static_cast<std::size_t>(k)].data()) - v;
      const Vec<double, kAngular> spin = error.template tail<kAngular>();
      squared += problem.bodies[k].mass_kg * error.template head<kLinear>().squaredNorm() +
                 spin.dot(problem.bodies[k].inertia_kgm2 * spin);
    }
    return Sqrt(squared);
  }

  // The rows are taken from the problem, not from Q and R: a row that the whitening lost is still there. Divided by their
  // largest entry, they can be squared.
  double JointError(const ContactProblem<double, kCapacity>& problem, const SolutionDocument& answer) const {
    double prescribed_squared = 0, worst = 0;
    for (int c = 0; c < whitened_.joint_rank; ++c) {
      const double u = whitened_.joint_u[static_cast<std::size_t>(c)];
      prescribed_squared += u * u;
    }
    const double scale = Max(Scale(), Sqrt(prescribed_squared));
    for (const auto& joint : problem.joints) {
      const double size = Max(joint.a < 0 ? 0 : joint.jacobian_a.cwiseAbs().maxCoeff(),
                              joint.b < 0 ? 0 : joint.jacobian_b.cwiseAbs().maxCoeff());
      double speed = -joint.speed / size, squared = 0;
      AddJointSide(joint.a, joint.jacobian_a / size, answer, &speed, &squared);
      AddJointSide(joint.b, joint.jacobian_b / size, answer, &speed, &squared);
      const double length = Sqrt(squared);
      const double error = Abs(speed) / (length * Max(scale, Abs(joint.speed) / size / length));
      if (!(error <= worst)) worst = error;  // NaN is worse than any number
    }
    return worst;
  }

  // speed += J v and squared += |G⁻¹Jᵀ|² of one body.
  void AddJointSide(int body, Twist jacobian, const SolutionDocument& answer, double* speed, double* squared) const {
    if (body < 0) return;
    const std::size_t k = static_cast<std::size_t>(body);
    *speed += jacobian.dot(Twist(answer.velocity[k].data()));
    WhitenBlock(whitened_.factor[k], &jacobian);
    *squared += jacobian.squaredNorm();
  }

  // |G⁻¹(M v0 + h f)|²: with what the joints take of the motion, which is rounded when they take it.
  double FreeMotionSquared() const {
    double squared = whitened_.k.squaredNorm();
    for (int c = 0; c < whitened_.joint_rank; ++c) {
      const double k = whitened_.joint_k[static_cast<std::size_t>(c)];
      squared += k * k;
    }
    return squared;
  }

  double Scale() const { return Scale(FreeMotionSquared()); }

  // max(√squared, max θ)
  double Scale(double squared) const {
    double scale = Sqrt(squared);
    for (int i = 0; i < whitened_.contacts.size(); ++i) scale = Max(scale, impulses_.theta[static_cast<std::size_t>(i)]);
    return scale > 0 ? scale : 1;
  }

  static bool CannotGainEnergy(const ContactProblem<double, kCapacity>& problem) {
    for (const auto& contact : problem.contacts) {
      if (contact.gap_m < 0 || contact.surface_normal_velocity_mps != 0 || contact.surface_velocity_mps.squaredNorm() != 0) {
        return false;
      }
    }
    for (const auto& joint : problem.joints) {
      if (joint.speed != 0) return false;
    }
    return true;
  }

  using Tangent = Vec<double, kLinear>;

  void ReadFriction(const SolutionDocument& answer) {
    friction_.clear();
    for (const double mu : answer.friction_coefficient) (void)friction_.push_back(mu);  // as many as contacts: they fit
  }

  void ReadTangents(const SolutionDocument& answer) {
    tangents_.resize(static_cast<int>(answer.tangent.size()));
    for (int i = 0; i < tangents_.size(); ++i) tangents_[i] = Tangent(answer.tangent[static_cast<std::size_t>(i)].data());
  }

  FixedVector<Tangent, kCapacity.contacts> tangents_;
  FixedVector<double, kCapacity.contacts> friction_;  // that the answer had in place of the contacts' own; empty: it had not
  WhitenedProblem<double, kCapacity> whitened_;
  WhitenedImpulses<double, kCapacity> impulses_;
  ContactSolution<double, kCapacity> read_;
  RoundImpulses<WhitenedProblem<double, kCapacity>> round_impulses_;
  RoundJudge<WhitenedProblem<double, kCapacity>> judge_;
};

}  // namespace tactus::host
