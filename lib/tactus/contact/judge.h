#pragma once
// Nothing here is whitened or factored: a mistake that the solvers share cannot hide from it. J⁻¹ by cofactors is a
// yardstick only: a needle's may be off by a digit, and no violation goes through it. With v of the answer
//
//     ν = n·v_rel + Φ/h - n·w + ε θ                0 ≤ ν ⊥ θ ≥ 0                                   (3)
//     t_j = d_j·(v_rel - w),  λ = max(0, max_j -t_j),  σ_j = t_j + λ     0 ≤ σ ⊥ φ ≥ 0              (4)
//     γ = μθ - Σφ                                  0 ≤ γ ⊥ λ ≥ 0                                   (5)
//
// On the round cone, with f = Σ φ_j d_j, s the slip and A that of the tangent plane, in place of (4) and (5)
//
//     A f = P(A f - s; A μθ),  P(y; r) = y min(1, r/|y|);   λ = |s|,  σ = s·f/|f| + λ,  γ = μθ - |f|                 (R1)
//
// An impulse is compared with a speed through A = nᵀM⁻¹n, the speed that one N·s gives its own contact. A contact's scale is
// the speed that its own bodies' free motion, its own impulse, gap and surface make there: s = Σ_k(|v_f,k| + |ω_f,k||r_k|) +
// |w| + max(-Φ/h, 0) + Aθ, of a slender body's motion no more than √(dᵀM⁻¹d) √(v_fᵀM v_f). That of a joint's row is made of
// the same, of its own impulse and, for rounding's sake, of a small share of all that its bodies' free motion and impulses
// can do to it. Where a contact seems to miss its law the rounding of these impulses counts too: on a body at rest that
// carries others' loads a contact without one has no scale but their rounding.
#include <array>

#include "tactus/contact/contact_problem.h"
#include "tactus/contact/contact_solution.h"
#include "tactus/contact/friction_frame.h"
#include "tactus/contact/friction_law.h"
#include "tactus/contact/gap_speed.h"
#include "tactus/contact/judge_bodies.h"
#include "tactus/contact/lever.h"
#include "tactus/contact/verdict.h"
#include "tactus/core/capacity.h"
#include "tactus/core/scalar.h"

namespace tactus {

namespace internal {

/// An answer's contacts, on top of its bodies and joints.
template <class Scalar, Capacity kCapacity>
class Judge : BodyJudge<Scalar, kCapacity> {
  using Base = BodyJudge<Scalar, kCapacity>;
  using Base::AddImpulse;
  using Base::answer_;
  using Base::bodies_;
  using Base::given_energy_;
  using Base::kDof;
  using Base::kNothing;
  using Base::options_;
  using Base::problem_;
  using Base::Share;
  using Base::TakesPart;
  using Base::verdict_;
  using Base::Worsen;
  using typename Base::BodyView;
  using typename Base::Point;
  using typename Base::Problem;
  using typename Base::Solution;
  using typename Base::Spin;

 public:
  using Directions = std::array<Vec<Scalar, TangentSize(kCapacity.dof)>, kCapacity.directions>;

  /// @param directions  the problem's (FillDirections)
  Judge(const Problem& problem, const Solution& answer, const JudgeOptions<Scalar, kCapacity>& options,
        const Directions& directions)
      : Base(problem, answer, options), direction_(directions) {}

  Verdict<Scalar> Run() {
    this->LookAtBodies();
    JudgeContacts();
    if (!(verdict_.contact <= options_.limit && verdict_.penetration <= kVerdictShare<Scalar>)) {
      this->CountLoads();
      JudgeContacts();
    }
    this->JudgeJointsAndMotions();
    return verdict_;
  }

  /// What Penetrates() needs, in place of Run().
  void Look() { this->LookAtBodies(); }

