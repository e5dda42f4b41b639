#pragma once
#include <array>
#include <cstdint>
#include <limits>

#include "tactus/core/no_ipa.h"
#include "tactus/core/scalar.h"
#include "tactus/solve/dantzig/consistent_system.h"
#include "tactus/solve/dantzig/dantzig_system.h"
#include "tactus/solve/judge/residual.h"
#include "tactus/solve/judge/tolerances.h"
#include "tactus/solve/lemke/generic_cover.h"

namespace tactus {

/// Contact forces in Baraff's form: the friction force is a vector of the tangent plane, not split into directions.
template <class Scalar, Capacity kCapacity>
struct CoulombImpulses {
  using Tangential = typename WhitenedProblem<Scalar, kCapacity>::Tangential;
  std::array<Scalar, kCapacity.contacts> normal{};  ///< f_N
  std::array<Tangential, kCapacity.contacts> friction = Zero();

 private:
  static constexpr std::array<Tangential, kCapacity.contacts> Zero() {
    std::array<Tangential, kCapacity.contacts> zero;
    zero.fill(Tangential::Zero());
    return zero;
  }
};

enum class FrictionOutcome : std::uint8_t {
  kSolved,     ///< all conditions hold, measured
  kUnbounded,  ///< a force can be driven to infinity; ray() is the direction. With dynamic friction: no finite forces, an
               ///< impulse is needed ([Baraff94] section 6)
  kStepLimit,  ///< max_steps reached: the algorithm loops, or goes on giving up and establishing again
  kViolated,   ///< ended, but the conditions do not hold
};

template <class Scalar>
struct FrictionReport {
  FrictionOutcome outcome = FrictionOutcome::kViolated;
  int drives = 0;               ///< calls to drive-to-zero
  int steps = 0;                ///< pivot steps over all of them
  int given_up = 0;             ///< times a contact's conditions were given up to get on (5.4)
  int orders = 0;               ///< orders of the contacts that were tried
  int driven_contact = -1;      ///< of the last drive
  Scalar residual = Scalar(0);  ///< BaraffResidual of the forces
};

/// Baraff's contact forces with static and dynamic friction ([Baraff94] sections 5 and 6; docs/theory, section 9):
///
///     a = A f + b                                                                                             (18)
///     f_N ≥ 0,  a_N ≥ 0,  f_N a_N = 0                                                                         (15)
///     |f_F| ≤ μ f_N,  a_F·f_F ≤ 0,  |a_F| (μ f_N - |f_F|) = 0         static friction                    (16), (21), (22)
///     f_F = -μ f_N t                                                  dynamic friction, t: sliding direction   (24)
///
/// Velocities of the whitened problem stand for accelerations, impulses for forces: k = G⁻¹f, h = 1. In the plane (15)-(16)
/// are the conditions (3)-(5) of docs/theory. In space the cone is round and (21) asks only that friction opposes
/// the motion in part, so these are other conditions than those, with more solutions.
///
/// Which contact is driven next decides whether the method gets to an end. The most negative a_N goes first, as in the
/// paper; where that loops or ends in a contradiction it starts again with other orders, kOrders at most.
///
/// Kept for comparison: the method has no proof and fails where LemkeReduced does not, once in 300 problems (section 9). It
/// says so; what it calls solved has been measured.
template <class Scalar, Capacity kCapacity>
class DantzigFriction {
 public:
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using Tangential = typename Problem::Tangential;
  using Impulses = CoulombImpulses<Scalar, kCapacity>;
  /// The unit direction in which a contact slides, along its tangents; zero: it rests, friction is static.
  using Sliding = std::array<Tangential, kCapacity.contacts>;

  static constexpr int kOrders = 8;

  /// compute-forces. Work: O(n³) a step, Gaussian elimination.
  /// @param max_steps  over all orders; what is left is shared out evenly among the orders that are left
  FrictionReport<Scalar> Solve(const Problem& problem, const Sliding& sliding, int max_steps);
  /// Static friction everywhere.
  FrictionReport<Scalar> Solve(const Problem& problem, int max_steps) {
    Sliding resting;
    resting.fill(Tangential::Zero());
    return Solve(problem, resting, max_steps);
  }

  const Impulses& impulses() const { return force_; }
  /// After kUnbounded: Δf of the drive that met no limit.
  const Impulses& ray() const { return ray_; }

