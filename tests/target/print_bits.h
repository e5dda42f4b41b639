#pragma once
#include "tests/target/bit_cases.h"
#include "tests/target/print.h"
#include "tests/target/solver_bits.h"

namespace tactus::target {

template <class Scalar>
void PrintBitsOf(const char* scalar) {
  Print(scalar);
  PrintHash(" trigonometry", TrigonometryBits<Scalar>());
  PrintHash(" solver", SolverBits<Scalar>());
  const auto solvers = SolverBitsByName<Scalar>();
  for (std::size_t i = 0; i < solvers.size(); ++i) PrintHash(kSolverNames[i], solvers[i]);
  PrintHash(" servo", RunServo<Scalar>().hash);
}

/// The board's lines must equal the host's. Double precision only where the board has it in hardware.
inline void PrintBits() {
  PrintBitsOf<float>("float");
  if constexpr (sizeof(TACTUS_BOARD_SCALAR) == sizeof(double)) PrintBitsOf<TACTUS_BOARD_SCALAR>("double");
}

}  // namespace tactus::target
