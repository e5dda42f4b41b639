#pragma once

namespace tactus {

/// A solid cylinder. Frame T: origin in the middle, z along the axis; the ends are at z = ± length/2.
template <class Scalar>
struct Peg {
  Scalar radius_m;
  Scalar length_m;
};

/// The half space z ≤ 0 with a blind hole along z and a fillet (a quarter torus) around its mouth. Frame S: origin in the
/// middle of the mouth, z out of the plate.
template <class Scalar>
struct PlateWithHole {
  Scalar hole_radius_m;
  Scalar hole_depth_m;
  Scalar rim_radius_m;  ///< of the fillet, > 0
};

}  // namespace tactus
