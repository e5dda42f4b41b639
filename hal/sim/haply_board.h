#pragma once
#include "hal/sim/emulated_board.h"
#include "hal/sim/emulated_mechanism.h"
#include "tactus/device/five_bar.h"

namespace tactus::hal {

/// A Haply board with the open firmware, emulated, and the pantograph behind it: the bytes as docs/devices.md describes
/// them, with what is dangerous in them. Its user holds the arms straight out until the set-up, as the manual asks.
class HaplyBoard final : public EmulatedBoard {
 public:
  using Mechanism = EmulatedMechanism<FiveBar<double>>;

  explicit HaplyBoard(const Mechanism::Options& options);

  const Mechanism& arms() const { return arms_; }
  static Mechanism::Options Arms(const HandScript& script, std::uint64_t seed);

 private:
  void DoReceive(std::span<const std::uint8_t> bytes) noexcept override;
  void DoAdvance() noexcept override;
  std::span<const std::uint8_t> DoSay() noexcept override;
  void DoPowerUp() noexcept override;
  BoardFaults DoCanHave() const noexcept override {
    return {.frozen = true,
            .zero_positions = true,
            .jump = true,
            .refuses = true,
            .drive_fault = true,
            .other_model = true,
            .not_a_number = true,
            .mute = true};
  }
  std::uint32_t DoPeriodUs() const noexcept override { return period_us_; }
  float DoLargestA() const noexcept override;

  void Hold();
  void SetUp(std::span<const std::uint8_t>* bytes);
  void Torques(std::span<const std::uint8_t>* bytes);
  void Answer(std::uint8_t id);

  Mechanism arms_;
  const std::uint32_t period_us_;
  int motors_ = 0, encoders_ = 0;
  std::array<std::int32_t, 2> base_{}, frozen_{};
  float resolution_[2] = {1, 1};
  float torque_Nm_[kMaxMotors] = {};
  std::array<std::uint8_t, 2048> said_{};
  std::size_t said_size_ = 0;
  bool held_ = true, was_frozen_ = false;
};

}  // namespace tactus::hal