  /// After Run() or Look(): whether a contact closes beyond its gap by more than `limit` of its scale.
  /// @param as_given  false: an overlap need not be undone
  [[gnu::cold]] bool Penetrates(int i, Scalar limit, bool as_given) const {
    const PhysicalContact& contact = problem_.contacts[i];
    const View view = ViewOf(contact);
    const Scalar gap_speed = GapSpeed(contact), w = contact.surface_normal_velocity_mps, b = gap_speed - w;
    const Scalar nu = contact.normal.dot(view.v) + (as_given ? b : Max(gap_speed, Scalar(0)) - w);
    return !(nu >= -limit * (ReachAlong(&contact.normal, 1, view, Reach(view)) + Abs(b)) - kNothing);
  }

 private:
  static constexpr int kTangent = TangentSize(kDof);
  using Tangential = Vec<Scalar, kTangent>;
  using PhysicalContact = Contact<Scalar, kDof>;

  // One side of a contact.
  struct Side {
    int body;
    Scalar sign;
    Point lever;
  };

  Scalar Mobility(const Side& side, const Point& d) const {
    const BodyView& view = bodies_[side.body];
    const Spin moment = Moment(side.lever, d);
    return view.inverse_mass + Abs(moment.dot(Times(view.inverse_inertia, moment)));
  }

  // A contact's sides, of one body one, and its velocity.
  struct View {
    static constexpr int kMost = kCapacity.bodies == 1 ? 1 : 2;
    Side sides[kMost];
    int sides_there = 0;
    Point v = Point::Zero();

    int count() const { return kMost == 1 ? 1 : sides_there; }
  };

  View ViewOf(const PhysicalContact& contact) const {
    View view;
    if constexpr (View::kMost == 1) {
      AddSide(0, contact.a != kFixed ? Scalar(1) : Scalar(-1), contact, &view);
    } else {
      if (contact.a != kFixed) AddSide(contact.a, Scalar(1), contact, &view);
      if (contact.b != kFixed) AddSide(contact.b, Scalar(-1), contact, &view);
    }
    return view;
  }
  void AddSide(int body, Scalar sign, const PhysicalContact& contact, View* view) const {
    Side& side = view->sides[view->sides_there++];
    side = {body, sign, contact.point_m - *bodies_[body].position};
    view->v += sign * VelocityAt(*bodies_[body].after, side.lever);
  }

  // n·v_rel, all that an open contact needs.
  Scalar NormalSpeed(const PhysicalContact& contact) const {
    if constexpr (View::kMost == 1) return contact.a != kFixed ? NormalSpeed(contact, 0) : -NormalSpeed(contact, 0);
    Scalar speed(0);
    if (contact.a != kFixed) speed += NormalSpeed(contact, contact.a);
    if (contact.b != kFixed) speed -= NormalSpeed(contact, contact.b);
    return speed;
  }
  Scalar NormalSpeed(const PhysicalContact& contact, int body) const {
    const BodyView& view = bodies_[body];
    return contact.normal.dot(VelocityAt(*view.after, Point(contact.point_m - *view.position)));
  }

  // Σ_k(|v_f,k| + |ω_f,k||r_k|)
  Scalar Reach(const View& view) const {
    Scalar reach(0);
    for (int s = 0; s < view.count(); ++s) reach += Reach(view.sides[s]);
    return reach;
  }
  Scalar Reach(const Side& side) const {
    return bodies_[side.body].speed + bodies_[side.body].spin * Sqrt(side.lever.squaredNorm());
  }

  // The same along `count` directions d, the largest.
  Scalar ReachAlong(const Point* d, int count, const View& view, Scalar reach) const {
    return this->has_slender_ ? SlenderReachAlong(d, count, view) : reach;
  }

  // A slender body may spin fast about its axis: that has no energy to give, and d does not see it. √(dᵀM⁻¹d) √(v_fᵀM v_f)
  // is the most that d can see of v_f. Cold: not in the boards' fast memory.
  [[gnu::cold, gnu::noinline]] Scalar SlenderReachAlong(const Point* d, int count, const View& view) const {
    Scalar largest(0);
    for (int t = 0; t < count; ++t) {
      Scalar along(0);
      for (int s = 0; s < view.count(); ++s) {
        const Side& side = view.sides[s];
        const BodyView& body = bodies_[side.body];
        along += body.is_slender ? Min(Reach(side), Sqrt(Mobility(side, d[t])) * body.free_size) : Reach(side);
      }
      largest = Max(largest, along);
    }
    return largest;
  }

