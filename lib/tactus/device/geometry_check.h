#pragma once
#include "tactus/device/kinematics.h"

namespace tactus {

/// Keeps the first fault of a geometry or a calibration.
class DeviceCheck {
 public:
  /// low ≤ x ≤ high.
  void Range(const char* field, double x, double low, double high, int index = -1) {
    if (!IsFinite(x)) return Say(field, index, "is not finite", x);
    if (!(x >= low && x <= high)) Say(field, index, "is out of range", x);
  }
  void That(bool right, const char* field, const char* what, double x, int index = -1) {
    if (!right) Say(field, index, what, x);
  }
  void Length(const char* field, double x, int index = -1) { Range(field, x, kLeastLink_m, kMostLink_m, index); }

  template <class Scalar, int kJoints>
  void Limits(const JointLimits<Scalar, kJoints>& limits) {
    for (int i = 0; i < kJoints; ++i) {
      Range("limits.low_rad", static_cast<double>(limits.low_rad(i)), -kMostAngle_rad, kMostAngle_rad, i);
      Range("limits.high_rad", static_cast<double>(limits.high_rad(i)), -kMostAngle_rad, kMostAngle_rad, i);
      That(limits.low_rad(i) < limits.high_rad(i), "limits.low_rad", "is not below high_rad",
           static_cast<double>(limits.low_rad(i)), i);
    }
  }
  const DeviceFault& fault() const { return fault_; }

  static constexpr double kLeastLink_m = 1e-3, kMostLink_m = 2;
  static constexpr double kMostMass_kg = 20;
  static constexpr double kLeastSine = 1e-3, kMostSine = 0.5;  ///< of a geometry's least_sine

 private:
  void Say(const char* field, int index, const char* what, double value) {
    if (!fault_) fault_ = {.field = field, .index = index, .what = what, .value = value};
  }
  DeviceFault fault_;
};

}  // namespace tactus
