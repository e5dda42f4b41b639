#pragma once

namespace tactus {

/// Stands where a number would that a capacity rules out: reads as zero, and takes no room where it is declared
/// [[no_unique_address]]. Members of one object need different tags.
template <class Scalar, int kTag>
struct AlwaysZero {
  constexpr operator Scalar() const { return Scalar(0); }
};

}  // namespace tactus