 private:
  static constexpr int kTangent = Problem::kTangent, kComponents = 1 + kTangent, kSize = kComponents * kCapacity.contacts;
  static constexpr Scalar kRounding = std::numeric_limits<Scalar>::epsilon() * Scalar(1e4);
  static constexpr Scalar kNegligible = sizeof(Scalar) == 8 ? Scalar(1e-10) : Scalar(1e-4);   // of a, f; S = max(|b|, |f|)
  static constexpr Scalar kDeclaredZero = sizeof(Scalar) == 8 ? Scalar(1e-8) : Scalar(1e-3);  // of a that nothing can move
  static constexpr Scalar kSingular = sizeof(Scalar) == 8 ? Scalar(1e-11) : Scalar(1e-5);
  using Components = Vec<Scalar, kComponents>;  // of one contact: (N, T)
  using Vector = std::array<Scalar, kSize>;

  enum class Normal : std::uint8_t { kOpen, kC, kNC };  // kOpen: in neither, not (yet, or no longer) maintained
  enum class Friction : std::uint8_t { kOpen, kCF, kNCF, kSliding };
  struct State {
    Normal normal = Normal::kOpen;
    Friction friction = Friction::kOpen;
    bool half_held = false;                // kOpen, in space: a_F along `axis` is held at zero while the other is driven
    Tangential axis = Tangential::Zero();  // first tangent of the contact's own frame
    Tangential direction = Tangential::Zero();  // kNCF, kSliding: f_F = μ f_N · direction
    Scalar mu = Scalar(0);
    int normal_moved_at = -1;    // value of progress_ at the last change of set; a change back at the same value
    int friction_moved_at = -1;  // came after steps of size zero only
  };
  struct Unknown {  // a row and a column of the system for Δf
    int contact;
    Components row;
  };
  enum class Event : std::uint8_t { kNone, kDriven, kDrivenAtCone, kLeavesC, kEntersC, kLeavesCF, kEntersCF };
  struct Limit {
    Scalar step = std::numeric_limits<Scalar>::max();
    Event event = Event::kNone;
    int contact = -1;
  };
  struct Drive {
    int contact;
    Tangential along;  // of f_F; zero: the normal force is driven
    bool to_no_force;  // f_F = 0 is the goal
    bool normal() const { return along == Tangential::Zero(); }
  };

  void SolveInOrder(const Problem& problem, const Sliding& sliding, int order, int max_steps);
  void Prepare(const Problem& problem, const Sliding& sliding);
  Scalar Urgency(int i) const;
  bool EstablishNext();
  bool EstablishFriction(int i);
  bool Run(const Drive& drive);
  bool Direction(const Drive& drive);
  void ListUnknowns();
  void FillMatrix();
  void AddSolution(Vector* f) const;
  Limit MaxStep(const Drive& drive) const;
  void LimitDriven(const Drive& drive, Limit* limit) const;
  void LimitNormals(Limit* limit) const;
  void LimitFriction(Limit* limit) const;
  Scalar StepToCone(int i) const;
  bool Advance(const Drive& drive, const Limit& limit);
  void EnterC(int i, const Drive& drive);
  void LeaveC(int i);
  void EnterNCF(int i);
  void EnterCF(int i);
  bool InsideCone(int i) const;
  bool GiveUp(int* moved_at);
  int GiveUpContradiction();
  bool HasFriction(int i) const;
  void Accelerations();
  void Refine();
  void Store(const Vector& f, Impulses* impulses) const;
  Scalar Scale() const;
  Scalar Tolerance() const { return kNegligible * Scale(); }
  bool EndUnbounded(const Drive& drive);

  Components NormalColumn(int i) const;
  Components UnknownColumn(const Unknown& u) const { return u.row(0) != Scalar(0) ? NormalColumn(u.contact) : u.row; }
  Components TangentColumn(const Tangential& t) const;
  static Tangential Across(const Tangential& t);
  Scalar Entry(int i, const Components& row, int j, const Components& column) const;
  Tangential Tangent(const Vector& v, int i) const;
  void SetTangent(int i, const Tangential& t, Vector* v) const;
  Scalar NormalOf(const Vector& v, int i) const { return v[kComponents * i]; }

