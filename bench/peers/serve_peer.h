#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <span>
#include <vector>

#include "bench/measure/pipe.h"
#include "bench/measure/timing.h"
#include "bench/peers/peer_protocol.h"

namespace tactus::bench {

/// A foreign solver for w = M z + q, 0 ≤ w ⊥ z ≥ 0. Made once for a problem: what the peer wants prepared is not timed.
class PeerMethod {
 public:
  virtual ~PeerMethod() = default;
  virtual void Prepare(int size, const std::vector<double>& M, const std::vector<double>& q) = 0;
  /// Timed. @returns whether the peer calls z a solution.
  virtual bool Solve() = 0;
  virtual const std::vector<double>& z() const = 0;
};

inline constexpr unsigned kPeerSeconds = 10;  // for one problem; then the program ends, which counts as a failure

/// The whole main() of a peer's program. Whatever the peer prints goes nowhere. @returns the exit code
inline int ServePeer(std::span<PeerMethod* const> methods) {
  const int out = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  PeerRequest request;
  while (ReadAll(STDIN_FILENO, &request, sizeof request)) {
    const std::size_t n = static_cast<std::size_t>(request.size);
    std::vector<double> M(n * n), q(n);
    if (!ReadAll(STDIN_FILENO, M.data(), sizeof(double) * n * n) || !ReadAll(STDIN_FILENO, q.data(), sizeof(double) * n))
      return 1;
    PeerMethod& method = *methods[static_cast<std::size_t>(request.method)];
    method.Prepare(request.size, M, q);
    PeerAnswer answer;
    alarm(kPeerSeconds);
    answer.time_ns = MedianNanoseconds({request.samples, 20'000, 5e7}, [&] { answer.claims_solution = method.Solve(); });
    alarm(0);
    if (!WriteAll(out, &answer, sizeof answer)) return 1;
    if (!WriteAll(out, method.z().data(), sizeof(double) * n)) return 1;
  }
  return 0;
}

}  // namespace tactus::bench
