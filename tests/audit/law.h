#pragma once
#include <array>
#include <vector>

namespace tactus::audit {

using Real = long double;
using Vector3 = std::array<Real, 3>;
using Matrix3 = std::array<Vector3, 3>;

/// A contact problem and an answer to it, as plain numbers in world axes, SI; the checker knows nothing else. A planar one
/// is a spatial one whose bodies stay in the plane.
struct LawBody {
  Real mass = 1;
  Matrix3 inertia{};
  Vector3 position{}, velocity{}, spin{}, force{}, torque{};
};

struct LawContact {
  int a = -1, b = -1;
  Vector3 point{}, normal{}, tangent{};
  Real friction = 0, gap = 0, compliance = 0;
  Real surface_normal = 0;             ///< velocity of b's surface along the normal
  std::array<Real, 2> surface{};       ///< along tangent and normal × tangent
  Real impulse = 0;                    ///< the answer's
  std::vector<Real> friction_impulse;  ///< by direction
  bool is_round = false;               ///< answered on the round cone: their sum as a vector counts
};

struct LawJoint {
  int a = -1, b = -1;
  Vector3 linear_a{}, angular_a{}, linear_b{}, angular_b{};
  Real speed = 0;
  Real impulse = 0;  ///< the answer's
};

struct LawCase {
  Real step = 0, offset = 0;
  int directions = 0;
  std::vector<LawBody> bodies;
  std::vector<LawContact> contacts;
  std::vector<LawJoint> joints;
  std::vector<Vector3> velocity, spin;  ///< the answer's
};

/// How far an answer is from the law of contact. Each contact, joint and body is measured on its own scale: the speed that
/// its own two bodies' free motion, its own surface and its own impulse give it. So a heavy body elsewhere excuses nothing.
struct LawReport {
  Real penetration = 0;  ///< how fast a contact closes beyond its gap
  Real normal = 0;       ///< 0 ≤ ν ⊥ θ ≥ 0
  Real friction = 0;  ///< 0 ≤ σ_j ⊥ φ_j ≥ 0 and 0 ≤ γ ⊥ λ ≥ 0; round: |f| ≤ μθ, and against the slip at μθ
  Real joint = 0;          ///< J v = speed
  Real momentum = 0;       ///< M (v - v0) = h f + impulses, in the kinetic norm
  Real energy = 0;         ///< share of an island's free kinetic energy that it gained and nothing gave
  Real pushed = 0;         ///< as `penetration`, for gaps max(Φ, 0): what a safe answer promises
  int worst_contact = -1;  ///< of penetration, normal and friction

  Real Worst() const;  ///< of all but `pushed`
};

LawReport CheckLaw(const LawCase& answer);

}  // namespace tactus::audit
