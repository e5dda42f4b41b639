#pragma once
#include <cstdint>

#include "tactus/core/eigen.h"

namespace tactus::hal {

/// Where the person wants the handle to be, in W.
template <class Scalar>
struct HandTarget {
  Vec<Scalar, 3> p_WS_m = Vec<Scalar, 3>::Zero();
  Vec<Scalar, 4> q_WS = Vec<Scalar, 4>::Unit(0);  ///< w, x, y, z
};

/// One movement of a script: from where the last one ended to `p_m`, `rotation_rad` with minimum jerk, as hands move
/// (Flash & Hogan 1985), and on top of it a circling, a twisting and a tilting that fade in and out.
template <class Scalar>
struct BasicHandMove {
  const char* name = "";
  Scalar duration_s = 0;
  Scalar p_m[3] = {0, 0, 0};
  Scalar rotation_rad[3] = {0, 0, 0};  ///< rotation vector for small angles (twice the Gibbs vector)
  Scalar circle_m = 0, circle_Hz = 0;  ///< radius in the plate's plane, fading in and out
  Scalar twist_rad = 0, twist_Hz = 0;  ///< about the peg's axis
  Scalar tilt_rad = 0, tilt_Hz = 0;    ///< of the peg's axis, circling
  bool clutch = false;                 ///< the hand holds the clutch meanwhile
};
using HandMove = BasicHandMove<double>;

/// A list of movements, repeated for ever.
template <class Scalar>
struct BasicHandScript {
  const BasicHandMove<Scalar>* moves = nullptr;
  int count = 0;

  Scalar duration_s() const;
  /// The movement that is under way at time `t_s` ≥ 0. `count` ≥ 1.
  const BasicHandMove<Scalar>& MoveAt(Scalar t_s) const;
  /// The target at time `t_s` ≥ 0; with no moves, the origin at rest.
  HandTarget<Scalar> TargetAt(Scalar t_s) const;
};
using HandScript = BasicHandScript<double>;

extern template struct BasicHandScript<double>;
extern template struct BasicHandScript<float>;

}  // namespace tactus::hal
