// Symbols as in docs/theory, equations (1) to (5), written down anew from the physics: nothing here is whitened, factored
// or shared with the library. A body's free motion is v_f = v0 + h M⁻¹ f.
//
//     ν_i = n·(v_a(p) - v_b(p)) + Φ/h - w·n + ε θ          0 ≤ ν ⊥ θ ≥ 0
//     t_ij = d_j·(v_a(p) - v_b(p) - w), λ_i = max(0, max_j -t_ij), σ_ij = t_ij + λ_i     0 ≤ σ ⊥ φ ≥ 0
//     γ_i = μθ - Σφ                                        0 ≤ γ ⊥ λ ≥ 0
//
// An impulse is compared with a speed through A = nᵀM⁻¹n of its contact, what one N·s does to its own speed.
#include "tests/audit/law.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tactus::audit {
namespace {

Real Dot(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector3 Cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector3 Sum(const Vector3& a, const Vector3& b, Real s = 1) { return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]}; }
Vector3 Times(const Matrix3& A, const Vector3& x) { return {Dot(A[0], x), Dot(A[1], x), Dot(A[2], x)}; }

// A⁻¹ x by elimination with full pivots.
Vector3 Solve(Matrix3 A, Vector3 x) {
  std::array<int, 3> column{0, 1, 2};
  for (std::size_t k = 0; k < 3; ++k) {
    std::size_t row = k, best = k;
    for (std::size_t i = k; i < 3; ++i) {
      for (std::size_t j = k; j < 3; ++j) {
        if (std::abs(A[i][j]) > std::abs(A[row][best])) row = i, best = j;
      }
    }
    std::swap(A[k], A[row]);
    std::swap(x[k], x[row]);
    for (Vector3& r : A) std::swap(r[k], r[best]);
    std::swap(column[k], column[best]);
    for (std::size_t i = k + 1; i < 3; ++i) {
      const Real factor = A[i][k] / A[k][k];
      for (std::size_t j = k; j < 3; ++j) A[i][j] -= factor * A[k][j];
      x[i] -= factor * x[k];
    }
  }
  Vector3 y{};
  for (std::size_t k = 3; k-- > 0;) {
    Real sum = x[k];
    for (std::size_t j = k + 1; j < 3; ++j) sum -= A[k][j] * y[static_cast<std::size_t>(column[j])];
    y[static_cast<std::size_t>(column[k])] = sum / A[k][k];
  }
  return y;
}

struct Momentum {
  Vector3 linear{}, angular{};
};

class Checker {
 public:
  explicit Checker(const LawCase& answer) : it_(answer) {
    for (const LawBody& body : it_.bodies) {
      free_velocity_.push_back(Sum(body.velocity, body.force, it_.step / body.mass));
      free_spin_.push_back(Sum(body.spin, Solve(body.inertia, body.torque), it_.step));
      island_.push_back(static_cast<int>(island_.size()));
      impulse_.emplace_back();
      impulse_size_.push_back(0);
    }
    given_.resize(it_.bodies.size());
  }

  LawReport Run() {
    for (const LawContact& contact : it_.contacts) Join(contact.a, contact.b);
    for (const LawJoint& joint : it_.joints) Join(joint.a, joint.b);
    for (std::size_t i = 0; i < it_.contacts.size(); ++i) CheckContact(static_cast<int>(i));
    for (const LawJoint& joint : it_.joints) CheckJoint(joint);
    CheckBodies();
    return report_;
  }

 private:
  static std::size_t At(int i) { return static_cast<std::size_t>(i); }

  int Island(int body) {
    while (island_[At(body)] != body) body = island_[At(body)];
    return body;
  }
  void Join(int a, int b) {
    if (a >= 0 && b >= 0) island_[At(Island(a))] = Island(b);
  }

