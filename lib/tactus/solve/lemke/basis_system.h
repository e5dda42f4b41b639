#pragma once
#include <array>
#include <bit>

#include "tactus/core/scalar.h"
#include "tactus/solve/algebra/contact_column.h"
#include "tactus/solve/algebra/dense_system.h"
#include "tactus/solve/algebra/vector_loops.h"
#include "tactus/solve/judge/tolerances.h"
#include "tactus/solve/lemke/basis_state.h"
#include "tactus/solve/lemke/reduced_members.h"

namespace tactus::internal {

/// Solves with the basis matrix of the contact LCP (8), of size n(2+d), through a system of at most 6m + 3 unknowns: Lloyd's
/// section 5.1 and appendices A.1-A.3 in one routine (docs/theory, section 4).
///
///     K x = -constants,   K_pa = A_pᵀ P B_a + …
///
/// Along a path the inverse is kept and updated at each pivot ([Lloyd04] 5.2), O(r²). Each response is checked. If K x +
/// constants is not small, it is refined once; if it still is not, the inverse is computed anew. The last response, the
/// answer, comes from a fresh matrix by elimination with pivoting.
template <class Problem_>
class BasisSystem : public BasisState<Problem_> {
  using State = BasisState<Problem_>;
  using Members = ReducedMembers<Problem_>;
  using ReducedEquation = typename Members::ReducedEquation;
  using ReducedUnknown = typename Members::ReducedUnknown;

 public:
  using Problem = Problem_;
  using Scalar = typename Problem::Scalar;
  using typename State::Slots;
  using typename State::Values;
  using typename State::Velocity;
  using Column = typename Problem::Column;
  using ContactColumns = typename Problem::ContactColumns;
  using Tangential = typename Problem::Tangential;
  using State::basis;
  using State::cover;
  using State::excluded;
  using State::kCapacity;
  using State::level_cover;
  using State::slots;
  using State::Take;
  using State::z0_basic;

  /// For another problem: no contact has friction rows, z0 is not basic. Bases that were kept stay: Enter() every
  /// contact whose basis changes or has friction rows.
  void Reset(const Problem& problem);
  /// The contact starts with this basis, and has its friction rows if it is expanded.
  void Enter(int contact, const ContactBasis& basis);
  /// z0 becomes basic, and neither variable of `excluded_pair` is.
  void EnterCover(const Variable& excluded_pair);
  /// z0 leaves and `driving` takes its place.
  void ReplaceCover(const Variable& driving);
  /// `driving` takes the place of the basic variable of the pair `leaving`, which becomes the excluded pair.
  /// @param rates  the response to `driving`
  /// @returns whether z left.
  bool Exchange(const Problem& problem, const Variable& driving, const Variable& leaving, const Values& rates);
  /// c := factor · c
  void ScaleCover(Scalar factor);
  /// Size of the reduced system at the last response, before the first one 0.
  int unknowns() const { return members_.unknowns.size(); }

  /// Values of the basic variables for the right-hand side q of the LCP; z0 is not basic.
  /// @returns min |U_ii| / max |U_ii| of the factors of K. 0: no values, the basis is singular or too large. < 0: no
  /// values, no work is left.
  Scalar RespondToConstant(const Problem& problem, Values* values);

  /// One step of iterative refinement of values for the same basis. The velocity is carried, v += Σ B_a dx_a, and not
  /// computed again from the impulses: what the impulses' own rounding makes of the velocity of a light body between heavy
  /// ones is gone.
  /// @returns false: the basis is singular, no work is left, or rounding has won; the values are then unspecified
  bool Sharpen(const Problem& problem, Values* values);

  /// Rate of change of the basic variables per unit of `driving`; z0 is basic, and `driving` of the excluded pair.
  /// @returns 0 and < 0 as above; 0 also if rounding leaves no finite answer.
  Scalar RespondToDriving(const Problem& problem, const Variable& driving, Values* rates);

 private:
  static constexpr int kMax = Members::kMax;
  static constexpr Scalar kNoWorkLeft = Scalar(-1);
  static constexpr int kNoEquation = -1;
  using Vector = std::array<Scalar, kMax>;

  // A velocity and the constants of the rows; Lloyd's right-hand sides are b_ν = -β, b_σ = -t, b_γ = -η, and for (21) ω.
  struct Source {
    bool is_q = false;  // q: β = b, t = τ
    int contact = -1;   // else only this contact has constants
    Scalar beta{0}, t{0}, eta{0}, omega{0};
    Velocity velocity;
  };

  // Responses, basis_responses.inl.
  Source SourceOf(const Problem& problem, const Variable& driving) const;
  Scalar Constant(const Problem& problem, const Source& source, const ReducedEquation& equation) const;
  void FillMatrix(const Problem& problem, bool transposed);
  Scalar Invert(const Problem& problem);
  void SolveByInverse(const Problem& problem, const Source& source);
  void SetValues(const Problem& problem, const Source& source, Values* values);
  void SetRows(const Problem& problem, const Source& source, const Velocity& v, Scalar lambda, Values* values) const;
  Scalar StartCones(const Source& source, Values* values) const;
  Scalar AddUnknowns(Velocity* v, Values* values) const;
  void ScanNormals(const Problem& problem, const Source& source, const Velocity& v, Values* values) const;
  [[gnu::always_inline]] inline void ScanFriction(const Problem& problem, const Source& source, int i, const Velocity& v,
                                                  Scalar lambda, Values* values) const;
  void SetSlips(const Problem& problem, const Tangential& along, Scalar base, Scalar* slip) const;
  void FindErrors(const Source& source, const Values& values);
  void AddCompliance(const Source& source);
  static Scalar Largest(const Vector& x, int size);
  bool AreErrorsSmall() const;
  void Refine();
  void Settle(Values* values) const;

  // Updates, basis_exchange.inl.
  bool UpdateInverse(const Problem& problem, const Variable& driving, const Variable& leaving, const Values& rates);
  bool PrepareToLeave(const Problem& problem, const Variable& leaving, const Values& rates);
  void ReadInfluence(int z_l, int equations);
  void FindInfluence(const Problem& problem, const Variable& leaving, int equations, ReducedEquation* row);
  void MakeRoom(int z_e, int equations);
  void TakeUpInfluence(int equations, int width, int goes, Scalar inverse_rate);
  void SetVRow(int w_l, int width, Scalar inverse_rate);
  Scalar Combination(const Vector& coefficients, int equation) const;
  void ConeCoefficients(int contact, Vector* coefficients) const;
  void SumSlips(int contact, int equations, Vector* sum) const;
  void Restore(const Problem& problem, int contact, const Values& rates);
  void Substitute(const Problem& problem, int contact, int direction, const Values& rates);
  void Eliminate(const Problem& problem, int contact);
  void AppendUnknown(const Problem& problem, const Variable& z);
  void AppendEquation(const Problem& problem, const Variable& pair);
  void RemoveUnknown(int place);
  void RemoveEquation(int place);
  Scalar* VRow(int equation) { return matrix_.row(equation); }
  const Scalar* VRow(int equation) const { return matrix_.row(equation); }

  Members members_;
  DenseSystem<Scalar, kMax> matrix_;  // V by rows of the equations: V[p][a] = (K⁻¹)_ap; or K while it is solved
  Vector x_;                          // unknowns of the last response
  Vector influence_;                  // of each equation's constant on the leaving variable
  Vector scratch_;
  bool is_current_ = false;  // V is the inverse for the basis as it stands
};

}  // namespace tactus::internal

#include "tactus/solve/lemke/basis_exchange.inl"
#include "tactus/solve/lemke/basis_responses.inl"
