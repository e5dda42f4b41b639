#include "tests/support/check_solution.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::test {
namespace {

using host::ImpulseDocument;

// Whitened, normalised impulses: θ s_n, φ s_t.
struct UnitImpulses {
  DenseVector theta;
  std::vector<DenseVector> phi;
};

UnitImpulses ToUnit(const DenseContact& dense, const std::vector<ImpulseDocument>& impulses) {
  UnitImpulses unit;
  for (std::size_t i = 0; i < dense.contacts; ++i) {
    unit.theta.push_back(impulses[i].normal_Ns * dense.normal_scale[i]);
    unit.phi.emplace_back();
    for (const double phi : impulses[i].friction_Ns) unit.phi[i].push_back(phi * dense.tangent_scale[i]);
  }
  return unit;
}

// P (Nθ + Dφ)
DenseVector Sum(const DenseContact& dense, const UnitImpulses& impulses) {
  DenseVector sum(dense.k.size());
  for (std::size_t i = 0; i < dense.contacts; ++i) {
    if (dense.held[i]) continue;
    AddScaled(impulses.theta[i], dense.N_unit[i], &sum);
    for (std::size_t j = 0; j < dense.directions; ++j) AddScaled(impulses.phi[i][j], dense.D_unit[i][j], &sum);
  }
  return sum;
}

// u = k + P (Nθ + Dφ)
DenseVector Velocity(const DenseContact& dense, const UnitImpulses& impulses) {
  DenseVector u = dense.k;
  AddScaled(1, Sum(dense, impulses), &u);
  return u;
}

// max(|k|, max θ)
Real Scale(const DenseContact& dense, const UnitImpulses& impulses) {
  Real scale = Norm(dense.k);
  for (std::size_t i = 0; i < dense.contacts; ++i) {
    if (!dense.held[i]) scale = std::max(scale, impulses.theta[i]);
  }
  return scale > 0 ? scale : 1;
}

// NaN counts as infinitely wrong.
void Include(Real violation, Real* worst) {
  if (!(std::abs(violation) <= *worst))
    *worst = std::isnan(violation) ? std::numeric_limits<Real>::infinity() : std::abs(violation);
}

Real ContactViolation(const DenseContact& dense, const UnitImpulses& impulses, const DenseVector& u, std::size_t i) {
  const Real theta = impulses.theta[i];
  const DenseVector& phi = impulses.phi[i];
  Real worst = 0, lambda = 0, phi_sum = 0;
  Include(std::min(Dot(dense.N_unit[i], u) + dense.b[i] + dense.epsilon[i] * theta, theta), &worst);
  DenseVector slip;
  for (std::size_t j = 0; j < dense.directions; ++j) {
    slip.push_back(Dot(dense.D_unit[i][j], u) + dense.tau[i][j]);
    lambda = std::max(lambda, -slip[j]);
    phi_sum += phi[j];
  }
  if (dense.mu[i] == 0) {
    for (const Real impulse : phi) Include(impulse, &worst);
    return worst;
  }
  for (std::size_t j = 0; j < dense.directions; ++j) Include(std::min(slip[j] + lambda, phi[j]), &worst);
  Include(std::min(dense.mu[i] * theta - phi_sum, lambda), &worst);
  return worst;
}

bool CannotGainEnergy(const host::ProblemDocument& problem) {
  const auto still = [](const host::ContactDocument& c) {
    return c.gap_m >= 0 && c.surface_velocity_mps == host::Vector3{};
  };
  const auto held = [](const host::JointDocument& joint) { return joint.speed == 0; };
  return std::all_of(problem.contacts.begin(), problem.contacts.end(), still) &&
         std::all_of(problem.joints.begin(), problem.joints.end(), held);
}

DenseVector Flatten(const std::vector<std::vector<double>>& velocity) {
  DenseVector flat;
  for (const std::vector<double>& twist : velocity) flat.insert(flat.end(), twist.begin(), twist.end());
  return flat;
}

// G⁻¹ (M v - M v0 - h f - Nθ - Dφ - Bc), from the physical columns
DenseVector MomentumError(const DenseContact& dense, const host::SolutionDocument& solution, const DenseVector& v) {
  DenseVector error = Times(dense.mass, v);
  AddScaled(-1, dense.momentum, &error);
  for (std::size_t i = 0; i < dense.contacts; ++i) {
    const ImpulseDocument& impulse = solution.impulse[i];
    AddScaled(-impulse.normal_Ns, dense.N[i], &error);
    for (std::size_t j = 0; j < dense.directions; ++j) AddScaled(-impulse.friction_Ns[j], dense.D[i][j], &error);
  }
  for (std::size_t c = 0; c < dense.B.size(); ++c) AddScaled(-solution.joint_impulse_Ns[c], dense.B[c], &error);
  return SolveLower(dense.factor, error);
}

}  // namespace

