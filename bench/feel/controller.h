#pragma once
#include <memory>

#include "bench/feel/handle.h"
#include "tactus/haptic/config.h"

namespace tactus::bench::feel {

/// What a controller answers to one sample, and what it says about itself. World axes.
struct Answer {
  CommandFrame command;
  Vec3 coupling_N = Vec3::Zero();  ///< on the hand, before passivity and limits
  Vec3 tool_m = Vec3::Zero(), tool_mps = Vec3::Zero();
  double dissipated_J = 0;  ///< of the passivity observer
  bool passivity_active = false;
  bool limited = false;  ///< soft start, a rate or a magnitude cut the command
  bool faulted = false;

  Vec3 force_N() const { return Vec3(command.force_N[0], command.force_N[1], command.force_N[2]); }
};

/// From a sample to a command: `Tick`, or a closed form that a measurement is checked with.
class Controller {
 public:
  virtual ~Controller() = default;
  virtual Answer Step(const SensorFrame& sample) = 0;
};

/// The whole `tactus::Tick` of the servo loop, armed, in double precision.
class TickController final : public Controller {
 public:
  explicit TickController(const Config<double>& config);
  ~TickController() override;
  Answer Step(const SensorFrame& sample) override;

 private:
  struct Loop;
  std::unique_ptr<Loop> loop_;  // tens of kilobytes
};

}  // namespace tactus::bench::feel
