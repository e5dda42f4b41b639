#pragma once
#include <limits>

#include "tactus/contact/whiten_bodies.h"

namespace tactus {

namespace internal {

/// The contacts of a problem, on top of its bodies and joints.
template <class Scalar, Capacity kCapacity>
class Whitener : BodyWhitener<Scalar, kCapacity> {
  using Base = BodyWhitener<Scalar, kCapacity>;
  using Base::free_spin_;
  using Base::free_velocity_;
  using Base::from_;
  using Base::kDof;
  using Base::kLinear;
  using Base::LostSpeed;
  using Base::options_;
  using Base::Place;
  using Base::TakesPart;
  using Base::to_;
  using typename Base::Block;
  using typename Base::Physical;
  using typename Base::Problem;
  using PhysicalContact = Contact<Scalar, kCapacity.dof>;
  static constexpr int kTangent = TangentSize(kDof);
  using Point = Vec<Scalar, kLinear>;
  using Tangential = typename Problem::Tangential;

 public:
  Whitener(const Physical& from, const WhitenOptions<Scalar, kCapacity>& options, Problem* to) : Base(from, options, to) {}

  ProblemFault Run(const FixedVector<Point, kCapacity.contacts>& tangents) {
    if (const ProblemFault fault = this->SetBodiesAndJoints()) return fault;
    to_.contacts.clear();
    to_.contradicted_contact = -1;
    int i = -1;
    for (const PhysicalContact& contact : from_.contacts) {
      ++i;
      if (options_.left_out[i] || !TakesPart(contact)) continue;
      if (options_.leaves_out_open && !options_.carried[i] && StaysOpen(contact)) continue;
      AddContact(i, tangents[i]);
    }
    if (options_.shorten_far_gaps) ShortenFarGaps();
    return {};
  }

 private:
  Scalar LostSpeed(const PhysicalContact& contact, const Point& d) const {
    Scalar speed(0);
    if (contact.a != kFixed) speed += LostSpeed(contact.a, Moment(Lever(contact.point_m, contact.a), d));
    if (contact.b != kFixed) speed -= LostSpeed(contact.b, Moment(Lever(contact.point_m, contact.b), d));
    return speed;
  }

  void AddContact(int i, const Point& tangent) {
    const PhysicalContact& contact = from_.contacts[i];
    to_.contacts.resize(to_.contacts.size() + 1);
    auto& columns = to_.contacts[to_.contacts.size() - 1];
    columns.source = static_cast<std::int16_t>(i);
    columns.is_far = columns.is_held = false;
    SetOffsets(contact, &columns);
    SetColumns(contact, tangent, &columns);
    const Scalar gap_speed = GapSpeed(contact);
    columns.b = gap_speed - contact.surface_normal_velocity_mps;
    columns.tau = -contact.surface_velocity_mps;
    if (to_.loses_spin) AddLostSpeeds(contact, tangent, &columns);
    columns.mu = options_.friction == nullptr ? contact.friction : (*options_.friction)[i];
    if constexpr (kCapacity.compliant) columns.epsilon = contact.compliance_mps_per_Ns;
    JointShares shares = SharesOf(columns);
    columns.b += shares.speed;
    columns.tau += shares.slip;
    columns.b_clear = columns.b - Min(gap_speed, Scalar(0));
    if (DropHeldBlock(shares, &columns)) shares = SharesOf(columns);
    if (!Normalise(shares, &columns)) to_.contacts.resize(to_.contacts.size() - 1);
  }

  // Φ/h. An overlap is undone no faster than it may be; a surface that comes nearer, n·w, pushes as fast as it is.
  Scalar GapSpeed(const PhysicalContact& contact) const {
    return internal::GapSpeed<kCapacity>(contact, from_.step_s, options_.max_push_out_mps);
  }

