#pragma once
#include <array>
#include <string>

#include "host_tools/rig/axis_fit.h"
#include "host_tools/rig/guarded_device.h"

namespace tactus::host {

/// How a device is excited.
struct IdentifyOptions {
  double seconds = 40;         ///< of measuring, each axis
  double amplitude_m = 0.008;  ///< of the motion, about the place where it was armed
  double speed_mps = 0.5;      ///< largest that is planned
  double rms_N = 1;            ///< largest that is planned, for the motors' heat
};

/// Within 0.6 of the continuous force that the device declares, and within the ceilings.
IdentifyOptions OptionsFor(const hal::DeviceCapabilities& can, const Ceilings& ceilings, double seconds);

/// What an axis turned out to be.
struct IdentifiedAxis {
  std::string refusal;  ///< "": it was measured; else why not, and the numbers mean nothing
  AxisFit fit;
  Estimated resolution_m;  ///< half < 0: not seen
  Sweep excitation;
  double across_m = 0;  ///< farthest from the axis while it was measured: far, and the fit is of more than the axis
};

struct Identification {
  std::array<IdentifiedAxis, 3> axis;  ///< x, y, z of W
  std::string fault;                   ///< what stopped it; "": nothing did
  double farthest_m = 0, fastest_mps = 0, largest_N = 0;
  double declared_N = 0;  ///< the peak that the device declares; 0: none
};

/// Excites one axis after the other, held across it, and fits each (docs/identify.md).
///
/// Steps   a push that grows until the handle has moved by 0.3 mm, or to the ceiling: then the axis does not move;
///         four rounds of a small, a larger and twice the full motion, each with the forces that the last one learned, along
///         and across; then the measurement, in which what the handle does across is taken off by the mass that couples it,
///         as the force across tells (M is symmetric). Between them the handle is brought back to where it was armed. At
///         last the delay, which is the line's and the drives', is that of all axes, where they agree: the mean weighted by
///         their intervals
Identification Identify(GuardedDevice& device, const IdentifyOptions& options);

}  // namespace tactus::host