  DantzigSystem<Scalar, kSize> system_;
  internal::ConsistentSystem<Scalar, kSize> solver_;
  Vector f_, a_, df_, da_, x_;
  std::array<State, kCapacity.contacts> state_;
  FixedVector<Unknown, kSize> unknowns_;
  int contacts_ = 0, max_steps_ = 0, progress_ = 0;
  internal::GenericCover<Scalar> order_;
  FrictionReport<Scalar> report_;
  Impulses force_, ray_;
};

/// The forces in the friction directions of the whitened problem: u is the same.
template <class Scalar, Capacity kCapacity>
void SplitIntoDirections(const WhitenedProblem<Scalar, kCapacity>& problem, const CoulombImpulses<Scalar, kCapacity>& force,
                         WhitenedImpulses<Scalar, kCapacity>* impulses) {
  *impulses = {};
  for (int i = 0; i < problem.contacts.size(); ++i) {
    impulses->theta[i] = force.normal[i];
    problem.Split(force.friction[i], &impulses->phi[i]);
  }
}

/// u = k + P (N f_N + X f_x + Y f_y)
template <class Scalar, Capacity kCapacity>
typename WhitenedProblem<Scalar, kCapacity>::Velocity VelocityFor(const WhitenedProblem<Scalar, kCapacity>& problem,
                                                                  const CoulombImpulses<Scalar, kCapacity>& force) {
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  typename Problem::Velocity u = Problem::Velocity::Zero();
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    const typename Problem::Column column = contact.N * force.normal[i] + Problem::TangentColumn(contact, force.friction[i]);
    Problem::AddTo(contact, column, Scalar(1), &u);
  }
  problem.Project(&u);
  u += problem.k;
  return u;
}

/// Whether what is called an answer to static friction has energy that none has, |u|² > k·u - b·f_N - τ·f_F (theory 3), or
/// hides a violation behind impulses that exceed the motion by far: the guards of the ladder.
/// @param residual  BaraffResidual of the forces
template <class Scalar, Capacity kCapacity>
bool IsExplosion(const WhitenedProblem<Scalar, kCapacity>& problem, const CoulombImpulses<Scalar, kCapacity>& force,
                 Scalar residual) {
  Scalar given(0), motion = Sqrt(problem.k.squaredNorm()), impulse(0);
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    given -= contact.b * force.normal[i] + contact.tau.dot(force.friction[i]);
    motion = Max(motion, Max(Abs(contact.b), Sqrt(contact.tau.squaredNorm())));
    impulse = Max(impulse, force.normal[i]);
  }
  const auto u = VelocityFor(problem, force);
  const Scalar tolerance = Tolerances<Scalar>::kEnergy * (problem.k.squaredNorm() + Abs(given));
  return !(u.squaredNorm() <= problem.k.dot(u) + given + tolerance) ||
         residual * impulse > Tolerances<Scalar>::kAcceptMotion * motion;
}

/// How far forces are from (15), (16), (21), (22), (24), independent of any solver; u from (18) in its factored form.
///
///     |min(f_N, a_N)|,  |f_F| - μ f_N,  min(|f_F|, a_F·f_F/|f_F|),  min(|a_F|, μ f_N - |f_F|),  |f_F + μ f_N t|
///
/// the largest of them, of max(|k|, max f_N).
template <class Scalar, Capacity kCapacity>
Scalar BaraffResidual(const WhitenedProblem<Scalar, kCapacity>& problem,
                      const std::array<typename WhitenedProblem<Scalar, kCapacity>::Tangential, kCapacity.contacts>& sliding,
                      const CoulombImpulses<Scalar, kCapacity>& force) {
  using Problem = WhitenedProblem<Scalar, kCapacity>;
  using Tangential = typename Problem::Tangential;
  const typename Problem::Velocity u = VelocityFor(problem, force);
  Scalar worst(0), scale = Sqrt(problem.k.squaredNorm());
  const auto include = [&worst](Scalar violation) {
    if (!(violation <= Scalar(0))) internal::Worsen(violation, &worst);
  };
  for (int i = 0; i < problem.contacts.size(); ++i) {
    const auto& contact = problem.contacts[i];
    const Scalar f_N = force.normal[i], f_F = Sqrt(force.friction[i].squaredNorm());
    scale = Max(scale, f_N);
    include(Abs(Min(Problem::Dot(contact, contact.N, u) + contact.b + contact.epsilon * f_N, f_N)));  // (15)
    if (sliding[i] != Tangential::Zero()) {
      const Tangential error = force.friction[i] + contact.mu * f_N * sliding[i];  // (24)
      include(Sqrt(error.squaredNorm()));
      continue;
    }
    const Tangential a_F = Problem::TangentDot(contact, u) + contact.tau;
    include(f_F - contact.mu * f_N);                                           // (16), (22)
    include(Min(Sqrt(a_F.squaredNorm()), contact.mu * f_N - f_F));             // (16)
    if (f_F > Scalar(0)) include(Min(f_F, a_F.dot(force.friction[i]) / f_F));  // (16), (21)
  }
  return scale > Scalar(0) ? worst / scale : worst;
}

}  // namespace tactus

#include "tactus/solve/dantzig/dantzig_friction.inl"
#include "tactus/solve/dantzig/dantzig_friction_sets.inl"
