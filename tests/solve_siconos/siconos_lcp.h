#pragma once
#include <optional>
#include <string_view>

#include "tests/support/dense_lemke.h"

namespace tactus::test {

/// The algorithms of Siconos that the library is compared with.
enum class SiconosMethod {
  kLemke,        ///< Lemke's method, ties broken lexicographically
  kPivot,        ///< its second Lemke, another covering vector and other tolerances
  kGaussSeidel,  ///< projected Gauss-Seidel; a symmetric matrix with a positive diagonal
  kEnumeration   ///< every choice of active rows, 2ⁿ of them
};

std::string_view Name(SiconosMethod method);

/// Solves `lcp` with Siconos.
/// @returns what Siconos calls a solution; nothing: it gave up. Neither is checked.
std::optional<DenseVector> SolveWithSiconos(const Lcp& lcp, SiconosMethod method);

}  // namespace tactus::test
