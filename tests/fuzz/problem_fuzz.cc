// Any text as a line of a problem file: read or refused with a sentence, and what is read is valid or named.
#include <string_view>

#include "host_tools/solve/parse_problem.h"
#include "host_tools/solve/to_problem.h"
#include "tactus/contact/validate.h"
#include "tests/fuzz/fuzz.h"

using namespace tactus;

namespace {

constexpr Capacity kSpatial{.bodies = 4, .contacts = 8, .joints = 4, .directions = 8, .dof = 6};
constexpr Capacity kPlanar{.bodies = 4, .contacts = 8, .joints = 4, .directions = 2, .dof = 3};

template <Capacity kCapacity>
void Check(const host::ParsedProblem& parsed) {
  const auto fits = [](std::size_t size, int room) { return size <= static_cast<std::size_t>(room); };
  const host::ProblemDocument& document = parsed.problem;
  if (!fits(document.bodies.size(), kCapacity.bodies) || !fits(document.contacts.size(), kCapacity.contacts) ||
      !fits(document.joints.size(), kCapacity.joints)) {
    return;
  }
  ContactProblem<double, kCapacity> problem;
  host::ToContactProblem(document, &problem);
  if (const ProblemFault fault = Validate(problem)) FUZZ_EXPECT(!host::Describe(fault, parsed.source).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const host::ParsedProblem parsed = host::ParseProblem({reinterpret_cast<const char*>(data), size});
  if (!parsed.error.empty()) return 0;
  parsed.problem.dof == 6 ? Check<kSpatial>(parsed) : Check<kPlanar>(parsed);
  return 0;
}
