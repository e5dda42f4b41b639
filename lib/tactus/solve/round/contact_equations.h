#pragma once
#include <array>
#include <cstdint>

#include "tactus/core/scalar.h"
#include "tactus/solve/algebra/contact_column.h"
#include "tactus/solve/round/newton_rows.h"

namespace tactus::internal {

/// The equations (R3) of one contact of several bodies: row A, column B, diagonal D, right-hand side r of each.
template <class Problem>
struct ContactEquations {
  using Scalar = typename Problem::Scalar;
  using Mode = RoundMode<Problem>;
  using Impulses = RoundImpulses<Problem>;
  using ContactColumns = typename Problem::ContactColumns;
  using Column = typename Problem::Column;
  using Velocity = typename Problem::Velocity;
  static constexpr std::size_t kMost = 3, kDof = static_cast<std::size_t>(Problem::kDof);

  // A contact's equations: ν, then s_x and s_y where it sticks, t·s where it slides.
  struct Part {
    std::int16_t contact, rows;
    std::array<const Scalar*, kMost> A;  // N; X, Y or `across`
    Column along, across;                // B of θ where friction grows with the load; X t_x + Y t_y
    bool loads_along;
    std::array<Scalar, kMost> inverse_D, D, r, rest, dx;

    const Scalar* B(std::size_t row) const { return row == 0 && loads_along ? along.data() : A[row]; }
  };

  static std::size_t Body(const ContactColumns& contact, std::size_t block) {
    return static_cast<std::size_t>(contact.offset[block]) / kDof;
  }

  static void FormRows(const ContactColumns& contact, const Mode& mode, Part* part) {
    part->A[0] = contact.N.data();
    part->loads_along = mode.LoadsAlong();
    if (part->loads_along) part->along = contact.N + contact.mu * Problem::TangentColumn(contact, mode.e);
    if (mode.piece == RoundPiece::kStick) {
      part->A[1] = contact.T.data();
      part->A[2] = contact.T.data() + Problem::kColumn;
    } else if (mode.piece == RoundPiece::kSlide) {
      part->across = Problem::TangentColumn(contact, mode.t());
      part->A[1] = part->across.data();
    }
  }

  /// @param[in] creep  γ, of a contact that yields: it sticks at s = -γ f. Where it slides γ only shortens the step
  template <class Sharing>
  static void FormEquations(const ContactColumns& contact, const Mode& mode, const Velocity& u0, const Sharing& sharing,
                            Scalar creep, const Impulses& impulses, Part* part) {
    constexpr Scalar kRegular = RoundTolerances<Scalar>::kRegular;
    const std::size_t I = static_cast<std::size_t>(part->contact);
    part->D[0] = contact.epsilon + kRegular;
    part->r[0] = -(Dot(contact, part->A[0], u0) + contact.b + contact.epsilon * impulses.theta[I]);
    if (part->rows > 1) {
      const Scalar share = sharing(part->contact) + creep;
      if (mode.piece == RoundPiece::kStick) {
        for (std::size_t x = 0; x < 2; ++x) {
          part->D[1 + x] = share + kRegular;
          const int axis = static_cast<int>(x);
          part->r[1 + x] = -(Dot(contact, part->A[1 + x], u0) + contact.tau(axis) + creep * impulses.f[I](axis));
        }
      } else {
        const auto t = mode.t();
        part->D[1] = mode.c + share + kRegular;
        part->r[1] = -(Dot(contact, part->A[1], u0) + t.dot(contact.tau) + mode.c * t.dot(impulses.f[I]));
      }
    }
    for (std::size_t row = 0; row < static_cast<std::size_t>(part->rows); ++row)
      part->inverse_D[row] = Scalar(1) / Max(part->D[row], RoundTolerances<Scalar>::kFactored);
  }

  // aᵀv
  static Scalar Dot(const ContactColumns& contact, const Scalar* a, const Velocity& v) {
    Scalar sum = DotOfBody(a, v.data() + contact.offset[0]);
    if constexpr (Problem::kBlocks == 2) {
      if (HasSecondBlock<Problem>(contact)) sum += DotOfBody(a + kDof, v.data() + contact.offset[1]);
    }
    return sum;
  }
  static Scalar DotOfBody(const Scalar* a, const Scalar* v) {
    Scalar sum = a[0] * v[0];
#pragma GCC unroll 6
    for (std::size_t i = 1; i < kDof; ++i) sum += a[i] * v[i];
    return sum;
  }

  // v += scale · a
  static void AddTo(const ContactColumns& contact, const Scalar* a, Scalar scale, Velocity* v) {
    AddToBody(a, scale, v->data() + contact.offset[0]);
    if constexpr (Problem::kBlocks == 2) {
      if (HasSecondBlock<Problem>(contact)) AddToBody(a + kDof, scale, v->data() + contact.offset[1]);
    }
  }
  static void AddToBody(const Scalar* a, Scalar scale, Scalar* v) {
#pragma GCC unroll 6
    for (std::size_t i = 0; i < kDof; ++i) v[i] += scale * a[i];
  }

  static void Apply(const ContactColumns& contact, const Mode& mode, const Part& part, Impulses* impulses) {
    const std::size_t I = static_cast<std::size_t>(part.contact);
    impulses->theta[I] += part.dx[0];
    if (part.loads_along) impulses->f[I] += contact.mu * part.dx[0] * mode.e;
    if (mode.piece == RoundPiece::kStick) {
      impulses->f[I](0) += part.dx[1];
      impulses->f[I](1) += part.dx[2];
    } else if (mode.piece == RoundPiece::kSlide) {
      impulses->f[I] += part.dx[1] * mode.t();
    }
  }

  // C += Σ A_p A_pᵀ/D_p of the parts of A that begin at `down` and `across`
  template <std::size_t kRows, bool kLowerHalf>
  static void AddProducts(const Part& part, std::size_t down, std::size_t across, Scalar* C) {
#pragma GCC unroll 6
    for (std::size_t i = 0; i < kDof; ++i) {
      Scalar a[kRows];
#pragma GCC unroll 3
      for (std::size_t p = 0; p < kRows; ++p) a[p] = part.A[p][down + i] * part.inverse_D[p];
#pragma GCC unroll 6
      for (std::size_t j = 0; j < (kLowerHalf ? i + 1 : kDof); ++j) {
        Scalar sum = C[i * kDof + j];
#pragma GCC unroll 3
        for (std::size_t p = 0; p < kRows; ++p) sum += a[p] * part.A[p][across + j];
        C[i * kDof + j] = sum;
      }
    }
  }

  // C += scale b aᵀ
  static void AddProduct(Scalar scale, const Scalar* b, const Scalar* a, Scalar* C) {
    for (std::size_t i = 0; i < kDof; ++i) AddToBody(a, scale * b[i], C + i * kDof);
  }
};

}  // namespace tactus::internal
