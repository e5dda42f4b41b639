#pragma once
#include <array>
#include <cstdint>

#include "tactus/core/scalar.h"
#include "tactus/solve/algebra/vector_loops.h"
#include "tactus/solve/round/low_rank_solve.h"
#include "tactus/solve/round/newton_rows.h"

namespace tactus {

/// One Newton step of one body without joints on the round cone (docs/theory/round.md, R3). Unknowns: the increment of θ of
/// every contact that is not open, of f_x and f_y of one that sticks, of g across the slip of one that slides. With the rows
/// A and the columns B, the same but for θ of a sliding contact, where B = N + μ (e_x X + e_y Y):
///
///     K_pq = A_p·P B_q + [p = q] (ε_i | δ_i | c_i + δ_i)          K dx = -(A_pᵀu0 + b + ε θ | τ | t·τ + c g) (R3)
///
/// u0: velocity of the base point, where open contacts carry nothing and sliding ones f = μ θ e + g t. Increments, so that
/// what is indeterminate stays where it was.
template <class Problem>
class NewtonSystem {
  static_assert(Problem::kCapacity.bodies == 1 && !Problem::kHasJoints, "more of them: VelocitySystem");

 public:
  using Scalar = typename Problem::Scalar;
  using Mode = RoundMode<Problem>;
  using Impulses = RoundImpulses<Problem>;

  /// Most unknowns: 12 in ticks and 22 in random problems were the most seen.
  static constexpr int kRows = Min(24, 3 * Problem::kCapacity.contacts);

  /// Counts the unknowns: normals first, by contact, then tangents by contact. The order decides, where rows depend on each
  /// other, which of them stay as they were.
  /// @returns false: more than kRows
  template <class Modes>
  bool Count(const Problem& problem, const Modes& modes) {
    size_ = 0;
    for (int i = 0; i < problem.contacts.size(); ++i) {
      if (modes[static_cast<std::size_t>(i)].piece != RoundPiece::kOpen && !Add(i, Kind::kNormal)) return false;
    }
    const int normals = size_;
    for (int n = 0; n < normals; ++n) {
      const int i = unknown_[static_cast<std::size_t>(n)].contact;
      const RoundPiece piece = modes[static_cast<std::size_t>(i)].piece;
      if (piece == RoundPiece::kStick && !(Add(i, Kind::kX) && Add(i, Kind::kY))) return false;
      if (piece == RoundPiece::kSlide && !Add(i, Kind::kAcross)) return false;
    }
    return true;
  }

  int size() const { return size_; }

  /// Adds the step to `impulses`, which are the base point's.
  /// @param[in] u0       their velocity
  /// @param[in] sharing  sharing(i): δ of contact i, which makes redundant contacts share their friction
  template <class Modes, class Sharing>
  void Step(const Problem& problem, const Modes& modes, const typename Problem::Velocity& u0, const Sharing& sharing,
            Impulses* impulses) {
    for (int p = 0; p < size_; ++p) FormRow(problem, modes, p);
    for (int p = 0; p < size_; ++p) FormEquation(problem, modes, u0, sharing, *impulses, p);
    if (SolveEquations()) Apply(problem, modes, impulses);
  }

 private:
  enum class Kind : std::uint8_t { kNormal, kX, kY, kAcross };
  struct Unknown {
    std::int16_t contact;
    Kind kind;
  };
  using Column = typename Problem::Column;
  using Row = Eigen::Map<const Column>;
  using Tangential = typename Problem::Tangential;
  static constexpr std::size_t kSize = static_cast<std::size_t>(kRows), kDof = static_cast<std::size_t>(Problem::kDof);
  // Rows and columns have kDof numbers: more unknowns than that are not eliminated one by one.
  static constexpr std::size_t kEliminated = Min(kDof, kSize), kStride = kEliminated + 1;

  bool Add(int contact, Kind kind) {
    if (size_ == kRows) return false;
    unknown_[static_cast<std::size_t>(size_++)] = {static_cast<std::int16_t>(contact), kind};
    return true;
  }

  template <class Modes>
  void FormRow(const Problem& problem, const Modes& modes, int p) {
    const std::size_t P = static_cast<std::size_t>(p), I = static_cast<std::size_t>(unknown_[P].contact);
    const auto& contact = problem.contacts[unknown_[P].contact];
    const Mode& mode = modes[I];
    const Scalar* const own = own_[P].data();
    switch (unknown_[P].kind) {
      case Kind::kNormal:
        A_[P] = B_[P] = contact.N.data();
        if (!mode.LoadsAlong()) break;
        own_[P] = contact.N + contact.mu * Problem::TangentColumn(contact, mode.e);
        B_[P] = own;
        break;
      case Kind::kX: A_[P] = B_[P] = contact.T.data(); break;
      case Kind::kY: A_[P] = B_[P] = contact.T.data() + Problem::kColumn; break;
      case Kind::kAcross:
        own_[P] = Problem::TangentColumn(contact, mode.t());
        A_[P] = B_[P] = own;
        break;
    }
  }

