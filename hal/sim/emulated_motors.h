#pragma once
#include "hal/api/motor_io.h"
#include "tactus/core/scalar.h"

namespace tactus::hal {

/// Motors whose drives take all that is written and let it flow while the enable line is on. What they move is the derived
/// class's.
class EmulatedMotors : public MotorIo {
 public:
  bool enabled() const { return enabled_; }
  /// Written last, whether the enable line lets them flow or not.
  float largest_A() const {
    float largest = 0;
    for (const float current : written_A_) largest = Max(largest, Abs(current));
    return largest;
  }

 protected:
  float flowing_A(int motor) const { return enabled_ ? written_A_[motor] : 0.0f; }

 private:
  Status DoWrite(const float (&current_A)[kMaxMotors]) noexcept override {
    for (int i = 0; i < kMaxMotors; ++i) written_A_[i] = current_A[i];
    return Status::kOk;
  }
  Status DoZero() noexcept override {
    for (float& current : written_A_) current = 0;
    return Status::kOk;
  }
  void DoSetEnable(bool on) noexcept override { enabled_ = on; }

  float written_A_[kMaxMotors] = {};
  bool enabled_ = false;
};

}  // namespace tactus::hal
