#pragma once
#include "hal/sim/emulated_board.h"
#include "hal/sim/emulated_mechanism.h"
#include "tactus/device/five_bar.h"

namespace tactus::hal {

/// A pantograph whose two cranks are turned by drives that take torques and tell turns, and a hand on it: what emulated
/// drives of any make have behind them.
class DriveArms {
 public:
  using Mechanism = EmulatedMechanism<FiveBar<double>>;
  static constexpr int kDrives = 2;
  /// All that a drive with a processor of its own can have.
  static constexpr BoardFaults kFaults{.sensor_fault = true,
                                       .frozen = true,
                                       .zero_positions = true,
                                       .jump = true,
                                       .refuses = true,
                                       .drive_fault = true,
                                       .other_model = true,
                                       .not_a_number = true,
                                       .mute = true};

  explicit DriveArms(const Mechanism::Options& options);

  static Mechanism::Options Options(const HandScript& script, std::uint64_t seed);
  const Mechanism& mechanism() const { return arms_; }
  void Advance(const float (&torque_Nm)[kMaxMotors]) { arms_.Advance(torque_Nm); }
  /// A drive's position, with what is wrong with positions; what it does not know reads 0.
  float TurnsOf(unsigned drive, const BoardFaults& faults);

 private:
  Mechanism arms_;
  double counts_per_turn_[kDrives];  // of the set in use: what it tells are turns
  std::array<std::int32_t, kDrives> frozen_{};
  bool was_frozen_ = false;
};

}  // namespace tactus::hal