Real Residual(const DenseContact& dense, const std::vector<ImpulseDocument>& physical) {
  const UnitImpulses impulses = ToUnit(dense, physical);
  const DenseVector u = Velocity(dense, impulses);
  Real worst = 0;
  for (std::size_t i = 0; i < dense.contacts; ++i) {
    if (!dense.held[i]) Include(ContactViolation(dense, impulses, u, i), &worst);
  }
  return worst / Scale(dense, impulses);
}

SolutionCheck Check(const host::ProblemDocument& problem, const host::SolutionDocument& solution) {
  const DenseContact dense = WriteOut(problem, solution.tangent);
  const UnitImpulses impulses = ToUnit(dense, solution.impulse);
  const DenseVector u = Velocity(dense, impulses), v = Flatten(solution.velocity);
  const Real scale = Scale(dense, impulses);
  SolutionCheck check;
  check.residual = Residual(dense, solution.impulse);
  check.momentum = Norm(MomentumError(dense, solution, v)) / scale;
  for (std::size_t c = 0; c < dense.B.size(); ++c) {
    Include((Dot(dense.B[c], v) - dense.joint_speed[c]) / Norm(SolveLower(dense.factor, dense.B[c])) / scale, &check.joints);
  }
  const Real before = Dot(dense.k, dense.k);
  if (CannotGainEnergy(problem) && before > 0) check.energy_gain = (Dot(u, u) - before) / before;
  return check;
}

namespace {

// |G⁻¹(Nθ + Dφ + Bc)| / Σ |G⁻¹ of each of N θ and D φ| of a certificate, from the physical columns.
Real UnbalancedByJoints(const DenseContact& dense, const host::SolutionDocument& solution) {
  if (dense.B.empty()) return 0;
  DenseVector sum(dense.momentum.size());
  Real load = 0;
  const auto add = [&](Real impulse, const DenseVector& column) {
    AddScaled(impulse, column, &sum);
    load += std::abs(impulse) * Norm(SolveLower(dense.factor, column));
  };
  for (std::size_t i = 0; i < dense.contacts; ++i) {
    const ImpulseDocument& impulse = solution.certificate[i];
    add(impulse.normal_Ns, dense.N[i]);
    for (std::size_t j = 0; j < dense.directions; ++j) add(impulse.friction_Ns[j], dense.D[i][j]);
  }
  for (std::size_t c = 0; c < dense.B.size(); ++c) AddScaled(solution.certificate_joint_Ns.at(c), dense.B[c], &sum);
  return Norm(SolveLower(dense.factor, sum)) / load;
}

}  // namespace

CertificateCheck CheckCertificate(const host::ProblemDocument& problem, const host::SolutionDocument& solution) {
  const DenseContact dense = WriteOut(problem, solution.tangent);
  const UnitImpulses impulses = ToUnit(dense, solution.certificate);
  CertificateCheck check;
  Real scale = 0;
  for (std::size_t i = 0; i < dense.contacts; ++i) {
    if (dense.held[i]) continue;
    scale = std::max(scale, impulses.theta[i]);
    Real phi_sum = 0;
    for (std::size_t j = 0; j < dense.directions; ++j) {
      check.outside = std::max(check.outside, -impulses.phi[i][j]);
      check.work += dense.tau[i][j] * impulses.phi[i][j];
      phi_sum += impulses.phi[i][j];
    }
    check.outside = std::max({check.outside, -impulses.theta[i], phi_sum - dense.mu[i] * impulses.theta[i],
                              dense.epsilon[i] * impulses.theta[i]});
    check.work += dense.b[i] * impulses.theta[i];
  }
  if (!(scale > 0)) scale = std::numeric_limits<Real>::denorm_min();
  check.imbalance = Norm(Sum(dense, impulses)) / scale;
  check.joints = UnbalancedByJoints(dense, solution);
  check.outside /= scale;
  check.work /= scale;
  return check;
}

}  // namespace tactus::test
