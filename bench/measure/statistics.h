#pragma once
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "host_tools/report/percentile.h"

namespace tactus::bench {

/// Nearest-rank median; `values` not empty.
template <class T>
T Median(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  return host::Percentile(values, 0.5);
}

template <class T>
double Mean(const std::vector<T>& values) {
  double sum = 0;
  for (const T& value : values) sum += static_cast<double>(value);
  return sum / static_cast<double>(values.size());
}

/// The exponent p of y = c xᵖ, fitted by least squares to the logarithms of (x, y); at least two x.
inline double GrowthExponent(const std::vector<std::pair<double, double>>& points) {
  double x_mean = 0, y_mean = 0, xx = 0, xy = 0;
  for (const auto& [x, y] : points) {
    x_mean += std::log(x) / static_cast<double>(points.size());
    y_mean += std::log(y) / static_cast<double>(points.size());
  }
  for (const auto& [x, y] : points) {
    xx += (std::log(x) - x_mean) * (std::log(x) - x_mean);
    xy += (std::log(x) - x_mean) * (std::log(y) - y_mean);
  }
  return xy / xx;
}

}  // namespace tactus::bench
