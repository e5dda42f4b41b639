#pragma once

namespace tactus {

/// The caller's clock, if there is one: the library has none.
struct TimeLeft {
  bool (*is_left)(void* context) = nullptr;  ///< nullptr: always
  void* context = nullptr;

  bool operator()() const { return is_left == nullptr || is_left(context); }
};

/// How ContactSolver works. The defaults are for the servo loop.
template <class Scalar>
struct SolverOptions {
  bool warm = true;     ///< start from the last answer's basis, by contact id
  bool merge = false;   ///< near-duplicate contacts stand for each other (theory 2.4); the others' impulses are zero. Not
                        ///< with a budget of work: contacts that come back would be solved twice
  int max_pivots = 0;   ///< per attempt, three times as many in the last exact one; 0: 60 warm, Lemke::PivotLimit() cold (of
                        ///< LemkeReduced: 100 + 50 (bodies - 1)), four times as many with compliance
  int work_budget = 0;  ///< of one solve, what the deadline allows [instructions, counted as in work.h]; 0: no such limit.
                        ///< At least work::Least(contacts); then solution.work is no more than the budget
  int reseeds = 3;      ///< further cold attempts with another covering vector
  unsigned seed = 0;    ///< of the first covering vector
  TimeLeft time_left{};  ///< the caller's clock, asked before each pivot: what remains then is a fallback's time
  Scalar max_push_out_mps = Scalar(0);  ///< > 0: limits b ≥ -max_push_out_mps; 0: contacts are solved as given
};

/// How much the ladder may try.
struct LadderOptions {
  bool warm = true;      ///< the bases set with Ladder::set_basis() are worth trying
  int warm_pivots = 60;  ///< per attempt
  int cold_pivots = 100;
  int reseeds = 3;      ///< further cold attempts, each with another covering vector
  int work_budget = 0;  ///< of the whole ladder [instructions, work.h], what the deadline allows; 0: no limit
  unsigned seed = 0;
  TimeLeft time_left{};  ///< asked before each pivot and each attempt
};

}  // namespace tactus
