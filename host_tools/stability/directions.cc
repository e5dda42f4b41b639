#include "host_tools/stability/directions.h"

#include <Eigen/Eigenvalues>

#include "hal/sim/presets.h"
#include "host_tools/stability/device_model.h"

namespace tactus::host {

std::vector<Direction> DirectionsOf(const hal::DevicePreset& preset) {
  constexpr double kLeast_kg = 1e-6;  // below: it cannot move there
  const hal::HandleMatrices at = hal::MatricesAtHandle(preset);
  const Eigen::SelfAdjointEigenSolver<Mat<double, 3, 3>> modes(at.mass_kg);
  std::vector<Direction> directions;
  for (int i = 0; i < 3; ++i) {
    if (modes.eigenvalues()(i) < kLeast_kg) continue;
    Direction direction{.along = modes.eigenvectors().col(i), .device = ModelOf(preset).linear};
    direction.device.mass_kg = modes.eigenvalues()(i);
    direction.device.damping_Ns_per_m = direction.along.dot(at.damping_Ns_per_m * direction.along);
    directions.push_back(direction);
  }
  return directions;
}

}  // namespace tactus::host
