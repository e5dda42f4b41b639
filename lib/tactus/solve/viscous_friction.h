#pragma once
#include <array>
#include <cstddef>

#include "tactus/contact/friction_law.h"
#include "tactus/contact/whitened_problem.h"
#include "tactus/core/scalar.h"
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

  /// A damped step of all contacts at once: those of the same bodies brake each other.
  /// @param[in,out] problem  its μ are μ_d; viscous ones get on top what `used` had, improved
  /// @param[in]     used     μ of the answer
  /// @param[in]     step     share of the correction to take, ≤ 1
  /// @returns the largest relative error of a μ in `used` that carries
  template <class Numbers>
  Scalar Correct(const Numbers& used, Scalar step, Problem* problem) {
    u_ = impulses_.VelocityFor(*problem);
    Scalar all(0), worst(0);
    for (int i = 0; i < problem->contacts.size(); ++i) {
      if (IsViscous(*problem, i) && Carries(*problem, i)) all += Own(i) * Mobility(problem->contacts[i]);
    }
    for (int i = 0; i < problem->contacts.size(); ++i) {
      if (!IsViscous(*problem, i)) continue;
      auto& contact = problem->contacts[i];
      const Scalar last = used[static_cast<std::size_t>(i)], share = Share(SlipSpeed(contact), i);
      if (!Carries(*problem, i)) {
        SetFriction(share, &contact);
        continue;
      }
      const Scalar wanted = Bounded(share, contact) + contact.mu, error = wanted - last;
      const Scalar size = last > Scalar(0) ? last : wanted;  // without μ there is none before the first correction
      if (size > Scalar(0)) worst = Max(worst, Abs(error) / size);
      SetFriction(Max(last - contact.mu + step * error / (Scalar(1) + all), Scalar(0)), &contact);
    }
    return worst;
  }

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
  Scalar SlipSpeed(const Columns& contact) const { return Sqrt(Scalar(Slip(contact).squaredNorm())); }

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
    const Scalar A = Mobility(contact), dry = contact.mu * impulses_.theta[I], drag = Own(i) * A;
    const Tangential y = impulses_.f[I] - Slip(contact) / A;
    const Scalar length = Sqrt(Scalar(y.squaredNorm()));
    const Scalar g = length > dry ? (dry + drag * length) / (Scalar(1) + drag) : length;
    Tangential f = Tangential::Zero();
    if (length > Scalar(0)) f = y * (g / length);
    Problem::AddTo(contact, Problem::TangentColumn(contact, f - impulses_.f[I]), Scalar(1), &u_);
    problem.Project(&u_);
    impulses_.f[I] = f;
    return A * (length - g);
  }

  static Scalar Bounded(Scalar share, const Columns& contact) {
    return Min(share, Scalar(kMostViscous) * contact.tangent_scale / contact.normal_scale);
  }
  static void SetFriction(Scalar share, Columns* contact) { contact->mu += Bounded(share, *contact); }

  typename Problem::Velocity u_;
  RoundImpulses<Problem> impulses_{};
  Numbers whole_{}, pair_load_{};
};

}  // namespace tactus
