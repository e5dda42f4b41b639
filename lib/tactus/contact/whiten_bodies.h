#pragma once
#include <array>
#include <cstdint>
#include <limits>

#include "tactus/contact/contact_problem.h"
#include "tactus/contact/friction_frame.h"
#include "tactus/contact/gap_speed.h"
#include "tactus/contact/lever.h"
#include "tactus/contact/whitened_problem.h"
#include "tactus/core/check.h"
#include "tactus/core/cholesky.h"
#include "tactus/core/scalar.h"

namespace tactus {

/// What Whiten() is told beside the problem.
template <class Scalar, Capacity kCapacity>
struct WhitenOptions {
  Scalar max_push_out_mps = Scalar(0);  ///< > 0: Φ/h ≥ -max_push_out_mps (theory 1, penetration)
  /// Gaps that no ordinary motion closes in the step are shortened to what none does either: one of them alone would widen
  /// the solvers' tolerances for all (theory 6). An answer that loads such a contact is of another problem.
  bool shorten_far_gaps = false;
  std::array<bool, kCapacity.contacts> left_out{};  ///< contacts to leave out (merged into a neighbour)
  /// One body in space: a contact that the free motion leaves open is left out too, unless it is in `carried`.
  bool leaves_out_open = false;
  std::array<bool, kCapacity.contacts> carried{};  ///< read if leaves_out_open
  /// Coulomb's μ of each contact; nullptr: its own.
  const FixedVector<Scalar, kCapacity.contacts>* friction = nullptr;
  /// Of each body its place in the whitened problem, -1: it and all that touches it belong to another island. nullptr: all
  /// bodies, as they come. With a capacity of one body not read.
  const std::array<std::int16_t, kCapacity.bodies>* place = nullptr;
};

/// G⁻¹ on one body's block: (linear/√m, L⁻¹ angular).
template <class Factor, class Block>
void WhitenBlock(const Factor& factor, Block* block) {
  constexpr int kDof = Block::RowsAtCompileTime, kAngular = AngularSize(kDof);
  block->template head<LinearSize(kDof)>() *= factor.inverse_sqrt_mass;
  const Vec<typename Block::Scalar, kAngular> angular = block->template tail<kAngular>();
  block->template tail<kAngular>() = LowerTimes(factor.inverse_L, angular);
}

namespace internal {

/// Below this share of its length a column has been taken by the joints: what is left is rounding (theory 2.2).
template <class Scalar>
inline constexpr Scalar kBlockedShare = Scalar(1e-6);
template <>
inline constexpr float kBlockedShare<float> = 1e-4f;

/// Below this share of its length a joint row depends on the rows before it.
template <class Scalar>
inline constexpr Scalar kDependentShare = Scalar(1e-9);
template <>
inline constexpr float kDependentShare<float> = 1e-4f;

/// Where Gram-Schmidt leaves less than this share of a row, it is done once more. In chains of joints with masses that grow
/// up to 95 times a body |QᵀQ - 1| is then 10 roundings at most; with a share of 0.1 it was 5·10⁴, for errors grow from row
/// to row (WhitenJoints.AreOrthonormalWhateverTheMasses).
template <class Scalar>
inline constexpr Scalar kOrthogonalShare = Scalar(0.5);
/// In float always: a chain that friction brings to rest has no digit to spare
/// (JointDrivesTest.FrictionInAChainOnlyTakesEnergy).
template <>
inline constexpr float kOrthogonalShare<float> = 1.0f;

/// Where joints leave less than this share of |k|², what is left may be rounding of what they took: it has as much along
/// their rows as beside them, and a contact would see a motion that there is not. Projected once more, it is orthogonal to
/// them; above this share it is so to 100 ε.
template <class Scalar>
inline constexpr Scalar kTakenShare = Scalar(1e-4);

/// A body is slender when less than this share of an axis' moment of inertia is left once the other axes are eliminated: so
/// many digits the factor loses there. Then it is made with twice the digits, and the spin before the step goes around it.
/// Peg: 1; a rod of 1 : 30 across the axes: 1e-3.
template <class Scalar>
inline constexpr Scalar kSlenderShare = Scalar(1e-4);

/// Bodies and joints of a problem, whitened: the first half of Whiten(). Contacts come on top (whiten.h).
template <class Scalar, Capacity kCapacity>
class BodyWhitener {
 protected:
  using Physical = ContactProblem<Scalar, kCapacity>;
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  static constexpr int kDof = kCapacity.dof, kLinear = LinearSize(kDof);
  using Block = Vec<Scalar, kDof>;
  using Inertia = typename Body<Scalar, kDof>::Inertia;
  using Spin = Vec<Scalar, AngularSize(kDof)>;

