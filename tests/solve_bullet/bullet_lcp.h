#pragma once
#include <optional>

#include "tests/support/dense_lemke.h"

namespace tactus::test {

/// Lemke's method of Bullet, after [Lloyd04], on the explicit matrix.
/// @returns what Bullet calls a solution; nothing: it gave up. Neither is checked.
std::optional<DenseVector> SolveWithBulletLemke(const Lcp& lcp);

/// Dantzig's algorithm of Bullet (that of ODE); a symmetric matrix.
std::optional<DenseVector> SolveWithBulletDantzig(const Lcp& lcp);

}  // namespace tactus::test
