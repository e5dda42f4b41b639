#pragma once
#include <string>

#include "host_tools/solve/problem_document.h"

namespace tactus::test {

/// `problem` as one line of docs/problem_format.md, without the newline.
std::string WriteProblem(const host::ProblemDocument& problem);

}  // namespace tactus::test
