#pragma once

namespace tactus::host {
/// toml++ states some things about damaged files that do not hold: an error of the file then, and no abort.
[[noreturn]] void FailToParse();
}  // namespace tactus::host

#define TOML_ASSERT(expression) (static_cast<bool>(expression) ? static_cast<void>(0) : ::tactus::host::FailToParse())
#include <toml++/toml.h>
