#pragma once
#include "bench/report/report.h"
#include "host_tools/solve/to_problem.h"
#include "tactus/contact/whiten.h"

namespace tactus::bench {

/// `document`, which fits, as the solvers get it (docs/theory, section 2). @throws BenchError: a scene is no valid
/// problem
template <class Scalar, Capacity kCapacity>
void ToWhitened(const host::ProblemDocument& document, WhitenedProblem<Scalar, kCapacity>* whitened) {
  constexpr int kLinear = LinearSize(kCapacity.dof);
  ContactProblem<Scalar, kCapacity> problem;
  host::ToContactProblem(document, &problem);
  FixedVector<Vec<Scalar, kLinear>, kCapacity.contacts> tangents;
  tangents.resize(problem.contacts.size());
  for (int i = 0; i < problem.contacts.size(); ++i) {
    tangents[i] = problem.contacts[i].tangent;
    if constexpr (kCapacity.dof == 6) {
      if (tangents[i].squaredNorm() == Scalar(0)) tangents[i] = DefaultTangent(problem.contacts[i].normal);
    }
  }
  const ProblemFault fault = Whiten(problem, tangents, WhitenOptions<Scalar, kCapacity>{}, whitened);
  if (fault) throw BenchError(std::string("a scene of this bench is no valid problem: ") + fault.what);
}

}  // namespace tactus::bench
