#pragma once
#include "tests/target/bit_cases.h"
#include "tests/target/print.h"
#include "tests/target/solver_bits.h"

namespace tactus::target {

/// The board's lines must equal the host's.
template <class Scalar>
void PrintBits() {
  Print(sizeof(Scalar) == sizeof(double) ? "double" : "float");
  PrintHash(" trigonometry", TrigonometryBits<Scalar>());
  PrintHash(" solver", SolverBits<Scalar>());
  const auto solvers = SolverBitsByName<Scalar>();
  for (std::size_t i = 0; i < solvers.size(); ++i) PrintHash(kSolverNames[i], solvers[i]);
  PrintHash(" servo", RunServo<Scalar>().hash);
}

}  // namespace tactus::target
