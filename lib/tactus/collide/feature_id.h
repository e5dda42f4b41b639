#pragma once
#include <cstdint>

namespace tactus {

/// Which features of a pair meet in a contact: the number stays while they do, in whatever order contacts are found.
enum class FeatureKind : std::int32_t {
  kNearest,  ///< the nearest pair of points, whatever features they lie on: one a pair
  kVertexA,  ///< a corner of A on B
  kVertexB,  ///< a corner of B on A
  kEdges,    ///< an edge of A across an edge of B
  kRim,      ///< a fixed direction on the rim of a cylinder, or on a torus
  kLowest,   ///< the point of a cylinder's rim nearest to the plane, a cone's apex; of a torus a minimum that is not the
             ///< least
  kSample,   ///< a sample point of A on a distance grid: its number is b, and what is above 255 in a
};

/// kind · 2¹⁶ + a · 2⁸ + b, below kPairIdStride; a and b are numbers of vertices, edges or rim points.
inline constexpr std::int32_t kPairIdStride = 1 << 19;
constexpr std::int32_t FeatureId(FeatureKind kind, int a = 0, int b = 0) {
  return static_cast<std::int32_t>(kind) << 16 | static_cast<std::int32_t>(a & 0xFF) << 8 |
         static_cast<std::int32_t>(b & 0xFF);
}

}  // namespace tactus
