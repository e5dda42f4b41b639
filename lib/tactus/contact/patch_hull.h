#pragma once
#include <array>
#include <cstdint>
#include <limits>

#include "tactus/contact/contact_problem.h"
#include "tactus/contact/friction_frame.h"
#include "tactus/contact/whitened_problem.h"
#include "tactus/core/fixed_vector.h"
#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"

namespace tactus {

/// Flat patches, reduced to their hulls (docs/theory, 2.6). Of contacts of the same two bodies with the same normal n,
///
///     contact i need not carry if     p_i = Σ w_v p_v + n (...),  b_i ≥ Σ w_v b_v,  max(b_i, 0) ≥ Σ w_v max(b_v, 0)
///
/// for some others v with w ≥ 0, Σw = 1: N is affine in p and blind to what lies along n, so N_i = Σ w_v N_v, and ν_v ≥ 0
/// for all v gives ν_i ≥ 0. Any solution without i is one with θ_i = 0, any velocity that closes no gap of the others closes
/// not that of i. Where the patch is flat and its friction is one, nothing is lost either: every wrench of i is one of the
/// v.
///
/// The v are the hull of the points in the plane, or in two dimensions the ends of the line. A point whose gap is less than
/// its neighbours' stays.
template <class Problem>
class PatchHull {
 public:
  using Scalar = typename Problem::Scalar;
  static constexpr Capacity kCapacity = Problem::kCapacity;
  using Physical = ContactProblem<Scalar, kCapacity>;

  /// Takes the contacts away that need not carry.
  /// @param[in]     physical  what `problem` was whitened from
  /// @returns how many
  int Reduce(const Physical& physical, Problem* problem) {
    const int n = problem->contacts.size();
    compared_ = looked_at_ = 0;
    is_seen_.fill(false);
    is_inner_.fill(false);
    int inner = 0;
    for (int i = 0; i < n; ++i) {
      if (is_seen_[I(i)]) continue;
      Gather(physical, *problem, i);
      if (patch_.size() > kCorners) inner += MarkInner(physical, *problem);
    }
    if (inner > 0) Remove(problem);
    return inner;
  }

  std::int64_t compared() const { return compared_; }    ///< pairs of contacts
  std::int64_t looked_at() const { return looked_at_; }  ///< points, each time

  /// The most that these can be for n contacts.
  static constexpr std::int64_t MostCompared(std::int64_t n) { return n * n / 2; }
  static constexpr std::int64_t MostLookedAt(std::int64_t n) { return n * n + n * n / 4 + 2 * n; }

 private:
  static constexpr int kLinear = LinearSize(kCapacity.dof), kPlane = kLinear - 1;
  static constexpr std::size_t kContacts = static_cast<std::size_t>(kCapacity.contacts);
  static constexpr int kCorners = kPlane == 2 ? 3 : 2;  // no point of so few is inside
  static constexpr bool kIsDouble = std::numeric_limits<Scalar>::digits > 24;
  // Two hundredths of what the verdict lets pass (Tolerances::kAcceptShare), as a share of the patch's own motion.
  static constexpr Scalar kSame = kIsDouble ? Scalar(4e-9) : Scalar(1e-5);
  static constexpr Scalar kFlat = Scalar(1e-4);  // of the patch's size: what friction's lever arm may differ by
  using Point = Vec<Scalar, kLinear>;
  using InPlane = Vec<Scalar, kPlane>;

  static std::size_t I(int i) { return static_cast<std::size_t>(i); }

  // Contact i and all later ones that it makes a patch with.
  void Gather(const Physical& physical, const Problem& problem, int i) {
    patch_.clear();
    (void)patch_.push_back(i);
    const auto& first = physical.contacts[problem.contacts[i].source];
    for (int j = i + 1; j < problem.contacts.size(); ++j) {
      if (is_seen_[I(j)]) continue;
      ++compared_;
      const auto& other = physical.contacts[problem.contacts[j].source];
      if (!(Abs(other.normal(0) - first.normal(0)) <= kSame) || !IsAlike(first, other)) continue;
      is_seen_[I(j)] = true;
      (void)patch_.push_back(j);
    }
  }

  template <class Contact>
  static bool IsAlike(const Contact& p, const Contact& q) {
    return p.a == q.a && p.b == q.b && (p.normal - q.normal).squaredNorm() <= kSame * kSame && p.friction == q.friction &&
           p.compliance_mps_per_Ns == Scalar(0) && q.compliance_mps_per_Ns == Scalar(0) &&
           p.surface_velocity_mps.squaredNorm() == Scalar(0) && q.surface_velocity_mps.squaredNorm() == Scalar(0);
  }

  int MarkInner(const Physical& physical, const Problem& problem) {
    if (!Flatten(physical, problem)) return 0;
    FindHull();
    if (hull_.size() < kCorners) return 0;
    int inner = 0;
    for (int i = 0; i < patch_.size(); ++i) {
      if (is_corner_[I(i)] || !IsInside(problem, i)) continue;
      is_inner_[I(patch_[i])] = true;
      ++inner;
    }
    return inner;
  }

