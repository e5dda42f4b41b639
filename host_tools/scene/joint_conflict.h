#pragma once
#include <vector>

#include "tactus/scene/scene.h"

namespace tactus::host {

/// A joint that asks for what others forbid.
struct JointConflict {
  int joint = -1;           ///< -1: there is none
  std::vector<int> others;  ///< the fewest before it that it cannot be with; empty: itself
};

/// The first joint of a scene that contradicts those before it: where the bodies start no velocity keeps all joints' rows
/// and gives each motor its speed,
///
///     J_i v = 0 for each row that holds,   J_m v = s_m for each motor that does not press on its stop,
///
/// as the solver finds it: in the metric of the masses, a row that depends on others and asks for another speed than they
/// give (Whiten). Rows that say the same twice are none; nor is friction, which gives way.
/// @param[in] scene  a valid one, whose rows there is room for
JointConflict FindJointConflict(const Scene<>& scene);

}  // namespace tactus::host
