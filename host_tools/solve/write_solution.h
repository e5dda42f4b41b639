#pragma once
#include <string>
#include <string_view>

#include "host_tools/solve/solution_document.h"

namespace tactus::host {

/// Appends `solution` to `out` as one line of docs/problem_format.md, newline included. Numbers have the fewest digits (at
/// most 17) that read back to the same bits.
void WriteSolution(const SolutionDocument& solution, std::string_view solver, std::string* out);

}  // namespace tactus::host
