// tactus_audit [--problems N] [--seed S] [--family NAME] [--scalar double|float] [--cone polygon|round] [--budget WORK]: N
// random problems of all families, in double and in float, through the shipped ContactSolver and an independent checker.
// With --list each answer that is wrong, loose or unsafe gets a line.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/audit/audit.h"

namespace tactus::audit {
namespace {

struct Arguments {
  std::int64_t problems = 1000000;
  std::uint64_t seed = 1;
  const char* family = nullptr;
  const char* scalar = nullptr;
  Cone cone = Cone::kPolygon;
  int work_budget = 0;
  bool list = false;
};

bool Read(int count, char** words, Arguments* arguments) {
  for (int i = 1; i < count; i += 2) {
    if (std::strcmp(words[i], "--list") == 0) {
      arguments->list = true;
      --i;
      continue;
    }
    if (i + 1 == count) return false;
    const char *name = words[i], *value = words[i + 1];
    if (std::strcmp(name, "--problems") == 0)
      arguments->problems = std::atoll(value);
    else if (std::strcmp(name, "--seed") == 0)
      arguments->seed = std::strtoull(value, nullptr, 10);
    else if (std::strcmp(name, "--family") == 0)
      arguments->family = value;
    else if (std::strcmp(name, "--scalar") == 0)
      arguments->scalar = value;
    else if (std::strcmp(name, "--cone") == 0)
      arguments->cone = std::strcmp(value, "round") == 0 ? Cone::kRound : Cone::kPolygon;
    else if (std::strcmp(name, "--budget") == 0)
      arguments->work_budget = std::atoi(value);
    else
      return false;
  }
  return true;
}

void PrintRow(const char* name, const char* scalar, const Tally& t, double seconds) {
  std::printf("%-20s %-6s %8lld %8lld %8lld %6lld %6lld %6lld %6lld %6lld %6lld %6lld %9.1Le %8.1f", name, scalar,
              static_cast<long long>(t.problems), static_cast<long long>(t.solved), static_cast<long long>(t.round),
              static_cast<long long>(t.jammed), static_cast<long long>(t.budget), static_cast<long long>(t.invalid),
              static_cast<long long>(t.wrong), static_cast<long long>(t.loose), static_cast<long long>(t.penetrate),
              static_cast<long long>(t.explode), t.worst, seconds);
  if (t.wrong + t.penetrate + t.explode > 0)
    std::printf("  seed %llu", static_cast<unsigned long long>(t.failed_seed));
  else if (t.loose > 0)
    std::printf("  worst: seed %llu", static_cast<unsigned long long>(t.worst_seed));
  std::printf("\n");
  std::fflush(stdout);
}

void PrintAnswer(std::uint64_t seed, const Outcome& o) {
  std::printf(
      "  seed %llu, m %d, n %d: %s, %s, %d pivots: penetration %.1Le normal %.1Le friction %.1Le (contact %d) joint "
      "%.1Le momentum %.1Le energy %.1Le pushed %.1Le\n",
      static_cast<unsigned long long>(seed), o.bodies, o.contacts, Name(o.status), Name(o.rung), o.pivots,
      o.report.penetration, o.report.normal, o.report.friction, o.report.worst_contact, o.report.joint, o.report.momentum,
      o.report.energy, o.report.pushed);
}

int Main(const Arguments& arguments) {
  Auditor auditor;
  Tally all;
  const auto runs = [&](const Family& family, const char* scalar) {
    return (arguments.family == nullptr || std::strcmp(arguments.family, family.name) == 0) &&
           (arguments.scalar == nullptr || std::strcmp(arguments.scalar, scalar) == 0);
  };
  int rows = 0;
  for (const Family& family : Families()) rows += runs(family, "double") + runs(family, "float");
  if (rows == 0) return 2;
  std::printf("%-20s %-6s %8s %8s %8s %6s %6s %6s %6s %6s %6s %6s %9s %8s\n", "family", "scalar", "problems", "solved",
              "round", "jammed", "budget", "inval.", "wrong", "loose", "penetr", "energy", "worst", "seconds");
  const std::int64_t each = (arguments.problems + rows - 1) / rows;
  for (Family family : Families()) {
    family.cone = arguments.cone;
    if (arguments.work_budget > 0) family.work_budget = arguments.work_budget;
    for (const char* scalar : {"double", "float"}) {
      if (!runs(family, scalar)) continue;
      Tally tally;
      const auto start = std::chrono::steady_clock::now();
      for (std::int64_t i = 0; i < each; ++i) {
        const std::uint64_t seed = arguments.seed + static_cast<std::uint64_t>(i);
        const Tally before = tally;
        const Outcome outcome = auditor.Run(family, seed, scalar[0] == 'd', &tally);
        const bool failed = tally.loose + tally.penetrate + tally.explode + tally.wrong >
                            before.loose + before.penetrate + before.explode + before.wrong;
        if (arguments.list && failed) PrintAnswer(seed, outcome);
        if ((i + 1) % 1000 == 0)
          std::fprintf(stderr, "\r%s %s %lld of %lld ", family.name, scalar, static_cast<long long>(i + 1),
                       static_cast<long long>(each));
      }
      std::fprintf(stderr, "\r\033[K");
      PrintRow(family.name, scalar, tally, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      all += tally;
    }
  }
  PrintRow("all", "", all, 0);
  return all.wrong + all.penetrate + all.explode == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tactus::audit

int main(int count, char** words) {
  tactus::audit::Arguments arguments;
  if (!tactus::audit::Read(count, words, &arguments)) {
    std::fprintf(stderr,
                 "usage: tactus_audit [--problems N] [--seed S] [--family NAME] [--scalar double|float] "
                 "[--cone polygon|round] [--budget WORK] [--list]\n");
    return 2;
  }
  return tactus::audit::Main(arguments);
}
