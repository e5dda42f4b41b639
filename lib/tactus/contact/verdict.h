#pragma once
namespace tactus {

/// What an answer called solved may miss, of the own scale of a contact, joint or body.
template <class Scalar>
inline constexpr Scalar kVerdictShare = sizeof(Scalar) == sizeof(double) ? Scalar(2e-7) : Scalar(2e-3);

/// How far an answer is from the problem as it was given (judge.h). Each number is a share of the own scale of its contact,
/// joint row or body, so that nothing is excused by what happens elsewhere; 0: holds exactly; NaN: not a number.
template <class Scalar>
struct Verdict {
  Scalar contact = Scalar(0);      ///< largest violation of (3) to (5)
  Scalar penetration = Scalar(0);  ///< largest -ν with gaps max(Φ, 0): none of a safe answer, unless what drives
                                   ///< bodies together leaves no velocity without (driven joints: docs/theory/ladder.md)
  Scalar joint = Scalar(0);        ///< largest violation of jacobian_a · v_a + jacobian_b · v_b = speed
  Scalar motion = Scalar(0);       ///< largest violation of M (v - v0) = h f + impulses (1) of a body
  Scalar energy = Scalar(0);       ///< energy that neither gaps nor surfaces nor joints gave; < 0: some was lost

  int worst_contact = -1;        ///< of `contact`; -1: every contact holds exactly
  Scalar nu_mps = Scalar(0);     ///< its ν
  Scalar sigma_mps = Scalar(0);  ///< its σ_j of the direction that violates (4) most; 0: no direction carries
  Scalar gamma_Ns = Scalar(0);   ///< its γ = μθ - Σφ
  int worst_joint = -1;          ///< of `joint`
  int worst_body = -1;           ///< of `motion`

  /// The worse of two, number by number: of the islands of one problem.
  void Include(const Verdict& other) {
    if (!(other.contact <= contact)) {
      contact = other.contact;
      worst_contact = other.worst_contact;
      nu_mps = other.nu_mps;
      sigma_mps = other.sigma_mps;
      gamma_Ns = other.gamma_Ns;
    }
    if (!(other.joint <= joint)) {
      joint = other.joint;
      worst_joint = other.worst_joint;
    }
    if (!(other.motion <= motion)) {
      motion = other.motion;
      worst_body = other.worst_body;
    }
    if (!(other.penetration <= penetration)) penetration = other.penetration;
    if (!(other.energy <= energy)) energy = other.energy;
  }

  /// @param limit  of all but the energy, which has its own
  bool Holds(Scalar limit, Scalar energy_limit) const {
    return contact <= limit && joint <= limit && motion <= limit && energy <= energy_limit;
  }
};

}  // namespace tactus
