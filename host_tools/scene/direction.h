#pragma once
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "host_tools/scene/rotations.h"
#include "host_tools/scene/toml_table.h"

namespace tactus::host {

/// Three numbers that have a direction, as the file has them.
inline Vector3 ReadAxis(TomlTable* table, const char* key, const Vector3& otherwise) {
  const Vector3 v = table->Vector(key, otherwise);
  for (const double x : v)
    if (!std::isfinite(x)) table->Fail(key, fmt::format("{:g} is not finite: a direction is three numbers, not all 0", x));
  if (v == Vector3{}) table->Fail(key, "has no direction: all three are 0");
  return v;
}

/// The same as a unit vector.
inline Vector3 ReadDirection(TomlTable* table, const char* key, const Vector3& otherwise) {
  Vector3 v = ReadAxis(table, key, otherwise);
  const double norm2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  if (std::isnormal(norm2)) return Unit(v);
  const double most = std::max({std::abs(v[0]), std::abs(v[1]), std::abs(v[2])});  // whose square is too large or too small
  for (double& x : v) x /= most;
  return Unit(v);
}

}  // namespace tactus::host
