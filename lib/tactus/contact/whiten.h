#pragma once
#include <limits>

#include "tactus/contact/contact_solution.h"
#include "tactus/contact/friction_frame.h"
#include "tactus/contact/lever.h"
#include "tactus/contact/whitened_problem.h"
#include "tactus/core/cholesky.h"
#include "tactus/core/scalar.h"

namespace tactus {

/// What Whiten() is told beside the problem.
template <class Scalar, Capacity kCapacity>
struct WhitenOptions {
  Scalar max_push_out_mps = Scalar(0);  ///< > 0: b ≥ -max_push_out_mps (theory 1, penetration)
  /// Gaps that no ordinary motion closes in the step are shortened to what none does either: one of them alone would widen
  /// the solvers' tolerances for all (theory 6). An answer that loads such a contact is of another problem.
  bool shorten_far_gaps = false;
  std::array<bool, kCapacity.contacts> left_out{};  ///< contacts to leave out (merged into a neighbour)
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

/// A body is slender when less than this share of an axis' moment of inertia is left once the other axes are eliminated: so
/// many digits the factor loses there. Then it is made with twice the digits, and the spin before the step goes around it.
/// Peg: 1; a rod of 1 : 30 across the axes: 1e-3.
template <class Scalar>
inline constexpr Scalar kSlenderShare = Scalar(1e-4);

template <class Scalar, Capacity kCapacity>
class Whitener {
  using Physical = ContactProblem<Scalar, kCapacity>;
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using PhysicalContact = Contact<Scalar, kCapacity.dof>;
  static constexpr int kDof = kCapacity.dof, kLinear = LinearSize(kDof), kTangent = TangentSize(kDof);
  using Point = Vec<Scalar, kLinear>;
  using Block = Vec<Scalar, kDof>;

 public:
  Whitener(const Physical& from, const WhitenOptions<Scalar, kCapacity>& options, Problem* to)
      : from_(from), options_(options), to_(*to) {}

  ProblemFault Run(const FixedVector<Point, kCapacity.contacts>& tangents) {
    SetDirections();
    if (const ProblemFault fault = SetBodies()) return fault;
    if (const ProblemFault fault = EliminateJoints()) return fault;
    to_.contacts.clear();
    to_.contradicted_contact = -1;
    for (int i = 0; i < from_.contacts.size(); ++i) {
      if (options_.left_out[i] || !TakesPart(from_.contacts[i])) continue;
      AddContact(i, tangents[i]);
    }
    if (options_.shorten_far_gaps) ShortenFarGaps();
    return {};
  }

 private:
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
    return {};
  }

  using Inertia = typename Body<Scalar, kDof>::Inertia;
  using Spin = Vec<Scalar, AngularSize(kDof)>;

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
  Scalar LostSpeed(const PhysicalContact& contact, const Point& d) const {
    Scalar speed(0);
    if (contact.a != kFixed) speed += LostSpeed(contact.a, Moment(Lever(contact.point_m, contact.a), d));
    if (contact.b != kFixed) speed -= LostSpeed(contact.b, Moment(Lever(contact.point_m, contact.b), d));
    return speed;
  }

  // B = Q R by modified Gram-Schmidt, twice for orthogonality to rounding; joint_u = R⁻ᵀ speed; k := P k.
  ProblemFault EliminateJoints() {
    to_.joint_rank = 0;
    if constexpr (Problem::kHasJoints) {
      for (int j = 0; j < from_.joints.size(); ++j) {
        if (!TakesPart(from_.joints[j])) continue;
        if (const ProblemFault fault = AddJoint(j)) return fault;
      }
      to_.joint_k = to_.JointDot(to_.k);
      to_.Project(&to_.k);
    }
    return {};
  }

