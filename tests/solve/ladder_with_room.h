#pragma once
#include "tactus/solve/ladder.h"

namespace tactus::test {

/// A ladder with room for its answer, and last tick's impulses given as they are.
template <class Scalar, Capacity kCapacity, class Lemke = LemkeReduced<Scalar, kCapacity>>
class LadderWithRoom : public Ladder<Scalar, kCapacity, Lemke> {
 public:
  using Impulses = WhitenedImpulses<Scalar, kCapacity>;

  void Run(WhitenedProblem<Scalar, kCapacity>* problem, const LadderOptions& options, const Impulses& previous) {
    const auto recall = [&previous](Impulses* impulses) { *impulses = previous; };
    Ladder<Scalar, kCapacity, Lemke>::Run(problem, options, recall, &impulses_, &certificate_);
  }

  const Impulses& impulses() const { return impulses_; }

 private:
  Impulses impulses_, certificate_;
};

}  // namespace tactus::test
