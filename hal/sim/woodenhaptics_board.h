#pragma once
#include "hal/sim/emulated_board.h"
#include "hal/sim/emulated_mechanism.h"
#include "tactus/device/link_arm.h"

namespace tactus::hal {

/// WoodenHaptics, emulated: the line of its firmware of 2026 as docs/devices.md describes it, and the arm behind it. Written
/// from that description, without the driver's codec.
class WoodenHapticsBoard final : public EmulatedBoard {
 public:
  using Mechanism = EmulatedMechanism<LinkArm<double>>;

  explicit WoodenHapticsBoard(const Mechanism::Options& options) : arm_(options), period_us_(options.period_us) {}

  const Mechanism& arm() const { return arm_; }

  /// The arm of 2015 with a hand on it. @param script  in W, which is D: the origin is the middle of the workspace
  static Mechanism::Options Arm(const HandScript& script, std::uint64_t seed);

 private:
  static constexpr std::size_t kBuffer_B = 128;
  static constexpr std::uint32_t kWatchdog_us = 100'000;

  void DoReceive(std::span<const std::uint8_t> bytes) noexcept override;
  void DoAdvance() noexcept override;
  std::span<const std::uint8_t> DoSay() noexcept override;
  void DoPowerUp() noexcept override;
  BoardFaults DoCanHave() const noexcept override {
    return {.frozen = true, .zero_positions = true, .jump = true, .mute = true};
  }
  std::uint32_t DoPeriodUs() const noexcept override { return period_us_; }
  float DoLargestA() const noexcept override;

  std::uint32_t Obey(std::span<const std::uint8_t> message);
  void Answer(std::uint32_t error);

  Mechanism arm_;
  const std::uint32_t period_us_;
  std::array<std::uint8_t, kBuffer_B> received_{};
  std::size_t received_size_ = 0;
  std::array<std::uint8_t, 4096> said_{};
  std::size_t said_size_ = 0;
  float current_A_[kMaxMotors] = {};
  std::array<std::int32_t, 3> at_power_up_{}, frozen_{};
  std::uint32_t since_message_us_ = kWatchdog_us;
  bool enabled_ = false, was_frozen_ = false;
};

}  // namespace tactus::hal
