#pragma once
#include "hal/api/motor_io.h"
#include "tactus/core/frames.h"
#include "tactus/core/rotation_jacobian.h"

namespace tactus::hal {

/// The simplest mechanism: motor i moves the handle along axis i of W, and motors 3 to 5 turn it: their angles are the
/// components of its rotation vector φ. For the simulated device; a real one has kinematics of its own.
///
/// Equations  p_WH = m_per_count · c_012,   φ = rad_per_count · c_345,   q_WH = exp(φ)
///            I_012 = F / N_per_A,   I_345 = J(φ)ᵀ τ / Nm_per_A    with ω = J(φ) φ̇: the same power at motors and handle
/// Errors     half a count
struct CartesianMotors {
  float m_per_count = 0;
  float rad_per_count = 0;
  float N_per_A = 0;
  float Nm_per_A = 0;

  /// The pose that the counts say. The other fields of `sample` stay.
  void ToPose(const std::int32_t (&count)[kMaxMotors], SensorFrame* sample) const noexcept {
    const Quaternion<float> q_WH = ExpMap<float>(Rotation_rad(count));
    for (int i = 0; i < 3; ++i) sample->p_WH_m[i] = m_per_count * static_cast<float>(count[i]);
    for (int i = 0; i < 4; ++i) sample->q_WH[i] = q_WH(i);
  }

  /// The currents of a wrench on the hand where the counts say, each within its ceiling. NaN stays NaN: whoever sends it
  /// must look.
  void ToCurrents(const CommandFrame& command, const std::int32_t (&count)[kMaxMotors],
                  const float (&max_current_A)[kMaxMotors], float (*current_A)[kMaxMotors]) const noexcept {
    const Vec<float, 3> torque_Nm(command.torque_Nm[0], command.torque_Nm[1], command.torque_Nm[2]);
    const Vec<float, 3> turns_Nm = RotationJacobian<float>(Rotation_rad(count)).transpose() * torque_Nm;
    for (int i = 0; i < 3; ++i) {
      (*current_A)[i] = Clamp(command.force_N[i] / N_per_A, -max_current_A[i], max_current_A[i]);
      (*current_A)[3 + i] = Clamp(turns_Nm(i) / Nm_per_A, -max_current_A[3 + i], max_current_A[3 + i]);
    }
  }

 private:
  Vec<float, 3> Rotation_rad(const std::int32_t (&count)[kMaxMotors]) const noexcept {
    return rad_per_count *
           Vec<float, 3>(static_cast<float>(count[3]), static_cast<float>(count[4]), static_cast<float>(count[5]));
  }
};

}  // namespace tactus::hal
