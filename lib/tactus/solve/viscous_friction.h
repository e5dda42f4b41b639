#pragma once
#include <array>
#include <cstddef>

#include "tactus/contact/friction_law.h"
#include "tactus/contact/whitened_problem.h"
#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"
#include "tactus/solve/round/round_impulses.h"

namespace tactus {

/// What viscous friction adds to μ (docs/theory/friction.md, F1), in whitened variables. The loads θ are those of an earlier
/// answer, Θ is their sum over the contacts of the same two bodies.
///
/// Before the first solve of a step, from the last tick's answer: Predict(). Friction with given loads is a convex problem,
/// and its sweeps go through the contacts with
///
///     y = f - s/A      g = |y| where |y| ≤ μθ, else (μθ + c A |y|)/(1 + c A)      f := g y/|y|,  |s| := A (|y| - g)  (F3)
///
/// A: the largest mobility of the contact in its plane; c = h β s_t² θ/Θ. Implicit: no β reverses the slip or makes it
/// oscillate. One contact whose mobility has no direction and whose load stays is exact after one sweep.
///
/// After a solve, towards (F1) with its own slip and loads: Correct().
template <class Problem>
class ViscousFriction {
 public:
  using Scalar = typename Problem::Scalar;
  using Tangential = typename Problem::Tangential;

  /// Sets what is known of a whitened contact before it: its θ and f, c Θ/θ, and Θ, in its units.
  void Set(int i, Scalar theta, const Tangential& f, Scalar whole, Scalar pair_load) {
    const std::size_t I = static_cast<std::size_t>(i);
    impulses_.theta[I] = theta;
    impulses_.f[I] = f;
    whole_[I] = whole;
    pair_load_[I] = pair_load;
  }

  /// @param[in,out] problem  its μ are μ_d; viscous ones get c |s|/θ on top
  void Predict(Problem* problem) {
    // What changes within a tick is little: of contacts that share a load one sweep leaves off the viscous share of the
    // others.
    constexpr int kSweeps = 6;
    u_ = impulses_.VelocityFor(*problem);
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      for (int i = 0; i < problem->contacts.size(); ++i) {
        if (Carries(*problem, i)) Move(*problem, i);
      }
    }
    for (int i = 0; i < problem->contacts.size(); ++i) {
      if (!IsViscous(*problem, i)) continue;
      const Scalar speed = Carries(*problem, i) ? Move(*problem, i) : SlipSpeed(problem->contacts[i]);
      SetFriction(Share(speed, i), &problem->contacts[i]);
    }
  }

