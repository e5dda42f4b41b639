#pragma once
#include "running.h"

namespace tactus {

inline constexpr double kMass_kg = 0.2, kMoment_kgm2 = 0.2 * 0.05 * 0.05 / 6;

/// A cube of 0.2 kg and 5 cm, and its joint to the world.
inline Scene<> Held(const SceneJoint& joint, const Vector3& at_m = {0, 0, 0}, double gravity_mps2 = 0) {
  Scene<> scene;
  scene.gravity_W_mps2 = {0, 0, -gravity_mps2};
  EXPECT_EQ(scene.bodies.push_back(Cube(kMass_kg, 0.05, at_m)), Status::kOk);
  EXPECT_EQ(scene.joints.push_back(joint), Status::kOk);
  return scene;
}
template <class Scalar>
Vec<Scalar, 6> Wrench(const Vector3& force_N, const Vector3& torque_Nm = {0, 0, 0}) {
  Vec<Scalar, 6> wrench;
  for (int k = 0; k < 3; ++k) {
    wrench(k) = static_cast<Scalar>(force_N[static_cast<std::size_t>(k)]);
    wrench(k + 3) = static_cast<Scalar>(torque_Nm[static_cast<std::size_t>(k)]);
  }
  return wrench;
}
template <class Scalar>
void Push(const Vec<Scalar, 6>& wrench, int steps, Running<Scalar>* run) {
  for (int i = 0; i < steps && !testing::Test::HasFatalFailure(); ++i) run->Step(wrench);
}
template <class Scalar>
double Coordinate(const Running<Scalar>& run) {
  return static_cast<double>(internal::PoseOf<Scalar, kServoScene>(run.scene(), 0, run.state).Coordinate());
}

}  // namespace tactus