  static void Worsen(Real violation, Real* worst) {
    if (*worst == *worst && !(violation <= *worst)) *worst = violation;  // NaN is worse than any number
  }
  void WorsenAt(int contact, Real violation, Real* worst) {
    const Real before = std::max({report_.penetration, report_.normal, report_.friction});
    if (!(violation <= before)) report_.worst_contact = contact;
    Worsen(violation, worst);
  }

  Vector3 Lever(const LawContact& contact, int body) const { return Sum(contact.point, it_.bodies[At(body)].position, -1); }

  // Velocity of a against b at the contact.
  Vector3 Relative(const LawContact& contact, const std::vector<Vector3>& velocity, const std::vector<Vector3>& spin) const {
    Vector3 v{};
    if (contact.a >= 0) v = Sum(v, Sum(velocity[At(contact.a)], Cross(spin[At(contact.a)], Lever(contact, contact.a))));
    if (contact.b >= 0) v = Sum(v, Sum(velocity[At(contact.b)], Cross(spin[At(contact.b)], Lever(contact, contact.b))), -1);
    return v;
  }

  // d·M⁻¹d of the column of direction d: speed along d for one N·s along d.
  Real Mobility(const LawContact& contact, const Vector3& d) const {
    Real sum = 0;
    for (const int body : {contact.a, contact.b}) {
      if (body < 0) continue;
      const Vector3 moment = Cross(Lever(contact, body), d);
      sum += 1 / it_.bodies[At(body)].mass + Dot(moment, Solve(it_.bodies[At(body)].inertia, moment));
    }
    return sum;
  }

  // The largest speed along d that the bodies' free motion can have: √(dᵀM⁻¹d) √(vᵀMv) of each. Of a body at rest that other
  // contacts set in motion 1/128 of that motion: what rounding makes of it at this contact is no violation. A ball at rest
  // that an overlap pushes up at 27 mm/s had ν = 1.9e-8 m/s and Aθ = 3.6e-8 m/s in float at a wall beside it.
  Real FreeSpeed(const LawContact& contact, const Vector3& d) const {
    Real sum = 0;
    for (const int body : {contact.a, contact.b}) {
      if (body < 0) continue;
      const Vector3 moment = Cross(Lever(contact, body), d);
      const Real mobility = 1 / it_.bodies[At(body)].mass + Dot(moment, Solve(it_.bodies[At(body)].inertia, moment));
      sum += std::sqrt(mobility * std::max(FreeEnergy(body), kAfter * kAfter * EnergyAfter(body)));
    }
    return sum;
  }
  static constexpr Real kAfter = Real(1) / 128;
  Real EnergyAfter(int body) const { return Energy(body, it_.velocity[At(body)], it_.spin[At(body)]); }
  Real FreeEnergy(int body) const { return Energy(body, free_velocity_[At(body)], free_spin_[At(body)]); }
  // vᵀMv
  Real Energy(int k, const Vector3& v, const Vector3& w) const {
    return it_.bodies[At(k)].mass * Dot(v, v) + Dot(w, Times(it_.bodies[At(k)].inertia, w));
  }

  void AddImpulse(int body, const Vector3& linear, const Vector3& angular) {
    if (body < 0) return;
    impulse_[At(body)].linear = Sum(impulse_[At(body)].linear, linear);
    impulse_[At(body)].angular = Sum(impulse_[At(body)].angular, angular);
    impulse_size_[At(body)] += KineticNorm(body, linear, angular);
  }
  // √(pᵀM⁻¹p)
  Real KineticNorm(int k, const Vector3& linear, const Vector3& angular) const {
    return std::sqrt(Dot(linear, linear) / it_.bodies[At(k)].mass + Dot(angular, Solve(it_.bodies[At(k)].inertia, angular)));
  }
  void Give(const LawContact& contact, Real energy) { given_[At(Island(contact.a >= 0 ? contact.a : contact.b))] += energy; }

