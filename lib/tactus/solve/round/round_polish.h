#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "tactus/core/scalar.h"
#include "tactus/solve/round/newton_system.h"
#include "tactus/solve/round/round_judge.h"
#include "tactus/solve/round/velocity_system.h"
#include "tactus/solve/work.h"

namespace tactus {

/// Semismooth Newton on Coulomb's round cone, in the impulses of the contacts that carry (docs/theory/round.md):
///
///     measure; round? done.   piece of every contact (R2)   base point, its velocity   K dx = rhs (R3)   θ, f += dx
///
/// Bounded: at most kStepsFromLastTick, 3 kStepsFromSwept or 4 kStepsFromPolygon systems (NewtonSystem, of several bodies
/// VelocitySystem), and kRefinements more where an answer is refined, each counted before it is taken. No answer is handed
/// out that RoundJudge does not call round, so none adds energy; where there is none the caller keeps the polygon's.
template <class Problem>
class RoundPolish {
  static_assert(Problem::kTangent == 2, "in the plane the polygon is the cone");

 public:
  using Scalar = typename Problem::Scalar;
  using Impulses = RoundImpulses<Problem>;

  static constexpr bool kIsOneBody = Problem::kCapacity.bodies == 1 && !Problem::kHasJoints;
  static constexpr int kStepsFromLastTick = 8, kStepsFromPolygon = 6, kStepsFromSwept = 12;
  static constexpr int kRefinements = kIsOneBody ? 4 : 8;

  /// After a call that returned true, the answer. Before FromLastTick(), what to start from.
  Impulses& impulses() { return impulses_; }
  const Impulses& impulses() const { return impulses_; }
  /// Velocities and residual of the last iterate.
  const RoundJudge<Problem>& judge() const { return judge_; }
  /// The residual, (R1), of what the last call started from; 0 where there was no work left to measure it.
  Scalar start_residual() const { return start_residual_; }
  /// Whether impulses() of a call that returned false is nearer to the law than what it started from.
  bool is_nearer() const { return steps_ > 0 && judge_.residual() < start_residual_; }
  /// Systems solved by the last call.
  int steps() const { return steps_; }

  /// Whether an answer gets more steps, as long as they make its residual smaller: down to rounding, as a rule after one.
  /// Then it is put onto the cone.
  void set_refines(bool refines) { refines_ = refines; }

  /// From impulses() of the same contacts one tick ago. @returns whether impulses() is round friction
  bool FromLastTick(const Problem& problem, Work* work) {
    steps_ = 0;
    start_residual_ = Scalar(0);
    constexpr Effort kOneBody{.steps = kStepsFromLastTick, .share = kWideShare, .patience = kPatience};
    constexpr Effort kSeveral{.steps = kStepsFromLastTick, .share = kShare};
    return Attempt(problem, kIsOneBody ? kOneBody : kSeveral, work);
  }

  /// The same where a tick has work for nothing else: with each share in turn. Where `failures` ticks before had no answer
  /// it begins with another one each time. The last step that the work allows has to give an answer: SharesFriction().
  bool FromLastTickAlone(const Problem& problem, int failures, Work* work) {
    const Impulses start = impulses_;
    steps_ = 0;
    for (int e = 0; e < 3; ++e) {
      start_residual_ = Scalar(0);
      impulses_ = start;
      const Effort effort{.steps = kStepsFromLastTick, .share = kShares[(failures + e) % 3], .is_alone = true};
      if (Attempt(problem, effort, work)) return true;
      if (work->was_refused()) return false;
    }
    return false;
  }

  /// From the polygon's answer. @returns whether impulses() is round friction
  bool FromPolygon(const Problem& problem, const typename Impulses::Polygon& polygon, Work* work) {
    constexpr Effort kEfforts[] = {{kStepsFromPolygon, kShare, true},       // few redundant contacts
                                   {kStepsFromPolygon, kWideShare, false},  // the polygon slips where the cone sticks
                                   {2 * kStepsFromPolygon, kFullShare, true}};
    steps_ = 0;
    start_residual_ = Scalar(0);
    for (const Effort& effort : kEfforts) {
      impulses_.TakePolygon(problem, polygon);
      if (Attempt(problem, effort, work)) return true;
      if (work->was_refused()) return false;
    }
    return false;
  }