  template <class Modes, class Sharing>
  void FormEquation(const Problem& problem, const Modes& modes, const typename Problem::Velocity& u0, const Sharing& sharing,
                    const Impulses& impulses, int p) {
    const std::size_t P = static_cast<std::size_t>(p), I = static_cast<std::size_t>(unknown_[P].contact);
    const auto& contact = problem.contacts[unknown_[P].contact];
    const Mode& mode = modes[I];
    Scalar value = Row(A_[P]).dot(u0), diagonal(0);
    switch (unknown_[P].kind) {
      case Kind::kNormal:
        value += contact.b + contact.epsilon * impulses.theta[I];
        diagonal = contact.epsilon;
        break;
      case Kind::kX:
        value += contact.tau(0);
        diagonal = sharing(static_cast<int>(I));
        break;
      case Kind::kY:
        value += contact.tau(1);
        diagonal = sharing(static_cast<int>(I));
        break;
      case Kind::kAcross:
        value += mode.t().dot(contact.tau) + mode.c * mode.t().dot(impulses.f[I]);
        diagonal = mode.c + sharing(static_cast<int>(I));
        break;
    }
    diagonal_[P] = diagonal + RoundTolerances<Scalar>::kRegular;
    rhs_[P] = -value;
  }

  // @returns false: singular
  bool SolveEquations() {
    if (static_cast<std::size_t>(size_) > kEliminated) return low_rank_.Solve(size_, A_, B_, diagonal_, rhs_, &step_);
    FormMatrix();
    Eliminate();
    return true;
  }

  void FormMatrix() {
    for (int p = 0; p < size_; ++p) {
      const std::size_t P = static_cast<std::size_t>(p);
      Scalar* const K = row(p);
      const Column A = Row(A_[P]);
      for (std::size_t q = P; q < static_cast<std::size_t>(size_); ++q) K[q] = A.dot(Row(B_[q]));
      // Where rows and columns are the same K is symmetric, to the bit.
      for (int q = p + 1; q < size_; ++q) {
        const std::size_t Q = static_cast<std::size_t>(q);
        row(q)[p] = A_[P] != B_[P] || A_[Q] != B_[Q] ? Row(A_[Q]).dot(Row(B_[P])) : K[q];
      }
      K[p] += diagonal_[P];
      K[size_] = rhs_[P];
      order_[P] = static_cast<std::int16_t>(p);
    }
  }

  // Gauss, column by column with row pivoting. A column that depends on those before is left out: its dx is 0.
  void Eliminate() {
    int rank = 0;
    for (int column = 0; column < size_; ++column) {
      if (!BringPivot(column, rank)) {
        step_[static_cast<std::size_t>(column)] = Scalar(0);
        continue;
      }
      const Scalar* const pivot = row(order_[static_cast<std::size_t>(rank)]);
      const Scalar inverse = Scalar(1) / pivot[column];
      for (int r = rank + 1; r < size_; ++r) {
        Scalar* const other = row(order_[static_cast<std::size_t>(r)]);
        if (other[column] == Scalar(0)) continue;
        internal::AddMultiple<static_cast<int>(kStride)>(-other[column] * inverse, pivot + column + 1, size_ - column,
                                                         other + column + 1);
      }
      lead_[static_cast<std::size_t>(rank++)] = static_cast<std::int16_t>(column);
    }
    for (int r = rank - 1; r >= 0; --r) {
      const Scalar* const equation = row(order_[static_cast<std::size_t>(r)]);
      const int column = lead_[static_cast<std::size_t>(r)];
      Scalar sum = equation[size_];
      for (int q = column + 1; q < size_; ++q) sum -= equation[q] * step_[static_cast<std::size_t>(q)];
      step_[static_cast<std::size_t>(column)] = sum / equation[column];
    }
  }

  bool BringPivot(int column, int rank) {
    int best = rank;
    Scalar largest(0);
    for (int r = rank; r < size_; ++r) {
      const Scalar entry = Abs(row(order_[static_cast<std::size_t>(r)])[column]);
      if (!(entry > largest)) continue;
      largest = entry;
      best = r;
    }
    if (!(largest > RoundTolerances<Scalar>::kPivot)) return false;
    const std::int16_t chosen = order_[static_cast<std::size_t>(best)];
    order_[static_cast<std::size_t>(best)] = order_[static_cast<std::size_t>(rank)];
    order_[static_cast<std::size_t>(rank)] = chosen;
    return true;
  }

  template <class Modes>
  void Apply(const Problem& problem, const Modes& modes, Impulses* impulses) const {
    for (int p = 0; p < size_; ++p) {
      const std::size_t P = static_cast<std::size_t>(p), I = static_cast<std::size_t>(unknown_[P].contact);
      const Scalar dx = step_[P];
      const Mode& mode = modes[I];
      switch (unknown_[P].kind) {
        case Kind::kNormal:
          impulses->theta[I] += dx;
          if (mode.LoadsAlong()) {
            impulses->f[I] += problem.contacts[unknown_[P].contact].mu * dx * mode.e;
          }
          break;
        case Kind::kX: impulses->f[I](0) += dx; break;
        case Kind::kY: impulses->f[I](1) += dx; break;
        case Kind::kAcross: impulses->f[I] += dx * mode.t(); break;
      }
    }
  }

  Scalar* row(int p) { return K_.data() + static_cast<std::size_t>(p) * kStride; }

  int size_ = 0;
  std::array<Unknown, kSize> unknown_;
  std::array<const Scalar*, kSize> A_, B_;  // the contacts' columns, or their own
  std::array<Column, kSize> own_;           // A and B across a slip, B of a normal that loads along it
  std::array<Scalar, kSize> diagonal_, rhs_, step_;
  internal::LowRankSolve<Scalar, Problem::kDof, kSize> low_rank_;
  std::array<Scalar, kEliminated * kStride> K_;  // row by row, the right-hand side at the end of each
  std::array<std::int16_t, kSize> order_, lead_;
};

}  // namespace tactus
