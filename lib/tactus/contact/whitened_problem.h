#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "tactus/contact/contact_problem.h"
#include "tactus/contact/impulses.h"
#include "tactus/core/always_zero.h"
#include "tactus/core/scalar.h"

namespace tactus {

/// A contact problem in the coordinates in which every solver works (docs/theory, section 2):
///
///     u = Gᵀv,  k = G⁻¹(M v0 + h f),  M = G Gᵀ      whitening: |u|²/2 is the kinetic energy
///
///     B = Q R,  u → P u,  P = I - Q Qᵀ              joints: the same theory in a smaller space
///
///     |P N_i| = 1,  (|P X_i|² + |P Y_i|²)/2 = 1     all unknowns commensurable with |k|
///
/// What remains is u = k + P (N θ + D φ) with conditions (3)-(5). A contact touches at most two bodies, so its columns are
/// kept as two blocks of s numbers, not projected: every product Nᵀu is with a projected u = P u, and then (P N)ᵀu = Nᵀu.
template <class Scalar_, Capacity kCapacity_>
struct WhitenedProblem {
  using Scalar = Scalar_;
  static constexpr Capacity kCapacity = kCapacity_;
  static constexpr int kDof = kCapacity.dof;
  static constexpr int kTangent = TangentSize(kDof);
  static constexpr int kBlocks = kCapacity.bodies > 1 ? 2 : 1;
  static constexpr int kColumn = kBlocks * kDof;
  static constexpr int kVelocity = kCapacity.bodies * kDof;
  static constexpr bool kHasJoints = kCapacity.joints > 0;

  using Column = Vec<Scalar, kColumn>;      ///< a column of N, X, Y or D at one contact: its non-zero blocks
  using Velocity = Vec<Scalar, kVelocity>;  ///< u, k; entries from velocity_size() on are zero
  using Tangential = Vec<Scalar, kTangent>;
  using Impulses = WhitenedImpulses<Scalar, kCapacity>;
  using JointVector = std::array<Scalar, static_cast<std::size_t>(kHasJoints ? kCapacity.joints : 1)>;

  using HeldFriction = std::conditional_t<kHasJoints, Scalar, AlwaysZero<Scalar, 0>>;
  using Compliance = std::conditional_t<kCapacity.compliant, Scalar, AlwaysZero<Scalar, 1>>;

  struct ContactColumns {
    Column N;                                    ///< normal column
    Mat<Scalar, kColumn, kTangent> T;            ///< tangent columns X, Y (planar: X)
    Scalar b;                                    ///< gap term, eq. (3)
    Scalar b_clear;                              ///< the same with Φ ≥ 0: what a safe answer keeps to, no overlap undone
    Tangential tau;                              ///< surface velocity along X, Y; τ_j = cos a_j τ_x + sin a_j τ_y
    Scalar mu;                                   ///< friction, times s_t/s_n
    [[no_unique_address]] HeldFriction held_mu;  ///< of a contact that the joints keep from sliding (then μ = 0), else 0
    [[no_unique_address]] Compliance epsilon;    ///< compliance, by s_n²
    Scalar normal_scale;                         ///< s_n: θ_phys = θ/s_n
    Scalar tangent_scale;                        ///< s_t: φ_phys = φ/s_t
    std::array<std::int16_t, kBlocks> offset;    ///< where the block's body begins in u; second: -1 when it is fixed
    std::int16_t source;                         ///< index in the problem's contacts
    bool is_held;                                ///< the joints keep it from sliding: μ = 0
    bool is_far;                                 ///< b is less than it was: WhitenOptions::shorten_far_gaps
  };

  struct BodyFactor {  ///< G⁻¹ of one body: diag(1/√m, L⁻¹), J = L Lᵀ
    Scalar inverse_sqrt_mass;
    typename Body<Scalar, kDof>::Inertia inverse_L;
  };

  /// ω₀ - L⁻ᵀ(Lᵀω₀) of one body, zero in exact arithmetic: what the factor of a slender body rounds off its spin. b, τ and
  /// the joints' speeds have its share, and Unwhiten() gives it back, so that only the change of velocity goes through G.
  using LostSpin = Vec<Scalar, AngularSize(kDof)>;

  int bodies = 0;
  int directions = 0;
  Scalar direction_offset_rad = Scalar(0);
  std::array<Tangential, kCapacity.directions> direction;  ///< (cos a_j, sin a_j); planar: ±1; d even: j + d/2 is -j
  Velocity k;                                              ///< projected
  FixedVector<ContactColumns, kCapacity.contacts> contacts;
  std::array<BodyFactor, kCapacity.bodies> factor;
  std::array<std::int16_t, kCapacity.bodies> body_source;  ///< index in the problem's bodies
  bool loses_spin = false;                                 ///< some body is slender; else lost_spin is not set
  std::array<LostSpin, kCapacity.bodies> lost_spin;

