#pragma once
#include <array>
#include <memory>
#include <optional>
#include <span>

#include "bench/measure/contact_lcp.h"
#include "bench/measure/coprocess.h"

namespace tactus::bench {

/// A foreign library: a program of its own, because it may print, crash, loop, or compile Eigen in another way.
struct PeerLibrary {
  const char* name;
  const char* program;
  const char* package;  ///< Debian's
  struct Solver {
    const char* name;
    bool symmetric_only;  ///< no use on an LCP with friction
  };
  std::span<const Solver> solvers;  ///< in the order of the program's list
};

inline constexpr std::array kSiconosSolvers{PeerLibrary::Solver{"Siconos lemke", false},
                                            PeerLibrary::Solver{"Siconos pivot", false}};
inline constexpr std::array kBulletSolvers{PeerLibrary::Solver{"Bullet lemke", false},
                                           PeerLibrary::Solver{"Bullet dantzig", true},
                                           PeerLibrary::Solver{"Bullet gauss-seidel", true}};
inline constexpr std::array kDartSolvers{PeerLibrary::Solver{"DART lemke", false},
                                         PeerLibrary::Solver{"DART dantzig", true}};
inline constexpr std::array kPeers{
    PeerLibrary{"Siconos", "tactus-bench-siconos", "libsiconos-numerics-dev", kSiconosSolvers},
    PeerLibrary{"Bullet", "tactus-bench-bullet", "libbullet-dev", kBulletSolvers},
    PeerLibrary{"DART", "tactus-bench-dart", "libdart-dev", kDartSolvers},
};

/// A running peer; started again when it dies.
class Peer {
 public:
  explicit Peer(const PeerLibrary& library) : library_(library) {}

  struct Answer {
    bool claims_solution = false;
    double time_us = 0;
    std::vector<double> z;
  };
  /// @returns nothing: it crashed, or took more than kPeerSeconds
  std::optional<Answer> Solve(int solver, const ContactLcp& lcp, int samples);

 private:
  const PeerLibrary& library_;
  std::unique_ptr<Coprocess> program_;
};

}  // namespace tactus::bench
