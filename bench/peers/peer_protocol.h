#pragma once
#include <cstdint>

namespace tactus::bench {

/// What a peer's program is asked on its standard input, followed by M row by row and q: find w = M z + q, 0 ≤ w ⊥ z ≥ 0.
struct PeerRequest {
  std::int32_t method = 0;  ///< place in its list of methods
  std::int32_t size = 0;    ///< rows
  std::int32_t samples = 1;
};

/// Its answer, followed by z.
struct PeerAnswer {
  double time_ns = 0;
  std::int32_t claims_solution = 0;  ///< what the peer says; nobody believes it unchecked
  std::int32_t unused = 0;
};

}  // namespace tactus::bench