  int joint_rank = 0;                                                     ///< independent joint rows
  std::array<Velocity, JointVector().size()> Q;                           ///< orthonormal, the joints' rows whitened
  std::array<JointVector, JointVector().size()> R;                        ///< R[column][row], upper triangular
  std::array<std::int16_t, JointVector().size()> joint_begin, joint_end;  ///< of the blocks beside which Q[c] is zero, in u
  std::array<int, JointVector().size()> joint_source;                     ///< index in the problem's joints
  JointVector joint_scale;         ///< largest entry of the whitened row; Q and R are of the row divided by it
  JointVector joint_k;             ///< Qᵀk before projection
  JointVector joint_u;             ///< Qᵀu = R⁻ᵀ speed, what the joints prescribe
  int contradicted_contact = -1;   ///< a contact that the joints hold fast with its gap violated: it is left out. -1: none
  JointVector contradiction_load;  ///< QᵀN of that contact
  Scalar contradiction;            ///< by how much: -ν/(|N| |k|), dimensionless
  bool contradiction_is_proof = false;  ///< it does not yield, nor can ten times the motion open it: there is no solution

  int velocity_size() const { return kCapacity.bodies == 1 ? kDof : bodies * kDof; }

  /// Whether some gap was shortened (WhitenOptions::shorten_far_gaps).
  bool HasFarContact() const {
    for (const ContactColumns& contact : contacts) {
      if (contact.is_far) return true;
    }
    return false;
  }

  /// Whether impulses rest on a gap that was shortened.
  bool LoadsFarContact(const WhitenedImpulses<Scalar, kCapacity>& impulses) const {
    for (int i = 0; i < contacts.size(); ++i) {
      if (contacts[i].is_far && impulses.IsLoaded(i, directions)) return true;
    }
    return false;
  }

  /// Whether surfaces or joints drive bodies together at a rigid contact: it closes where the bodies rest.
  bool IsDriven() const {
    for (const ContactColumns& contact : contacts) {
      if (contact.b_clear < Scalar(0) && contact.epsilon == Scalar(0)) return true;
    }
    return false;
  }

  /// No overlap is undone, and nothing drives bodies together faster than at -least. The overlap of a spring is its force
  /// and stays.
  void ClampGaps(Scalar least = std::numeric_limits<Scalar>::lowest()) {
    for (ContactColumns& contact : contacts) {
      if (contact.epsilon == Scalar(0)) contact.b = Max(contact.b_clear, least);
    }
  }

  /// d_ij = cos a_j X_i + sin a_j Y_i
  Column Direction(const ContactColumns& contact, int j) const { return TangentColumn(contact, direction[j]); }
  /// t_x X_i + t_y Y_i
  static Column TangentColumn(const ContactColumns& contact, const Tangential& t) {
    Column column = t(0) * contact.T.col(0);
    if constexpr (kTangent == 2) column += t(1) * contact.T.col(1);
    return column;
  }
  Scalar DirectionTau(const ContactColumns& contact, int j) const { return contact.tau.dot(direction[j]); }
  /// λ_i = max(0, max_j -(cos a_j s_x + sin a_j s_y)) of eq. (4), for the slip s along X_i, Y_i
  Scalar Lambda(const Tangential& slip) const {
    Scalar lambda(0);
    for (int j = 0; j < directions; ++j) lambda = Max(lambda, -slip.dot(direction[j]));
    return lambda;
  }

  /// φ ≥ 0 of the two directions next to f, finite, with Σ φ_j (cos a_j, sin a_j) = f. Σφ is the least there is: |f| in the
  /// plane, at most |f|/cos(π/d) in space.
  void Split(const Tangential& f, std::array<Scalar, kCapacity.directions>* phi) const {
    phi->fill(Scalar(0));
    if constexpr (kTangent == 1) {
      for (std::size_t j = 0; j < 2; ++j) (*phi)[j] = Max(f(0) * direction[j](0), Scalar(0));
    } else {
      const auto cross = [](const Tangential& a, const Tangential& b) { return a(0) * b(1) - a(1) * b(0); };
      const std::size_t d = static_cast<std::size_t>(directions);
      Scalar beyond = cross(direction[0], f);
      for (std::size_t j = 0; j < d; ++j) {
        const std::size_t next = j + 1 < d ? j + 1 : 0;
        const Scalar before = beyond;
        beyond = cross(direction[next], f);
        if (before < Scalar(0) || beyond > Scalar(0)) continue;
        const Scalar area = cross(direction[j], direction[next]);
        (*phi)[j] = cross(f, direction[next]) / area;
        (*phi)[next] = before / area;
        return;
      }
    }
  }

  /// aᵀv
  static Scalar Dot(const ContactColumns& contact, const Column& a, const Velocity& v) {
    if constexpr (kBlocks == 1) {
      return a.dot(v);
    } else {
      Scalar sum = a.template head<kDof>().dot(v.template segment<kDof>(contact.offset[0]));
      if (contact.offset[1] >= 0) sum += a.template tail<kDof>().dot(v.template segment<kDof>(contact.offset[1]));
      return sum;
    }
  }