  void CheckContact(int i) {
    const LawContact& contact = it_.contacts[At(i)];
    const Vector3 second = Cross(contact.normal, contact.tangent), v = Relative(contact, it_.velocity, it_.spin);
    const Vector3& n = contact.normal;
    const Real theta = contact.impulse, mobility = Mobility(contact, n), gap_speed = contact.gap / it_.step;
    const Real b = gap_speed - contact.surface_normal, nu = Dot(n, v) + b + contact.compliance * theta;
    const Real scale = FreeSpeed(contact, n) + std::abs(contact.surface_normal) + std::max(-gap_speed, Real(0)) +
                       mobility * std::abs(theta);
    if (scale > 0) {
      WorsenAt(i, -nu / scale, &report_.penetration);
      WorsenAt(i, std::abs(std::min(nu, mobility * theta)) / scale, &report_.normal);
      const Real safe =
          Dot(n, v) + std::max(gap_speed, Real(0)) - contact.surface_normal + contact.compliance * std::max(theta, Real(0));
      Worsen(-safe / scale, &report_.pushed);
    }
    Give(contact, -b * theta);
    CheckFriction(i, v, second);
  }

  void CheckFriction(int i, const Vector3& v, const Vector3& second) {
    const LawContact& contact = it_.contacts[At(i)];
    const Real x = Dot(contact.tangent, v) - contact.surface[0], y = Dot(second, v) - contact.surface[1];
    const Real mobility = (Mobility(contact, contact.tangent) + Mobility(contact, second)) / 2, theta = contact.impulse;
    const Real scale = FreeSpeed(contact, contact.tangent) + FreeSpeed(contact, second) + std::abs(contact.surface[0]) +
                       std::abs(contact.surface[1]) + mobility * std::max(contact.friction, Real(1)) * std::abs(theta);
    Real lambda = 0, total = 0;
    Vector3 friction{};
    const std::size_t d = At(it_.directions);
    for (std::size_t j = 0; j < d; ++j) {
      const Real angle = it_.offset + 2 * std::acos(Real(-1)) * static_cast<Real>(j) / static_cast<Real>(d);
      const Real c = std::cos(angle), s = std::sin(angle), phi = contact.friction_impulse[j];
      lambda = std::max(lambda, -(c * x + s * y));
      total += phi;
      friction = Sum(Sum(friction, contact.tangent, c * phi), second, s * phi);
      Give(contact, (c * contact.surface[0] + s * contact.surface[1]) * phi);
    }
    const Vector3 impulse = Sum(friction, contact.normal, theta);
    if (contact.a >= 0) AddImpulse(contact.a, impulse, Cross(Lever(contact, contact.a), impulse));
    if (contact.b >= 0) {
      const Vector3 back = Sum({}, impulse, -1);
      AddImpulse(contact.b, back, Cross(Lever(contact, contact.b), back));
    }
    if (!(scale > 0)) return;
    if (contact.is_round) {
      const Vector3 f = friction, s = Sum(Sum({}, contact.tangent, x), second, y);
      return WorsenAt(i, RoundViolation(mobility, contact.friction * theta, f, s) / scale, &report_.friction);
    }
    const Real gamma = contact.friction * theta - total;
    if (mobility * std::max(contact.friction * theta, total) <= 0) return;
    for (std::size_t j = 0; j < d; ++j) {
      const Real angle = it_.offset + 2 * std::acos(Real(-1)) * static_cast<Real>(j) / static_cast<Real>(d);
      const Real sigma = std::cos(angle) * x + std::sin(angle) * y + lambda;
      WorsenAt(i, std::abs(std::min(sigma, mobility * contact.friction_impulse[j])) / scale, &report_.friction);
    }
    WorsenAt(i, std::abs(std::min(mobility * gamma, lambda)) / scale, &report_.friction);
  }

