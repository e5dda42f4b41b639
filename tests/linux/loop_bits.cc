// The loop of `tactus serve` in virtual time, and a checksum of each force that the host is told: two machines that print
// the same lines compute the same bits.
#include <cstdio>
#include <cstdlib>

#include "firmware/servo/build_id.h"
#include "tactus/core/check.h"
#include "tests/linux/scripted_loop.h"

namespace tactus {

void CheckFailed(const char* condition, const char* file, int line) noexcept {
  std::fprintf(stderr, "%s:%d: %s\n", file, line, condition);
  std::abort();
}

}  // namespace tactus

namespace tactus::servo {

extern const char kBuildId[] = "bits";  // not the sources': it is not compared

}  // namespace tactus::servo

namespace {

void Print(std::uint32_t period_us) {
  constexpr std::uint32_t kTime_ms = 800;  // into the search for the hole: contacts, friction, Lemke
  tactus::host::ScriptedLoop run(period_us, std::uint64_t{1000} * kTime_ms / period_us);
  run.Run();
  const std::vector<double>& forces_N = run.host.forces_N;
  const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(forces_N.data()),
                                            forces_N.size() * sizeof(double));
  double largest_N = 0;
  for (const double force_N : forces_N) largest_N = force_N > largest_N ? force_N : largest_N;
  std::fprintf(stderr, "%u us: %zu forces, at most %.17g N, %u faults, %08x\n", static_cast<unsigned>(period_us),
               forces_N.size(), largest_N, static_cast<unsigned>(run.host.faults),
               static_cast<unsigned>(tactus::Crc32(bytes)));
}

}  // namespace

int main() {
  for (const std::uint32_t period_us : {1000u, 500u, 250u}) Print(period_us);
}