  // The points' places in the plane, from the first one. @returns whether they are in one
  bool Flatten(const Physical& physical, const Problem& problem) {
    const auto& first = physical.contacts[problem.contacts[patch_[0]].source];
    const Point n = first.normal;
    Scalar size_squared(0), height(0);
    std::array<Point, kPlane> axis;
    if constexpr (kPlane == 2) {
      axis[0] = DefaultTangent(n);
      axis[1] = Cross(n, axis[0]);
    } else {
      axis[0] << -n(1), n(0);
    }
    for (int i = 0; i < patch_.size(); ++i) {
      const Point p = physical.contacts[problem.contacts[patch_[i]].source].point_m - first.point_m;
      for (int x = 0; x < kPlane; ++x) place_[I(i)](x) = axis[static_cast<std::size_t>(x)].dot(p);
      size_squared = Max(size_squared, Scalar(place_[I(i)].squaredNorm()));
      height = Max(height, Abs(n.dot(p)));
      is_corner_[I(i)] = false;
      ++looked_at_;
    }
    return height * height <= kFlat * kFlat * size_squared;
  }

  static Scalar Turn(const InPlane& a, const InPlane& b, const InPlane& c) {
    return (b(0) - a(0)) * (c(1) - a(1)) - (b(1) - a(1)) * (c(0) - a(0));
  }

  // [Jarvis73]: from the leftmost point always to the one that leaves all others on its left, of several the farthest.
  void FindHull() {
    hull_.clear();
    int start = 0;
    for (int i = 1; i < patch_.size(); ++i) {
      const InPlane &p = place_[I(i)], &q = place_[I(start)];
      if (p(0) < q(0) || (kPlane == 2 && p(0) == q(0) && p(kPlane - 1) < q(kPlane - 1))) start = i;
    }
    if constexpr (kPlane == 1) {
      int end = 0;
      for (int i = 1; i < patch_.size(); ++i) {
        if (place_[I(i)](0) > place_[I(end)](0)) end = i;
      }
      AddCorner(start);
      if (end != start) AddCorner(end);
      looked_at_ += 2 * patch_.size();
    } else {
      int at = start;
      do {
        AddCorner(at);
        int next = at;
        for (int i = 0; i < patch_.size(); ++i, ++looked_at_) {
          if (i != at && IsBefore(at, i, next)) next = i;
        }
        at = next;
      } while (at != start && !is_corner_[I(at)]);
    }
  }

  void AddCorner(int i) {
    is_corner_[I(i)] = true;
    (void)hull_.push_back(i);
  }

  // Whether from `at` point i lies to the right of `next`, or behind it.
  bool IsBefore(int at, int i, int next) const {
    const InPlane &a = place_[I(at)], &p = place_[I(i)], &q = place_[I(next)];
    if (next == at) return (p - a).squaredNorm() > Scalar(0);
    const Scalar turn = Turn(a, q, p);
    return turn < Scalar(0) || (turn == Scalar(0) && (p - a).squaredNorm() > (q - a).squaredNorm());
  }

  // In a triangle of the fan from the first corner, and no nearer than that triangle.
  bool IsInside(const Problem& problem, int i) {
    const InPlane& p = place_[I(i)];
    if constexpr (kPlane == 1) {
      const Scalar a = place_[I(hull_[0])](0), b = place_[I(hull_[1])](0), w = (p(0) - a) / (b - a);
      ++looked_at_;
      return IsNoNearer(problem, i, {Scalar(1) - w, w, Scalar(0)}, {hull_[0], hull_[1], hull_[0]});
    } else {
      const InPlane& a = place_[I(hull_[0])];
      for (int k = 1; k + 1 < hull_.size(); ++k, ++looked_at_) {
        const InPlane &b = place_[I(hull_[k])], &c = place_[I(hull_[k + 1])];
        const Scalar area = Turn(a, b, c);
        if (!(area > Scalar(0))) continue;
        const Scalar w_b = Turn(a, p, c) / area, w_c = Turn(a, b, p) / area, w_a = Scalar(1) - w_b - w_c;
        if (!(Min(w_a, Min(w_b, w_c)) >= -kSame)) continue;
        return IsNoNearer(problem, i, {w_a, w_b, w_c}, {hull_[0], hull_[k], hull_[k + 1]});
      }
      return false;
    }
  }

  bool IsNoNearer(const Problem& problem, int i, const std::array<Scalar, 3>& w, const std::array<int, 3>& corner) const {
    constexpr Scalar kRounding = Scalar(8) * std::numeric_limits<Scalar>::epsilon();
    const auto is_no_nearer = [&](auto offset) {
      const auto speed = [&](int at) {
        const auto& contact = problem.contacts[patch_[at]];
        return contact.*offset * contact.normal_scale;
      };
      Scalar mean(0), size(0);
      for (std::size_t v = 0; v < 3; ++v) {
        mean += w[v] * speed(corner[v]);
        size = Max(size, Abs(speed(corner[v])));
      }
      return speed(i) >= mean - kRounding * size;
    };
    using Columns = typename Problem::ContactColumns;
    return is_no_nearer(&Columns::b) && is_no_nearer(&Columns::b_clear);
  }

  void Remove(Problem* problem) const {
    int kept = 0;
    for (int i = 0; i < problem->contacts.size(); ++i) {
      if (is_inner_[I(i)]) continue;
      if (kept != i) problem->contacts[kept] = problem->contacts[i];
      ++kept;
    }
    problem->contacts.resize(kept);
  }

  FixedVector<int, kCapacity.contacts> patch_, hull_;  // whitened contacts; places in the patch
  std::array<InPlane, kContacts> place_;
  std::array<bool, kContacts> is_seen_, is_inner_, is_corner_;
  std::int64_t compared_ = 0, looked_at_ = 0;
};

}  // namespace tactus
