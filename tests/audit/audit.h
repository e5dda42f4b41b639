#pragma once
#include <cstdint>
#include <memory>

#include "tests/audit/families.h"
#include "tests/audit/law.h"

namespace tactus::audit {

/// What the answers of one family were.
struct Tally {
  std::int64_t problems = 0, solved = 0, jammed = 0, budget = 0, invalid = 0;
  std::int64_t round = 0;      ///< solved, every contact on the round cone
  std::int64_t wrong = 0;      ///< called solved, and the law is broken by more than Limits::wrong of a contact's own scale
  std::int64_t loose = 0;      ///< the same by more than Limits::loose
  std::int64_t penetrate = 0;  ///< a fallback that closes a gap
  std::int64_t explode = 0;    ///< a fallback with energy that nothing gave
  Real worst = 0;              ///< of the answers called solved
  std::uint64_t worst_seed = 0, failed_seed = 0;
  std::int64_t pivots = 0;

  Tally& operator+=(const Tally& other);
};

/// Shares of a contact's own scale.
struct Limits {
  Real wrong, loose, fallback;
};
inline constexpr Limits kDoubleLimits{1e-6L, 1e-8L, 1e-6L};
inline constexpr Limits kFloatLimits{1e-2L, 1e-3L, 1e-2L};

struct Outcome {
  SolveStatus status = SolveStatus::kInvalid;
  Rung rung = Rung::kNone;
  int pivots = 0, bodies = 0, contacts = 0;
  LawReport report;
};

/// Puts problems through the ContactSolver as it is shipped. The objects are large.
class Auditor {
 public:
  Auditor();
  ~Auditor();
  /// Problem `seed` of the family in double, or else in float. @returns its answer's status and report
  Outcome Run(const Family& family, std::uint64_t seed, bool in_double, Tally* tally);
  /// A problem that is given; `how`: its merge and work_budget count.
  Outcome Run(const ManyProblem& problem, const Family& how, bool in_double);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace tactus::audit
