#pragma once
#include <string>

#include "tactus/scene/scene.h"

namespace tactus::host {

/// Principal moments of a solid of even density that has the shapes from `first` on, about its origin: closed forms of ball,
/// box, cylinder and capsule, moved by Steiner's theorem. Roundings are left out.
///
/// @returns empty; or why there are none: the origin is not the centre of mass, the axes are not the principal ones, a shape
///          that has no closed form here
std::string SolidInertia(const Scene<>& scene, int first, double mass_kg, Vector3* inertia_kgm2);

/// Moments that nobody wrote: what is wrong with them is wrong with what they were made of.
/// @returns why a scene cannot have them, empty: it can
std::string OutOfBounds(const Vector3& made_kgm2);

}  // namespace tactus::host