  // Most contacts are open. The others are judged elsewhere, so that this loop keeps what it needs in registers: a tick of
  // the demonstration takes 700 instructions less.
  [[gnu::noinline]] void JudgeContacts() {
    int i = -1;
    for (const PhysicalContact& contact : problem_.contacts) {
      ++i;
      if (!TakesPart(contact)) continue;
      const Scalar gap_speed = GapSpeed(contact), nu_without = NormalSpeed(contact);
      const bool loaded = answer_.impulse.IsLoaded(i);
      const Scalar b = gap_speed - contact.surface_normal_velocity_mps;
      if (loaded || !(nu_without + b >= Scalar(0))) JudgeContact(i, contact, gap_speed, nu_without, loaded);
    }
  }

  [[gnu::noinline]] void JudgeContact(int i, const PhysicalContact& contact, Scalar gap_speed, Scalar nu_without,
                                      bool loaded) {
    const Scalar theta = answer_.impulse.normal_Ns(i), b = gap_speed - contact.surface_normal_velocity_mps;
    const View view = ViewOf(contact);
    const Scalar reach = Reach(view);
    Scalar scale =
        ReachAlong(&contact.normal, 1, view, reach) + Abs(contact.surface_normal_velocity_mps) + Max(-gap_speed, Scalar(0));
    Scalar theta_speed(0);
    if (loaded) {
      Scalar mobility(0);
      for (int s = 0; s < view.count(); ++s) mobility += Mobility(view.sides[s], contact.normal);
      theta_speed = mobility * theta;
      scale += Abs(theta_speed);
    }
    Found found{Scalar(0), nu_without + b + contact.compliance_mps_per_Ns * theta, Scalar(0), Scalar(0)};
    found.violation = Share(Min(found.nu, theta_speed), scale);
    const Scalar nu_clear = nu_without + Max(gap_speed, Scalar(0)) - contact.surface_normal_velocity_mps;
    const Scalar pressed = Share(Min(nu_clear, Scalar(0)), scale);
    if (contact.compliance_mps_per_Ns == Scalar(0)) Worsen(pressed, &verdict_.penetration);
    if (loaded) {
      given_energy_ -= b * theta;
      JudgeFriction(i, contact, view, reach, &found);
    }
    if (!Worsen(found.violation, &verdict_.contact)) return;
    verdict_.worst_contact = i;
    verdict_.nu_mps = found.nu;
    verdict_.sigma_mps = found.sigma;
    verdict_.gamma_Ns = found.gamma;
  }

  Scalar GapSpeed(const PhysicalContact& contact) const {
    return internal::GapSpeed<kCapacity>(contact, problem_.step_s, options_.max_push_out_mps);
  }

  struct Found {
    Scalar violation, nu, sigma, gamma;
  };

  void JudgeFriction(int i, const PhysicalContact& contact, const View& view, Scalar reach, Found* found) {
    const Point& x = answer_.tangent[i];
    Point axes[kTangent];
    axes[0] = x;
    if constexpr (kTangent == 2) axes[1] = Moment(contact.normal, x);
    Tangential slip;
    Scalar mobility(0), scale = ReachAlong(axes, kTangent, view, reach);
    for (int t = 0; t < kTangent; ++t) {
      slip(t) = axes[t].dot(view.v) - contact.surface_velocity_mps(t);
      scale += Abs(contact.surface_velocity_mps(t));
      for (int s = 0; s < view.count(); ++s) mobility += Mobility(view.sides[s], axes[t]) / Scalar(kTangent);
    }
    const Scalar theta = answer_.impulse.normal_Ns(i);
    const Scalar mu = FrictionOf(problem_, answer_, i);
    scale += mobility * Max(mu, Scalar(1)) * Abs(theta);
    const Tangential friction = answer_.impulse.FrictionAlong(direction_, i);
    const bool round = kTangent == 2 && answer_.ConeOf(i) == Cone::kRound;
    const Scalar worst = round ? RoundViolation(mu * theta, friction, slip, mobility, found)
                               : PolygonViolation(mu * theta, answer_.impulse.friction_Ns(i), slip, mobility, found);
    Worsen(Share(worst, scale), &found->violation);
    given_energy_ += friction.dot(contact.surface_velocity_mps);
    Point J = theta * contact.normal;
    for (int t = 0; t < kTangent; ++t) J += friction(t) * axes[t];
    for (int s = 0; s < view.count(); ++s) AddImpulse(view.sides[s].body, view.sides[s].sign * J, view.sides[s].lever);
  }