  /// From swept impulses (round_sweeps.h). The work of a tick is not enough for all shares: where `failures` ticks before
  /// had no answer it begins with another one each time.
  bool FromSwept(const Problem& problem, const typename Impulses::Polygon& swept, int failures, Work* work) {
    steps_ = 0;
    start_residual_ = Scalar(0);
    for (int e = 0; e < 3; ++e) {
      start_residual_ = Scalar(0);
      impulses_.TakePolygon(problem, swept);
      if (Attempt(problem, {kStepsFromSwept, kShares[(failures + e) % 3], false}, work)) return true;
      if (work->was_refused()) return false;
    }
    return false;
  }

 private:
  using Tolerance = RoundTolerances<Scalar>;
  using Tangential = typename Problem::Tangential;
  using System = std::conditional_t<kIsOneBody, NewtonSystem<Problem>, VelocitySystem<Problem>>;
  struct Effort {
    int steps;
    Scalar share;
    bool by_slip = false;   // the first step goes by the start's slip alone: a polygon's force is a corner
    bool is_alone = false;  // no other way follows: the last step that the work allows has to give an answer
    int patience = std::numeric_limits<int>::max();  // steps in a row after which an attempt stalls
  };

  // From the last tick of one body Newton converges in a few steps or not at all. Of 572 ticks of a peg that binds, which
  // needed more than four steps or another start, eight steps end 303.
  static constexpr int kPatience = 2;
  class Progress {
   public:
    bool Stalls(Scalar residual, int patience) {
      constexpr Scalar kFall = Scalar(0.7);
      const bool falls = residual < kFall * least_;
      if (falls) least_ = residual;
      in_vain_ = falls ? 0 : in_vain_ + 1;
      return in_vain_ >= patience;
    }

   private:
    Scalar least_ = std::numeric_limits<Scalar>::infinity();
    int in_vain_ = 0;
  };

  // δ of tangential rows: share · min(residual, 1) · min(size/(μθ), kMostShare). Redundant contacts share friction in
  // proportion to θ while the step is still long. No single share serves all: of 1 500 ticks of a peg 17 fail with the first
  // alone, 7 with two, 2 with three. From the last tick a wide one serves one body, a narrow one several: the stack of three
  // blocks then takes 0 to 2 steps where it took 3.
  static constexpr Scalar kShare = Scalar(0.01), kWideShare = Scalar(0.1), kFullShare = Scalar(1), kMostShare = Scalar(1e3);
  static constexpr Scalar kShares[] = {kWideShare, kShare, kFullShare};  // in turn
  // Below kResidual of double. At rest that is 8 nm/s. Stacks of two and three soft blocks, turned by 1°, under a load that
  // changes, with K = 10 000 N/m: without it 5.5 to 12 steps a tick, and from the last tick alone no answer in 3 to 7 % of
  // the ticks; with it 1.1 to 1.8 and none. With 1000 N/m 14 to 24 and 7 to 17 %, then 5 to 10 and 1 to 11 %. Test:
  // Yielding.StacksUnderAMovingLoadHaveExactAnswersInATicksWork.
  static constexpr Scalar kCreep = Scalar(0.8e-6);

  bool Attempt(const Problem& problem, const Effort& effort, Work* work) {
    if (!work->Take(MeasureCost(problem))) return false;
    judge_.Measure(problem, impulses_);
    start_residual_ = judge_.residual();
    Progress progress;
    for (int step = 0; step < effort.steps; ++step) {
      if (judge_.IsRound(problem, impulses_)) return Finish(problem, effort.share, work);
      const bool by_slip = effort.by_slip && step == 0 && judge_.residual() > Tolerance::kResidual;
      if (!IsFinite(judge_.residual())) return false;
      if (progress.Stalls(judge_.residual(), effort.patience)) return false;
      const Scalar rho = by_slip ? Tolerance::kFirstStep : Scalar(1);
      if (!Step(problem, rho, effort.share, effort.is_alone, work)) return false;
      judge_.Measure(problem, impulses_);
    }
    return judge_.IsRound(problem, impulses_) && Finish(problem, effort.share, work);
  }