  ProblemFault AddJoint(int j) {
    const auto& joint = from_.joints[j];
    typename Problem::Velocity column = Problem::Velocity::Zero();
    AddJointBlock(joint.a, joint.jacobian_a, &column);
    AddJointBlock(joint.b, joint.jacobian_b, &column);
    const Scalar scale = column.cwiseAbs().maxCoeff();  // the row is a row of any length; squares of it may overflow
    if (!IsFinite(scale)) return {"is too large for these masses", "joints", j, "jacobian_a"};
    column /= scale;
    const Scalar length = Sqrt(column.squaredNorm());
    typename Problem::JointVector r{};
    Scalar speed = joint.speed;
    if (to_.loses_spin) {
      speed -= LostSpeed(joint.a, joint.jacobian_a.template tail<AngularSize(kDof)>()) +
               LostSpeed(joint.b, joint.jacobian_b.template tail<AngularSize(kDof)>());
    }
    speed /= scale;
    for (int pass = 0; pass < 2; ++pass) {
      for (int c = 0; c < to_.joint_rank; ++c) {
        const Scalar share = to_.Q[c].dot(column);
        column -= share * to_.Q[c];
        r[c] += share;
      }
    }
    Scalar speed_scale = Abs(speed) + length * free_speed_;
    for (int c = 0; c < to_.joint_rank; ++c) {
      const Scalar known = r[c] * to_.joint_u[c];
      speed -= known;
      speed_scale += Abs(known);
    }
    const Scalar rest = Sqrt(column.squaredNorm());
    if (rest <= kDependentShare<Scalar> * length) {
      if (Abs(speed) <= kBlockedShare<Scalar> * speed_scale) return {};  // says again what earlier rows say
      return {"contradicts earlier joint rows: it depends on them and asks for another speed", "joints", j, "speed"};
    }
    const int next = to_.joint_rank++;
    r[next] = rest;
    to_.Q[next] = column / rest;
    to_.R[next] = r;
    to_.joint_u[next] = speed / rest;
    to_.joint_source[next] = j;
    to_.joint_scale[next] = scale;
    return {};
  }

  void AddJointBlock(int body, Block jacobian, typename Problem::Velocity* column) {
    if (body == kFixed) return;
    WhitenBlock(to_.factor[Place(body)], &jacobian);
    column->template segment<kDof>(Place(body) * kDof) += jacobian;
  }

  void AddContact(int i, const Point& tangent) {
    const PhysicalContact& contact = from_.contacts[i];
    to_.contacts.resize(to_.contacts.size() + 1);
    auto& columns = to_.contacts[to_.contacts.size() - 1];
    columns.source = static_cast<std::int16_t>(i);
    columns.is_far = false;
    SetOffsets(contact, &columns);
    if constexpr (kIsOneBody) {
      SetColumnsOfOneBody(contact, tangent, &columns);
    } else {
      columns.N = Column(contact, contact.normal);
      columns.T.col(0) = Column(contact, tangent);
      if constexpr (kTangent == 2) columns.T.col(1) = Column(contact, Moment(contact.normal, tangent));
    }
    columns.b = contact.gap_m / from_.step_s - contact.surface_normal_velocity_mps;
    if (options_.max_push_out_mps > Scalar(0)) columns.b = Max(columns.b, -options_.max_push_out_mps);
    columns.tau = -contact.surface_velocity_mps;
    if (to_.loses_spin) AddLostSpeeds(contact, tangent, &columns);
    columns.mu = contact.friction;
    if constexpr (kCapacity.compliant) columns.epsilon = contact.compliance_mps_per_Ns;
    AddPrescribedVelocity(&columns);
    DropHeldBlock(&columns);
    if (!Normalise(&columns)) to_.contacts.resize(to_.contacts.size() - 1);
  }

  void AddLostSpeeds(const PhysicalContact& contact, const Point& tangent, typename Problem::ContactColumns* columns) const {
    columns->b += LostSpeed(contact, contact.normal);
    columns->tau(0) += LostSpeed(contact, tangent);
    if constexpr (kTangent == 2) columns->tau(1) += LostSpeed(contact, Moment(contact.normal, tangent));
  }

  // Without penetration and moving surfaces |u| ≤ |k|; with them it is more only where contacts squeeze.
  void ShortenFarGaps() {
    constexpr Scalar kFar(4);
    Scalar reach = Sqrt(to_.k.squaredNorm());
    for (const auto& columns : to_.contacts) {
      reach = Max(reach, -columns.b);
      for (int x = 0; x < kTangent; ++x) reach = Max(reach, Abs(columns.tau(x)));
    }
    for (auto& columns : to_.contacts) {
      if (!(columns.b > kFar * reach) || reach == Scalar(0)) continue;
      columns.b = kFar * reach;
      columns.is_far = true;
    }
  }

  void SetOffsets(const PhysicalContact& contact, typename Problem::ContactColumns* columns) {
    const bool a_moves = contact.a != kFixed;
    columns->offset[0] = static_cast<std::int16_t>(Place(a_moves ? contact.a : contact.b) * kDof);
    if constexpr (Problem::kBlocks == 2) {
      columns->offset[1] = static_cast<std::int16_t>(a_moves && contact.b != kFixed ? Place(contact.b) * kDof : -1);
    }
  }

