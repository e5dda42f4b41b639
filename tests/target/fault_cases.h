#pragma once
#include <span>

namespace tactus::target {

/// One test; the command line names it.
struct Case {
  const char* name;
  int (*run)();  ///< @returns the exit code
};

constexpr int Verdict(bool passed) { return passed ? 0 : 1; }

/// Cases that end in a fault, or look at one after it.
std::span<const Case> FaultCases();

}  // namespace tactus::target
