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
// |w| + max(-Φ/h, 0) + Aθ. That of a joint's row is made of the same, of its own impulse and, for rounding's sake, of a
// small share of all that its bodies' free motion and impulses can do to it.
#include <array>
#include <cstdint>
#include <limits>

#include "tactus/contact/contact_problem.h"
#include "tactus/contact/contact_solution.h"
#include "tactus/contact/friction_frame.h"
#include "tactus/contact/friction_law.h"
#include "tactus/contact/gap_speed.h"
#include "tactus/contact/lever.h"
#include "tactus/contact/verdict.h"
#include "tactus/core/capacity.h"
#include "tactus/core/scalar.h"

namespace tactus {

/// What of a problem is judged, and how it was solved.
template <class Scalar, Capacity kCapacity>
struct JudgeOptions {
  const std::array<std::int16_t, kCapacity.bodies>* place = nullptr;  ///< one island's bodies, -1: another's; nullptr: all
  Scalar max_push_out_mps = Scalar(0);                                ///< WhitenOptions: > 0: Φ/h ≥ -max_push_out_mps
};

namespace internal {

template <class Scalar>
Mat<Scalar, 3, 3> InverseByCofactors(const Mat<Scalar, 3, 3>& J) {
  const Scalar a = J(0, 0), b = J(1, 1), c = J(2, 2), d = J(1, 0), e = J(2, 0), f = J(2, 1);
  const Scalar aa = b * c - f * f, bb = a * c - e * e, cc = a * b - d * d;
  const Scalar ba = e * f - d * c, ca = d * f - e * b, cb = d * e - a * f;
  Mat<Scalar, 3, 3> inverse;
  inverse << aa, ba, ca, ba, bb, cb, ca, cb, cc;
  const Scalar determinant = a * aa + d * ba + e * ca;
  inverse *= determinant > Scalar(0) ? Scalar(1) / determinant : Scalar(0);  // rounding alone makes it ≤ 0
  return inverse;
}
template <class Scalar>
Mat<Scalar, 1, 1> InverseByCofactors(const Mat<Scalar, 1, 1>& J) {
  return Mat<Scalar, 1, 1>(Scalar(1) / J(0, 0));
}

template <class Scalar, Capacity kCapacity>
class Judge {
 public:
  using Problem = ContactProblem<Scalar, kCapacity>;
  using Solution = ContactSolution<Scalar, kCapacity>;

  using Directions = std::array<Vec<Scalar, TangentSize(kCapacity.dof)>, kCapacity.directions>;

  /// @param directions  the problem's (FillDirections)
  Judge(const Problem& problem, const Solution& answer, const JudgeOptions<Scalar, kCapacity>& options,
        const Directions& directions)
      : problem_(problem), answer_(answer), options_(options), direction_(directions) {}

  Verdict<Scalar> Run() {
    for (int k = 0; k < problem_.bodies.size(); ++k) {
      if (TakesPart(k)) Look(k);
    }
    for (int i = 0; i < problem_.contacts.size(); ++i) {
      if (TakesPart(problem_.contacts[i])) JudgeContact(i);
    }
    for (int j = 0; j < problem_.joints.size(); ++j) {
      if (TakesPart(problem_.joints[j])) AddJointImpulse(j);
    }
    for (int j = 0; j < problem_.joints.size(); ++j) {
      if (TakesPart(problem_.joints[j])) JudgeJoint(j);
    }
    for (int k = 0; k < problem_.bodies.size(); ++k) {
      if (TakesPart(k)) JudgeMotion(k);
    }
    const Scalar excess = gained_energy_ - Max(given_energy_, Scalar(0));
    const Scalar rounding = std::numeric_limits<Scalar>::epsilon() * before_energy_;
    verdict_.energy = excess == Scalar(0) ? Scalar(0) : excess / (free_energy_ + Abs(given_energy_) + rounding);
    return verdict_;
  }

  /// After Run(): whether a contact closes beyond its gap by more than `limit` of its scale.
  /// @param as_given  false: an overlap need not be undone
  bool Penetrates(int i, Scalar limit, bool as_given) const {
    const PhysicalContact& contact = problem_.contacts[i];
    const View view = ViewOf(contact);
    const Scalar gap_speed = GapSpeed(contact), w = contact.surface_normal_velocity_mps, b = gap_speed - w;
    const Scalar nu = contact.normal.dot(view.v) + (as_given ? b : Max(gap_speed, Scalar(0)) - w);
    return !(nu >= -limit * (Reach(view) + Abs(b)) - kNothing);
  }

