#pragma once
#include "hal/api/motor_io.h"
#include "tactus/core/frames.h"
#include "tactus/core/scalar.h"

namespace tactus::hal {

/// The simplest mechanism: motor i moves the handle along axis i of W, motor 3 + i turns it about that axis. For the
/// simulated device; a real one has kinematics of its own.
///
/// Equations  p_WH = m_per_count · c_012,   vec(q_WH) = ½ rad_per_count · c_345,   I = F / N_per_A,   I = τ / Nm_per_A
/// Errors     half a count; the vector part of q_WH is half the angle up to its third power, so near the home pose only
struct CartesianMotors {
  float m_per_count = 0;
  float rad_per_count = 0;
  float N_per_A = 0;
  float Nm_per_A = 0;

  /// The pose that the counts say. The other fields of `sample` stay.
  void ToPose(const std::int32_t (&count)[kMaxMotors], SensorFrame* sample) const noexcept {
    float length2 = 0;
    for (int i = 0; i < 3; ++i) {
      const float v = 0.5f * rad_per_count * static_cast<float>(count[3 + i]);
      sample->p_WH_m[i] = m_per_count * static_cast<float>(count[i]);
      sample->q_WH[1 + i] = v;
      length2 += v * v;
    }
    // Counts of a turn that no unit quaternion has: the tick refuses the sample by its length.
    sample->q_WH[0] = Sqrt(Max(0.0f, 1 - length2));
  }

  /// The currents of a wrench on the hand, each within its ceiling. NaN stays NaN: whoever sends it must look.
  void ToCurrents(const CommandFrame& command, const float (&max_current_A)[kMaxMotors],
                  float (*current_A)[kMaxMotors]) const noexcept {
    for (int i = 0; i < 3; ++i) {
      (*current_A)[i] = Clamp(command.force_N[i] / N_per_A, -max_current_A[i], max_current_A[i]);
      (*current_A)[3 + i] = Clamp(command.torque_Nm[i] / Nm_per_A, -max_current_A[3 + i], max_current_A[3 + i]);
    }
  }
};

}  // namespace tactus::hal
