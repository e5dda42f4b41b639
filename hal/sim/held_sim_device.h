#pragma once
#include <array>
#include <cstddef>

#include "hal/sim/hands.h"
#include "hal/sim/held_device.h"
#include "hal/sim/sim_device.h"

namespace tactus::hal {

/// A simulated mass in one of these hands: that of all runs (FalconClass), or one with numbers of its own.
class HeldSimDevice final : public HeldDevice {
 public:
  static constexpr int kMostLate_periods = 7;

  /// @param late_periods  0 … 7: a command acts so many periods late
  HeldSimDevice(const Hand& hand, const HandScript& script, std::uint64_t seed, std::uint32_t period_us,
                const DeviceParameters& device = FalconClass(), int late_periods = 0)
      : hand_(hand),
        device_(device, hand.full, script, seed, period_us),
        late_periods_(static_cast<std::size_t>(late_periods)) {}

  SensorFrame Sample() const override { return device_.Sample(); }
  void Advance(const CommandFrame& command) override {
    const double now_s = device_.time_s();
    if (hand_.changes()) device_.ChangeHand(hand_.At(now_s), Vec<double, 3>::Constant(hand_.Sway_N(now_s)));
    sent_[tick_ % sent_.size()] = command;
    const CommandFrame& acts = sent_[(tick_ + sent_.size() - late_periods_) % sent_.size()];
    ++tick_;
    device_.Advance(acts);
    for (int i = 0; i < 3; ++i) force_N_(i) = static_cast<double>(acts.force_N[i]);
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
  const std::size_t late_periods_;
  std::array<CommandFrame, kMostLate_periods + 1> sent_{};  // of the last ticks
  std::size_t tick_ = 0;
  Vec<double, 3> force_N_ = Vec<double, 3>::Zero();
};

}  // namespace tactus::hal
