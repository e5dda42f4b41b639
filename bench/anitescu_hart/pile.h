#pragma once
#include <string>
#include <vector>

#include "tactus/core/capacity.h"

namespace tactus::bench {

/// The cannonball arrangements of [AnitescuHart] section 4.B: disks of diameter 3 on a plank, `base` of them in the lowest
/// row, one less in each row above, all touching; h = 0.05, from rest. What the paper leaves open: 1 kg, solid disks, 9.81
/// m/s².
struct PileSpec {
  int base = 6;
  double friction = 0.05;

  int disks() const { return base * (base + 1) / 2; }
};

enum class PileSolver { kLcp0, kLcp1, kLcp2 };
const char* Name(PileSolver solver);

/// How long the run is, how precisely the first step is timed.
struct PileRunOptions {
  int steps = 1;                 ///< of the simulation, the first included
  double least_timed_s = 0.2;    ///< the first step is solved again until that is used up; its time is the median
  double tolerance = 1e-11;      ///< LCP1: TOL, of |k|
  int most_convex_steps = 100;   ///< LCP1
  std::vector<int> frames = {};  ///< steps of which a frame is kept: where they begin, and their forces
};

/// What one step showed.
struct PileStep {
  double time_s = 0;               ///< simulated, at its end
  double solve_s = 0, step_s = 0;  ///< of this machine: the solver; the step with scene and projection
  int contacts = 0, iterations = 0, convex_steps = 0;
  double residual = 0;        ///< recomputed from the physical impulses: LCP0, LCP1 (6)-(7), LCP2 (12)-(13)
  double speed = 0;           ///< |v|_M [√J]
  double energy_ratio = 0;    ///< |v|²_M after, of that of M v + h k before: ≤ 1 by theorem 4.1.i
  double mean_error_mps = 0;  ///< of nᵀv + Δ over the loaded contacts, which (6)-(7) want to be 0
  double worst_error_mps = 0;
  double violation_m = 0;       ///< of the constraints after the projection
  double rate = 0, change = 0;  ///< LCP1: of the last iteration; ‖Λ(k) - Λ(k-1)‖ of |k|
  bool solved = false;
  std::string how{};  ///< LCP0: the ladder's rung; LCP1: how its iteration ended
};

/// The pile at one time, to be drawn.
struct PileFrame {
  struct Disk {
    double x_m, y_m, angle_rad;
  };
  struct Force {
    double x_m, y_m, fx_N, fy_N;  ///< on the upper body of the pair
  };
  double time_s = 0;
  double radius_m = 0;
  std::vector<Disk> disks{};
  std::vector<Force> forces{};
};

struct PileRun {
  PileStep first{};  ///< cold, its solve_s the median of several
  std::vector<PileStep> steps{};
  std::vector<PileFrame> frames{};
};

/// Simulates a pile. @throws BenchError: a step was refused, which must not be
PileRun RunPile(const PileSpec& spec, PileSolver solver, const PileRunOptions& options);

/// ‖Λ(k) - Λ(k-1)‖ of |k| after LCP1's iterations 1, 2, …, of the first step; ends where LCP1 does.
std::vector<double> Lcp1Changes(const PileSpec& spec, int most);

/// A disk has six neighbours at most, and the plank: 4 contacts a disk.
inline constexpr Capacity kPile21{.bodies = 21, .contacts = 84, .joints = 0, .directions = 2, .dof = 3};
inline constexpr Capacity kPile136{.bodies = 136, .contacts = 544, .joints = 0, .directions = 2, .dof = 3};
/// A disk has six neighbours at most, and the plank: 4 contacts a disk.
inline constexpr Capacity kPile210{.bodies = 210, .contacts = 840, .joints = 0, .directions = 2, .dof = 3};

}  // namespace tactus::bench
