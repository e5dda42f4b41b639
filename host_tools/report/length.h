#pragma once
#include <cmath>

namespace tactus::host {

/// √(x² + y² + z²); of what is no number it is none either. (std::hypot of three numbers may be 0 for (0, NaN, 0), as
/// libstdc++'s is: a check would pass.)
inline double Length(double x, double y, double z) { return std::sqrt(x * x + y * y + z * z); }

}  // namespace tactus::host
