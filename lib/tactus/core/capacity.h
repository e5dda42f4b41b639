#pragma once

namespace tactus {

/// The compile-time size of a problem: every array in the library is bounded by one of these numbers, so `sizeof` is the
/// whole memory of an object.
///
///     constexpr Capacity kPeg{.bodies = 1, .contacts = 16, .joints = 0, .directions = 8, .dof = 6};
///     ContactSolver<double, kPeg> solver;
struct Capacity {
  int bodies = 1;          ///< moving bodies; fixed ones need no place; bodies·dof at most 32 767
  int contacts = 32;       ///< contact points; contacts·(2 + directions) below 32 767
  int joints = 0;          ///< bilateral rows
  int directions = 8;      ///< friction directions per contact (spatial), at most 32; planar problems use 2
  int dof = 6;             ///< 6: spatial, 3: planar
  bool compliant = false;  ///< contacts may have compliance ε > 0; costs a larger factorisation

  friend constexpr bool operator==(const Capacity&, const Capacity&) = default;
};

/// Dimension of a point: 3 in space, 2 in the plane.
constexpr int LinearSize(int dof) { return dof == 6 ? 3 : 2; }
/// Dimension of an angular velocity: 3 in space, 1 in the plane.
constexpr int AngularSize(int dof) { return dof == 6 ? 3 : 1; }
/// Dimension of a contact's tangent space: 2 in space, 1 in the plane.
constexpr int TangentSize(int dof) { return dof == 6 ? 2 : 1; }

/// Whether `c` can be instantiated at all.
constexpr bool IsValid(const Capacity& c) {
  constexpr int kMostIndex = 32767;  // bodies, contacts and their unknowns are numbered in 16 bits
  return c.bodies >= 1 && c.contacts >= 1 && c.joints >= 0 && (c.dof == 6 || c.dof == 3) && c.directions >= 2 &&
         c.directions <= 32 && c.bodies <= kMostIndex / c.dof && c.contacts <= (kMostIndex - 1) / (2 + c.directions);
}

}  // namespace tactus
