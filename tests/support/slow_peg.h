#pragma once
#include <vector>

#include "host_tools/solve/problem_document.h"

namespace tactus::test {

/// `ticks` consecutive problems at 1 kHz as a person makes them: a peg in a hole with 0.1 mm of play all round, its pose and
/// velocity the outcome of the tick before, pressed by some 2 N and 0.1 N·m that turn round about once in 1.5 s, with a
/// sensor's noise; it sticks and slides. Contacts (8 at the rim, 8 at the peg's end) are those closer than the clearance.
/// Always solvable: no gap is negative.
std::vector<host::ProblemDocument> SlowPegSequence(std::uint64_t seed, int ticks);

}  // namespace tactus::test
