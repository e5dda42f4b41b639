#pragma once
#include <array>

#include "tactus/contact/whitened_problem.h"
#include "tactus/core/scalar.h"
#include "tactus/solve/algebra/contact_relaxation.h"

namespace tactus {

/// Gauss-Seidel sweeps over the contacts of a planar problem without joints ([LCP92] chapter 5; contact by contact as in
/// [Jean99]). With p_i the friction impulse along the tangent T_i, and everything else as it stands:
///
///     θ_i := max(0, θ_i - ω ν_i / (|N_i|² + ε_i))
///     p_i := p_i - ω T_iᵀu / |T_i|², not beyond ±μ_i θ_i
///
/// A fixed point solves (3)-(5). With friction no theorem says that the sweeps reach one. Measured on piles of disks, the
/// residual stays about 1e-4 for 1e3 to 1e5 sweeps, then falls at a constant rate (lemke_crash.h).
template <class Scalar, Capacity kCapacity>
class ContactSweeps {
  static_assert(kCapacity.dof == 3 && kCapacity.joints == 0);

 public:
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using Impulses = WhitenedImpulses<Scalar, kCapacity>;

  /// @param impulses  where to begin; φ within the cones
  void Start(const Problem& problem, const Impulses& impulses) {
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const auto& contact = problem.contacts[i];
      theta_[i] = impulses.theta[i];
      p_[i] = Scalar(0);
      for (int j = 0; j < problem.directions; ++j) p_[i] += impulses.phi[i][j] * problem.direction[j](0);
      normal_step_[i] = kRelaxation / (Problem::Dot(contact, contact.N, contact, contact.N) + contact.epsilon);
      const Column T = contact.T.col(0);
      tangent_step_[i] = kRelaxation / Problem::Dot(contact, T, contact, T);
    }
    u_ = problem.VelocityFor(impulses);
  }

  /// Sweeps up and down in turn; u is computed afresh at the end.
  /// @param[out] impulses  the point reached
  void Run(const Problem& problem, int sweeps, Impulses* impulses) {
    const int n = problem.contacts.size();
    internal::SweepThereAndBack(n, sweeps, [&](int i) { Relax(problem, i); });
    *impulses = {};
    for (int i = 0; i < n; ++i) {
      impulses->theta[i] = theta_[i];
      for (int j = 0; j < 2; ++j) impulses->phi[i][j] = Max(Scalar(0), p_[i] * problem.direction[j](0));
    }
    u_ = problem.VelocityFor(*impulses);
  }

  const typename Problem::Velocity& velocity() const { return u_; }

 private:
  using Column = typename Problem::Column;
  static constexpr Scalar kRelaxation = Scalar(0.8);  // ω; with 0.5 210 disks take four times the sweeps and more, with 1
                                                      // 136 disks at μ = 0.4 do not end

  void Relax(const Problem& problem, int i) {
    const auto& contact = problem.contacts[i];
    const Scalar nu = Problem::Dot(contact, contact.N, u_) + contact.b + contact.epsilon * theta_[i];
    const Scalar theta = Max(Scalar(0), theta_[i] - normal_step_[i] * nu);
    if (theta != theta_[i]) Problem::AddTo(contact, contact.N, theta - theta_[i], &u_);
    theta_[i] = theta;
    const Scalar most = contact.mu * theta;
    if (most == Scalar(0) && p_[i] == Scalar(0)) return;
    const Column T = contact.T.col(0);
    const Scalar slip = Problem::Dot(contact, T, u_) + contact.tau(0);
    const Scalar p = Min(Max(p_[i] - tangent_step_[i] * slip, -most), most);
    if (p != p_[i]) Problem::AddTo(contact, T, p - p_[i], &u_);
    p_[i] = p;
  }

  using PerContact = std::array<Scalar, kCapacity.contacts>;
  PerContact theta_, p_;
  PerContact normal_step_, tangent_step_;  // ω/(|N|² + ε), ω/|T|²
  typename Problem::Velocity u_;
};

}  // namespace tactus
