#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>

#include "tactus/solve/contact_solver.h"

namespace tactus::host {

/// A cube of 40 mm on a plate, on 4 corners or 16 points of its face, pushed by a force at its centre, at 1 kHz. World axes,
/// the plate's normal up. It is kept flat: what is measured is friction, not tumbling.
template <class Scalar>
class Cube {
 public:
  static constexpr Capacity kCapacity{.bodies = 1, .contacts = 16, .joints = 0, .directions = 8, .dof = 6};
  static constexpr double kStep_s = 1e-3, kHalf_m = 0.02, kGravity_mps2 = 9.81;

  /// @param[in] contacts  4 or 16
  Cube(Cone cone, int contacts, double mass_kg, double friction)
      : solver_(std::make_unique<ContactSolver<Scalar, kCapacity>>()),
        solution_(std::make_unique<ContactSolution<Scalar, kCapacity>>()),
        cone_(cone),
        normal_N_(mass_kg * kGravity_mps2),
        friction_(friction) {
    Body<Scalar, 6> body;
    body.mass_kg = static_cast<Scalar>(mass_kg);
    body.inertia_kgm2 *= static_cast<Scalar>(mass_kg * 4 * kHalf_m * kHalf_m / 6);
    (void)problem_.bodies.push_back(body);
    const int side = contacts == 4 ? 2 : 4;
    for (int i = 0; i < side * side; ++i) {
      const auto at = [&](int k) { return static_cast<Scalar>(kHalf_m * (2.0 * k / (side - 1) - 1)); };
      Contact<Scalar, 6> contact;
      contact.id = i;
      contact.point_m << at(i % side), at(i / side), static_cast<Scalar>(-kHalf_m);
      contact.tangent << 1, 0, 0;
      contact.friction = static_cast<Scalar>(friction);
      (void)problem_.contacts.push_back(contact);
    }
  }

  /// A tick with a force in the plane [N]. Contacts move with the cube; the plate is the same everywhere.
  const ContactSolution<Scalar, kCapacity>& Step(double force_x_N, double force_y_N) {
    auto& body = problem_.bodies[0];
    body.wrench.setZero();
    body.wrench(0) = static_cast<Scalar>(force_x_N);
    body.wrench(1) = static_cast<Scalar>(force_y_N);
    body.wrench(2) = static_cast<Scalar>(-normal_N_);
    solver_->Solve(problem_, {.cone = cone_}, solution_.get());
    body.velocity = solution_->velocity[0];
    x_m_ += kStep_s * static_cast<double>(body.velocity(0));
    y_m_ += kStep_s * static_cast<double>(body.velocity(1));
    return *solution_;
  }

  /// μ_s and β of every contact.
  void SetFrictionLaw(double static_friction, double viscous_Ns_per_m) {
    for (auto& contact : problem_.contacts) {
      contact.static_friction = static_cast<Scalar>(static_friction);
      contact.viscous_friction_Ns_per_m = static_cast<Scalar>(viscous_Ns_per_m);
    }
  }
  void SetVelocity(double x_mps, double y_mps) {
    auto& velocity = problem_.bodies[0].velocity;
    velocity.setZero();
    velocity(0) = static_cast<Scalar>(x_mps);
    velocity(1) = static_cast<Scalar>(y_mps);
  }
  void Reset() { solver_->Reset(); }

  double x_m() const { return x_m_; }
  double y_m() const { return y_m_; }
  double vx_mps() const { return static_cast<double>(problem_.bodies[0].velocity(0)); }
  double vy_mps() const { return static_cast<double>(problem_.bodies[0].velocity(1)); }
  double speed_mps() const { return std::hypot(vx_mps(), vy_mps()); }
  double limit_N() const { return friction_ * normal_N_; }  ///< μN

  /// The plate's friction force in the last tick [N], from the impulses of all contacts.
  std::array<double, 2> Friction_N() const {
    std::array<double, 2> force{};
    for (int i = 0; i < problem_.contacts.size(); ++i) {
      const auto impulse = solution_->impulse[i];
      for (int j = 0; j < problem_.directions; ++j) {
        const double angle =
            static_cast<double>(problem_.direction_offset_rad) + 2 * 3.14159265358979323846 * j / problem_.directions;
        force[0] += static_cast<double>(impulse.friction_Ns(j)) * std::cos(angle) / kStep_s;
        force[1] += static_cast<double>(impulse.friction_Ns(j)) * std::sin(angle) / kStep_s;
      }
    }
    return force;
  }
  const ContactSolution<Scalar, kCapacity>& solution() const { return *solution_; }

 private:
  std::unique_ptr<ContactSolver<Scalar, kCapacity>> solver_;
  std::unique_ptr<ContactSolution<Scalar, kCapacity>> solution_;
  ContactProblem<Scalar, kCapacity> problem_;
  Cone cone_;
  double normal_N_, friction_, x_m_ = 0, y_m_ = 0;
};

}  // namespace tactus::host

// Compiled in cube.cc alone: it takes half a minute.
extern template class tactus::ContactSolver<double, tactus::host::Cube<double>::kCapacity>;
extern template class tactus::ContactSolver<float, tactus::host::Cube<float>::kCapacity>;
