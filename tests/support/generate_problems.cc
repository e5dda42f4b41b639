// Writes random contact problems as JSON lines (docs/problem_format.md), to run solvers on from the command line:
//
//     generate_problems FAMILY|all COUNT SEED              COUNT problems a family
//     generate_problems peg_sequence|slow_peg TICKS SEED   consecutive ticks

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/support/generators.h"
#include "tests/support/slow_peg.h"
#include "tests/support/write_problem.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: generate_problems FAMILY|all|peg_sequence|slow_peg COUNT SEED\nfamilies:", stderr);
    for (const tactus::test::Family& f : tactus::test::Families()) std::fprintf(stderr, " %s", f.name.data());
    std::fputs("\n", stderr);
    return 2;
  }
  const std::string_view wanted = argv[1];
  const int count = std::atoi(argv[2]);
  const std::uint64_t seed = std::strtoull(argv[3], nullptr, 10);
  if (wanted == "peg_sequence" || wanted == "slow_peg") {
    for (const auto& problem :
         wanted == "slow_peg" ? tactus::test::SlowPegSequence(seed, count) : tactus::test::PegSequence(seed, count))
      std::puts(tactus::test::WriteProblem(problem).c_str());
    return 0;
  }
  for (const tactus::test::Family& family : tactus::test::Families()) {
    if (wanted != "all" && wanted != family.name) continue;
    for (int i = 0; i < count; ++i) std::puts(tactus::test::WriteProblem(tactus::test::Generate(family, seed, i)).c_str());
  }
  return 0;
}
