#pragma once
#include "hal/api/device.h"
#include "hal/sim/peg_in_hole_script.h"
#include "hal/sim/sim_device.h"

namespace tactus::hal {

/// The simulated device and the hand on it as a controller's own device: it lives on the board, one tick per Read. The loop
/// is then closed without a host, which only configures, watches and records.
template <class Scalar>
class LocalSimDevice final : public Device {
 public:
  /// The demo's device and hand. @param period_us  from one Read to the next
  /// @param script  of the hand; its movements outlive the device
  explicit LocalSimDevice(std::uint64_t seed, std::uint32_t period_us = 1000,
                          const BasicHandScript<Scalar>& script = PegInHoleScriptOf<Scalar>());

  const BasicSimDevice<Scalar>& device() const { return device_; }

 private:
  const DeviceCapabilities& DoCapabilities() const noexcept override;
  DeviceReading DoReadSample(std::uint32_t now_us) noexcept override;
  Status DoWriteCommand(const CommandFrame& command, const CommandNote& note) noexcept override;
  void DoEnable() noexcept override { drives_on_ = true; }
  void DoDisable() noexcept override { drives_on_ = false; }

  BasicSimDevice<Scalar> device_;
  CommandFrame command_;    ///< held until the next
  bool drives_on_ = false;  ///< without, no command reaches the handle
  bool started_ = false;
};

extern template class LocalSimDevice<double>;
extern template class LocalSimDevice<float>;

}  // namespace tactus::hal