  // n·v_rel + b ≥ 0 with v = G⁻ᵀ k, the free motion. NaN is not open.
  bool StaysOpen(const PhysicalContact& contact) const {
    if constexpr (kCapacity.bodies == 1 && kDof == 6) {
      const bool is_a = contact.a != kFixed;
      const Point r = Lever(contact.point_m, 0);
      const Scalar speed = contact.normal.dot(free_velocity_) + Moment(r, contact.normal).dot(free_spin_);
      return (is_a ? speed : -speed) + GapSpeed(contact) - contact.surface_normal_velocity_mps >= Scalar(0);
    }
    return false;
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
      columns.b = columns.b_clear = kFar * reach;
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

  // (d ; r_a × d) on body a, -(d ; r_b × d) on body b, whitened, for d = n, t and n × t.
  void SetColumns(const PhysicalContact& contact, const Point& tangent, typename Problem::ContactColumns* columns) const {
    Mat<Scalar, kLinear, kTangent + 1> d;
    d.col(0) = contact.normal;
    d.col(1) = tangent;
    if constexpr (kTangent == 2) d.col(2) = Moment(contact.normal, tangent);
    int row = 0;
    if (contact.a != kFixed) row += SetBlocks(row, contact.a, contact.point_m, d, columns);
    if (contact.b != kFixed) row += SetBlocks(row, contact.b, contact.point_m, -d, columns);
    if (row == Problem::kColumn) return;
    columns->N.template tail<kDof>().setZero();
    columns->T.template bottomRows<kDof>().setZero();
  }
  // @returns kDof
  [[gnu::always_inline]] inline int SetBlocks(int row, int body, const Point& point,
                                              const Mat<Scalar, kLinear, kTangent + 1>& d,
                                              typename Problem::ContactColumns* columns) const {
    const auto& factor = to_.factor[Place(body)];
    const Point r = Lever(point, body);
    SetBlock(factor, r, d.col(0), columns->N.data() + row);
    for (int x = 0; x < kTangent; ++x) SetBlock(factor, r, d.col(x + 1), columns->T.data() + x * Problem::kColumn + row);
    return kDof;
  }
  [[gnu::always_inline]] inline void SetBlock(const typename Problem::BodyFactor& factor, const Point& r, const Point& d,
                                              Scalar* block) const {
    const auto moment = Moment(r, d);
    const auto angular = LowerTimes(factor.inverse_L, moment);
    for (int k = 0; k < kLinear; ++k) block[k] = d(k) * factor.inverse_sqrt_mass;
    for (int k = 0; k < kDof - kLinear; ++k) block[kLinear + k] = angular(k);
  }

  Point Lever(const Point& point, int body) const { return point - from_.bodies[body].position_m; }

  // What the joints have of a contact's columns: they prescribe u_b = Q joint_u; what is left to find is P u (theory 2.2).
  struct JointShares {
    Scalar speed = Scalar(0);                                        // Nᵀu_b
    Tangential slip = Tangential::Zero();                            // (Xᵀu_b, Yᵀu_b)
    Scalar speed_scale = Scalar(0);                                  // Σ |joint_u| |QᵀN|
    Scalar normal_squared = Scalar(0), tangent_squared = Scalar(0);  // |QᵀN|², (|QᵀX|² + |QᵀY|²)/2
  };
  JointShares SharesOf(const typename Problem::ContactColumns& columns) const {
    JointShares shares;
    if constexpr (Problem::kHasJoints) {
      for (std::size_t c = 0; c < static_cast<std::size_t>(to_.joint_rank); ++c) {
        if (!MeetsJoint(columns, c)) continue;
        const Scalar of_N = Problem::Dot(columns, columns.N, to_.Q[c]);
        const Tangential of_T = Problem::TangentDot(columns, to_.Q[c]);
        const Scalar known = to_.joint_u[c] * of_N;
        shares.speed += known;
        shares.speed_scale += Abs(known);
        shares.slip += to_.joint_u[c] * of_T;
        shares.normal_squared += of_N * of_N;
        shares.tangent_squared += of_T.squaredNorm() / Scalar(kTangent);
      }
    }
    return shares;
  }
  bool MeetsJoint(const typename Problem::ContactColumns& columns, std::size_t c) const {
    if (to_.JointHolds(c, columns.offset[0])) return true;
    if constexpr (Problem::kBlocks == 2) return columns.offset[1] >= 0 && to_.JointHolds(c, columns.offset[1]);
    return false;
  }

  // Joints that leave a body no motion at all make it a fixed one. Where it is so much the lighter of the two that what the
  // other one can do looks like rounding, its block goes, or the contact would. The joints' impulses then lack the contact's
  // share, which the verdict sees: such an answer is safe, and not called solved.
  bool DropHeldBlock(const JointShares& shares, typename Problem::ContactColumns* columns) const {
    if constexpr (Problem::kHasJoints && Problem::kBlocks == 2) {
      constexpr Scalar kBlocked = kBlockedShare<Scalar> * kBlockedShare<Scalar>;
      if (to_.joint_rank < kDof || columns->offset[1] < 0) return false;
      const Scalar squared = columns->N.squaredNorm();
      if (SquaredNormLeft(*columns, columns->N, squared, shares.normal_squared) > kBlocked * squared) return false;
      const bool held[] = {IsHeld(columns->offset[0]), IsHeld(columns->offset[1])};
      if (held[0] == held[1]) return false;
      const int at = held[0] ? 0 : kDof;
      columns->N.template segment<kDof>(at).setZero();
      columns->T.template middleRows<kDof>(at).setZero();
      return true;
    }
    return false;
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

  // What is held almost fast, |P N| = left, may still open with a motion far larger than k.
  void NoteContradiction(const typename Problem::ContactColumns& columns, Scalar speed_scale, Scalar left) {
    if (to_.contradicted_contact >= 0 && to_.contradiction_is_proof) return;
    constexpr Scalar kMotions(10);  // as for every certificate
    to_.contradicted_contact = columns.source;
    if constexpr (Problem::kHasJoints) {
      typename Problem::Velocity N = Problem::Velocity::Zero();
      Problem::AddTo(columns, columns.N, Scalar(1), &N);
      to_.contradiction_load = to_.JointDot(N);
    }
    to_.contradiction = -columns.b / speed_scale;
    to_.contradiction_is_proof = -columns.b > kMotions * left * Sqrt(to_.k.squaredNorm());
    if constexpr (kCapacity.compliant)
      to_.contradiction_is_proof = to_.contradiction_is_proof && columns.epsilon == Scalar(0);
  }

  // Theory 2.3. @returns false when the joints hold the contact fast: it has no say then.
  bool Normalise(const JointShares& shares, typename Problem::ContactColumns* columns) {
    const Scalar normal_squared = columns->N.squaredNorm();
    Scalar tangent_squared(0);
    for (int x = 0; x < kTangent; ++x) tangent_squared += columns->T.col(x).squaredNorm() / Scalar(kTangent);
    const Scalar normal_left = SquaredNormLeft(*columns, columns->N, normal_squared, shares.normal_squared);
    Scalar tangent_left = tangent_squared - shares.tangent_squared;
    if (LosesDigits(tangent_left, tangent_squared)) {
      tangent_left = Scalar(0);
      for (int x = 0; x < kTangent; ++x)
        tangent_left += ProjectedSquaredNorm(*columns, columns->T.col(x)) / Scalar(kTangent);
    }
    constexpr Scalar kBlocked = kBlockedShare<Scalar> * kBlockedShare<Scalar>;
    if (!(normal_left > kBlocked * normal_squared)) {
      const Scalar speed_scale = Sqrt(normal_squared * to_.k.squaredNorm()) + shares.speed_scale + Abs(columns->b);
      if (columns->b < -kBlockedShare<Scalar> * speed_scale) NoteContradiction(*columns, speed_scale, Sqrt(normal_left));
      return false;
    }
    columns->normal_scale = Sqrt(normal_left);
    columns->N /= columns->normal_scale;
    columns->b /= columns->normal_scale;
    columns->b_clear /= columns->normal_scale;
    if constexpr (kCapacity.compliant) columns->epsilon /= normal_left;
    if constexpr (Problem::kHasJoints) columns->held_mu = Scalar(0);
    if (!(tangent_left > kBlocked * tangent_squared)) {  // cannot slip by itself: friction only loads the joints
      if constexpr (Problem::kHasJoints) columns->held_mu = columns->mu / columns->normal_scale;
      columns->mu = Scalar(0);
      columns->is_held = true;
      columns->tangent_scale = Scalar(1);
      return true;
    }
    columns->tangent_scale = Sqrt(tangent_left);
    columns->T /= columns->tangent_scale;
    columns->tau /= columns->tangent_scale;
    columns->mu *= columns->tangent_scale / columns->normal_scale;
    return true;
  }

  // |P a|² = |a|² - |Qᵀa|², to 100 roundings; what is less than a hundredth of |a|² is projected before it is squared.
  static bool LosesDigits(Scalar left, Scalar squared) { return !(left > Scalar(0.01) * squared); }
  Scalar SquaredNormLeft(const typename Problem::ContactColumns& contact, const typename Problem::Column& a, Scalar squared,
                         Scalar taken) const {
    const Scalar left = squared - taken;
    return LosesDigits(left, squared) ? ProjectedSquaredNorm(contact, a) : left;
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