  // (d ; r_a × d) on body a, -(d ; r_b × d) on body b, whitened.
  typename Problem::Column Column(const PhysicalContact& contact, const Point& d) const {
    typename Problem::Column column;
    int block = 0;
    if (contact.a != kFixed) column.template segment<kDof>(kDof * block++) = ColumnBlock(contact.point_m, contact.a, d);
    if (contact.b != kFixed) column.template segment<kDof>(kDof * block++) = ColumnBlock(contact.point_m, contact.b, -d);
    if (block < Problem::kBlocks) column.template tail<kDof>().setZero();
    return column;
  }

  // The same of one body in space: its lever once, and no column by value. A third of the instructions of Column().
  static constexpr bool kIsOneBody = kCapacity.bodies == 1 && kDof == 6;
  void SetColumnsOfOneBody(const PhysicalContact& contact, const Point& tangent,
                           typename Problem::ContactColumns* columns) const {
    const bool is_a = contact.a != kFixed;
    const Point r = Lever(contact.point_m, is_a ? contact.a : contact.b), n = is_a ? contact.normal : Point(-contact.normal);
    const Point x = is_a ? tangent : Point(-tangent), y = Moment(n, tangent);
    SetColumn(r, n, columns->N.data());
    SetColumn(r, x, columns->T.data());
    SetColumn(r, y, columns->T.data() + kDof);
  }
  [[gnu::always_inline]] inline void SetColumn(const Point& r, const Point& d, Scalar* column) const {
    const auto& factor = to_.factor[0];
    const Point moment = Moment(r, d), angular = LowerTimes(factor.inverse_L, moment);
    for (int k = 0; k < kLinear; ++k) {
      column[k] = d(k) * factor.inverse_sqrt_mass;
      column[kLinear + k] = angular(k);
    }
  }

  Point Lever(const Point& point, int body) const { return point - from_.bodies[body].position_m; }

  Block ColumnBlock(const Point& point, int body, const Point& d) const {
    Block column;
    column.template head<kLinear>() = d;
    column.template tail<AngularSize(kDof)>() = Moment(Lever(point, body), d);
    WhitenBlock(to_.factor[Place(body)], &column);
    return column;
  }

  // The joints prescribe u_b = Q joint_u; what is left to find is P u (theory 2.2).
  void AddPrescribedVelocity(typename Problem::ContactColumns* columns) const {
    if constexpr (Problem::kHasJoints) {
      for (int c = 0; c < to_.joint_rank; ++c) {
        columns->b += to_.joint_u[c] * Problem::Dot(*columns, columns->N, to_.Q[c]);
        columns->tau += to_.joint_u[c] * Problem::TangentDot(*columns, to_.Q[c]);
      }
    }
  }

  // Joints that leave a body no motion at all make it a fixed one. Where it is so much the lighter of the two that what the
  // other one can do looks like rounding, its block goes, or the contact would. The joints' impulses then lack the contact's
  // share, which the verdict sees: such an answer is safe, and not called solved.
  void DropHeldBlock(typename Problem::ContactColumns* columns) const {
    if constexpr (Problem::kHasJoints && Problem::kBlocks == 2) {
      constexpr Scalar kBlocked = kBlockedShare<Scalar> * kBlockedShare<Scalar>;
      if (to_.joint_rank < kDof || columns->offset[1] < 0) return;
      if (ProjectedSquaredNorm(*columns, columns->N) > kBlocked * columns->N.squaredNorm()) return;
      const bool held[] = {IsHeld(columns->offset[0]), IsHeld(columns->offset[1])};
      if (held[0] == held[1]) return;
      const int at = held[0] ? 0 : kDof;
      columns->N.template segment<kDof>(at).setZero();
      columns->T.template middleRows<kDof>(at).setZero();
    }
  }

  // tr(Q_b Q_bᵀ) = s: the joints' rows span all motions of the body.
  bool IsHeld(int offset) const {
    constexpr Scalar kRounding = Scalar(4 * kDof) * std::numeric_limits<Scalar>::epsilon();
    Scalar trace(0);
    for (int c = 0; c < to_.joint_rank; ++c) {
      trace += to_.Q[c].template segment<kDof>(offset).squaredNorm();
    }
    return trace >= Scalar(kDof) - kRounding;
  }

  // Σ |joint_u Qᵀ N|: the size of what the joints add to the contact's b.
  Scalar PrescribedSpeed(const typename Problem::ContactColumns& columns) const {
    Scalar sum(0);
    if constexpr (Problem::kHasJoints) {
      for (int c = 0; c < to_.joint_rank; ++c) {
        sum += Abs(to_.joint_u[c] * Problem::Dot(columns, columns.N, to_.Q[c]));
      }
    }
    return sum;
  }