  BodyWhitener(const Physical& from, const WhitenOptions<Scalar, kCapacity>& options, Problem* to)
      : from_(from), options_(options), to_(*to) {}

  ProblemFault SetBodiesAndJoints() {
    SetDirections();
    if (const ProblemFault fault = SetBodies()) return fault;
    const ProblemFault fault = EliminateJoints();
    if (options_.leaves_out_open) free_velocity_ = to_.factor[0].inverse_sqrt_mass * to_.k.template head<kLinear>();
    return fault;
  }

  // Of a moving body, in u; -1: of another island.
  int Place(int body) const {
    if constexpr (kCapacity.bodies == 1) {
      return body;
    } else {
      return options_.place == nullptr ? body : (*options_.place)[body];
    }
  }
  template <class Connection>
  bool TakesPart(const Connection& connection) const {
    if constexpr (kCapacity.bodies == 1) return true;
    return Place(connection.a != kFixed ? connection.a : connection.b) >= 0;
  }

  void SetDirections() {
    if (to_.directions == from_.directions && to_.direction_offset_rad == from_.direction_offset_rad) return;
    to_.directions = from_.directions;
    to_.direction_offset_rad = from_.direction_offset_rad;
    FillDirections<Scalar, kDof>(from_.directions, from_.direction_offset_rad, to_.direction.data());
  }

  // k = G⁻¹ (M v0 + h f) = Gᵀ v0 + h G⁻¹ f
  ProblemFault SetBodies() {
    to_.k.setZero();
    to_.loses_spin = false;
    to_.bodies = 0;
    for (int body = 0; body < from_.bodies.size(); ++body) {
      const int place = Place(body);
      if (place < 0) continue;
      to_.body_source[to_.bodies++] = static_cast<std::int16_t>(body);
      const auto& source = from_.bodies[body];
      auto& factor = to_.factor[place];
      typename Body<Scalar, kDof>::Inertia L;
      TACTUS_CHECK(Cholesky(source.inertia_kgm2, &L));
      const Scalar sqrt_mass = Sqrt(source.mass_kg);
      factor.inverse_sqrt_mass = Scalar(1) / sqrt_mass;
      factor.inverse_L = InverseOfLower(L);
      const bool slender = IsSlender(source.inertia_kgm2, factor.inverse_L);
      if (slender) AccurateCholesky(source.inertia_kgm2, &L, &factor.inverse_L);
      Block momentum = from_.step_s * source.wrench;
      WhitenBlock(factor, &momentum);
      momentum.template head<kLinear>() += sqrt_mass * source.velocity.template head<kLinear>();
      momentum.template tail<AngularSize(kDof)>() += L.transpose() * source.velocity.template tail<AngularSize(kDof)>();
      if (slender) NoteLostSpin(source, place, L);
      if (!IsFinite(momentum.squaredNorm())) {
        return {"must give a finite energy with its wrench and step_s", "bodies", body, "velocity"};
      }
      to_.k.template segment<kDof>(place * kDof) = momentum;
    }
    free_speed_ = Sqrt(to_.k.squaredNorm());
    if (options_.leaves_out_open) {
      free_spin_ = to_.factor[0].inverse_L.transpose() * to_.k.template segment<AngularSize(kDof)>(kLinear);
    }
    return {};
  }

  // 1/(J_ii (J⁻¹)_ii) is the share of J_ii that is left when the other axes are eliminated.
  static bool IsSlender(const Inertia& J, const Inertia& inverse_L) {
    if constexpr (kDof == 3) return false;  // one number: nothing cancels
    bool slender = false;
    for (int x = 0; x < J.rows(); ++x) {
      slender = slender || kSlenderShare<Scalar> * J(x, x) * inverse_L.col(x).squaredNorm() > Scalar(1);
    }
    return slender;
  }

  void NoteLostSpin(const Body<Scalar, kDof>& body, int place, const Inertia& L) {
    if (!to_.loses_spin) to_.lost_spin.fill(Spin::Zero());
    to_.loses_spin = true;
    const Spin spin = body.velocity.template tail<AngularSize(kDof)>();
    const Spin whitened = L.transpose() * spin;
    to_.lost_spin[place] = spin - to_.factor[place].inverse_L.transpose() * whitened;
  }

  // What the lost spins of both bodies are worth along a joint row or a contact's direction.
  Scalar LostSpeed(int body, const Spin& moment) const {
    if (body == kFixed || !to_.loses_spin) return Scalar(0);
    return to_.lost_spin[Place(body)].dot(moment);
  }

