#pragma once
// The verdict's bodies and joints (judge.h has its law and its contacts).
#include <array>
#include <cstdint>
#include <limits>

#include "tactus/contact/contact_problem.h"
#include "tactus/contact/contact_solution.h"
#include "tactus/contact/lever.h"
#include "tactus/contact/verdict.h"
#include "tactus/core/capacity.h"
#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"

namespace tactus {

/// What of a problem is judged, and how it was solved.
template <class Scalar, Capacity kCapacity>
struct JudgeOptions {
  const std::array<std::int16_t, kCapacity.bodies>* place = nullptr;  ///< one island's bodies, -1: another's; nullptr: all
  Scalar max_push_out_mps = Scalar(0);                                ///< WhitenOptions: > 0: Φ/h ≥ -max_push_out_mps
  Scalar limit = kVerdictShare<Scalar>;                               ///< loads count where `contact` is more than this
};

namespace internal {

// Of J/tr J, for in float the determinant of a small J is zero: a body of 10⁻⁵ kg and 0.1 mm has 10⁻³⁹.
template <class Scalar>
Mat<Scalar, 3, 3> InverseByCofactors(const Mat<Scalar, 3, 3>& J) {
  const Scalar per_trace = Scalar(1) / (J(0, 0) + J(1, 1) + J(2, 2));
  const Scalar a = J(0, 0) * per_trace, b = J(1, 1) * per_trace, c = J(2, 2) * per_trace;
  const Scalar d = J(1, 0) * per_trace, e = J(2, 0) * per_trace, f = J(2, 1) * per_trace;
  const Scalar aa = b * c - f * f, bb = a * c - e * e, cc = a * b - d * d;
  const Scalar ba = e * f - d * c, ca = d * f - e * b, cb = d * e - a * f;
  Mat<Scalar, 3, 3> inverse;
  inverse << aa, ba, ca, ba, bb, cb, ca, cb, cc;
  const Scalar determinant = a * aa + d * ba + e * ca;
  inverse *= determinant > Scalar(0) ? per_trace / determinant : Scalar(0);  // rounding alone makes it ≤ 0
  return inverse;
}
template <class Scalar>
Mat<Scalar, 1, 1> InverseByCofactors(const Mat<Scalar, 1, 1>& J) {
  return Mat<Scalar, 1, 1>(Scalar(1) / J(0, 0));
}

/// The bodies' free motion first, and when all impulses are known their motion, the rows of their joints, the energy.
template <class Scalar, Capacity kCapacity>
class BodyJudge {
 public:
  using Problem = ContactProblem<Scalar, kCapacity>;
  using Solution = ContactSolution<Scalar, kCapacity>;

 protected:
  static constexpr int kDof = kCapacity.dof, kLinear = LinearSize(kDof), kAngular = AngularSize(kDof);
  using Point = Vec<Scalar, kLinear>;
  using Spin = Vec<Scalar, kAngular>;
  using Twist = Vec<Scalar, kDof>;

  BodyJudge(const Problem& problem, const Solution& answer, const JudgeOptions<Scalar, kCapacity>& options)
      : problem_(problem), answer_(answer), options_(options) {}

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
    Scalar free_size;                                          // √(v_fᵀ M v_f); for joints and slender bodies alone
    const Point* position;                                     // of the problem
    const Twist* after;                                        // of the answer
    bool is_joined;                                            // a joint's row is about it
    bool is_slender;                                           // its fast spin may be worth next to no energy
  };

  void LookAtBodies() {
    for (int k = 0; k < problem_.bodies.size(); ++k) {
      if (TakesPart(k)) Look(k);
    }
  }

  // The contacts' impulses are known by then.
  void JudgeJointsAndMotions() {
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
  }

  // Loads that hold each other on a body at rest do not show in its motion, but their rounding does. So an impulse J counts
  // as kRounding of the motion that it makes by itself: |v| ≤ √(JᵀM⁻¹J)/√m, |ω| ≤ √(JᵀM⁻¹J) √(tr I⁻¹). A body whose
  // free motion is more than the rounding of its loads has its own scale. In float that is every one that has a free motion:
  // under loads of 10⁶ times its weight a light body would be excused from real motion (2 of 2 308 stacks with such masses).
  [[gnu::cold, gnu::noinline]] void CountLoads() {
    for (int j = 0; j < problem_.joints.size(); ++j) {
      if (TakesPart(problem_.joints[j])) AddJointImpulse(j);
    }
    for (int k = 0; k < problem_.bodies.size(); ++k) {
      if (!TakesPart(k)) continue;
      BodyView& view = bodies_[k];
      const Scalar size = view.impulse_size, speed = size * Sqrt(view.inverse_mass),
                   spin = size * Sqrt(view.inverse_inertia.trace());
      constexpr Scalar kRest = sizeof(Scalar) == sizeof(double) ? std::numeric_limits<Scalar>::epsilon() : Scalar(0);
      const Scalar free = Sqrt(view.free.template head<kLinear>().squaredNorm()),
                   free_spin = Sqrt(view.free.template tail<kAngular>().squaredNorm());
      if (free <= kRest * speed && free_spin <= kRest * spin) {
        view.speed = Max(view.speed, kRounding * speed);
        view.spin = Max(view.spin, kRounding * spin);
        if (view.is_slender) view.free_size = Max(view.free_size, kRounding * size);
      }
      ForgetImpulses(&view);
    }
    given_energy_ = Scalar(0);
    verdict_ = {};
  }

