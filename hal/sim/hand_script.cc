#include "hal/sim/hand_script.h"

#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"
#include "tactus/core/trig.h"

namespace tactus::hal {
namespace {

constexpr double kTurn_rad = 6.283185307179586;

/// 0 → 1 with zero speed and acceleration at both ends: 10 s³ - 15 s⁴ + 6 s⁵.
template <class Scalar>
Scalar MinimumJerk(Scalar s) {
  return s * s * s * (10 + s * (6 * s - 15));
}

/// 0 at both ends of the movement, 1 in its middle, smooth.
template <class Scalar>
Scalar Envelope(Scalar s) {
  constexpr Scalar kRamp = Scalar(0.2);  // share of the movement that fades in, and out
  return MinimumJerk(Min(s, kRamp) / kRamp) * MinimumJerk(Min(1 - s, kRamp) / kRamp);
}

template <class Scalar>
Vec<Scalar, 3> Vector(const Scalar (&xyz)[3]) {
  return Vec<Scalar, 3>(xyz[0], xyz[1], xyz[2]);
}

template <class Scalar>
struct Place {
  int move = 0;
  Scalar time_s = 0;  ///< since the movement began
};

template <class Scalar>
Place<Scalar> Find(const BasicHandScript<Scalar>& script, Scalar t_s) {
  const Scalar total_s = script.duration_s();
  Scalar rest_s = t_s - total_s * Floor(t_s / total_s);
  int i = 0;
  while (i < script.count - 1 && rest_s >= script.moves[i].duration_s) rest_s -= script.moves[i++].duration_s;
  return {i, rest_s};
}

}  // namespace

template <class Scalar>
Scalar BasicHandScript<Scalar>::duration_s() const {
  Scalar sum_s = 0;
  for (int i = 0; i < count; ++i) sum_s += moves[i].duration_s;
  return sum_s;
}

template <class Scalar>
const BasicHandMove<Scalar>& BasicHandScript<Scalar>::MoveAt(Scalar t_s) const {
  return moves[Find(*this, t_s).move];
}

template <class Scalar>
HandTarget<Scalar> BasicHandScript<Scalar>::TargetAt(Scalar t_s) const {
  if (count == 0) return {};
  const Place<Scalar> place = Find(*this, t_s);
  const BasicHandMove<Scalar>& to = moves[place.move];
  const BasicHandMove<Scalar>& from = moves[(place.move + count - 1) % count];
  const Scalar s = Min(place.time_s / to.duration_s, Scalar(1)), shift = MinimumJerk(s), fade = Envelope(s);

  const Scalar turn_rad = Scalar(kTurn_rad) * place.time_s;
  const Scalar circle_rad = turn_rad * to.circle_Hz, tilt_rad = turn_rad * to.tilt_Hz;
  const Vec<Scalar, 3> circle_m = fade * to.circle_m * Vec<Scalar, 3>(Cos(circle_rad), Sin(circle_rad), 0);
  const Vec<Scalar, 3> wiggle_rad = fade * Vec<Scalar, 3>(to.tilt_rad * Cos(tilt_rad), to.tilt_rad * Sin(tilt_rad),
                                                          to.twist_rad * Sin(turn_rad * to.twist_Hz));
  const Vec<Scalar, 3> rotation_rad = (1 - shift) * Vector(from.rotation_rad) + shift * Vector(to.rotation_rad) + wiggle_rad;

  HandTarget<Scalar> target;
  target.p_WS_m = (1 - shift) * Vector(from.p_m) + shift * Vector(to.p_m) + circle_m;
  target.q_WS << 1, Scalar(0.5) * rotation_rad;  // the quaternion of the Gibbs vector r/2
  target.q_WS = Normalized<Scalar>(target.q_WS);
  return target;
}

#ifndef TACTUS_FLOAT_ONLY
template struct BasicHandScript<double>;
#endif
template struct BasicHandScript<float>;

}  // namespace tactus::hal