  // What is held almost fast, |P N| = left, may still open with a motion far larger than k.
  void NoteContradiction(const typename Problem::ContactColumns& columns, Scalar speed_scale, Scalar left) {
    if (to_.contradicted_contact >= 0 && to_.contradiction_is_proof) return;
    constexpr Scalar kMotions(10);  // as for every certificate
    to_.contradicted_contact = columns.source;
    to_.contradiction = -columns.b / speed_scale;
    to_.contradiction_is_proof = -columns.b > kMotions * left * Sqrt(to_.k.squaredNorm());
    if constexpr (kCapacity.compliant)
      to_.contradiction_is_proof = to_.contradiction_is_proof && columns.epsilon == Scalar(0);
  }

  // Theory 2.3. @returns false when the joints hold the contact fast: it has no say then.
  bool Normalise(typename Problem::ContactColumns* columns) {
    const Scalar normal_squared = columns->N.squaredNorm(), normal_left = ProjectedSquaredNorm(*columns, columns->N);
    Scalar tangent_squared(0), tangent_left(0);
    for (int x = 0; x < kTangent; ++x) {
      tangent_squared += columns->T.col(x).squaredNorm() / Scalar(kTangent);
      tangent_left += ProjectedSquaredNorm(*columns, columns->T.col(x)) / Scalar(kTangent);
    }
    constexpr Scalar kBlocked = kBlockedShare<Scalar> * kBlockedShare<Scalar>;
    if (!(normal_left > kBlocked * normal_squared)) {
      const Scalar speed_scale = Sqrt(normal_squared * to_.k.squaredNorm()) + PrescribedSpeed(*columns) + Abs(columns->b);
      if (columns->b < -kBlockedShare<Scalar> * speed_scale) NoteContradiction(*columns, speed_scale, Sqrt(normal_left));
      return false;
    }
    columns->normal_scale = Sqrt(normal_left);
    columns->N /= columns->normal_scale;
    columns->b /= columns->normal_scale;
    if constexpr (kCapacity.compliant) columns->epsilon /= normal_left;
    if constexpr (Problem::kHasJoints) columns->held_mu = Scalar(0);
    if (!(tangent_left > kBlocked * tangent_squared)) {  // cannot slip by itself: friction only loads the joints
      if constexpr (Problem::kHasJoints) columns->held_mu = columns->mu / columns->normal_scale;
      columns->mu = Scalar(0);
      columns->tangent_scale = Scalar(1);
      return true;
    }
    columns->tangent_scale = Sqrt(tangent_left);
    columns->T /= columns->tangent_scale;
    columns->tau /= columns->tangent_scale;
    columns->mu *= columns->tangent_scale / columns->normal_scale;
    return true;
  }

  Scalar ProjectedSquaredNorm(const typename Problem::ContactColumns& contact, const typename Problem::Column& a) const {
    if constexpr (!Problem::kHasJoints) {
      return a.squaredNorm();
    } else {
      if (to_.joint_rank == 0) return a.squaredNorm();
      typename Problem::Velocity v = Problem::Velocity::Zero();
      Problem::AddTo(contact, a, Scalar(1), &v);
      to_.Project(&v);
      return v.squaredNorm();
    }
  }

  const Physical& from_;
  const WhitenOptions<Scalar, kCapacity>& options_;
  Problem& to_;
  Scalar free_speed_ = Scalar(0);  // |k| before the joints take their share
};

}  // namespace internal

/// Brings a valid problem into the form of WhitenedProblem (docs/theory, section 2).
/// @param[in] tangents  unit, perpendicular to the normals, one a contact; planar: (-n_y, n_x)
/// @returns a fault when joint rows contradict each other or are too large for the masses, or the free motion's energy is
/// not finite; `whitened` is unusable then.
template <class Scalar, Capacity kCapacity>
ProblemFault Whiten(const ContactProblem<Scalar, kCapacity>& problem,
                    const FixedVector<Vec<Scalar, LinearSize(kCapacity.dof)>, kCapacity.contacts>& tangents,
                    const WhitenOptions<Scalar, kCapacity>& options, WhitenedProblem<Scalar, kCapacity>* whitened) {
  return internal::Whitener<Scalar, kCapacity>(problem, options, whitened).Run(tangents);
}

}  // namespace tactus
