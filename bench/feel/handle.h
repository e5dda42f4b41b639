#pragma once
#include <functional>
#include <vector>

#include "hal/sim/sim_device.h"

namespace tactus::bench::feel {

using Vec3 = Vec<double, 3>;

/// Where a handle is led, in W: a position [m] at a time [s].
using Motion = std::function<Vec3(double time_s)>;

/// A handle with its encoders and motors, one tick at a time. Only its sample is for the controller; the rest is the truth.
class Handle {
 public:
  virtual ~Handle() = default;

  virtual SensorFrame Sample() const = 0;
  virtual Vec3 p_WH_m() const = 0;
  virtual Vec3 v_WH_mps() const = 0;
  /// Lets one period pass under this command. @returns the work of the command on the handle [J]
  virtual double Advance(const CommandFrame& command) = 0;
};

/// A handle that an infinitely strong hand leads: its motion does not depend on the force. The command is constant over a
/// period h, so its work is exactly F·(x(t + h) - x(t)).
class LedHandle final : public Handle {
 public:
  /// @param resolution_m  one encoder count; 0: not quantised
  LedHandle(Motion motion, double resolution_m) : motion_(std::move(motion)), resolution_m_(resolution_m) {}

  SensorFrame Sample() const override;
  Vec3 p_WH_m() const override { return motion_(Time_s(tick_)); }
  /// Over the period that has ended.
  Vec3 v_WH_mps() const override;
  double Advance(const CommandFrame& command) override;

 private:
  static double Time_s(std::uint32_t tick) { return tick * hal::SimDevice::kTick_s; }

  Motion motion_;
  double resolution_m_;
  std::uint32_t tick_ = 0;
};

/// How a handle of hal/sim is drawn to a place: it rests at `start_m` while the loop is armed and reaches full force, then
/// the hand's target goes to `target_m` and stays there.
struct Pull {
  Vec3 start_m = Vec3::Zero();
  Vec3 target_m = Vec3::Zero();
  double move_s = 0.5;  ///< duration of the target's minimum-jerk movement
};

/// The simulated device of hal/sim with a hand on it.
class SimHandle final : public Handle {
 public:
  static constexpr double kWait_s = 0.3;  ///< before the hand pulls; the default soft start takes 0.25 s

  SimHandle(const hal::DeviceParameters& device, const hal::HandParameters& hand, const Pull& pull, std::uint64_t seed,
            std::uint32_t period_us = 1000);

  SensorFrame Sample() const override { return device_.Sample(); }
  Vec3 p_WH_m() const override { return device_.state().p_WH_m; }
  Vec3 v_WH_mps() const override { return device_.state().v_WH_mps; }
  double Advance(const CommandFrame& command) override;
  /// A blow: so much speed more.
  void Kick(const Vec3& v_mps);

 private:
  std::vector<hal::HandMove> moves_;
  hal::SimDevice device_;
};

}  // namespace tactus::bench::feel
