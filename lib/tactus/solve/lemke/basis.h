#pragma once
#include <cstdint>

namespace tactus {

/// Which variables of one contact are basic: one of each complementary pair (ν,θ), (σ_j,φ_j), (γ,λ). A set flag means the
/// second. While a contact is not `expanded` its friction rows do not exist: it acts as a frictionless one.
struct ContactBasis {
  std::uint32_t phi = 0;  ///< bit j: φ_j is basic, else σ_j
  bool theta = false;     ///< θ is basic, else ν
  bool lambda = false;    ///< λ is basic, else γ
  bool expanded = false;

  friend constexpr bool operator==(const ContactBasis&, const ContactBasis&) = default;
};

/// The complementary pairs of Lemke's tableau; kCover stands for z0 alone.
enum class Pair : std::uint8_t { kNone, kNormal, kSlip, kCone, kCover };

/// A pair, or one variable of it. is_z = false: ν, σ_j, γ; true: θ, φ_j, λ, z0.
struct Variable {
  Pair pair = Pair::kNone;
  bool is_z = false;
  std::int16_t contact = -1;
  std::int16_t direction = -1;

  constexpr Variable() = default;
  constexpr Variable(Pair pair_, int contact_, int direction_, bool is_z_)
      : pair(pair_),
        is_z(is_z_),
        contact(static_cast<std::int16_t>(contact_)),
        direction(static_cast<std::int16_t>(direction_)) {}

  constexpr Variable Complement() const { return {pair, contact, direction, !is_z}; }
};

/// Whether `z` of the pair is basic.
constexpr bool IsBasic(const ContactBasis& basis, Pair pair, int direction) {
  switch (pair) {
    case Pair::kNormal: return basis.theta;
    case Pair::kSlip: return (basis.phi >> direction & 1u) != 0;
    case Pair::kCone: return basis.lambda;
    default: return false;
  }
}

/// Makes z of the pair basic, or not.
constexpr void SetBasic(ContactBasis* basis, Pair pair, int direction, bool basic) {
  switch (pair) {
    case Pair::kNormal: basis->theta = basic; break;
    case Pair::kSlip: basis->phi = basic ? basis->phi | 1u << direction : basis->phi & ~(1u << direction); break;
    case Pair::kCone: basis->lambda = basic; break;
    default: break;
  }
}

}  // namespace tactus
