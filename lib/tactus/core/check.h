#pragma once

namespace tactus {

/// Called when the library finds a bug in itself; never returns. The program supplies it: the host prints and aborts, the
/// firmware sets every output to zero, keeps condition and line in its flight record, and resets. See docs/errors.md.
[[noreturn]] void CheckFailed(const char* condition, const char* file, int line) noexcept;

}  // namespace tactus

/// States an invariant of our own code. Always on, also in release builds. Bad *data* is never a TACTUS_CHECK: it returns a
/// Status.
#define TACTUS_CHECK(condition) \
  (static_cast<bool>(condition) ? static_cast<void>(0) : ::tactus::CheckFailed(#condition, __FILE__, __LINE__))