  // (4), (5). @param most  μθ
  Scalar PolygonViolation(Scalar most, const std::array<Scalar, kCapacity.directions>& phi, const Tangential& slip,
                          Scalar mobility, Found* found) const {
    std::array<Scalar, kCapacity.directions> along;
    Scalar lambda(0), total(0), worst(0);
    for (int j = 0; j < problem_.directions; ++j) {
      along[j] = direction_[j].dot(slip);
      lambda = Max(lambda, -along[j]);
      total += phi[j];
    }
    for (int j = 0; j < problem_.directions; ++j) {
      if (phi[j] == Scalar(0)) continue;
      const Scalar sigma = along[j] + lambda, violation = Min(sigma, mobility * phi[j]);
      if (Worsen(Abs(violation), &worst)) found->sigma = sigma;
    }
    found->gamma = most - total;
    Worsen(Abs(Min(mobility * found->gamma, lambda)), &worst);
    return worst;
  }

  // (R1). @param most  μθ
  static Scalar RoundViolation(Scalar most, const Tangential& friction, const Tangential& slip, Scalar mobility,
                               Found* found) {
    const Scalar size = Sqrt(Scalar(friction.squaredNorm())), speed = Sqrt(Scalar(slip.squaredNorm()));
    found->gamma = most - size;
    found->sigma = size > Scalar(0) ? slip.dot(friction) / size + speed : Scalar(0);
    const Tangential wanted = mobility * friction - slip;
    const Scalar length = Sqrt(Scalar(wanted.squaredNorm())), room = Max(mobility * most, Scalar(0));
    const Tangential nearest = length > room ? Tangential(wanted * (room / length)) : wanted;
    return Sqrt(Scalar((mobility * friction - nearest).squaredNorm()));
  }

  const Directions& direction_;
};

}  // namespace internal

/// Measures an answer against the problem as it was given: every contact, also those that a solver dropped or that joints
/// hold, every joint row, every body's motion, the energy. Needs velocity, impulse, joint_impulse_Ns and tangent.
template <class Scalar, Capacity kCapacity>
Verdict<Scalar> JudgeAnswer(const ContactProblem<Scalar, kCapacity>& problem,
                            const ContactSolution<Scalar, kCapacity>& answer) {
  typename internal::Judge<Scalar, kCapacity>::Directions directions;
  FillDirections<Scalar, kCapacity.dof>(problem.directions, problem.direction_offset_rad, directions.data());
  return internal::Judge<Scalar, kCapacity>(problem, answer, {}, directions).Run();
}

/// The same, with the problem's directions (FillDirections), which take most of the time of a small problem.
template <class Scalar, Capacity kCapacity>
Verdict<Scalar> JudgeAnswer(const ContactProblem<Scalar, kCapacity>& problem,
                            const ContactSolution<Scalar, kCapacity>& answer, const JudgeOptions<Scalar, kCapacity>& options,
                            const std::array<Vec<Scalar, TangentSize(kCapacity.dof)>, kCapacity.directions>& directions) {
  return internal::Judge<Scalar, kCapacity>(problem, answer, options, directions).Run();
}

}  // namespace tactus