 private:
  static constexpr int kDof = kCapacity.dof, kLinear = LinearSize(kDof), kAngular = AngularSize(kDof);
  static constexpr int kTangent = TangentSize(kDof);
  using Point = Vec<Scalar, kLinear>;
  using Spin = Vec<Scalar, kAngular>;
  using Twist = Vec<Scalar, kDof>;
  using Tangential = Vec<Scalar, kTangent>;
  using PhysicalContact = Contact<Scalar, kDof>;

  bool TakesPart(int body) const {
    if constexpr (kCapacity.bodies == 1) return true;
    return options_.place == nullptr || (*options_.place)[body] >= 0;
  }
  template <class Connection>
  bool TakesPart(const Connection& connection) const {
    return TakesPart(connection.a != kFixed ? connection.a : connection.b);
  }

  struct BodyView {
    Mat<Scalar, kAngular, kAngular> inertia, inverse_inertia;  // of the lower triangle, as everywhere
    Scalar inverse_mass, speed, spin;                          // the larger: free, or kAfter of the one after
    Twist free;                                                // v_f = v0 + h M⁻¹ f
    Twist impulse;                                             // of contacts and joints, about the centre of mass
    Scalar impulse_size;                                       // Σ √(JᵀM⁻¹J) of each
    Scalar free_size;                                          // √(v_fᵀ M v_f); for joints alone
    bool is_joined;                                            // a joint's row is about it
  };

  // One side of a contact.
  struct Side {
    int body;
    Scalar sign;
    Point lever;
  };

  static bool Worsen(Scalar violation, Scalar* worst) {
    if (violation <= *worst || *worst != *worst) return false;
    *worst = violation;  // NaN is worse than any number
    return true;
  }

  // What other contacts make of a body that was at rest counts little for this one: so much that rounding is excused.
  static constexpr Scalar kAfter = Scalar(1) / Scalar(128);

  void Look(int k) {
    const auto& body = problem_.bodies[k];
    const Twist& after = answer_.velocity[k];
    BodyView& view = bodies_[k];
    view.inverse_mass = Scalar(1) / body.mass_kg;
    view.inertia = body.inertia_kgm2;
    for (int x = 0; x < kAngular; ++x) {
      for (int y = x + 1; y < kAngular; ++y) view.inertia(x, y) = view.inertia(y, x);
    }
    view.inverse_inertia = InverseByCofactors(view.inertia);
    view.free << body.velocity.template head<kLinear>() +
                     problem_.step_s * view.inverse_mass * body.wrench.template head<kLinear>(),
        body.velocity.template tail<kAngular>() +
            problem_.step_s * (view.inverse_inertia * body.wrench.template tail<kAngular>());
    const Scalar speed = view.free.template head<kLinear>().squaredNorm();
    const Spin spin = view.free.template tail<kAngular>();
    view.speed = Sqrt(Max(speed, kAfter * kAfter * after.template head<kLinear>().squaredNorm()));
    view.spin = Sqrt(Max(spin.squaredNorm(), kAfter * kAfter * after.template tail<kAngular>().squaredNorm()));
    const Point free = view.free.template head<kLinear>(), momentum = body.mass_kg * free;  // |free|² may be 0
    const Scalar energy = momentum.dot(free) + Abs(spin.dot(view.inertia * spin));
    free_energy_ += energy;
    if constexpr (kCapacity.joints > 0) view.free_size = Sqrt(energy);
    view.impulse.setZero();
    view.impulse_size = Scalar(0);
    view.is_joined = false;
  }

  Scalar Mobility(const Side& side, const Point& d) const {
    const BodyView& view = bodies_[side.body];
    const Spin moment = Moment(side.lever, d);
    return view.inverse_mass + Abs(moment.dot(view.inverse_inertia * moment));
  }

  // A contact's two sides and its velocity.
  struct View {
    Side sides[2];
    int count = 0;
    Point v = Point::Zero();
  };

  View ViewOf(const PhysicalContact& contact) const {
    View view;
    for (const int body : {contact.a, contact.b}) {
      if (body == kFixed) continue;
      Side& side = view.sides[view.count++];
      side = {body, body == contact.a ? Scalar(1) : Scalar(-1), contact.point_m - problem_.bodies[body].position_m};
      view.v += side.sign * VelocityAt(answer_.velocity[body], side.lever);
    }
    return view;
  }

  // n·v_rel, all that an open contact needs.
  Scalar NormalSpeed(const PhysicalContact& contact) const {
    Scalar speed(0);
    if (contact.a != kFixed) speed += NormalSpeed(contact, contact.a);
    if (contact.b != kFixed) speed -= NormalSpeed(contact, contact.b);
    return speed;
  }
  Scalar NormalSpeed(const PhysicalContact& contact, int body) const {
    return contact.normal.dot(VelocityAt(answer_.velocity[body], Point(contact.point_m - problem_.bodies[body].position_m)));
  }

