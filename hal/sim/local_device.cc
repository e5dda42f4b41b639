#include "hal/sim/local_device.h"

#include "hal/sim/peg_in_hole_script.h"

namespace tactus::hal {
namespace {

constexpr DeviceParameters kFalcon = FalconClass();

constexpr DeviceCapabilities kCapabilities{
    .name = "simulated Falcon class with wrist",
    .resolution_m = static_cast<float>(kFalcon.resolution_m),
    .resolution_rad = static_cast<float>(kFalcon.resolution_rad),
    .workspace_radius_m = 0.05f,  // a Falcon's is about 0.1 m across
    .peak_force_N = static_cast<float>(kFalcon.max_force_N),
    .continuous_force_N = static_cast<float>(kFalcon.max_force_N),  // nothing gets hot here
    .peak_torque_Nm = static_cast<float>(kFalcon.max_torque_Nm),
    .continuous_torque_Nm = static_cast<float>(kFalcon.max_torque_Nm),
    .effector_mass_kg = static_cast<float>(kFalcon.mass_kg),
    .effector_inertia_kgm2 = static_cast<float>(kFalcon.inertia_kgm2),
};

}  // namespace

template <class Scalar>
LocalSimDevice<Scalar>::LocalSimDevice(std::uint64_t seed, std::uint32_t period_us, const BasicHandScript<Scalar>& script)
    : device_(kFalcon, RelaxedHand(), script, seed, period_us) {}

template <class Scalar>
const DeviceCapabilities& LocalSimDevice<Scalar>::DoCapabilities() const noexcept {
  return kCapabilities;
}

template <class Scalar>
DeviceReading LocalSimDevice<Scalar>::DoReadSample(std::uint32_t) noexcept {
  if (started_) device_.Advance(drives_on_ ? command_ : CommandFrame{});
  started_ = true;
  return {.sample = device_.Sample(),
          .valid = true,
          .is_new = true,
          .state = drives_on_ ? DeviceState::kEnabled : DeviceState::kReady};
}

template <class Scalar>
Status LocalSimDevice<Scalar>::DoWriteCommand(const CommandFrame& command, const CommandNote&) noexcept {
  command_ = command;
  return Status::kOk;
}

#ifndef TACTUS_FLOAT_ONLY
template class LocalSimDevice<double>;
#endif
template class LocalSimDevice<float>;

}  // namespace tactus::hal
