#pragma once
#include "hal/sim/hand_script.h"

namespace tactus::hal {

/// Ten seconds of a person with a peg over a hole of 40 mm: finds the hole, goes in, turns and wiggles, presses on the
/// floor, drags along the wall and the rim, comes out, lays the peg beside the hole, and rests. The handle is the peg's
/// centre; W's origin is the middle of the hole's rim, z up.
HandScript PegInHoleScript();

/// The same for a board whose numbers are of type Scalar.
template <class Scalar>
BasicHandScript<Scalar> PegInHoleScriptOf();

}  // namespace tactus::hal
