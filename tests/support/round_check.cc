#include "tests/support/round_check.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::test {
namespace {

constexpr std::size_t kDof = 6;

// X, Y as directions 0 and 1 of four.
DenseContact WriteOutTangents(host::ProblemDocument problem) {
  problem.directions = 4;
  problem.direction_offset_rad = 0;
  return WriteOut(problem);
}

Real BlockNorm(const DenseVector& v, std::size_t body) {
  Real sum = 0;
  for (std::size_t i = body * kDof; i < (body + 1) * kDof; ++i) sum += v[i] * v[i];
  return std::sqrt(sum);
}

void Include(Real violation, Real* worst) {
  if (!(violation <= *worst)) *worst = std::isnan(violation) ? std::numeric_limits<Real>::infinity() : violation;
}

struct Unit {
  DenseVector theta, x, y;
};

Unit ToUnit(const DenseContact& dense, const std::vector<RoundImpulse>& impulses) {
  Unit unit;
  for (std::size_t i = 0; i < dense.contacts; ++i) {
    const bool slides = dense.mu[i] > 0;
    unit.theta.push_back(dense.held[i] ? 0 : impulses[i][0] * dense.normal_scale[i]);
    unit.x.push_back(dense.held[i] || !slides ? 0 : impulses[i][1] * dense.tangent_scale[i]);
    unit.y.push_back(dense.held[i] || !slides ? 0 : impulses[i][2] * dense.tangent_scale[i]);
  }
  return unit;
}

DenseVector OwnScales(const DenseContact& dense, const Unit& unit, std::size_t bodies) {
  DenseVector size(bodies), scale(dense.contacts);
  Real largest = 0;
  for (std::size_t k = 0; k < bodies; ++k) {
    size[k] = BlockNorm(dense.k, k);
    for (std::size_t i = 0; i < dense.contacts; ++i) {
      if (!dense.held[i]) size[k] = std::max(size[k], unit.theta[i] * BlockNorm(dense.N_unit[i], k));
    }
    largest = std::max(largest, size[k]);
  }
  for (std::size_t i = 0; i < dense.contacts; ++i) {
    for (std::size_t k = 0; k < bodies && !dense.held[i]; ++k) scale[i] += BlockNorm(dense.N_unit[i], k) * size[k];
    scale[i] = std::max(scale[i], Real(1e-8) * largest);
    if (scale[i] == 0) scale[i] = 1;
  }
  return scale;
}

}  // namespace

RoundCheck CheckRound(const host::ProblemDocument& problem, const std::vector<RoundImpulse>& impulses) {
  const DenseContact dense = WriteOutTangents(problem);
  const Unit unit = ToUnit(dense, impulses);
  const DenseVector scale = OwnScales(dense, unit, problem.bodies.size());
  DenseVector u = dense.k;
  for (std::size_t i = 0; i < dense.contacts; ++i) {
    if (dense.held[i]) continue;
    AddScaled(unit.theta[i], dense.N_unit[i], &u);
    AddScaled(unit.x[i], dense.D_unit[i][0], &u);
    AddScaled(unit.y[i], dense.D_unit[i][1], &u);
  }
  RoundCheck check;
  Real energy = Dot(u, u) - Dot(dense.k, u);
  for (std::size_t i = 0; i < dense.contacts; ++i) {
    if (dense.held[i]) continue;
    const Real theta = unit.theta[i], x = unit.x[i], y = unit.y[i];
    const Real nu = Dot(dense.N_unit[i], u) + dense.b[i] + dense.epsilon[i] * theta;
    const Real slip_x = Dot(dense.D_unit[i][0], u) + dense.tau[i][0], slip_y = Dot(dense.D_unit[i][1], u) + dense.tau[i][1];
    const Real speed = std::hypot(slip_x, slip_y), force = std::hypot(x, y), limit = dense.mu[i] * theta;
    energy += dense.b[i] * theta + dense.tau[i][0] * x + dense.tau[i][1] * y;
    Include(std::abs(std::min(nu, theta)) / scale[i], &check.residual);
    Include(std::max(-nu, -theta) / scale[i], &check.penetration);
    Include((force - limit) / scale[i], &check.outside);
    if (dense.mu[i] == 0) continue;
    Include((x * slip_x + y * slip_y) / (scale[i] * scale[i]), &check.drive);
    // Coulomb: either no slip with |f| ≤ μθ, or f = -μθ s/|s|. The shortest way to hold it.
    const Real sticks = std::max(speed, force - limit);
    const Real slides = speed > 0 ? std::hypot(x + limit * slip_x / speed, y + limit * slip_y / speed) : sticks;
    const Real turned = force > 0 ? std::hypot(slip_x + speed * x / force, slip_y + speed * y / force) : sticks;
    Include(std::min({sticks, slides, std::max(turned, std::abs(force - limit))}) / scale[i], &check.residual);
    if (speed > 1e-3L * scale[i] && limit > 1e-3L * scale[i]) {
      Include(std::abs(x * slip_y - y * slip_x) / (speed * limit), &check.lateral);
    }
  }
  const Real k_squared = Dot(dense.k, dense.k);
  check.energy_gain = k_squared > 0 ? energy / k_squared : 0;
  return check;
}

}  // namespace tactus::test