  std::int64_t MeasureCost(const Problem& problem) const {
    if constexpr (kIsOneBody) return work::RoundMeasure(problem.contacts.size(), impulses_.Loaded(problem.contacts.size()));
    return work::VelocityMeasure(problem.contacts.size()) +
           work::JointProjection(problem.joint_rank, problem.joint_numbers());
  }

  // @returns true: it was an answer before
  bool Finish(const Problem& problem, Scalar share, Work* work) {
    if (!refines_) return true;
    Refine(problem, share, work);
    PutOnCone(problem, work);
    return true;
  }

  void Refine(const Problem& problem, Scalar share, Work* work) {
    constexpr Scalar kRounding = Scalar(16) * std::numeric_limits<Scalar>::epsilon();
    for (int step = 0; step < kRefinements; ++step) {
      const Impulses last = impulses_;
      const Scalar residual = judge_.residual();
      if (!(residual > kRounding) || !work->Take(MeasureCost(problem)) || !Step(problem, Scalar(1), share, false, work))
        return;
      judge_.Measure(problem, impulses_);
      if (judge_.residual() < residual && judge_.IsRound(problem, impulses_)) continue;
      TakeBack(problem, last);
      return;
    }
  }

  // Newton ends beside the cone by as much as the tolerances allow. What pulls or exceeds μθ by more than rounding goes back
  // onto it, as long as that is an answer too.
  void PutOnCone(const Problem& problem, Work* work) {
    if (!ForEachOffCone(problem, [](std::size_t, Scalar) {}) || !work->Take(2 * MeasureCost(problem))) return;
    const Impulses last = impulses_;
    (void)ForEachOffCone(problem, [this](std::size_t i, Scalar share) {
      impulses_.theta[i] = Max(impulses_.theta[i], Scalar(0));
      impulses_.f[i] *= share;
    });
    judge_.Measure(problem, impulses_);
    if (!judge_.IsRound(problem, impulses_)) TakeBack(problem, last);
  }

  // Calls back with each contact whose impulse is outside the cone, and the share of f that is inside. @returns whether
  // there is one
  template <class Callback>
  bool ForEachOffCone(const Problem& problem, const Callback& callback) const {
    constexpr Scalar kRounding = Scalar(1) + Scalar(64) * std::numeric_limits<Scalar>::epsilon();
    bool any = false;
    for (int i = 0; i < problem.contacts.size(); ++i) {
      if (!impulses_.IsLoaded(i)) continue;
      const std::size_t I = static_cast<std::size_t>(i);
      const Scalar limit = Max(problem.contacts[i].mu * impulses_.theta[I], Scalar(0));
      const Scalar squared = impulses_.f[I].squaredNorm();
      const bool slides_off = squared > limit * limit * kRounding;
      if (!slides_off && impulses_.theta[I] >= Scalar(0)) continue;
      any = true;
      callback(I, slides_off ? limit / Sqrt(squared) : Scalar(1));
    }
    return any;
  }

  void TakeBack(const Problem& problem, const Impulses& last) {
    impulses_ = last;
    judge_.Measure(problem, impulses_);
  }

