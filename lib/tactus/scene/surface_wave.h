#pragma once
#include "tactus/collide/contact_set.h"
#include "tactus/core/trig.h"
#include "tactus/scene/prepared_scene.h"

namespace tactus {

/// A wave fades out between these frequencies as it is passed over [Hz]: samples of it would make another, slower one.
inline constexpr double kWaveFades_Hz = 150, kWaveGone_Hz = 250;

/// A wave h = height cos(kx) under a contact, as a plane: its slope half a step ahead, and the height that this plane has
/// here. So the plane is right at the step's end to the third order; a tangent taken here would be too low in a trough, and
/// a ball would gain what it is pushed out by.
template <class Scalar>
struct WavePlace {
  Scalar cos = Scalar(0);                          ///< cos(kx), for the friction
  Scalar height_m = Scalar(0), slope = Scalar(0);  ///< h - h' ahead; h'
  Vec<Scalar, 3> along_W;                          ///< unit
};

/// @param[in] R_WS, p_WS_m  frame of the shape that has the wave
/// @param[in] velocity_mps  of the other body, seen from that shape
/// @param[in] ahead_s       half a step
template <class Scalar, class Law>
WavePlace<Scalar> PlaceOnWave(const Law& law, const Mat<Scalar, 3, 3>& R_WS, const Vec<Scalar, 3>& p_WS_m,
                              const Vec<Scalar, 3>& point_m, const Vec<Scalar, 3>& velocity_mps, Scalar ahead_s) {
  WavePlace<Scalar> place;
  place.along_W = Times(R_WS, law.wave_along);
  const Vec<Scalar, 3> off_m = point_m - p_WS_m;
  const Scalar k = law.wave_number_per_m, speed_mps = place.along_W.dot(velocity_mps), ahead_m = speed_mps * ahead_s;
  const Scalar phase_rad = k * (place.along_W.dot(off_m) + ahead_m);
  if (!(Abs(phase_rad) <= kMaxAngle_rad<Scalar>)) return place;
  const Scalar passed_Hz = Abs(speed_mps) * k / kTurn_rad<Scalar>;
  const Scalar left = Min(Scalar(1), (Scalar(kWaveGone_Hz) - passed_Hz) / Scalar(kWaveGone_Hz - kWaveFades_Hz));
  if (!(left > Scalar(0))) return place;
  place.cos = left * Cos(phase_rad);
  place.slope = -left * law.wave_height_m * k * Sin(phase_rad);
  place.height_m = law.wave_height_m * place.cos - place.slope * ahead_m;
  return place;
}

/// Moves a point of the smooth surface to the waved one, to first order in its slope:
///
///     gap' = (gap - h)/√(1 + |g|²),   n' = (n - g)/√(1 + |g|²),   g = h'(x) (e - n (n·e))
///
/// @param[in] of_b  the wave is on the side that the normal points away from
template <class Scalar>
void PutOnWave(const WavePlace<Scalar>& place, bool of_b, ContactPoint<Scalar>* point) {
  const Vec<Scalar, 3> n = point->normal;
  const Vec<Scalar, 3> g = (of_b ? place.slope : -place.slope) * (place.along_W - n * n.dot(place.along_W));
  const Vec<Scalar, 3> turned = n - g;
  const Scalar norm = Norm(turned);
  point->normal = turned / norm;
  point->gap_m = (point->gap_m - place.height_m) / norm;
  const Vec<Scalar, 3> tangent = point->tangent - point->normal * point->normal.dot(point->tangent);
  point->tangent = tangent / Norm(tangent);
}

}  // namespace tactus
