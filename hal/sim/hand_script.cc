#include "hal/sim/hand_script.h"

#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"
#include "tactus/core/trig.h"

namespace tactus::hal {
namespace {

constexpr double kTurn_rad = 6.283185307179586;

/// 0 → 1 with zero speed and acceleration at both ends: 10 s³ - 15 s⁴ + 6 s⁵.
double MinimumJerk(double s) { return s * s * s * (10 + s * (6 * s - 15)); }

/// 0 at both ends of the movement, 1 in its middle, smooth.
double Envelope(double s) {
  constexpr double kRamp = 0.2;  // share of the movement that fades in, and out
  return MinimumJerk(Min(s, kRamp) / kRamp) * MinimumJerk(Min(1 - s, kRamp) / kRamp);
}

Vec<double, 3> Vector(const double (&xyz)[3]) { return Vec<double, 3>(xyz[0], xyz[1], xyz[2]); }

struct Place {
  int move = 0;
  double time_s = 0;  ///< since the movement began
};

Place Find(const HandScript& script, double t_s) {
  const double total_s = script.duration_s();
  double rest_s = t_s - total_s * __builtin_floor(t_s / total_s);
  int i = 0;
  while (i < script.count - 1 && rest_s >= script.moves[i].duration_s) rest_s -= script.moves[i++].duration_s;
  return {i, rest_s};
}

}  // namespace

double HandScript::duration_s() const {
  double sum_s = 0;
  for (int i = 0; i < count; ++i) sum_s += moves[i].duration_s;
  return sum_s;
}

const HandMove& HandScript::MoveAt(double t_s) const { return moves[Find(*this, t_s).move]; }

HandTarget HandScript::TargetAt(double t_s) const {
  if (count == 0) return {};
  const Place place = Find(*this, t_s);
  const HandMove& to = moves[place.move];
  const HandMove& from = moves[(place.move + count - 1) % count];
  const double s = Min(place.time_s / to.duration_s, 1.0), shift = MinimumJerk(s), fade = Envelope(s);

  const double circle_rad = kTurn_rad * to.circle_Hz * place.time_s, tilt_rad = kTurn_rad * to.tilt_Hz * place.time_s;
  const Vec<double, 3> circle_m = fade * to.circle_m * Vec<double, 3>(Cos(circle_rad), Sin(circle_rad), 0);
  const Vec<double, 3> wiggle_rad = fade * Vec<double, 3>(to.tilt_rad * Cos(tilt_rad), to.tilt_rad * Sin(tilt_rad),
                                                          to.twist_rad * Sin(kTurn_rad * to.twist_Hz * place.time_s));
  const Vec<double, 3> rotation_rad = (1 - shift) * Vector(from.rotation_rad) + shift * Vector(to.rotation_rad) + wiggle_rad;

  HandTarget target;
  target.p_WS_m = (1 - shift) * Vector(from.p_m) + shift * Vector(to.p_m) + circle_m;
  target.q_WS << 1, 0.5 * rotation_rad;  // the quaternion of the Gibbs vector r/2
  target.q_WS = Normalized<double>(target.q_WS);
  return target;
}

}  // namespace tactus::hal
