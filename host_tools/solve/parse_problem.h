#pragma once
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "host_tools/solve/problem_document.h"
#include "tactus/contact/contact_problem.h"

namespace tactus::host {

/// A line of a problem file, read. With an error only `name` of `problem` may be used.
struct ParsedProblem {
  ProblemDocument problem;
  std::string error;      ///< empty: the line has the shape of a problem; whether its numbers make sense is not yet known
  nlohmann::json source;  ///< the line, for error messages about values
};

/// Reads one line (docs/problem_format.md). `line_number` counts from 1 and appears in the errors of lines that are not
/// JSON. Checks the shape: types, sizes, required fields. NaN and the infinities, written as Python writes them, are named
/// in the error together with their field.
ParsedProblem ParseProblem(std::string_view line);

/// A fault as a sentence: field, reason, and the value that stands there, e.g. "contacts[3].friction: must be >= 0, is
/// -0.1".
std::string Describe(const ProblemFault& fault, const nlohmann::json& source);

}  // namespace tactus::host
