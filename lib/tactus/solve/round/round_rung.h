#pragma once

#include "tactus/core/spatial.h"
#include "tactus/solve/round/round_polish.h"
#include "tactus/solve/round/round_sweeps.h"

namespace tactus {

/// Friction along (tangent, normal × tangent) of one tick ago, along those of now. The force keeps its direction in the
/// world.
template <class Scalar>
Vec<Scalar, 2> TurnedFriction(const Vec<Scalar, 2>& friction, const Vec<Scalar, 3>& normal,
                              const Vec<Scalar, 3>& last_tangent, const Vec<Scalar, 3>& tangent) {
  const Vec<Scalar, 3> force = friction(0) * last_tangent + friction(1) * Cross(normal, last_tangent);
  return {force.dot(tangent), force.dot(Cross(normal, tangent))};
}

/// AddHeldFriction() on the round cone: μθ against the surface's motion.
template <class Problem>
void AddHeldRoundFriction(const Problem& problem, typename RoundImpulses<Problem>::Polygon* impulses) {
  using Scalar = typename Problem::Scalar;
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    const Scalar held_mu = contact.held_mu, speed = Sqrt(Scalar(contact.tau.squaredNorm()));
    if (held_mu == Scalar(0) || !(speed > Scalar(0))) continue;
    const std::size_t I = static_cast<std::size_t>(i);
    problem.Split(contact.tau * (-held_mu * impulses->theta[I] / speed), &impulses->phi[I]);
  }
}

/// The round cone's place on ContactSolver's ladder: physical impulses in, whitened ones out.
template <class Problem, bool kIsMore = Problem::kTangent == 2>
class RoundRung {
 public:
  using Scalar = typename Problem::Scalar;
  using Tangential = typename Problem::Tangential;
  using Polygon = typename RoundImpulses<Problem>::Polygon;

  /// Sets what FromLastTick() starts from at the whitened contact i [N·s].
  void Recall(const Problem& problem, int i, Scalar normal_Ns, const Tangential& friction_Ns) {
    const auto& contact = problem.contacts[i];
    const std::size_t I = static_cast<std::size_t>(i);
    polish_.impulses().theta[I] = normal_Ns * contact.normal_scale;
    polish_.impulses().f[I].setZero();
    if (contact.mu > Scalar(0)) polish_.impulses().f[I] = friction_Ns * contact.tangent_scale;
  }

  /// Sweeps over what was Recall()ed (round_sweeps.h).
  void Sweep(const Problem& problem, int sweeps) {
    typename Problem::Velocity u = polish_.impulses().VelocityFor(problem);
    RoundSweeps<Problem>::Run(problem, sweeps, &polish_.impulses(), &u);
  }

  const RoundImpulses<Problem>& impulses() const { return polish_.impulses(); }
  bool is_nearer() const { return polish_.is_nearer(); }

  void set_refines(bool refines) { polish_.set_refines(refines); }
  bool FromLastTick(const Problem& problem, Work* work) { return polish_.FromLastTick(problem, work); }
  bool FromLastTickAlone(const Problem& problem, int failures, Work* work) {
    return polish_.FromLastTickAlone(problem, failures, work);
  }
  bool FromPolygon(const Problem& problem, const Polygon& polygon, Work* work) {
    return polish_.FromPolygon(problem, polygon, work);
  }
  bool FromSwept(const Problem& problem, const Polygon& swept, int failures, Work* work) {
    return polish_.FromSwept(problem, swept, failures, work);
  }

  /// The answer, after one of these was true.
  void Give(const Problem& problem, Polygon* impulses) const { polish_.impulses().GivePolygon(problem, impulses); }
  const typename Problem::Velocity& velocity() const { return polish_.judge().velocity(); }
  Scalar residual() const { return polish_.judge().residual(); }
  Scalar start_residual() const { return polish_.start_residual(); }
  int steps() const { return polish_.steps(); }

 private:
  RoundPolish<Problem> polish_;
};

/// In the plane the polygon is the cone.
template <class Problem>
class RoundRung<Problem, false> {};

}  // namespace tactus
