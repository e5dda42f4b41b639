#pragma once

#include <string_view>

#include "hal/sim/drive_arms.h"

namespace tactus::hal {

/// Two moteus drives behind their maker's serial CAN-FD adapter, emulated, and a pantograph that they drive: the bytes as
/// docs/devices.md describes them, with what is dangerous in them. A command takes effect behind its frame. Encoders are
/// absolute: a drive that starts anew knows where it is. When its watchdog runs out it stops (`timeout_mode` 0).
class MoteusBoard final : public EmulatedBoard {
 public:
  using Mechanism = DriveArms::Mechanism;
  static constexpr int kDrives = DriveArms::kDrives;

  explicit MoteusBoard(const Mechanism::Options& options) : arms_(options), period_us_(options.period_us) {}

  const Mechanism& arms() const { return arms_.mechanism(); }
  static Mechanism::Options Arms(const HandScript& script, std::uint64_t seed) { return DriveArms::Options(script, seed); }

 private:
  /// Registers 0x20 to 0x2B as a command has them; none that it leaves out is kept from an older one.
  struct Command {
    int mode = 0;
    float torque_Nm = 0, most_Nm, watchdog_s = 0, gains[3] = {1, 1, 1};
    Command();
  };
  struct Drive {
    Command command;
    int mode = 0, fault = 0;
    int unfed_us = 0;
  };
  /// What is read of a frame, and how far.
  struct Frame {
    std::span<const std::uint8_t> data;
    bool cut = false;
    unsigned Byte();
    unsigned Number();
    float Value(unsigned type);
  };

  void DoReceive(std::span<const std::uint8_t> bytes) noexcept override;
  void DoAdvance() noexcept override;
  std::span<const std::uint8_t> DoSay() noexcept override;
  void DoPowerUp() noexcept override { drives_ = {}; }  // the adapter has its own supply, over USB
  BoardFaults DoCanHave() const noexcept override { return DriveArms::kFaults; }
  std::uint32_t DoPeriodUs() const noexcept override { return period_us_; }
  float DoLargestA() const noexcept override;

  void TakeLine();
  bool Send(std::string_view text);
  void TakeFrame(unsigned id, std::span<const std::uint8_t> data);
  void Obey(Drive* drive, const Command& command);
  static void WriteRegister(Command* command, unsigned at, float value);
  float ValueOf(unsigned drive, unsigned at);
  void Answer(unsigned drive, unsigned kind, unsigned at, unsigned count);
  static float TorqueOf(const Drive& drive);
  void Put(float value, unsigned type);
  void SayText(std::string_view text);

  DriveArms arms_;
  const std::uint32_t period_us_;
  std::array<Drive, kDrives> drives_{};
  std::array<char, 256> line_{};
  std::array<std::uint8_t, 64> answer_{};
  std::array<std::uint8_t, 4096> said_{};
  std::size_t line_size_ = 0, answer_size_ = 0, said_size_ = 0;
  bool on_ = false;
};

}  // namespace tactus::hal