  static bool Worsen(Scalar violation, Scalar* worst) {
    if (violation <= *worst || *worst != *worst) return false;
    *worst = violation;  // NaN is worse than any number
    return true;
  }

  // What has no square is nothing: 1e-154, in float 1e-19.
  static constexpr Scalar kNothing = sizeof(Scalar) == sizeof(double) ? Scalar(1e-154) : Scalar(1e-19);

  static Scalar Share(Scalar violation, Scalar scale) {
    if (Abs(violation) <= kNothing) return Scalar(0);
    return Abs(violation) / scale;
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

  const Problem& problem_;
  const Solution& answer_;
  const JudgeOptions<Scalar, kCapacity> options_;
  std::array<BodyView, kCapacity.bodies> bodies_;
  bool has_slender_ = false;
  Scalar given_energy_ = Scalar(0);  // by contacts and joints, at most
  Verdict<Scalar> verdict_;

 private:
  // What other contacts make of a body that was at rest counts little for this one: so much that rounding is excused.
  static constexpr Scalar kAfter = Scalar(1) / Scalar(128);

  void Look(int k) {
    const auto& body = problem_.bodies[k];
    const Twist& after = answer_.velocity[k];
    BodyView& view = bodies_[k];
    view.position = &body.position_m;
    view.after = &after;
    view.inverse_mass = Scalar(1) / body.mass_kg;
    view.inertia = body.inertia_kgm2;
    for (int x = 0; x < kAngular; ++x) {
      for (int y = x + 1; y < kAngular; ++y) view.inertia(x, y) = view.inertia(y, x);
    }
    view.inverse_inertia = InverseByCofactors(view.inertia);
    const Spin torque = body.wrench.template tail<kAngular>();
    view.free << body.velocity.template head<kLinear>() +
                     problem_.step_s * view.inverse_mass * body.wrench.template head<kLinear>(),
        body.velocity.template tail<kAngular>() + problem_.step_s * Times(view.inverse_inertia, torque);
    const Scalar speed = view.free.template head<kLinear>().squaredNorm();
    const Spin spin = view.free.template tail<kAngular>();
    view.speed = Sqrt(Max(speed, kAfter * kAfter * after.template head<kLinear>().squaredNorm()));
    view.spin = Sqrt(Max(spin.squaredNorm(), kAfter * kAfter * after.template tail<kAngular>().squaredNorm()));
    const Point free = view.free.template head<kLinear>(), momentum = body.mass_kg * free;  // |free|² may be 0
    const Scalar energy = momentum.dot(free) + Abs(spin.dot(Times(view.inertia, spin)));
    free_energy_ += energy;
    view.is_slender = IsSlender(view);
    has_slender_ = has_slender_ || view.is_slender;
    if (kCapacity.joints > 0 || view.is_slender) view.free_size = Sqrt(energy);
    ForgetImpulses(&view);
  }

  static void ForgetImpulses(BodyView* view) {
    view->impulse.setZero();
    view->impulse_size = Scalar(0);
    view->is_joined = false;
  }

  // Some axis has a thousandth of another one's inertia.
  static bool IsSlender(const BodyView& view) {
    constexpr Scalar kShare = Scalar(1e-3);
    if constexpr (kDof == 3) return false;
    return kShare * view.inertia.trace() * view.inverse_inertia.trace() > Scalar(1);
  }

  // √(pᵀM⁻¹p)
  static Scalar KineticNorm(const BodyView& view, const Twist& p) {
    const Spin angular = p.template tail<kAngular>();
    const Point linear = p.template head<kLinear>(), velocity = view.inverse_mass * linear;  // |p|² may be infinite
    return Sqrt(velocity.dot(linear) + Abs(angular.dot(Times(view.inverse_inertia, angular))));
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
    const Spin turn = change.template tail<kAngular>();
    p.template tail<kAngular>() += Times(view.inertia, turn);
    gained_energy_ += p.dot(answer_.velocity[k] + view.free) / Scalar(2);
    const Spin spin = body.velocity.template tail<kAngular>();
    const Scalar before = Sqrt(body.mass_kg * body.velocity.template head<kLinear>().squaredNorm() +
                               Abs(spin.dot(Times(view.inertia, spin)))) +
                          KineticNorm(view, pull);
    before_energy_ += before * before;
    p -= view.impulse;
    Scalar scale = before + view.impulse_size;
    if (view.is_joined) scale += kRounding * Sqrt(free_energy_);
    if (Worsen(Share(KineticNorm(view, p), scale), &verdict_.motion)) verdict_.worst_body = k;
  }

  // 16 ε, as a multiple of the share that an answer called solved may miss (VerdictLimits: 2e-7, in float 2e-3).
  static constexpr Scalar kRounding = sizeof(Scalar) == sizeof(double) ? Scalar(1.8e-8) : Scalar(1e-3);

  Scalar free_energy_ = Scalar(0), before_energy_ = Scalar(0), gained_energy_ = Scalar(0);
};

}  // namespace internal

}  // namespace tactus
