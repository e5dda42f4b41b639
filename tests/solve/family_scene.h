#pragma once
#include <fstream>
#include <string>

#include "host_tools/solve/capacities.h"
#include "host_tools/solve/parse_problem.h"
#include "host_tools/solve/to_problem.h"
#include "tactus/contact/validate.h"
#include "tactus/contact/whiten.h"
#include "tests/support/generators.h"

namespace tactus::test {

/// For the problems of tests/support/generators.h and tests/data, planar ones apart: sizes that `tactus solve` has, whose
/// solvers need not be compiled once more.
inline constexpr Capacity kSpatialFamilies = host::kSpatialCompliant;
inline constexpr Capacity kPlanarFamilies = host::kPlanarCompliant;

/// The problem in the solvers' coordinates, rounded to Scalar.
template <class Scalar, Capacity kCapacity>
void WhitenDocument(const host::ProblemDocument& document, WhitenedProblem<Scalar, kCapacity>* whitened) {
  ContactProblem<Scalar, kCapacity> problem;
  host::ToContactProblem(document, &problem);
  TACTUS_CHECK(!Validate(problem));
  FixedVector<Vec<Scalar, LinearSize(kCapacity.dof)>, kCapacity.contacts> tangents;
  for (const auto& contact : problem.contacts) {
    if constexpr (kCapacity.dof == 3) {
      (void)tangents.push_back({-contact.normal(1), contact.normal(0)});  // the capacities are equal
    } else {
      (void)tangents.push_back(contact.tangent);
    }
  }
  const ProblemFault fault = Whiten(problem, tangents, WhitenOptions<Scalar, kCapacity>{}, whitened);
  TACTUS_CHECK(!fault);
}

/// The problems of tests/data/`file`.jsonl.
inline std::vector<host::ProblemDocument> ReadProblems(const std::string& file) {
  std::vector<host::ProblemDocument> problems;
  std::ifstream lines(std::string(TACTUS_TEST_DATA) + "/" + file + ".jsonl");
  for (std::string line; std::getline(lines, line);) problems.push_back(host::ParseProblem(line).problem);
  TACTUS_CHECK(!problems.empty());
  return problems;
}

}  // namespace tactus::test
