#pragma once
#include "hal/sim/hands.h"
#include "hal/sim/held_device.h"
#include "hal/sim/sim_device.h"

namespace tactus::hal {

/// The simulated device of all runs (FalconClass) in one of these hands.
class HeldSimDevice final : public HeldDevice {
 public:
  HeldSimDevice(const Hand& hand, const HandScript& script, std::uint64_t seed, std::uint32_t period_us)
      : hand_(hand), device_(FalconClass(), hand.full, script, seed, period_us) {}

  SensorFrame Sample() const override { return device_.Sample(); }
  void Advance(const CommandFrame& command) override {
    const double now_s = device_.time_s();
    if (hand_.changes()) device_.ChangeHand(hand_.At(now_s), Vec<double, 3>::Constant(hand_.Sway_N(now_s)));
    device_.Advance(command);
    for (int i = 0; i < 3; ++i) force_N_(i) = static_cast<double>(command.force_N[i]);
  }
  const char* move() const override { return device_.script().count == 0 ? "" : device_.move().name; }
  bool clutch() const override { return device_.script().count > 0 && device_.move().clutch; }
  double given_J() const override { return device_.given_J(); }
  double taken_J() const override { return device_.taken_J(); }
  double stopped_s() const override { return 0; }
  double hottest() const override { return 0; }
  Vec<double, 3> motor_force_N() const override { return force_N_; }  // its motors are ideal
  Vec<double, 3> p_WH_m() const override { return device_.state().p_WH_m; }
  Vec<double, 3> v_WH_mps() const override { return device_.state().v_WH_mps; }

 private:
  const Hand hand_;
  SimDevice device_;
  Vec<double, 3> force_N_ = Vec<double, 3>::Zero();
};

}  // namespace tactus::hal