  // @returns false: too many unknowns, or no work left
  bool Step(const Problem& problem, Scalar rho, Scalar share, bool is_alone, Work* work) {
    for (int i = 0; i < problem.contacts.size(); ++i) {
      modes_[static_cast<std::size_t>(i)] = ModeOf(problem, i, impulses_, judge_, rho);
    }
    if (!system_.Count(problem, modes_)) return false;
    if constexpr (kIsOneBody) {
      const std::int64_t cost = work::RoundStep(problem.contacts.size(), system_.size());
      if (!work->Take(cost)) return false;
      if (is_alone && !work->Allows(cost) && !SharesFriction(problem)) share = Scalar(0);
    } else {
      if (!work->Take(system_.Cost(problem))) return false;
    }
    ++steps_;
    const Scalar size = judge_.scales().largest(), slack = share * Min(judge_.residual(), Scalar(1));
    const auto sharing = [&](int i) {
      const Scalar limit = problem.contacts[i].mu * impulses_.theta[static_cast<std::size_t>(i)];
      return slack * (size < kMostShare * limit ? size / limit : kMostShare);
    };
    const bool is_measured = !TakeBasePoint(problem);
    const auto u0 = is_measured ? judge_.velocity() : impulses_.VelocityFor(problem);
    if constexpr (kIsOneBody) {
      system_.Step(problem, modes_, u0, sharing, &impulses_);
    } else {
      const auto creep = [&](int i) { return CreepOf(problem, i); };
      system_.Step(problem, modes_, u0, sharing, creep, &impulses_);
    }
    return true;
  }

  // With two contacts there are no more rows than a body has freedoms, and δ serves nothing. Where both stick, a step with
  // kWideShare from a residual of 0.005 leaves 7e-6, and needs another one; a step without δ gives an answer. The M7 at
  // 10 kHz has two contacts and the work for one or two such steps. Of ten hands and devices 4 % of the ticks with contacts
  // had no exact answer there, and now 1.8 % (docs/benchmarks.md, "Other rates"). With five contacts, at 5 kHz, a share of
  // 1e-8 wherever a step had at most six rows left a fifth more ticks without an answer.
  static bool SharesFriction(const Problem& problem) { return 3 * problem.contacts.size() > Problem::kVelocity; }

  // γ: a contact that yields sticks at s = -γ f. |s| is at most kCreep motion_i, which (R1) calls rest, and half of what the
  // direction of friction may be off, which is less where all move fast. On springs bodies rock on each other, and points
  // that are not quite in a plane then slip by 1e-6 of the motion. Only forces against each other at the limit of friction
  // could prevent that, and Newton's steps ran after them.
  Scalar CreepOf(const Problem& problem, int i) const {
    const auto& contact = problem.contacts[i];
    const Scalar limit = contact.mu * impulses_.theta[static_cast<std::size_t>(i)];
    if (!(contact.epsilon > Scalar(0) && limit > Scalar(0))) return Scalar(0);
    const Scalar rest = kCreep * judge_.scales().Motion(contact);
    return Min(rest, Tolerance::kDirection / 2 * judge_.scales().Friction(contact)) / limit;
  }

  // @returns whether it is another point than the one that was measured
  bool TakeBasePoint(const Problem& problem) {
    bool moves = false;
    for (int i = 0; i < problem.contacts.size(); ++i) {
      const std::size_t I = static_cast<std::size_t>(i);
      const RoundMode<Problem>& mode = modes_[I];
      switch (mode.piece) {
        case RoundPiece::kOpen:
          moves = moves || impulses_.IsLoaded(i);
          impulses_.theta[I] = Scalar(0);
          impulses_.f[I].setZero();
          break;
        case RoundPiece::kNormal:
        case RoundPiece::kTouch:
          moves = moves || impulses_.f[I] != Tangential::Zero();
          impulses_.f[I].setZero();
          break;
        case RoundPiece::kStick: break;
        case RoundPiece::kSlide: {
          const Tangential t = mode.t();
          impulses_.f[I] = problem.contacts[i].mu * impulses_.theta[I] * mode.e + impulses_.f[I].dot(t) * t;
          moves = true;
          break;
        }
      }
    }
    return moves;
  }

  Impulses impulses_;
  RoundJudge<Problem> judge_;
  std::array<RoundMode<Problem>, Impulses::kContacts> modes_;
  System system_;
  Scalar start_residual_ = Scalar(0);
  int steps_ = 0;
  bool refines_ = false;
};

}  // namespace tactus
