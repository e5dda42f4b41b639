#include "host_tools/stability/directions.h"

#include <Eigen/Eigenvalues>

#include "hal/sim/presets.h"

namespace tactus::host {

std::vector<Direction> DirectionsOf(const hal::DevicePreset& preset) {
  constexpr double kLeast_kg = 1e-6;  // below: it cannot move there
  const hal::HandleMatrices at = hal::MatricesAtHandle(preset);
  const Eigen::SelfAdjointEigenSolver<Mat<double, 3, 3>> modes(at.mass_kg);
  std::vector<Direction> directions;
  for (int i = 0; i < 3; ++i) {
    if (modes.eigenvalues()(i) < kLeast_kg) continue;
    const Vec<double, 3> e = modes.eigenvectors().col(i);
    directions.push_back(
        {.along = e, .mass_kg = modes.eigenvalues()(i), .damping_Ns_per_m = e.dot(at.damping_Ns_per_m * e)});
  }
  return directions;
}

}  // namespace tactus::host
