#pragma once
#include <array>
#include <cstdint>

#include "hal/sim/emulated_board.h"
#include "hal/sim/emulated_mechanism.h"
#include "hal/sim/falcon_boot.h"
#include "tactus/device/stamper_delta.h"

namespace tactus::hal {

/// A Falcon, emulated: its packets, its three cranks, and a user who homes it when it asks: pulls the grip out and pushes it
/// in, again and again until all three encoders have passed their mark. Its program runs, or it waits for one and loses it
/// with its supply.
class FalconBoard final : public EmulatedBoard {
 public:
  using Mechanism = EmulatedMechanism<StamperDelta<double>>;

  /// @param keeps_program  false: it waits for its loader's bytes first, as it does from the box
  explicit FalconBoard(const Mechanism::Options& options, bool keeps_program = true);

  const Mechanism& arms() const { return arms_; }
  bool homed() const { return homed_[0] && homed_[1] && homed_[2]; }
  int bits() const { return bits_; }  ///< of the last request: 1 home, 2 green, 4 blue, 8 red
  FalconBoot& boot() { return boot_; }
  bool runs() const { return keeps_program_ || boot_.runs(); }
  static Mechanism::Options Arms(const HandScript& script, std::uint64_t seed);

 private:
  void DoReceive(std::span<const std::uint8_t> bytes) noexcept override;
  void DoAdvance() noexcept override;
  std::span<const std::uint8_t> DoSay() noexcept override;
  void DoPowerUp() noexcept override;
  void DoSetRate(std::uint32_t baud) noexcept override;
  int DoButtons() const noexcept override { return 4; }
  BoardFaults DoCanHave() const noexcept override {
    return {.frozen = true, .zero_positions = true, .jump = true, .drive_fault = true, .not_a_number = true, .mute = true};
  }
  std::uint32_t DoPeriodUs() const noexcept override { return period_us_; }
  float DoLargestA() const noexcept override;

  void Take();
  void Answer();
  void Say(std::uint8_t byte);
  void BeHomed();
  void PassMarks();

  Mechanism arms_;
  const StamperDelta<double> mechanism_;
  const std::uint32_t period_us_;
  const bool keeps_program_;
  FalconBoot boot_;
  std::uint32_t rate_ = 0;
  std::array<std::uint8_t, 16> packet_{};
  std::size_t packet_size_ = 0;
  std::array<std::int16_t, 3> motor_{};
  int bits_ = 0;
  std::array<bool, 3> homed_{}, above_{};
  std::array<std::int32_t, 3> base_{};  // what its counters stood at when the supply came, until they are homed
  std::array<std::int16_t, 3> frozen_{};
  std::array<std::uint8_t, 2048> said_{};
  std::size_t said_size_ = 0;
  double pulled_s_ = 0;
  bool was_frozen_ = false, has_place_ = false;
};

}  // namespace tactus::hal
