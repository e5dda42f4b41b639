#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <set>

#include "tactus/collide/collide.h"

namespace tactus::test {

/// Contacts of two shapes, with an empty cache.
struct Touch {
  PairContacts<double> contacts;
  PairReport<double> report;

  Touch(const Solid<double>& a, const Solid<double>& b, double margin_m = 1e-3) {
    PairCache<double> cache;
    report = Collide(a, b, margin_m, &cache, &contacts);
  }
  /// How many have that gap.
  int At(double gap_m, double within_m = 1e-9) const {
    return static_cast<int>(std::count_if(contacts.begin(), contacts.end(), [&](const ContactPoint<double>& contact) {
      return std::abs(contact.gap_m - gap_m) < within_m;
    }));
  }
  std::set<std::int32_t> Ids() const {
    std::set<std::int32_t> ids;
    for (const ContactPoint<double>& contact : contacts) ids.insert(contact.id);
    return ids;
  }
};

/// Of a pair in single precision. @param[in] a  no hull
inline PairReport<float> ReportInSinglePrecision(const Solid<double>& a, const Solid<float>& b, float margin_m) {
  const Shape<float> shape{
      .kind = a.shape.kind, .radius_m = static_cast<float>(a.shape.radius_m), .half_m = a.shape.half_m.cast<float>()};
  PairCache<float> cache;
  PairContacts<float> contacts;
  return Collide(Place(shape, Vec<float, 3>(a.p_WS_m.cast<float>()), Mat<float, 3, 3>(a.R_WS.cast<float>())), b, margin_m,
                 &cache, &contacts);
}

/// A turn by the length of (x, y, z) about it.
inline Mat<double, 3, 3> Turn(double x, double y, double z) { return RotationMatrix(ExpMap(Vec<double, 3>(x, y, z))); }

/// TACTUS_PLACEMENTS, of the long tests; else `quick`.
inline int Placements(int quick) {
  const char* const given = std::getenv("TACTUS_PLACEMENTS");
  return given != nullptr ? std::atoi(given) : quick;
}

}  // namespace tactus::test