  /// What the answer's own slips and loads say of μ: sweeps of (F5) with the loads as they are. Contacts of one body, and
  /// bodies on each other, brake together.
  /// @param[in,out] problem     its μ are μ_d; viscous ones get c |s|/θ on top
  /// @param[in]     used        μ of the answer
  /// @param[in]     slip_share  see ErrorOf
  /// @returns how far the answer is from (F1): the largest error of a friction, as a share of its contact's scale
  template <class Numbers>
  Scalar Correct(const Numbers& used, Scalar slip_share, Problem* problem) {
    u_ = impulses_.VelocityFor(*problem);
    Scalar worst(0);
    for (int i = 0; i < problem->contacts.size(); ++i) {
      if (!Brakes(*problem, i)) continue;
      worst = Max(worst, ErrorOf(*problem, i, used[static_cast<std::size_t>(i)], slip_share));
      TakeFriction(i, used[static_cast<std::size_t>(i)], problem->contacts[i]);
    }
    constexpr int kSweeps = 24;  // of the 9 600 ticks at kViscousPasses 327 are not right; with 8 437, with 48 318
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      for (int i = 0; i < problem->contacts.size(); ++i) {
        if (Brakes(*problem, i)) Brake(*problem, i);
      }
    }
    for (int i = 0; i < problem->contacts.size(); ++i) {
      if (!IsViscous(*problem, i)) continue;
      auto& contact = problem->contacts[i];
      SetFriction(Share(SlipSpeed(contact), i), &contact);
    }
    return worst;
  }

  /// Whether the contact has a part in the answer's friction that depends on its slip.
  bool Brakes(const Problem& problem, int i) const { return IsViscous(problem, i) && Carries(problem, i); }

 private:
  using Columns = typename Problem::ContactColumns;
  using Numbers = std::array<Scalar, static_cast<std::size_t>(Problem::kCapacity.contacts)>;

  // Joints that keep a contact from slipping leave it no viscous friction either.
  bool Carries(const Problem& problem, int i) const {
    return impulses_.theta[static_cast<std::size_t>(i)] > Scalar(0) && !problem.contacts[i].is_held;
  }
  bool IsViscous(const Problem& problem, int i) const {
    const std::size_t I = static_cast<std::size_t>(i);
    return whole_[I] > Scalar(0) && pair_load_[I] > Scalar(0) && !problem.contacts[i].is_held;
  }

  Tangential Slip(const Columns& contact) const { return Problem::TangentDot(contact, u_) + contact.tau; }
  Scalar SlipSpeed(const Columns& contact) const { return Norm(Slip(contact)); }

  // The larger eigenvalue of TᵀT, of a column that joints have not shortened.
  static Scalar Mobility(const Columns& contact) {
    const Scalar x = contact.T.col(0).squaredNorm();
    if constexpr (Problem::kTangent == 1) {
      return x;
    } else {
      const Scalar y = contact.T.col(1).squaredNorm(), xy = contact.T.col(0).dot(contact.T.col(1)),
                   half = (x - y) / Scalar(2);
      return (x + y) / Scalar(2) + Sqrt(half * half + xy * xy);
    }
  }

  // c
  Scalar Own(int i) const {
    const std::size_t I = static_cast<std::size_t>(i);
    return pair_load_[I] > Scalar(0) ? whole_[I] * (impulses_.theta[I] / pair_load_[I]) : Scalar(0);
  }
  // c |s|/θ; infinite where Θ is next to nothing
  Scalar Share(Scalar speed, int i) const {
    const std::size_t I = static_cast<std::size_t>(i);
    return whole_[I] * speed / pair_load_[I];
  }

  // (F3). @returns |s|
  Scalar Move(const Problem& problem, int i) {
    const std::size_t I = static_cast<std::size_t>(i);
    const Columns& contact = problem.contacts[i];
    const Scalar A = Mobility(contact);
    const Tangential y = impulses_.f[I] - Slip(contact) / A;
    const Scalar length = Norm(y), g = Prox(i, contact, length, A);
    Tangential f = Tangential::Zero();
    if (length > Scalar(0)) f = y * (g / length);
    Problem::AddTo(contact, Problem::TangentColumn(contact, f - impulses_.f[I]), Scalar(1), &u_);
    problem.Project(&u_);
    impulses_.f[I] = f;
    return A * (length - g);
  }

  // |μ_d + c |s|/θ - μ|, of the friction's speed A θ, as a share of A θ + |s|. A slip is right to the τ_f of the
  // ratio test, `slip_share` of what may be left: so much more is left where c A is large.
  Scalar ErrorOf(const Problem& problem, int i, Scalar used, Scalar slip_share) const {
    const Columns& contact = problem.contacts[i];
    const Scalar A = Mobility(contact), speed = SlipSpeed(contact), theta = impulses_.theta[static_cast<std::size_t>(i)];
    const Scalar wanted = Bounded(Share(speed, i), contact) + contact.mu;
    const Scalar scale = A * theta * contact.tangent_scale / contact.normal_scale + speed;
    return A * theta * Abs(wanted - used) / scale / Max(Scalar(1), Own(i) * A * slip_share);
  }

  // Faster than a millionth of what its friction has taken from it: below that the slip may be the tolerance of (R1).
  bool Slips(int i, Scalar used, const Columns& contact) const {
    constexpr Scalar kSlips = Scalar(1e-6);
    return SlipSpeed(contact) > kSlips * Mobility(contact) * used * impulses_.theta[static_cast<std::size_t>(i)];
  }

  // f of a contact that slips is μθ long: Σφ is, on the polygon.
  void TakeFriction(int i, Scalar used, const Columns& contact) {
    if (!Slips(i, used, contact)) return;
    const std::size_t I = static_cast<std::size_t>(i);
    const Tangential s = Slip(contact);
    Tangential& f = impulses_.f[I];
    const Scalar length = Norm(f), most = used * impulses_.theta[I];
    f = length > Scalar(0) ? Tangential(f * (most / length)) : Tangential(s * (-most / SlipSpeed(contact)));
  }

  // (F5) along its friction where that is against the slip: on the polygon to half the angle of its corners, at most 60°,
  // and cos 60° is above kAgainst. Else, and where its friction hardly moves it, (F3): along a direction that has nothing to
  // do with the slip, sweeps would make more of rounding each time.
  void Brake(const Problem& problem, int i) {
    constexpr Scalar kAgainst = Scalar(0.4), kLeast = Scalar(1e-3);
    const std::size_t I = static_cast<std::size_t>(i);
    const Columns& contact = problem.contacts[i];
    const Tangential s = Slip(contact), f = impulses_.f[I];
    const Scalar speed = Norm(s), g = Norm(f);
    typename Problem::Velocity w = Problem::Velocity::Zero();
    Scalar a(0);
    if (-s.dot(f) > kAgainst * speed * g) {
      Problem::AddTo(contact, Problem::TangentColumn(contact, f / g), Scalar(1), &w);
      problem.Project(&w);
      a = -s.dot(Problem::TangentDot(contact, w)) / speed;
    }
    if (!(a > kLeast * Mobility(contact))) return static_cast<void>(Move(problem, i));
    const Scalar next = Prox(i, contact, g + speed / a, a);
    u_ += (next - g) * w;
    impulses_.f[I] = f * (next / g);
  }

  // The friction whose slip is a (y - g).
  Scalar Prox(int i, const Columns& contact, Scalar y, Scalar a) const {
    const Scalar theta = impulses_.theta[static_cast<std::size_t>(i)], dry = contact.mu * theta, drag = Own(i) * a;
    return y > dry ? Min((dry + drag * y) / (Scalar(1) + drag), dry + MostShare(contact) * theta) : y;
  }

  // Of a slip whose square overflows the share is not a number: the most, too.
  static Scalar Bounded(Scalar share, const Columns& contact) {
    const Scalar most = MostShare(contact);
    return share < most ? share : most;
  }
  static Scalar MostShare(const Columns& contact) {
    return Scalar(kMostViscous) * contact.tangent_scale / contact.normal_scale;
  }
  static void SetFriction(Scalar share, Columns* contact) { contact->mu += Bounded(share, *contact); }

  typename Problem::Velocity u_;
  RoundImpulses<Problem> impulses_{};
  Numbers whole_{}, pair_load_{};
};

}  // namespace tactus
