#pragma once
#include <cstdint>

namespace tactus::bench {

/// What `tactus-bench-lu` is asked, on its standard input; it answers each with a double on its standard output, the median
/// nanoseconds of one call.
struct LuRequest {
  enum class Kind : std::int32_t {
    kLu,     ///< Eigen::PartialPivLU of the size × size matrix of doubles that follows, row by row
    kLimit,  ///< the physical limit of a warm tick: LU of a fixed 7 × 7 matrix, three dot products of 6 for each of `size`
             ///< contacts
  };
  Kind kind = Kind::kLu;
  std::int32_t size = 0;
  std::int32_t samples = 1;
};

}  // namespace tactus::bench
