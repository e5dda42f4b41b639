#include "tactus/core/check.h"

#include <cstdio>
#include <cstdlib>

namespace tactus {

void CheckFailed(const char* condition, const char* file, int line) noexcept {
  (void)std::fprintf(stderr, "tactus: bug: %s does not hold at %s:%d\n", condition, file, line);
  std::abort();
}

}  // namespace tactus
