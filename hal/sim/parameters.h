#pragma once
#include <cstdint>

namespace tactus::hal {

/// Where a number comes from. No maker publishes mass, damping or friction; a simulated device that hides this would be a
/// claim about a machine nobody measured.
enum class Provenance : std::uint8_t {
  kVendor,     ///< the maker's data sheet or the geometry in its driver
  kLibrary,    ///< a constant in a published driver, without test conditions
  kPublished,  ///< one measurement in a paper
  kDerived,    ///< computed from one of the above; the comment says how
  kAssumed,    ///< a plausible value, to be replaced by an identification
  kRecalled,   ///< a data sheet's as it is remembered: check it before use
};

/// A physical constant and its origin. Converts to its value; the unit is in the member's name.
struct Parameter {
  double value = 0;
  Provenance provenance = Provenance::kAssumed;

  constexpr operator double() const { return value; }
};

/// The mechanics and sensors of a force-feedback handle with three translations and three rotations.
struct DeviceParameters {
  Parameter mass_kg;
  Parameter damping_Ns_per_m;
  Parameter coulomb_N;
  Parameter resolution_m;  ///< one encoder count at the handle; 0: not quantised
  Parameter max_force_N;   ///< the motors saturate there, keeping the direction

  Parameter inertia_kgm2;  ///< the same about every axis
  Parameter damping_Nms_per_rad;
  Parameter coulomb_Nm;
  Parameter resolution_rad;  ///< one encoder count; 0: not quantised
  Parameter max_torque_Nm;
};

/// A Novint Falcon with a motorised wrist, which the real one does not have: its rotations are all assumed.
constexpr DeviceParameters FalconClass() {
  return {
      .mass_kg = {0.25, Provenance::kAssumed},
      .damping_Ns_per_m = {0.40, Provenance::kDerived},  // b = K T/2 for the declared K = 800 N/m at T = 1 ms
      .coulomb_N = {0.30, Provenance::kAssumed},
      .resolution_m = {38e-6, Provenance::kDerived},  // 1280 counts, capstan 14.25 : 110, crank 60 mm
      .max_force_N = {8.0, Provenance::kLibrary},     // CHAI3D's constant; the vendor says 8.9 N
      .inertia_kgm2 = {3e-4, Provenance::kAssumed},
      .damping_Nms_per_rad = {1e-3, Provenance::kAssumed},
      .coulomb_Nm = {3e-3, Provenance::kAssumed},
      .resolution_rad = {636e-6, Provenance::kAssumed},  // the same encoder on the wrist's axes
      .max_torque_Nm = {0.20, Provenance::kAssumed},     // what a sigma.7 has
  };
}

/// The hand that holds the handle: a mass that moves with it, pulled by a spring and a damper towards where the person wants
/// to be.
struct HandParameters {
  Parameter mass_kg;
  Parameter stiffness_N_per_m;
  Parameter damping_Ns_per_m;
  Parameter inertia_kgm2;
  Parameter stiffness_Nm_per_rad;
  Parameter damping_Nms_per_rad;
  Parameter tremor_N;  ///< largest force of the hand's unrest, redrawn every tick; 0: a perfectly calm hand
  Parameter tremor_Nm;
};

/// An arm at rest on the handle. Mass, stiffness, damping: one trial of Sci. Rep. srep18004, figure 3.
constexpr HandParameters RelaxedHand() {
  return {
      .mass_kg = {0.554, Provenance::kPublished},
      .stiffness_N_per_m = {135.0, Provenance::kPublished},
      .damping_Ns_per_m = {6.45, Provenance::kPublished},
      .inertia_kgm2 = {1e-3, Provenance::kAssumed},
      .stiffness_Nm_per_rad = {2.0, Provenance::kAssumed},
      .damping_Nms_per_rad = {0.06, Provenance::kAssumed},
      .tremor_N = {0.15, Provenance::kAssumed},
      .tremor_Nm = {2e-3, Provenance::kAssumed},
  };
}

/// No hand at all: the handle hangs free.
constexpr HandParameters NoHand() { return {}; }

}  // namespace tactus::hal
