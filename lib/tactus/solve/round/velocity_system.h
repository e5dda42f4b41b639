#pragma once
#include <array>
#include <cstdint>

#include "tactus/core/scalar.h"
#include "tactus/solve/round/body_blocks.h"
#include "tactus/solve/round/contact_equations.h"
#include "tactus/solve/work.h"

namespace tactus {

/// NewtonSystem for several bodies, or joints: the step (R3) through the velocity w = P Bᵀdx that it gives, body by body
/// (docs/theory/round.md):
///
///     M = 1 + Σ_p B_p A_pᵀ/D_p + Σ_c Q_c Q_cᵀ/δ_Q      M w = Σ_p B_p r_p/D_p      dx_p = (r_p - A_p·w)/D_p
///
/// The joints' columns Q are held with δ_Q = kFactored, not projected, so that M stays sparse: K is right up to δ_Q (A
/// Q)(QᵀBᵀ), and the next step refines that. In float r - K dx is solved for twice more, as in LowRankSolve, and what is
/// factored has D_p ≥ kFactored: each pass then leaves a share (kFactored - D)/(λ + kFactored) of what K has with λ.
template <class Problem>
class VelocitySystem : internal::ContactEquations<Problem> {
  using Equations = internal::ContactEquations<Problem>;

 public:
  using Scalar = typename Problem::Scalar;
  using Mode = RoundMode<Problem>;
  using Impulses = RoundImpulses<Problem>;

  /// The contacts that take part, and the bodies and joints at them.
  template <class Modes>
  bool Count(const Problem& problem, const Modes& modes) {
    size_ = rows_ = pairs_ = 0;
    blocks_.Clear(problem.bodies);
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const RoundPiece piece = modes[static_cast<std::size_t>(i)].piece;
      if (piece == RoundPiece::kOpen) continue;
      Part& part = part_[static_cast<std::size_t>(size_++)];
      part.contact = static_cast<std::int16_t>(i);
      part.rows = static_cast<std::int16_t>(piece == RoundPiece::kStick ? 3 : piece == RoundPiece::kSlide ? 2 : 1);
      rows_ += part.rows;
      LinkBodies(problem.contacts[i]);
    }
    LinkJoints(problem);
    blocks_.Arrange();
    return true;
  }

  /// What Step() takes, after Count() (work.h).
  std::int64_t Cost(const Problem& problem) const {
    return work::VelocityStep(problem.contacts.size(), size_, rows_ + pairs_, blocks_.taken(), blocks_.blocks(),
                              blocks_.products(), joint_blocks_) +
           2 * work::JointProjection(problem.joint_rank, problem.joint_numbers());
  }

  /// As NewtonSystem::Step.
  /// @param[in] creep  creep(i): γ of contact i, see RoundPolish
  template <class Modes, class Sharing, class Creep>
  void Step(const Problem& problem, const Modes& modes, const typename Problem::Velocity& u0, const Sharing& sharing,
            const Creep& creep, Impulses* impulses) {
    for (int p = 0; p < size_; ++p) {
      Part& part = part_[static_cast<std::size_t>(p)];
      FormRows(problem.contacts[part.contact], modes[static_cast<std::size_t>(part.contact)], &part);
      FormEquations(problem.contacts[part.contact], modes[static_cast<std::size_t>(part.contact)], u0, sharing,
                    creep(part.contact), *impulses, &part);
    }
    FormBlocks(problem);
    if (!blocks_.Factor()) return;
    Solve(problem);
    for (int p = 0; p < size_; ++p) {
      const Part& part = part_[static_cast<std::size_t>(p)];
      Apply(problem.contacts[part.contact], modes[static_cast<std::size_t>(part.contact)], part, impulses);
    }
  }

