#pragma once
#include "tactus/contact/contact_solution.h"
#include "tactus/contact/whitened_problem.h"

namespace tactus {

namespace internal {

/// G⁻ᵀ on one body's block: (linear/√m, L⁻ᵀ angular), from whitened to physical velocities.
template <class Factor, class Block>
void UnwhitenBlock(const Factor& factor, Block* block) {
  constexpr int kDof = Block::RowsAtCompileTime;
  block->template head<LinearSize(kDof)>() *= factor.inverse_sqrt_mass;
  block->template tail<AngularSize(kDof)>() =
      (factor.inverse_L.transpose() * block->template tail<AngularSize(kDof)>()).eval();
}

}  // namespace internal

/// A contact that the joints keep from sliding may still rub on a moving surface: then (4) and (5) ask for the full friction
/// μθ along the direction that most opposes the surface. It moves nothing and only loads the joints, so no solver sees it.
/// Unwhiten() calls it.
template <class Scalar, Capacity kCapacity>
void AddHeldFriction(const WhitenedProblem<Scalar, kCapacity>& problem, WhitenedImpulses<Scalar, kCapacity>* impulses) {
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    const Scalar held_mu = contact.held_mu;
    if (held_mu == Scalar(0)) continue;
    int most = 0;
    for (int j = 1; j < problem.directions; ++j) {
      if (problem.DirectionTau(contact, j) < problem.DirectionTau(contact, most)) most = j;
    }
    if (!(problem.DirectionTau(contact, most) < Scalar(0))) continue;
    impulses->phi[i][most] = held_mu * impulses->theta[i];
  }
}

/// θ/s_n, φ/s_t in the order of the problem's contacts, where a solver has left θ and φ of the whitened ones. Contacts that
/// were left out get zero.
template <class Scalar, Capacity kCapacity>
void TakeToPhysicalUnits(const WhitenedProblem<Scalar, kCapacity>& problem, int contacts,
                         ImpulseList<Scalar, kCapacity>* impulses) {
  auto& storage = impulses->storage();
  auto& [theta, phi] = storage;
  std::array<bool, kCapacity.contacts> is_loaded{};
  for (int i = 0; i < problem.contacts.size(); ++i) {
    if (!storage.IsLoaded(i, problem.directions)) continue;
    is_loaded[problem.contacts[i].source] = true;
    theta[i] /= problem.contacts[i].normal_scale;
    for (int j = 0; j < problem.directions; ++j) phi[i][j] /= problem.contacts[i].tangent_scale;
  }
  impulses->resize(contacts, problem.directions);
  int last = problem.contacts.size() - 1;  // from behind: a source is never before its whitened contact
  for (int source = contacts - 1; source > last; --source) {
    if (last >= 0 && problem.contacts[last].source == source) {
      theta[source] = theta[last];
      phi[source] = phi[last];
      --last;
    } else {
      storage.SetZero(source);
    }
  }
  impulses->KeepLoaded(is_loaded);
}

/// The inverse of TakeToPhysicalUnits().
template <class Scalar, Capacity kCapacity>
void TakeFromPhysicalUnits(const WhitenedProblem<Scalar, kCapacity>& problem,
                           WhitenedImpulses<Scalar, kCapacity>* impulses) {
  for (int i = 0; i < problem.contacts.size(); ++i) {  // from the front: a source is never before its whitened contact
    const auto& contact = problem.contacts[i];
    impulses->theta[i] = impulses->theta[contact.source] * contact.normal_scale;
    for (int j = 0; j < problem.directions; ++j) {
      impulses->phi[i][j] = impulses->phi[contact.source][j] * contact.tangent_scale;
    }
  }
}

/// The inverse of AddHeldFriction(): a contact with μ = 0 has no friction.
template <class Scalar, Capacity kCapacity>
void DropHeldFriction(const WhitenedProblem<Scalar, kCapacity>& problem, WhitenedImpulses<Scalar, kCapacity>* impulses) {
  for (int i = 0; i < problem.contacts.size(); ++i) {
    if (problem.contacts[i].mu == Scalar(0)) impulses->phi[i].fill(Scalar(0));
  }
}

/// A contact that the joints hold fast with its gap violated is a certificate by itself.
/// @param[in,out] certificate  in physical units; unchanged where WhitenedProblem knows of no such proof
template <class Scalar, Capacity kCapacity>
void TakeContradiction(const WhitenedProblem<Scalar, kCapacity>& problem, WhitenedImpulses<Scalar, kCapacity>* certificate) {
  if (problem.contradicted_contact < 0 || !problem.contradiction_is_proof) return;
  *certificate = {};
  certificate->theta[problem.contradicted_contact] = Scalar(1);
}

