#include "tests/support/dense_contact.h"

#include <cmath>
#include <numbers>

namespace tactus::test {
namespace {

using host::ContactDocument;
using host::ProblemDocument;

using Point = std::vector<Real>;  // 3 numbers; planar: the third is 0

Point ToPoint(const host::Vector3& v) { return {v[0], v[1], v[2]}; }

Point Cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

class Writer {
 public:
  Writer(const ProblemDocument& problem, const std::vector<std::vector<double>>& tangents)
      : problem_(problem), tangents_(tangents), dof_(static_cast<std::size_t>(problem.dof)), linear_(dof_ == 6 ? 3 : 2) {}

  DenseContact Write() {
    out_.contacts = problem_.contacts.size();
    out_.directions = dof_ == 6 ? static_cast<std::size_t>(problem_.directions) : 2;
    WriteBodies();
    WriteJoints();
    for (std::size_t i = 0; i < out_.contacts; ++i) WriteContact(i);
    return out_;
  }

 private:
  void WriteBodies() {
    const std::size_t size = dof_ * problem_.bodies.size();
    out_.mass = DenseMatrix(size, size);
    DenseVector velocity(size), wrench(size);
    for (std::size_t k = 0; k < problem_.bodies.size(); ++k) {
      const host::BodyDocument& body = problem_.bodies[k];
      const std::size_t at = dof_ * k;
      for (std::size_t i = 0; i < linear_; ++i) out_.mass(at + i, at + i) = body.mass_kg;
      for (std::size_t i = linear_; i < dof_; ++i) {
        for (std::size_t j = linear_; j < dof_; ++j) {
          out_.mass(at + i, at + j) = body.inertia_kgm2[3 * (i - linear_) + (j - linear_)];
        }
      }
      for (std::size_t i = 0; i < dof_; ++i) {
        velocity[at + i] = body.velocity[i];
        wrench[at + i] = body.wrench[i];
      }
    }
    out_.factor = CholeskyFactor(out_.mass);
    out_.momentum = Times(out_.mass, velocity);
    AddScaled(problem_.step_s, wrench, &out_.momentum);
    out_.k = SolveLower(out_.factor, out_.momentum);
    out_.u_joint = DenseVector(size);
  }

  // Gram-Schmidt, twice; u_b is the vector in the span of the joint rows with B_rᵀu_b = speed_r.
  void WriteJoints() {
    for (const host::JointDocument& joint : problem_.joints) {
      DenseVector column(out_.momentum.size());
      AddBlock(joint.a, joint.jacobian_a, &column);
      AddBlock(joint.b, joint.jacobian_b, &column);
      out_.B.push_back(column);
      out_.joint_speed.push_back(joint.speed);
      const DenseVector white = SolveLower(out_.factor, column);
      DenseVector rest = white;
      Project(&rest);
      Project(&rest);
      const Real length = Norm(rest);
      if (length < 1e-9L * Norm(white)) continue;  // depends on the rows before it
      for (Real& x : rest) x /= length;
      AddScaled((joint.speed - Dot(white, out_.u_joint)) / length, rest, &out_.u_joint);
      joint_space_.push_back(rest);
    }
    Project(&out_.k);
  }