  // Σ_k(|v_f,k| + |ω_f,k||r_k|)
  Scalar Reach(const View& view) const {
    Scalar reach(0);
    for (int s = 0; s < view.count; ++s) {
      const BodyView& moving = bodies_[view.sides[s].body];
      reach += moving.speed + moving.spin * Sqrt(view.sides[s].lever.squaredNorm());
    }
    return reach;
  }

  // 16 ε, as a multiple of the share that an answer called solved may miss (VerdictLimits: 2e-7, in float 2e-3).
  static constexpr Scalar kRoundingOfJoints = sizeof(Scalar) == sizeof(double) ? Scalar(1.8e-8) : Scalar(1e-3);

  // What has no square is nothing: 1e-154, in float 1e-19.
  static constexpr Scalar kNothing = sizeof(Scalar) == sizeof(double) ? Scalar(1e-154) : Scalar(1e-19);

  static Scalar Share(Scalar violation, Scalar scale) {
    if (Abs(violation) <= kNothing) return Scalar(0);
    return Abs(violation) / scale;
  }

  void JudgeContact(int i) {
    const PhysicalContact& contact = problem_.contacts[i];
    const Scalar theta = answer_.impulse.normal_Ns(i), gap_speed = GapSpeed(contact);
    const Scalar b = gap_speed - contact.surface_normal_velocity_mps, nu_without = NormalSpeed(contact);
    const bool loaded = answer_.impulse.IsLoaded(i);
    if (!loaded && nu_without + b >= Scalar(0)) return;  // open: most are
    const View view = ViewOf(contact);
    const Scalar reach = Reach(view);
    Scalar scale = reach + Abs(contact.surface_normal_velocity_mps) + Max(-gap_speed, Scalar(0));
    Scalar theta_speed(0);
    if (loaded) {
      Scalar mobility(0);
      for (int s = 0; s < view.count; ++s) mobility += Mobility(view.sides[s], contact.normal);
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
      JudgeFriction(i, view, reach, &found);
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

  void JudgeFriction(int i, const View& view, Scalar reach, Found* found) {
    const PhysicalContact& contact = problem_.contacts[i];
    const Point& x = answer_.tangent[i];
    Point axes[kTangent];
    axes[0] = x;
    if constexpr (kTangent == 2) axes[1] = Moment(contact.normal, x);
    Tangential slip;
    Scalar mobility(0), scale = reach;
    for (int t = 0; t < kTangent; ++t) {
      slip(t) = axes[t].dot(view.v) - contact.surface_velocity_mps(t);
      scale += Abs(contact.surface_velocity_mps(t));
      for (int s = 0; s < view.count; ++s) mobility += Mobility(view.sides[s], axes[t]) / Scalar(kTangent);
    }
    const ContactImpulse<Scalar, kCapacity> impulse = answer_.impulse[i];
    const Scalar theta = impulse.normal_Ns;
    const Scalar mu = FrictionOf(problem_, answer_, i);
    scale += mobility * Max(mu, Scalar(1)) * Abs(theta);
    Tangential friction = Tangential::Zero();
    for (int j = 0; j < problem_.directions; ++j) friction += impulse.friction_Ns(j) * direction_[j];
    const bool round = kTangent == 2 && answer_.ConeOf(i) == Cone::kRound;
    const Scalar worst = round ? RoundViolation(mu * theta, friction, slip, mobility, found)
                               : PolygonViolation(mu * theta, impulse, slip, mobility, found);
    Worsen(Share(worst, scale), &found->violation);
    given_energy_ += friction.dot(contact.surface_velocity_mps);
    Point J = theta * contact.normal;
    for (int t = 0; t < kTangent; ++t) J += friction(t) * axes[t];
    for (int s = 0; s < view.count; ++s) AddImpulse(view.sides[s].body, view.sides[s].sign * J, view.sides[s].lever);
  }

  // (4), (5). @param most  μθ
  Scalar PolygonViolation(Scalar most, const ContactImpulse<Scalar, kCapacity>& impulse, const Tangential& slip,
                          Scalar mobility, Found* found) const {
    std::array<Scalar, kCapacity.directions> along;
    Scalar lambda(0), total(0), worst(0);
    for (int j = 0; j < problem_.directions; ++j) {
      along[j] = direction_[j].dot(slip);
      lambda = Max(lambda, -along[j]);
      total += impulse.friction_Ns(j);
    }
    for (int j = 0; j < problem_.directions; ++j) {
      const Scalar phi = impulse.friction_Ns(j), sigma = along[j] + lambda;
      const Scalar violation = Min(sigma, mobility * phi);
      if (phi != Scalar(0) && Worsen(Abs(violation), &worst)) found->sigma = sigma;
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

  void AddImpulse(int body, const Point& J, const Point& lever) {
    Twist impulse;
    impulse << J, Moment(lever, J);
    AddImpulse(body, impulse);
  }
  void AddImpulse(int body, const Twist& impulse) {
    BodyView& view = bodies_[body];
    view.impulse += impulse;
    view.impulse_size += KineticNorm(view, impulse);
  }
  // √(pᵀM⁻¹p)
  static Scalar KineticNorm(const BodyView& view, const Twist& p) {
    const Spin angular = p.template tail<kAngular>();
    const Point linear = p.template head<kLinear>(), velocity = view.inverse_mass * linear;  // |p|² may be infinite
    return Sqrt(velocity.dot(linear) + Abs(angular.dot(view.inverse_inertia * angular)));
  }

  void AddJointImpulse(int j) {
    const auto& joint = problem_.joints[j];
    const Scalar c = answer_.joint_impulse_Ns[j];
    if (joint.a != kFixed) Join(joint.a, c * joint.jacobian_a);
    if (joint.b != kFixed) Join(joint.b, c * joint.jacobian_b);
    given_energy_ += joint.speed * c;
  }

  void Join(int body, const Twist& impulse) {
    bodies_[body].is_joined = true;
    AddImpulse(body, impulse);
  }

  // After all impulses: rows that hold each other make motions that cancel, and a body may move where a row sees nothing.
  // What rounding leaves of that is no motion of the row: a momentum p moves it by at most √(J M⁻¹ Jᵀ) √(pᵀ M⁻¹ p).
  void JudgeJoint(int j) {
    const auto& joint = problem_.joints[j];
    Scalar violation = -joint.speed, scale = Abs(joint.speed), mobility(0);
    const Scalar c = answer_.joint_impulse_Ns[j];
    const auto add = [&](int body, const Twist& jacobian) {
      if (body == kFixed) return;
      const BodyView& view = bodies_[body];
      violation += jacobian.dot(answer_.velocity[body]);
      scale += Sqrt(jacobian.template head<kLinear>().squaredNorm()) * view.speed +
               Sqrt(jacobian.template tail<kAngular>().squaredNorm()) * view.spin;
      const Scalar length = KineticNorm(view, jacobian);
      mobility += length * length;
      scale += kAfter * length * (view.free_size + view.impulse_size);
    };
    add(joint.a, joint.jacobian_a);
    add(joint.b, joint.jacobian_b);
    scale += mobility * Abs(c);
    const bool left_out = joint.yields && c == Scalar(0);
    if (!left_out && Worsen(Share(violation, scale), &verdict_.joint)) verdict_.worst_joint = j;
  }

  // p = M (v - v0) - h f - impulses = 0, in the kinetic norm. (|v|² - |v_f|²)/2 = (v + v_f)ᵀ(M (v - v0) - h f)/2 is no more
  // than -b·θ + w·Dφ + speed·c give, if they give at all. Where h f stops v0, what is left of v_f is rounding: so the scale
  // of the energy has a share ε of what v0 and h f have each. A body that joints hold still may have no motion and no load:
  // its impulses are then the rounding of those that hold its neighbours.
  void JudgeMotion(int k) {
    const auto& body = problem_.bodies[k];
    const BodyView& view = bodies_[k];
    const Twist change = answer_.velocity[k] - body.velocity, pull = problem_.step_s * body.wrench;
    Twist p = -pull;
    p.template head<kLinear>() += body.mass_kg * change.template head<kLinear>();
    p.template tail<kAngular>() += view.inertia * change.template tail<kAngular>();
    gained_energy_ += p.dot(answer_.velocity[k] + view.free) / Scalar(2);
    const Spin spin = body.velocity.template tail<kAngular>();
    const Scalar before =
        Sqrt(body.mass_kg * body.velocity.template head<kLinear>().squaredNorm() + Abs(spin.dot(view.inertia * spin))) +
        KineticNorm(view, pull);
    before_energy_ += before * before;
    p -= view.impulse;
    Scalar scale = before + view.impulse_size;
    if (view.is_joined) scale += kRoundingOfJoints * Sqrt(free_energy_);
    if (Worsen(Share(KineticNorm(view, p), scale), &verdict_.motion)) verdict_.worst_body = k;
  }

  const Problem& problem_;
  const Solution& answer_;
  const JudgeOptions<Scalar, kCapacity> options_;
  std::array<BodyView, kCapacity.bodies> bodies_;
  const Directions& direction_;
  Scalar free_energy_ = Scalar(0), before_energy_ = Scalar(0), gained_energy_ = Scalar(0), given_energy_ = Scalar(0);
  Verdict<Scalar> verdict_;
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