  // B = Q R by modified Gram-Schmidt, twice where it must be; joint_u = R⁻ᵀ speed; k := P k.
  ProblemFault EliminateJoints() {
    to_.joint_rank = 0;
    if constexpr (Problem::kHasJoints) {
      for (int j = 0; j < from_.joints.size(); ++j) {
        if (!TakesPart(from_.joints[j])) continue;
        if (const ProblemFault fault = AddJoint(j)) return fault;
      }
      to_.joint_k = to_.JointDot(to_.k);
      to_.Project(&to_.k);
      if (to_.k.squaredNorm() < kTakenShare<Scalar> * free_speed_ * free_speed_) to_.Project(&to_.k);
    }
    return {};
  }

  ProblemFault AddJoint(int j) {
    const auto& joint = from_.joints[j];
    const int next = to_.joint_rank;
    typename Problem::Velocity& column = to_.Q[next];
    typename Problem::JointVector& r = to_.R[next];
    column.setZero();
    r.fill(Scalar(0));
    Span span;
    AddJointBlock(joint.a, joint.jacobian_a, &column, &span);
    AddJointBlock(joint.b, joint.jacobian_b, &column, &span);
    // The row is a row of any length; squares of it may overflow.
    const Scalar scale = span.Of(column).cwiseAbs().maxCoeff();
    if (!IsFinite(scale)) return {"is too large for these masses", "joints", j, "jacobian_a"};
    span.Of(column) /= scale;
    const Scalar length = Sqrt(span.Of(column).squaredNorm());
    Scalar speed = joint.speed;
    if (to_.loses_spin) {
      speed -= LostSpeed(joint.a, joint.jacobian_a.template tail<AngularSize(kDof)>()) +
               LostSpeed(joint.b, joint.jacobian_b.template tail<AngularSize(kDof)>());
    }
    speed /= scale;
    Orthogonalise(&column, &r, &span);
    Scalar rest = Sqrt(span.Of(column).squaredNorm());
    if (rest < kOrthogonalShare<Scalar> * length) {
      Orthogonalise(&column, &r, &span);
      rest = Sqrt(span.Of(column).squaredNorm());
    }
    Scalar speed_scale = Abs(speed) + length * free_speed_;
    for (int c = 0; c < to_.joint_rank; ++c) {
      const Scalar known = r[c] * to_.joint_u[c];
      speed -= known;
      speed_scale += Abs(known);
    }
    if (rest <= kDependentShare<Scalar> * length) {
      if (joint.yields || Abs(speed) <= kBlockedShare<Scalar> * speed_scale) return {};  // says again what earlier rows say
      return {"contradicts earlier joint rows: it depends on them and asks for another speed", "joints", j, "speed"};
    }
    ++to_.joint_rank;
    r[next] = rest;
    span.Of(column) /= rest;
    to_.joint_begin[next] = static_cast<std::int16_t>(span.begin);
    to_.joint_end[next] = static_cast<std::int16_t>(span.end);
    to_.joint_u[next] = speed / rest;
    to_.joint_source[next] = j;
    to_.joint_scale[next] = scale;
    return {};
  }

  // The blocks beside which a column is zero, in u.
  struct Span {
    int begin = Problem::kVelocity, end = 0;

    auto Of(typename Problem::Velocity& column) const { return column.segment(begin, end - begin); }
    bool Meets(int other_begin, int other_end) const { return begin < other_end && other_begin < end; }
    void Take(int other_begin, int other_end) {
      begin = other_begin < begin ? other_begin : begin;
      end = other_end > end ? other_end : end;
    }
  };

  // column := P column, r += Qᵀ column. Most joints have no body in common.
  void Orthogonalise(typename Problem::Velocity* column, typename Problem::JointVector* r, Span* span) const {
    for (std::size_t c = 0; c < static_cast<std::size_t>(to_.joint_rank); ++c) {
      if (!span->Meets(to_.joint_begin[c], to_.joint_end[c])) continue;
      const Scalar share = to_.JointDot(c, *column);
      if (share == Scalar(0)) continue;
      to_.AddJoint(c, -share, column);
      (*r)[c] += share;
      span->Take(to_.joint_begin[c], to_.joint_end[c]);
    }
  }

  void AddJointBlock(int body, Block jacobian, typename Problem::Velocity* column, Span* span) {
    if (body == kFixed) return;
    const int at = Place(body) * kDof;
    WhitenBlock(to_.factor[Place(body)], &jacobian);
    column->template segment<kDof>(at) += jacobian;
    span->Take(at, at + kDof);
  }

  const Physical& from_;
  const WhitenOptions<Scalar, kCapacity>& options_;
  Problem& to_;
  Scalar free_speed_ = Scalar(0);       // |k| before the joints take their share
  Vec<Scalar, kLinear> free_velocity_;  // G⁻ᵀ k of one body, if open contacts are left out
  Spin free_spin_;
};

}  // namespace internal

}  // namespace tactus
