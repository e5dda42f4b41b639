#pragma once
#include <cmath>

#include "tactus/mechanism/planar_scene.h"
#include "tactus/mechanism/time_stepper.h"

namespace tactus::test {

inline constexpr Capacity kFewDisks{.bodies = 6, .contacts = 16, .joints = 8, .directions = 2, .dof = 3};
template <class Scalar = double>
using FewDisks = PlanarScene<Scalar, kFewDisks>;
inline constexpr double kGravity_mps2 = 9.81;

/// A solid disk of 1 kg for the scene, where it stands, at rest.
template <class Scene, class State>
void AddDisk(double radius_m, double x_m, double y_m, Scene* scene, State* state) {
  using Scalar = typename Scene::Scalar;
  const Scalar radius = static_cast<Scalar>(radius_m);
  (void)scene->bodies.push_back({radius, Scalar(1), radius * radius / 2});
  PlanarPose<Scalar> pose;
  pose.p_m << static_cast<Scalar>(x_m), static_cast<Scalar>(y_m);
  (void)state->q.push_back(pose);
  (void)state->v.push_back(Vec<Scalar, 3>::Zero());
}

/// A floor through the origin whose solid side is below; uphill to the left by `slope_rad`.
template <class Scene>
void AddFloor(double slope_rad, Scene* scene) {
  using Scalar = typename Scene::Scalar;
  FixedLine<Scalar> floor;
  floor.normal << static_cast<Scalar>(std::sin(slope_rad)), static_cast<Scalar>(std::cos(slope_rad));
  (void)scene->lines.push_back(floor);
}

/// The cannonball arrangement: `base` disks of radius r on the floor, each row one less, touching.
template <class Scene, class State>
void AddPile(int base, double radius_m, Scene* scene, State* state) {
  for (int row = 0; row < base; ++row) {
    for (int i = 0; i < base - row; ++i) {
      AddDisk(radius_m, radius_m * (2 * i + row), radius_m * (1 + row * std::sqrt(3.0)), scene, state);
    }
  }
}

/// A link of 1 kg and 0.1 kg m², its centre of mass 1 m from a pin at the origin, hanging at `angle_rad` from the vertical.
template <class Scene, class State>
void AddPendulum(double angle_rad, Scene* scene, State* state) {
  (void)scene->bodies.push_back({0, 1, 0.1});
  (void)scene->pins.push_back({.a = 0, .b = kFixed, .arm_a_m = Vec<double, 2>(0, 1), .arm_b_m = Vec<double, 2>::Zero()});
  PlanarPose<double> pose;
  pose.p_m << std::sin(angle_rad), -std::cos(angle_rad);
  pose.angle_rad = angle_rad;
  (void)state->q.push_back(pose);
  (void)state->v.push_back(Vec<double, 3>::Zero());
}

/// Kinetic energy, and the potential energy of the scene's gravity.
template <class Scene, class State>
double Energy_J(const Scene& scene, const State& state) {
  double energy = 0;
  for (int k = 0; k < state.v.size(); ++k) {
    const auto& body = scene.bodies[k];
    energy += 0.5 * body.mass_kg * state.v[k].template head<2>().squaredNorm();
    energy += 0.5 * body.inertia_kgm2 * state.v[k](2) * state.v[k](2);
    energy -= body.mass_kg * scene.gravity_mps2.dot(state.q[k].p_m);
  }
  return energy;
}

}  // namespace tactus::test
