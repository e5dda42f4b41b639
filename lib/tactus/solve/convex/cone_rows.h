#pragma once
#include <array>
#include <cstdint>

#include "tactus/solve/algebra/contact_column.h"
#include "tactus/solve/convex/active_rows.h"
#include "tactus/solve/convex/dual_sweeps.h"
#include "tactus/solve/work.h"

namespace tactus::internal {

/// The rows of [AnitescuHart] (15), (N_i + μ_i D_ij)ᵀu ≥ -(b_i + Γ_i + μ_i τ_ij), as DualActiveSet wants them.
/// @tparam kSwept  whether sweeps may tell what the rows will carry
template <class Problem, bool kSwept>
struct ConeRows {
  using Scalar = typename Problem::Scalar;
  using Velocity = typename Problem::Velocity;
  using Gamma = std::array<Scalar, Problem::kCapacity.contacts>;

  const Problem& problem;
  const Gamma& gamma;
  const DualSweeps<Problem>* sweeps = nullptr;  ///< none: they do not

  static constexpr bool kMeasures = false;
  static std::int64_t PassWork(int contacts) { return work::ConvexPass(contacts); }
  const Velocity& Start() const { return problem.k; }
  Scalar Scale() const { return Sqrt(problem.k.squaredNorm()); }

  Scalar Offset(const ConeRow& row) const {
    const auto& contact = problem.contacts[row.contact];
    const Scalar normal = contact.b + gamma[row.contact];
    return row.direction < 0 ? normal : normal + contact.mu * problem.DirectionTau(contact, row.direction);
  }

  typename Problem::Column Column(const ConeRow& row) const {
    const auto& contact = problem.contacts[row.contact];
    if (row.direction < 0) return contact.N;
    return ConeColumn<Problem>(contact, problem.direction[row.direction]);
  }

  Violation<Scalar> MostViolated(const Velocity& u, Scalar tolerance) const {
    if constexpr (kSwept) {
      const Violation<Scalar> heaviest = Heaviest(u, tolerance);
      if (heaviest.row.contact >= 0) return heaviest;
    }
    int worst = -1;
    Scalar least = -tolerance;
    Slip<Problem> worst_slip{};
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const At at = AtContact(i, u);
      const Scalar excess = at.normal - least;  // |slip| bounds what a direction can take off
      if (excess >= Scalar(0) && excess * excess >= SquaredLength<Scalar>(at.slip)) continue;
      const Scalar slack = at.normal - MostOpposed(problem, at.slip);
      if (!(slack < least)) continue;
      worst = i;
      least = slack;
      worst_slip = at.slip;
    }
    if (worst < 0) return {{}, least};
    const bool frictionless = problem.contacts[worst].mu == Scalar(0);
    return {{worst, frictionless ? -1 : MostOpposedDirection(problem, worst_slip)}, least};
  }

 private:
  struct At {
    Scalar normal;       // N_iᵀu + b_i + Γ_i
    Slip<Problem> slip;  // μ_i (X_iᵀu + τ_x, Y_iᵀu + τ_y)
  };

  [[gnu::always_inline]] At AtContact(int i, const Velocity& u) const {
    const auto& contact = problem.contacts[i];
    const ContactSpeeds<Problem> speeds = SpeedsAt<Problem>(contact, u);
    return {speeds.normal + contact.b + gamma[i], contact.mu * (speeds.slip + ToSlip<Problem>(contact.tau))};
  }

  // The violated row with the largest share β_r · violation of what the dual function has still to gain, by the sweeps' β.
  Violation<Scalar> Heaviest(const Velocity& u, Scalar tolerance) const {
    Violation<Scalar> heaviest{{}, -tolerance};
    if (sweeps == nullptr) return heaviest;
    Scalar most(0);
    for (int i = 0; i < problem.contacts.size(); ++i) {
      if (!sweeps->IsLoaded(i)) continue;
      const At at = AtContact(i, u);
      for (int r = 0; r < RowsOf(problem, i); ++r) {
        const ConeRow row = RowOf(problem, i, r);
        const Scalar slack = row.direction < 0 ? at.normal : at.normal + Along(problem, row.direction, at.slip);
        const Scalar gain = -slack * sweeps->multiplier(i, r);
        if (!(slack < -tolerance && gain > most)) continue;
        most = gain;
        heaviest = {row, slack};
      }
    }
    return heaviest;
  }
};

}  // namespace tactus::internal
