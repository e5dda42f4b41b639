#pragma once
#include "hal/sim/emulated_mechanism.h"
#include "hal/sim/emulated_motors.h"

namespace tactus::hal {

/// An emulated mechanism at the level of a board's motors: a Read is one period of its loop, and the encoders' counts.
template <DeviceKinematics D>
class MechanismMotorIo final : public EmulatedMotors {
 public:
  using Options = typename EmulatedMechanism<D>::Options;

  MechanismMotorIo(const Options& options, const MotorTraits& traits) : traits_(traits), mechanism_(options) {}

  const EmulatedMechanism<D>& mechanism() const { return mechanism_; }

 private:
  const MotorTraits& DoTraits() const noexcept override { return traits_; }

  MotorReading DoRead() noexcept override {
    MotorReading reading;
    for (int i = 0; i < D::kMotors; ++i) reading.current_A[i] = flowing_A(i);
    mechanism_.Advance(reading.current_A);
    const auto counts = mechanism_.Counts();
    for (int i = 0; i < D::kMotors; ++i) reading.count[i] = counts[static_cast<std::size_t>(i)];
    return reading;
  }

  const MotorTraits traits_;
  EmulatedMechanism<D> mechanism_;
};

}  // namespace tactus::hal
