#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tactus::host {

// A contact problem of any size in double precision, as docs/problem_format.md describes it: what a file holds before it is
// copied into a tactus::ContactProblem of some capacity. Planar problems use the first entries of every array: 2 of a
// vector, 3 of a twist or wrench, and inertia_kgm2[0]. World axes, SI.

using Vector3 = std::array<double, 3>;
using Vector6 = std::array<double, 6>;

struct BodyDocument {
  double mass_kg = 1;
  std::array<double, 9> inertia_kgm2{};  ///< about the centre of mass, row by row
  Vector3 position_m{};                  ///< of the centre of mass
  Vector6 velocity{};                    ///< (linear, angular) before the step
  Vector6 wrench{};                      ///< (force, torque) during the step
};

struct ContactDocument {
  std::int32_t id = 0;
  int a = 0;
  int b = -1;
  Vector3 point_m{};
  Vector3 normal{};
  std::optional<Vector3> tangent;  ///< spatial; none: the library chooses
  double friction = 0;
  double static_friction = 0;  ///< 0: the same
  double viscous_friction_Ns_per_m = 0;
  double gap_m = 0;
  Vector3 surface_velocity_mps{};  ///< of b's surface on top of b's own motion, a world vector
  double compliance_mps_per_Ns = 0;
};

struct JointDocument {
  int a = 0;
  int b = -1;
  Vector6 jacobian_a{};
  Vector6 jacobian_b{};
  double speed = 0;
};

struct ProblemDocument {
  std::optional<std::string> name;
  int dof = 6;  ///< 6 spatial, 3 planar
  double step_s = 1e-3;
  int directions = 8;
  double direction_offset_rad = 0.1;
  std::vector<BodyDocument> bodies;
  std::vector<ContactDocument> contacts;
  std::vector<JointDocument> joints;
};

}  // namespace tactus::host
