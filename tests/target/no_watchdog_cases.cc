#include "tests/target/fault_cases.h"

namespace tactus::target {

std::span<const Case> WatchdogCases() { return {}; }

}  // namespace tactus::target
