#pragma once

#include "hal/sim/drive_arms.h"

namespace tactus::hal {

/// Two ODrives with CAN-Simple behind a serial CAN adapter, emulated, and a pantograph that they drive: the bytes as
/// docs/devices.md describes them, with what is dangerous in them. Their watchdogs are set to 50 ms and fed by any frame.
/// Their encoders are absolute: a drive that starts anew knows where it is.
class ODriveBoard final : public EmulatedBoard {
 public:
  using Mechanism = DriveArms::Mechanism;
  static constexpr int kDrives = DriveArms::kDrives, kWatchdog_ms = 50, kHeartbeat_ms = 100;

  explicit ODriveBoard(const Mechanism::Options& options);

  const Mechanism& arms() const { return arms_.mechanism(); }
  static Mechanism::Options Arms(const HandScript& script, std::uint64_t seed) { return DriveArms::Options(script, seed); }

 private:
  struct Drive {
    std::uint32_t error = 0, state = 1;  ///< idle
    bool takes_torques = false;          ///< its controller's mode
    float torque_Nm = 0;                 ///< that was asked for last; kept in idle, as in the firmware
    int unfed_ms = 0;
  };

  void DoReceive(std::span<const std::uint8_t> bytes) noexcept override;
  void DoAdvance() noexcept override;
  std::span<const std::uint8_t> DoSay() noexcept override;
  void DoPowerUp() noexcept override;
  BoardFaults DoCanHave() const noexcept override { return DriveArms::kFaults; }
  std::uint32_t DoPeriodUs() const noexcept override { return period_us_; }
  float DoLargestA() const noexcept override;

  void TakeLine();
  void TakeFrame(unsigned id, bool is_request, std::span<const std::uint8_t> data);
  float TorqueOf(const Drive& drive) const;
  void Tell(unsigned node);
  void TellPair(unsigned node, unsigned command, float first, float second);
  void TellHeartbeat(unsigned node);
  void SayFrame(unsigned id, std::span<const std::uint8_t, 8> data);
  void SayByte(std::uint8_t byte);

  DriveArms arms_;
  const std::uint32_t period_us_;
  std::array<Drive, kDrives> drives_{};
  std::array<std::uint8_t, 64> line_{};
  std::array<std::uint8_t, 2048> said_{};
  std::size_t line_size_ = 0, said_size_ = 0;
  bool open_ = false;
  int ms_ = 0;
};

}  // namespace tactus::hal
