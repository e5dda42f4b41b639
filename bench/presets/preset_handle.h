#pragma once
#include <memory>
#include <vector>

#include "bench/feel/handle.h"
#include "hal/sim/presets.h"

namespace tactus::bench::presets {

/// A preset as the loop's handle.
class PresetHandle final : public feel::Handle {
 public:
  PresetHandle(const hal::DevicePreset& preset, const hal::Hand& hand, std::vector<hal::HandMove> moves, std::uint64_t seed)
      : moves_(std::move(moves)),
        device_(hal::MakePreset(preset,
                                {.hand = hand, .script = {moves_.data(), static_cast<int>(moves_.size())}, .seed = seed})) {}

  SensorFrame Sample() const override { return device_->Sample(); }
  feel::Vec3 p_WH_m() const override { return device_->p_WH_m(); }
  feel::Vec3 v_WH_mps() const override { return device_->v_WH_mps(); }
  double Advance(const CommandFrame& command) override {
    const double before_J = device_->given_J() - device_->taken_J();
    CommandFrame pushed = command;
    pushed.force_N[2] += push_N_;
    push_N_ = 0;
    device_->Advance(pushed);
    return device_->given_J() - device_->taken_J() - before_J;
  }
  /// A blow along z by the motors themselves, which the controller does not know of: on top of the next command.
  void Push(double force_N) { push_N_ = static_cast<float>(force_N); }

 private:
  std::vector<hal::HandMove> moves_;
  std::unique_ptr<hal::HeldDevice> device_;
  float push_N_ = 0;
};

}  // namespace tactus::bench::presets