  void WriteContact(std::size_t i) {
    const ContactDocument& contact = problem_.contacts[i];
    const Point n = ToPoint(contact.normal), x = Tangent(i), y = dof_ == 6 ? Cross(n, x) : Point(3);
    const DenseVector normal = Column(contact, n), along_x = Column(contact, x), along_y = Column(contact, y);
    const Point w = ToPoint(contact.surface_velocity_mps);
    const DenseVector white_n = SolveLower(out_.factor, normal);
    DenseVector projected_n = white_n, projected_x = SolveLower(out_.factor, along_x),
                projected_y = SolveLower(out_.factor, along_y);
    const Real free_tangents = Dot(projected_x, projected_x) + Dot(projected_y, projected_y);
    for (DenseVector* column : {&projected_n, &projected_x, &projected_y}) Project(column);
    const Real tangents = Dot(projected_x, projected_x) + Dot(projected_y, projected_y);
    const bool cannot_slip = tangents <= 1e-12L * free_tangents;
    const Real s_n = Norm(projected_n);
    // The joints keep it from slipping: D_unit is rounding, and only the surface's own motion is left of the slip.
    const Real s_t = cannot_slip ? 1 : std::sqrt(tangents / static_cast<Real>(linear_ - 1));
    const Real gap = contact.gap_m / static_cast<Real>(problem_.step_s);

    out_.held.push_back(s_n <= 1e-6L * Norm(white_n));
    out_.normal_scale.push_back(s_n);
    out_.tangent_scale.push_back(s_t);
    out_.mu.push_back(contact.friction * s_t / s_n);
    out_.epsilon.push_back(contact.compliance_mps_per_Ns / (s_n * s_n));
    out_.b.push_back((gap - Dot(n, w) + Dot(white_n, out_.u_joint)) / s_n);
    out_.N.push_back(normal);
    out_.N_unit.push_back(Scaled(projected_n, 1 / s_n));
    out_.D.emplace_back();
    out_.D_unit.emplace_back();
    out_.tau.emplace_back();
    for (std::size_t j = 0; j < out_.directions; ++j) {
      const auto [c, s] = Direction(j);
      DenseVector column = Scaled(along_x, c), unit = Scaled(projected_x, c / s_t);
      AddScaled(s, along_y, &column);
      AddScaled(s / s_t, projected_y, &unit);
      const Real slip = c * Dot(x, w) + s * Dot(y, w);
      out_.tau[i].push_back((-slip + Dot(SolveLower(out_.factor, column), out_.u_joint)) / s_t);
      out_.D[i].push_back(column);
      out_.D_unit[i].push_back(unit);
    }
  }

  std::pair<Real, Real> Direction(std::size_t j) const {
    if (dof_ == 3) return {j == 0 ? 1 : -1, 0};
    const Real angle = problem_.direction_offset_rad +
                       2 * std::numbers::pi_v<Real> * static_cast<Real>(j) / static_cast<Real>(out_.directions);
    return {std::cos(angle), std::sin(angle)};
  }

  Point Tangent(std::size_t i) const {
    const ContactDocument& contact = problem_.contacts[i];
    if (dof_ == 3) return {-contact.normal[1], contact.normal[0], 0};
    if (!tangents_.empty()) return {tangents_[i][0], tangents_[i][1], tangents_[i][2]};
    return ToPoint(contact.tangent.value());
  }

  // (d ; r_a × d) on a, -(d ; r_b × d) on b
  DenseVector Column(const ContactDocument& contact, const Point& d) const {
    DenseVector column(out_.momentum.size());
    for (const auto& [body, sign] : {std::pair{contact.a, Real(1)}, std::pair{contact.b, Real(-1)}}) {
      if (body < 0) continue;
      const std::size_t k = static_cast<std::size_t>(body);
      const Point centre = ToPoint(problem_.bodies[k].position_m), p = ToPoint(contact.point_m);
      const Point moment = Cross({p[0] - centre[0], p[1] - centre[1], p[2] - centre[2]}, d);
      for (std::size_t i = 0; i < linear_; ++i) column[dof_ * k + i] = sign * d[i];
      for (std::size_t i = linear_; i < dof_; ++i) column[dof_ * k + i] = sign * moment[dof_ == 6 ? i - linear_ : 2];
    }
    return column;
  }

  void AddBlock(int body, const host::Vector6& block, DenseVector* column) const {
    if (body < 0) return;
    for (std::size_t i = 0; i < dof_; ++i) (*column)[dof_ * static_cast<std::size_t>(body) + i] += block[i];
  }

  // v := P v, off the joints' rows
  void Project(DenseVector* v) const {
    for (const DenseVector& q : joint_space_) AddScaled(-Dot(q, *v), q, v);
  }

  static DenseVector Scaled(DenseVector v, Real scale) {
    for (Real& x : v) x *= scale;
    return v;
  }

  const ProblemDocument& problem_;
  const std::vector<std::vector<double>>& tangents_;
  std::size_t dof_, linear_;
  std::vector<DenseVector> joint_space_;
  DenseContact out_;
};

}  // namespace

DenseContact WriteOut(const ProblemDocument& problem, const std::vector<std::vector<double>>& tangents) {
  return Writer(problem, tangents).Write();
}

}  // namespace tactus::test