 private:
  using Equations::AddProduct;
  using Equations::AddTo;
  using Equations::Apply;
  using Equations::Body;
  using Equations::Dot;
  using Equations::FormEquations;
  using Equations::FormRows;
  using typename Equations::Part;
  using ContactColumns = typename Problem::ContactColumns;
  using Column = typename Problem::Column;
  using Velocity = typename Problem::Velocity;
  using JointVector = typename Problem::JointVector;
  static constexpr std::size_t kDof = static_cast<std::size_t>(Problem::kDof);
  static constexpr std::size_t kContacts = static_cast<std::size_t>(Problem::kCapacity.contacts);
  static constexpr std::size_t kBodies = static_cast<std::size_t>(Problem::kCapacity.bodies);
  static constexpr int kRefinements = sizeof(Scalar) == sizeof(double) ? 0 : 2;  // as LowRankSolve

  void LinkBodies(const ContactColumns& contact) {
    blocks_.Take(Body(contact, 0));
    if constexpr (Problem::kBlocks == 2) {
      if (!internal::HasSecondBlock<Problem>(contact)) return;
      blocks_.Link(Body(contact, 0), Body(contact, 1));
      pairs_ += part_[static_cast<std::size_t>(size_ - 1)].rows;
    }
  }

  static bool Moves(const Velocity& v, std::size_t body) {
    for (std::size_t i = 0; i < kDof; ++i) {
      if (v(static_cast<int>(body * kDof + i)) != Scalar(0)) return true;
    }
    return false;
  }

  // Those that two bodies' columns have in common, all others that each of them has.
  void LinkJoints(const Problem& problem) {
    joint_blocks_ = 0;
    if constexpr (Problem::kHasJoints) {
      for (int c = 0; c < problem.joint_rank; ++c) {
        const Velocity& q = problem.Q[static_cast<std::size_t>(c)];
        for (std::size_t k = 0; k < static_cast<std::size_t>(problem.bodies); ++k) {
          moves_[static_cast<std::size_t>(c)][k] = Moves(q, k);
          if (!moves_[static_cast<std::size_t>(c)][k]) continue;
          blocks_.Take(k);
          ++joint_blocks_;
          for (std::size_t l = 0; l < k; ++l) {
            if (!moves_[static_cast<std::size_t>(c)][l]) continue;
            blocks_.Link(l, k);
            ++joint_blocks_;
          }
        }
      }
    }
  }

  // The symmetric part by halves, N Nᵀ of a contact that slides included; then what is left of that one, μ (X e_x + Y e_y)
  // Nᵀ.
  void FormBlocks(const Problem& problem) {
    for (int p = 0; p < size_; ++p)
      AddSymmetric(problem.contacts[part_[static_cast<std::size_t>(p)].contact], part_[static_cast<std::size_t>(p)]);
    if constexpr (Problem::kHasJoints) {
      for (int c = 0; c < problem.joint_rank; ++c)
        AddJoint(problem.Q[static_cast<std::size_t>(c)], moves_[static_cast<std::size_t>(c)], problem.bodies);
    }
    blocks_.Mirror();
    for (int p = 0; p < size_; ++p) {
      const Part& part = part_[static_cast<std::size_t>(p)];
      if (part.loads_along) AddAlong(problem.contacts[part.contact], part);
    }
  }

  void AddSymmetric(const ContactColumns& contact, const Part& part) {
    switch (part.rows) {
      case 1: AddRows<1>(contact, part); break;
      case 2: AddRows<2>(contact, part); break;
      default: AddRows<3>(contact, part); break;
    }
  }

  template <std::size_t kRows>
  void AddRows(const ContactColumns& contact, const Part& part) {
    const std::size_t first = Body(contact, 0);
    Equations::template AddProducts<kRows, true>(part, 0, 0, blocks_.block(first, first));
    if constexpr (Problem::kBlocks == 2) {
      if (!internal::HasSecondBlock<Problem>(contact)) return;
      const std::size_t second = Body(contact, 1);
      Equations::template AddProducts<kRows, true>(part, kDof, kDof, blocks_.block(second, second));
      if (first < second) {
        Equations::template AddProducts<kRows, false>(part, kDof, 0, blocks_.block(second, first));
      } else {
        Equations::template AddProducts<kRows, false>(part, 0, kDof, blocks_.block(first, second));
      }
    }
  }