/// The joints' impulses for R c = load, each at its joint's place in the problem; others are left alone.
template <class Scalar, Capacity kCapacity>
void WriteJointImpulses(const WhitenedProblem<Scalar, kCapacity>& problem,
                        const typename WhitenedProblem<Scalar, kCapacity>::JointVector& load,
                        FixedVector<Scalar, kCapacity.joints>* impulse_Ns) {
  for (int c = problem.joint_rank - 1; c >= 0; --c) {
    Scalar impulse = load[c];
    for (int later = c + 1; later < problem.joint_rank; ++later) {
      impulse -= problem.R[later][c] * problem.joint_scale[later] * (*impulse_Ns)[problem.joint_source[later]];
    }
    (*impulse_Ns)[problem.joint_source[c]] = impulse / problem.R[c][c] / problem.joint_scale[c];
  }
}

/// The joints' share c of a certificate: R c = -Qᵀ(Nθ + Dφ), of a contradiction -QᵀN. Joints of other islands get none.
/// @param[in] certificate  in the whitened problem's units; not read of a contradiction
template <class Scalar, Capacity kCapacity>
void WriteCertificateJoints(const WhitenedProblem<Scalar, kCapacity>& problem,
                            const WhitenedImpulses<Scalar, kCapacity>& certificate, int joints,
                            FixedVector<Scalar, kCapacity.joints>* impulse_Ns) {
  impulse_Ns->resize(joints);
  for (Scalar& impulse : *impulse_Ns) impulse = Scalar(0);
  if constexpr (WhitenedProblem<Scalar, kCapacity>::kHasJoints) {
    const bool is_contradiction = problem.contradicted_contact >= 0 && problem.contradiction_is_proof;
    auto load = is_contradiction ? problem.contradiction_load : problem.JointDot(problem.ContactImpulse(certificate));
    for (Scalar& share : load) share = -share;
    WriteJointImpulses(problem, load, impulse_Ns);
  }
}

/// The motion of the whitened problem's bodies and the impulses of its joints, at their places in the solution, whose lists
/// have their sizes:
///
///     v = G⁻ᵀ(P u + Q joint_u),  R c = joint_u - Qᵀ(k + Nθ + Dφ)
template <class Scalar, Capacity kCapacity>
void WriteMotion(const WhitenedProblem<Scalar, kCapacity>& problem,
                 const typename WhitenedProblem<Scalar, kCapacity>::Velocity& u,
                 const WhitenedImpulses<Scalar, kCapacity>& impulses, ContactSolution<Scalar, kCapacity>* solution) {
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  constexpr int kDof = kCapacity.dof;
  typename Problem::Velocity full = u;
  if constexpr (Problem::kHasJoints) {
    problem.Project(&full);  // again: u has rounding of the size of N θ, however little of it P leaves
    typename Problem::JointVector load = problem.JointDot(problem.ContactImpulse(impulses));
    for (int c = problem.joint_rank - 1; c >= 0; --c) {
      full += problem.joint_u[c] * problem.Q[c];
      load[c] = problem.joint_u[c] - problem.joint_k[c] - load[c];
    }
    WriteJointImpulses(problem, load, &solution->joint_impulse_Ns);
  }
  for (int body = 0; body < problem.bodies; ++body) {
    Vec<Scalar, kDof> v = full.template segment<kDof>(body * kDof);
    internal::UnwhitenBlock(problem.factor[body], &v);
    if (problem.loses_spin) v.template tail<AngularSize(kDof)>() += problem.lost_spin[body];
    solution->velocity[problem.body_source[body]] = v;
  }
}

/// Takes an answer back to physical units: WriteMotion(), θ/s_n, φ/s_t. The solution's impulses are those of the whitened
/// problem before, and physical after. Writes velocity, impulse and joint_impulse_Ns of the solution, nothing else.
template <class Scalar, Capacity kCapacity>
void Unwhiten(const WhitenedProblem<Scalar, kCapacity>& problem,
              const typename WhitenedProblem<Scalar, kCapacity>::Velocity& u, int contacts, int joints,
              ContactSolution<Scalar, kCapacity>* solution) {
  AddHeldFriction(problem, &solution->impulse.storage());
  solution->joint_impulse_Ns.resize(joints);
  for (Scalar& impulse : solution->joint_impulse_Ns) impulse = Scalar(0);
  solution->velocity.resize(problem.bodies);
  WriteMotion(problem, u, solution->impulse.storage(), solution);
  TakeToPhysicalUnits(problem, contacts, &solution->impulse);
}

/// The impulses of one island, from the whitened problem's to their places among the problem's, in physical units.
template <class Scalar, Capacity kCapacity>
void ScatterImpulses(const WhitenedProblem<Scalar, kCapacity>& problem, const WhitenedImpulses<Scalar, kCapacity>& from,
                     WhitenedImpulses<Scalar, kCapacity>* to) {
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    const int source = contact.source;
    to->theta[source] = from.theta[i] / contact.normal_scale;
    for (int j = 0; j < problem.directions; ++j) {
      to->phi[source][j] = from.phi[i][j] / contact.tangent_scale;
    }
  }
}

}  // namespace tactus
