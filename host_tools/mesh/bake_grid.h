#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "host_tools/mesh/triangle_mesh.h"

namespace tactus::host {

struct BakeOptions {
  double spacing_m = 1e-3;
  double band_m = 0;  ///< distances up to this are stored; 0: DefaultBand_m
};

/// Four spacings, and 8 mm at least: a ball of 4.5 mm can touch the grid (LargestBall_m).
double DefaultBand_m(double spacing_m);

/// The options with the band that is meant.
/// @throws HostError: spacing or band out of range
BakeOptions CheckedOptions(const BakeOptions& options);

/// Radius of the largest ball, or rounding, of a body that a scene with the default margin_m lets touch a grid with that
/// band; below 0: none.
double LargestBall_m(double band_m);

/// What came out, and how far it is from the mesh.
struct BakeReport {
  int samples[3] = {};  ///< along each axis
  int blocks = 0, stored = 0;
  double step_m = 0;  ///< of a stored number
  double band_m = 0;
  /// Of random points within 1 mm or the band of the surface: |distance of the grid - distance to the mesh|.
  double error_p50_m = 0, error_p99_m = 0, error_max_m = 0;
};

/// Called with the share that is done, 0 to 1.
using BakeProgress = std::function<void(double)>;

/// Makes the bytes of a tactus::DistanceGrid from a watertight mesh.
/// @throws HostError: spacing or band out of range, more than 512 samples along an axis, more than 65 535 blocks near the
///                    surface
std::vector<std::uint8_t> BakeGrid(const TriangleMesh& mesh, const BakeOptions& options, BakeReport* report,
                                   const BakeProgress& progress = {});

}  // namespace tactus::host
