#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "host_tools/solve/problem_document.h"
#include "tests/support/random.h"

namespace tactus::test {

/// A kind of contact problem, made at random.
struct Family {
  std::string_view name;
  host::ProblemDocument (*make)(Random&);
  bool has_solution;  ///< theory, section 3: existence is proved (b ≥ 0 and nothing moves, or the friction cone is pointed)
};

/// Easy and hard ones: random bodies, pegs, corners, stacks, wedges, jams, needles, mass ratios of 1e4, near-duplicate
/// contacts, nothing moving at all, 3 to 32 directions, joints, conveyors, no friction, μ = 5, planar piles, compliance.
std::span<const Family> Families();

/// The family of that name; there has to be one.
const Family& FamilyNamed(std::string_view name);

/// The problem `index` of a family, the same for the same numbers; its name is family/seed/index.
host::ProblemDocument Generate(const Family& family, std::uint64_t seed, int index);

/// `ticks` consecutive problems at 1 kHz: a peg moved about in a hole by a hand, contacts coming and going, 1 µm noise in
/// the measured position. Always solvable.
std::vector<host::ProblemDocument> PegSequence(std::uint64_t seed, int ticks);

}  // namespace tactus::test