  /// (Xᵀv, Yᵀv)
  static Tangential TangentDot(const ContactColumns& contact, const Velocity& v) {
    Tangential t;
    if constexpr (kBlocks == 1 && kTangent == 2) {  // in one pass over v
      Scalar x = contact.T(0, 0) * v(0), y = contact.T(0, 1) * v(0);
#pragma GCC unroll 8
      for (int k = 1; k < kDof; ++k) {
        x += contact.T(k, 0) * v(k);
        y += contact.T(k, 1) * v(k);
      }
      t << x, y;
    } else {
      for (int x = 0; x < kTangent; ++x) t(x) = Dot(contact, contact.T.col(x), v);
    }
    return t;
  }

  /// aᵀb of columns of two contacts
  static Scalar Dot(const ContactColumns& contact_a, const Column& a, const ContactColumns& contact_b, const Column& b) {
    if constexpr (kBlocks == 1) {
      return a.dot(b);
    } else {
      Scalar sum(0);
      for (int p = 0; p < kBlocks; ++p) {
        for (int q = 0; q < kBlocks; ++q) {
          const int at_a = contact_a.offset[p], at_b = contact_b.offset[q];
          if (at_a < 0 || at_a != at_b) continue;
          sum += a.template segment<kDof>(p * kDof).dot(b.template segment<kDof>(q * kDof));
        }
      }
      return sum;
    }
  }

  /// v += scale · a
  static void AddTo(const ContactColumns& contact, const Column& a, Scalar scale, Velocity* v) {
    if constexpr (kBlocks == 1) {
#pragma GCC unroll 6
      for (int k = 0; k < kDof; ++k) (*v)(k) += scale * a(k);
    } else {
      v->template segment<kDof>(contact.offset[0]) += scale * a.template head<kDof>();
      if (contact.offset[1] >= 0) v->template segment<kDof>(contact.offset[1]) += scale * a.template tail<kDof>();
    }
  }

  /// Q_cᵀv, where the joint's bodies are
  Scalar JointDot(std::size_t c, const Velocity& v) const {
    Scalar sum(0);
    const Scalar* q = Q[c].data();
    for (int x = joint_begin[c]; x < joint_end[c]; x += kDof) {
#pragma GCC unroll 6
      for (int r = 0; r < kDof; ++r) sum += q[x + r] * v.data()[x + r];
    }
    return sum;
  }
  /// v += scale · Q_c
  void AddJoint(std::size_t c, Scalar scale, Velocity* v) const {
    const Scalar* q = Q[c].data();
    for (int x = joint_begin[c]; x < joint_end[c]; x += kDof) {
#pragma GCC unroll 6
      for (int r = 0; r < kDof; ++r) v->data()[x + r] += scale * q[x + r];
    }
  }
  /// Whether Q_c has something where the body's block begins in u.
  bool JointHolds(std::size_t c, int offset) const { return joint_begin[c] <= offset && offset < joint_end[c]; }

  /// Of all columns of Q, the zero blocks on both ends aside.
  int joint_numbers() const {
    int numbers = 0;
    for (std::size_t c = 0; c < static_cast<std::size_t>(joint_rank); ++c) numbers += joint_end[c] - joint_begin[c];
    return numbers;
  }

  /// Qᵀv
  JointVector JointDot(const Velocity& v) const {
    JointVector q{};
    for (std::size_t c = 0; c < static_cast<std::size_t>(joint_rank); ++c) q[c] = JointDot(c, v);
    return q;
  }

  /// v := P v = v - Q Qᵀv. Modified Gram-Schmidt order: one column after the other.
  void Project(Velocity* v) const {
    if constexpr (kHasJoints) {
      for (std::size_t c = 0; c < static_cast<std::size_t>(joint_rank); ++c) AddJoint(c, -JointDot(c, *v), v);
    }
  }

  /// N θ + D φ, not projected.
  template <class Impulses>
  Velocity ContactImpulse(const Impulses& impulses) const {
    Velocity J = Velocity::Zero();
    for (int i = 0; i < contacts.size(); ++i) {
      if (!impulses.IsLoaded(i, directions)) continue;
      const ContactColumns& contact = contacts[i];
      const auto& phi = impulses.phi[i];
      Tangential tangential = Tangential::Zero();
      for (int j = 0; j < directions; ++j) {
        tangential += phi[j] * direction[j];
      }
      const Column column = contact.N * impulses.theta[i] + TangentColumn(contact, tangential);
      AddTo(contact, column, Scalar(1), &J);
    }
    return J;
  }

  /// u = k + P (N θ + D φ)
  template <class Impulses>
  Velocity VelocityFor(const Impulses& impulses) const {
    Velocity u = ContactImpulse(impulses);
    Project(&u);
    u += k;
    return u;
  }
};

}  // namespace tactus
