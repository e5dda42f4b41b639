#pragma once
#include <cstdint>

#include "tactus/core/eigen.h"

namespace tactus::hal {

/// Where the person wants the handle to be, in W.
struct HandTarget {
  Vec<double, 3> p_WS_m = Vec<double, 3>::Zero();
  Vec<double, 4> q_WS = Vec<double, 4>::Unit(0);  ///< w, x, y, z
};

/// One movement of a script: from where the last one ended to `p_m`, `rotation_rad` with minimum jerk, as hands move
/// (Flash & Hogan 1985), and on top of it a circling, a twisting and a tilting that fade in and out.
struct HandMove {
  const char* name = "";
  double duration_s = 0;
  double p_m[3] = {0, 0, 0};
  double rotation_rad[3] = {0, 0, 0};  ///< rotation vector for small angles (twice the Gibbs vector)
  double circle_m = 0, circle_Hz = 0;  ///< radius in the plate's plane, fading in and out
  double twist_rad = 0, twist_Hz = 0;  ///< about the peg's axis
  double tilt_rad = 0, tilt_Hz = 0;    ///< of the peg's axis, circling
};

/// A list of movements, repeated for ever.
struct HandScript {
  const HandMove* moves = nullptr;
  int count = 0;

  double duration_s() const;
  /// The movement that is under way at time `t_s` ≥ 0. `count` ≥ 1.
  const HandMove& MoveAt(double t_s) const;
  /// The target at time `t_s` ≥ 0; with no moves, the origin at rest.
  HandTarget TargetAt(double t_s) const;
};

}  // namespace tactus::hal
