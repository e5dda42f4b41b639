#pragma once
#include <cstdint>

#include "tactus/core/scalar.h"

namespace tactus {

/// An angle over any number of turns: what a pose tells of it, and the whole turns on top.
template <class Scalar>
struct TurnCount {
  Scalar part_rad = Scalar(0);  ///< within ±π
  std::int32_t whole = 0;

  /// The angle with this part that is nearest: what turns by less than half a turn from one tick to the next is counted
  /// right. Beyond a thousand million turns it counts no more.
  TurnCount To(Scalar part) const {
    constexpr std::int32_t kMost = 1'000'000'000;
    const Scalar step_rad = part - part_rad;
    const bool back = step_rad > kPi<Scalar> && whole > -kMost, forth = step_rad < -kPi<Scalar> && whole < kMost;
    return {.part_rad = part, .whole = back ? whole - 1 : forth ? whole + 1 : whole};
  }
  Scalar whole_rad() const { return kTurn_rad<Scalar> * static_cast<Scalar>(whole); }
};

/// What of a joint's turns is remembered from tick to tick.
template <class Scalar>
struct JointTurns {
  TurnCount<Scalar> a;  ///< of a hinge or a screw; of a gear's wheel a
  TurnCount<Scalar> b;  ///< of a gear's wheel b
  /// Of a gear: it is in mesh where a's part - ratio · b's part + mesh_rad = 0. Each whole turn of a wheel moves it, so it
  /// stays small however long the wheels turn.
  Scalar mesh_rad = Scalar(0);
  bool begun = false;  ///< there was a step; in the first one a gear meshes as its wheels stand
};

}  // namespace tactus
