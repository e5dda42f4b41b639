#pragma once
#include <span>

#include "hal/sim/parameters.h"

namespace tactus::hal {

/// A hand by name, and what of it changes with time.
///
/// Equations  g(t) = loose + (1 - loose) (1 + cos 2πt/T)/2      grip, 1: full
///            K = g K₀,  B = g B₀,  n = sway sin 2πft (1, 1, 1)/√3 + the unrest of HandParameters
/// Note       who grips harder while the handle is displaced gives it energy: that is the hand's work, not the device's
struct Hand {
  const char* name = "";
  const char* what = "";
  HandParameters full = {};
  Parameter sway_N = {};         ///< amplitude of a regular tremor; 0: none
  Parameter sway_Hz = {};        ///< its frequency
  Parameter loose = {1};         ///< lowest grip, as a share; 1: it does not change
  Parameter grip_period_s = {};  ///< from full grip to full grip

  bool changes() const { return loose < 1 || sway_N > 0; }
  /// Spring and damper at this time; mass and unrest stay.
  HandParameters At(double t_s) const;
  /// Along each axis.
  double Sway_N(double t_s) const;
};

/// All there are; the first is the default.
std::span<const Hand> Hands();

}  // namespace tactus::hal
