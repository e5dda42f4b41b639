#pragma once
#include <memory>
#include <vector>

#include "host_tools/solve/compiled_solvers.h"
#include "tactus/contact/friction_frame.h"
#include "tactus/solve/contact_solver.h"
#include "tactus/solve/round/round_polish.h"
#include "tests/solve/family_scene.h"
#include "tests/support/round_check.h"

namespace tactus::test {

/// What became of many problems on the round cone.
struct RoundTally {
  int polygon = 0;                                                                ///< solved by the polygon
  int round = 0;                                                                  ///< and then polished
  double residual = 0, penetration = 0, drive = 0, energy_gain = 0, lateral = 0;  ///< the worst of what was called round
};

/// The polygon's answer, polished, and judged by CheckRound() on the problem as `Scalar` holds it.
template <class Scalar, Capacity kCapacity>
class RoundTrial {
 public:
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using Polygon = WhitenedImpulses<Scalar, kCapacity>;

  void Run(host::ProblemDocument document, RoundTally* tally) {
    Prepare(&document);
    host::ToContactProblem(document, &problem_);
    solver_.Reset();
    solver_.Solve(problem_, {.warm = false}, &solution_);
    if (solution_.status != SolveStatus::kSolved) return;
    ++tally->polygon;
    WhitenDocument(document, &whitened_);
    ReadPolygon();
    Work work;
    if (!polish_.FromPolygon(whitened_, polygon_, &work)) return;
    ++tally->round;
    const RoundCheck check = CheckRound(document, Impulses(document));
    const auto worsen = [](Real measured, double* worst) { *worst = std::max(*worst, static_cast<double>(measured)); };
    worsen(check.residual, &tally->residual);
    worsen(check.penetration, &tally->penetration);
    worsen(check.drive, &tally->drive);
    worsen(check.lateral, &tally->lateral);
    if (CannotGainEnergy(document)) worsen(check.energy_gain, &tally->energy_gain);
  }

 private:
  // Tangents for all contacts, and the numbers as Scalar holds them.
  static void Prepare(host::ProblemDocument* document) {
    const auto round = [](double* x) { *x = static_cast<double>(static_cast<Scalar>(*x)); };
    const auto round_all = [&](auto* numbers) {
      for (double& x : *numbers) round(&x);
    };
    round(&document->step_s);
    for (auto& body : document->bodies) {
      round(&body.mass_kg);
      round_all(&body.inertia_kgm2);
      round_all(&body.position_m);
      round_all(&body.velocity);
      round_all(&body.wrench);
    }
    for (auto& contact : document->contacts) {
      const Vec<double, 3> tangent = DefaultTangent(Vec<double, 3>(contact.normal[0], contact.normal[1], contact.normal[2]));
      if (!contact.tangent) contact.tangent = host::Vector3{tangent(0), tangent(1), tangent(2)};
      round_all(&contact.point_m);
      round_all(&contact.normal);
      round_all(&*contact.tangent);
      round_all(&contact.surface_velocity_mps);
      round(&contact.friction);
      round(&contact.gap_m);
      round(&contact.compliance_mps_per_Ns);
    }
    for (auto& joint : document->joints) {
      round_all(&joint.jacobian_a);
      round_all(&joint.jacobian_b);
      round(&joint.speed);
    }
  }

  static bool CannotGainEnergy(const host::ProblemDocument& document) {
    for (const auto& joint : document.joints) {
      if (joint.speed != 0) return false;
    }
    return true;
  }

  void ReadPolygon() {
    polygon_ = {};
    for (int i = 0; i < whitened_.contacts.size(); ++i) {
      const auto& contact = whitened_.contacts[i];
      const auto impulse = solution_.impulse[contact.source];
      const std::size_t I = static_cast<std::size_t>(i);
      polygon_.theta[I] = impulse.normal_Ns * contact.normal_scale;
      for (int j = 0; contact.mu > Scalar(0) && j < whitened_.directions; ++j) {
        polygon_.phi[I][static_cast<std::size_t>(j)] = impulse.friction_Ns(j) * contact.tangent_scale;
      }
    }
  }

  std::vector<RoundImpulse> Impulses(const host::ProblemDocument& document) const {
    std::vector<RoundImpulse> impulses(document.contacts.size());
    for (int i = 0; i < whitened_.contacts.size(); ++i) {
      const auto& contact = whitened_.contacts[i];
      const std::size_t I = static_cast<std::size_t>(i);
      const auto& [theta, f] = polish_.impulses();
      impulses[static_cast<std::size_t>(contact.source)] = {static_cast<double>(theta[I] / contact.normal_scale),
                                                            static_cast<double>(f[I](0) / contact.tangent_scale),
                                                            static_cast<double>(f[I](1) / contact.tangent_scale)};
    }
    return impulses;
  }

  ContactProblem<Scalar, kCapacity> problem_;
  ContactSolver<Scalar, kCapacity> solver_;
  ContactSolution<Scalar, kCapacity> solution_;
  Problem whitened_;
  Polygon polygon_;
  RoundPolish<Problem> polish_;
};

}  // namespace tactus::test
