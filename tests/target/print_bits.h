#pragma once
#include "tests/target/bit_cases.h"
#include "tests/target/print.h"

namespace tactus::target {

/// All bit cases, one line each. The board's lines must equal the host's.
inline void PrintBits() {
  PrintHash("trigonometry", TrigonometryBits());
  PrintHash("solver", SolverBits());
  PrintHash("servo_double", RunServo<double>().hash);
  PrintHash("servo_float", RunServo<float>().hash);
}

}  // namespace tactus::target