  // The lower half of Q_c Q_cᵀ/δ_Q.
  void AddJoint(const Velocity& q, const std::array<bool, kBodies>& moves, int bodies) {
    constexpr Scalar kStiff = Scalar(1) / RoundTolerances<Scalar>::kFactored;
    for (std::size_t k = 0; k < static_cast<std::size_t>(bodies); ++k) {
      for (std::size_t l = 0; l <= k; ++l) {
        if (moves[k] && moves[l]) AddProduct(kStiff, q.data() + k * kDof, q.data() + l * kDof, blocks_.block(k, l));
      }
    }
  }

  void AddAlong(const ContactColumns& contact, const Part& part) {
    const Column friction = part.along - contact.N;
    const Scalar* const b = friction.data();
    const Scalar* const a = part.A[0];
    const Scalar stiff = part.inverse_D[0];
    const std::size_t first = Body(contact, 0);
    AddProduct(stiff, b, a, blocks_.block(first, first));
    if constexpr (Problem::kBlocks == 2) {
      if (!internal::HasSecondBlock<Problem>(contact)) return;
      const std::size_t second = Body(contact, 1);
      AddProduct(stiff, b, a + kDof, blocks_.block(first, second));
      AddProduct(stiff, b + kDof, a, blocks_.block(second, first));
      AddProduct(stiff, b + kDof, a + kDof, blocks_.block(second, second));
    }
  }

  void Solve(const Problem& problem) {
    for (int p = 0; p < size_; ++p) part_[static_cast<std::size_t>(p)].rest = part_[static_cast<std::size_t>(p)].r;
    for (int p = 0; p < size_; ++p) part_[static_cast<std::size_t>(p)].dx.fill(Scalar(0));
    for (int pass = 0; pass <= kRefinements; ++pass) {
      if (pass > 0) FindRest(problem);
      w_.setZero();
      for (int p = 0; p < size_; ++p) {
        const Part& part = part_[static_cast<std::size_t>(p)];
        for (std::size_t row = 0; row < static_cast<std::size_t>(part.rows); ++row) {
          AddTo(problem.contacts[part.contact], part.B(row), part.rest[row] * part.inverse_D[row], &w_);
        }
      }
      blocks_.Solve(&w_);
      for (int p = 0; p < size_; ++p) {
        Part& part = part_[static_cast<std::size_t>(p)];
        for (std::size_t row = 0; row < static_cast<std::size_t>(part.rows); ++row) {
          const Scalar along = Dot(problem.contacts[part.contact], part.A[row], w_);
          part.dx[row] += (part.rest[row] - along) * part.inverse_D[row];
        }
      }
    }
  }

  // r - K dx
  void FindRest(const Problem& problem) {
    w_.setZero();
    for (int p = 0; p < size_; ++p) {
      const Part& part = part_[static_cast<std::size_t>(p)];
      for (std::size_t row = 0; row < static_cast<std::size_t>(part.rows); ++row) {
        AddTo(problem.contacts[part.contact], part.B(row), part.dx[row], &w_);
      }
    }
    problem.Project(&w_);
    for (int p = 0; p < size_; ++p) {
      Part& part = part_[static_cast<std::size_t>(p)];
      for (std::size_t row = 0; row < static_cast<std::size_t>(part.rows); ++row) {
        part.rest[row] = part.r[row] - part.D[row] * part.dx[row] - Dot(problem.contacts[part.contact], part.A[row], w_);
      }
    }
  }

  int size_ = 0, rows_ = 0, pairs_ = 0, joint_blocks_ = 0;
  std::array<Part, kContacts> part_;
  internal::BodyBlocks<Scalar, Problem::kDof, kBodies> blocks_;
  std::array<std::array<bool, kBodies>, JointVector().size()> moves_;
  Velocity w_;
};

}  // namespace tactus
