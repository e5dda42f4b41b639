#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace tactus::host {

/// The smallest value that is not exceeded by `share` of all values (nearest rank). `sorted` ascending, not empty; share in
/// [0, 1].
template <class T>
T Percentile(const std::vector<T>& sorted, double share) {
  const double rank = std::ceil(share * static_cast<double>(sorted.size()));
  return sorted[std::min(sorted.size(), std::max<std::size_t>(1, static_cast<std::size_t>(rank))) - 1];
}

}  // namespace tactus::host