  // |f| ≤ μθ, and f = -μθ s/|s| where the slip s is not zero: by which speed s or f, as a speed, must change at least. It
  // sticks, s = 0; or it slides against f, or f lies against s, at the edge.
  static Real RoundViolation(Real mobility, Real limit, const Vector3& f, const Vector3& s) {
    const Real size = std::sqrt(Dot(f, f)), speed = std::sqrt(Dot(s, s)), edge = std::max(limit, Real(0));
    Real slides = speed;
    if (size > 0) {
      const Vector3 against = Sum({}, f, std::min(Dot(f, s), Real(0)) / (size * size)), aside = Sum(s, against, -1);
      slides = std::max(mobility * std::abs(edge - size), std::sqrt(Dot(aside, aside)));
    }
    const Vector3 aside = Sum(f, s, speed > 0 ? edge / speed : 0);
    const Real turned = speed > 0 ? mobility * std::sqrt(Dot(aside, aside)) : 0;
    return std::max(mobility * std::max(size - edge, Real(0)), std::min({speed, slides, turned}));
  }

  void CheckJoint(const LawJoint& joint) {
    Real speed = -joint.speed, scale = std::abs(joint.speed), mobility = 0;
    const auto add = [&](int body, const Vector3& linear, const Vector3& angular) {
      if (body < 0) return;
      speed += Dot(linear, it_.velocity[At(body)]) + Dot(angular, it_.spin[At(body)]);
      const Real length = KineticNorm(body, linear, angular);
      scale += length * std::sqrt(FreeEnergy(body));
      mobility += length * length;
      AddImpulse(body, Sum({}, linear, joint.impulse), Sum({}, angular, joint.impulse));
    };
    add(joint.a, joint.linear_a, joint.angular_a);
    add(joint.b, joint.linear_b, joint.angular_b);
    scale += mobility * std::abs(joint.impulse);
    if (scale > 0) Worsen(std::abs(speed) / scale, &report_.joint);
    given_[At(Island(joint.a >= 0 ? joint.a : joint.b))] += joint.speed * joint.impulse;
  }

  void CheckBodies() {
    const std::size_t m = it_.bodies.size();
    std::vector<Real> free(m), gained(m);
    for (std::size_t k = 0; k < m; ++k) {
      const LawBody& body = it_.bodies[k];
      const int K = static_cast<int>(k);
      const Vector3 dv = Sum(it_.velocity[k], free_velocity_[k], -1), dw = Sum(it_.spin[k], free_spin_[k], -1);
      Vector3 linear{}, angular = Times(body.inertia, dw);
      for (std::size_t x = 0; x < 3; ++x) linear[x] = body.mass * dv[x] - impulse_[k].linear[x];
      angular = Sum(angular, impulse_[k].angular, -1);
      const Real scale = std::sqrt(FreeEnergy(K)) + impulse_size_[k];
      if (scale > 0) Worsen(KineticNorm(K, linear, angular) / scale, &report_.momentum);
      const std::size_t I = At(Island(K));
      free[I] += FreeEnergy(K);
      gained[I] += Energy(K, it_.velocity[k], it_.spin[k]);
    }
    // |v|² ≤ v·v_f + given ≤ (|v|² + |v_f|²)/2 + given
    for (std::size_t i = 0; i < m; ++i) {
      const Real excess = (gained[i] - free[i]) / 2 - std::max(given_[i], Real(0)), scale = free[i] + std::abs(given_[i]);
      if (scale > 0) Worsen(excess / scale, &report_.energy);
    }
  }

  const LawCase& it_;
  std::vector<Vector3> free_velocity_, free_spin_;
  std::vector<int> island_;
  std::vector<Momentum> impulse_;
  std::vector<Real> impulse_size_, given_;
  LawReport report_;
};

}  // namespace

Real LawReport::Worst() const {
  Real worst = 0;
  for (const Real each : {penetration, normal, friction, joint, momentum, energy}) {
    if (!(each <= worst)) worst = each;  // NaN is worse than any number
    if (worst != worst) return worst;
  }
  return worst;
}

LawReport CheckLaw(const LawCase& answer) { return Checker(answer).Run(); }

}  // namespace tactus::audit
