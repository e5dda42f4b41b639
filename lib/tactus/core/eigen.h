#pragma once
// The one place that includes Eigen. The target tactus::core defines the macros that make it free of the heap and equal, bit
// for bit, on every target (docs/determinism.md); Eigen reports a broken index through our own check.
#include "tactus/core/check.h"

#ifndef eigen_assert
#define eigen_assert(condition) TACTUS_CHECK(condition)
#endif

#if !defined(EIGEN_NO_MALLOC) || !defined(EIGEN_DONT_VECTORIZE)
#error "link to the CMake target tactus::core: it sets EIGEN_NO_MALLOC, EIGEN_DONT_VECTORIZE and -ffp-contract=off"
#endif

#include <Eigen/Core>

namespace tactus {

template <class Scalar, int kRows>
using Vec = Eigen::Matrix<Scalar, kRows, 1>;
template <class Scalar, int kRows, int kCols>
using Mat = Eigen::Matrix<Scalar, kRows, kCols>;

}  // namespace tactus
