#pragma once
#include <cstdint>

#include "hal/sim/parameters.h"
#include "tactus/haptic/config.h"

namespace tactus::bench::feel {

/// One device and what the controller is told about it.
struct LoopSetup {
  hal::DeviceParameters device = hal::FalconClass();
  double stiffness_N_per_m = CouplingConfig<double>().stiffness_N_per_m;
  double declared_mass_share = 1;  ///< the mass that the controller believes, of the true one
  std::uint32_t period_us = 1000;  ///< of the loop
  int late_ticks = 0;              ///< the command acts so many periods late, and the controller knows it

  double period_s() const { return 1e-6 * period_us; }
};

/// The default Config of the demonstration for this device.
Config<double> ConfigFor(const LoopSetup& setup);

/// The same with an observer that nothing bounds and no controller that acts on it.
Config<double> ObserverConfigFor(const LoopSetup& setup);

/// The Falcon-class device with other friction and encoders.
hal::DeviceParameters Device(double mass_kg, double coulomb_N, double resolution_m);

/// Middle of the peg that stands on the plate: half its length [m].
double RestHeight_m();

}  // namespace tactus::bench::feel
