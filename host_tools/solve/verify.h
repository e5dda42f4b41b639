#pragma once
#include <cstddef>

#include "host_tools/solve/solution_document.h"
#include "tactus/contact/residual.h"
#include "tactus/contact/whiten.h"

namespace tactus::host {

/// Measures answers in double, whatever they were computed in.
template <Capacity kCapacity>
class Verifier {
 public:
  /// The complementarity residual of the impulses in `answer` for `problem`, which is valid (docs/theory.md, section 3).
  double Residual(const ContactProblem<double, kCapacity>& problem, const SolutionDocument& answer) {
    ReadTangents(answer);
    if (Whiten(problem, tangents_, WhitenOptions<double, kCapacity>{}, &whitened_)) return kUnknown;
    for (int i = 0; i < whitened_.contacts.size(); ++i) {
      const auto& contact = whitened_.contacts[i];
      const ImpulseDocument& impulse = answer.impulse[static_cast<std::size_t>(contact.source)];
      impulses_.theta[static_cast<std::size_t>(i)] = impulse.normal_Ns * contact.normal_scale;
      for (std::size_t j = 0; j < impulse.friction_Ns.size(); ++j) {
        impulses_.phi[static_cast<std::size_t>(i)][j] = impulse.friction_Ns[j] * contact.tangent_scale;
      }
    }
    return ComplementarityResidual(whitened_, impulses_);
  }

 private:
  using Tangent = Vec<double, LinearSize(kCapacity.dof)>;
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  void ReadTangents(const SolutionDocument& answer) {
    tangents_.resize(static_cast<int>(answer.tangent.size()));
    for (int i = 0; i < tangents_.size(); ++i) tangents_[i] = Tangent(answer.tangent[static_cast<std::size_t>(i)].data());
  }

  FixedVector<Tangent, kCapacity.contacts> tangents_;
  WhitenedProblem<double, kCapacity> whitened_;
  WhitenedImpulses<double, kCapacity> impulses_;
};

}  // namespace tactus::host
