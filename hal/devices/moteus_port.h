#pragma once
#include "hal/api/byte_link.h"
#include "hal/devices/drive_pantograph.h"
#include "hal/devices/line_counters.h"
#include "hal/devices/moteus_codec.h"
#include "hal/devices/recent_nonsense.h"
#include "hal/devices/text_lines.h"

namespace tactus::hal {

/// Two moteus drives on a CAN-FD bus, numbers 1 and 2; not run on hardware.
///
/// In each period each drive gets one frame: a torque, or the word to stop, and a question. The request's tag comes back in
/// the answer, so an answer that is late or repeated is known by it, and a position is as old as its request.
///
/// A drive's watchdog is fed by commands, not by questions, and each command says how long it holds (kWatchdog_s). A torque
/// command also starts a stopped drive. Therefore a drive that stops while it shall run is never commanded on: all that is
/// wrong stops both drives, and they stay stopped until Disable and Enable.
///
/// Dangers: what a drive does when its watchdog runs out is its configuration's: by default it brakes. A position without
/// a reference is where the drive was switched on: refused (kNotHomed).
class MoteusPort final : public MotorPort {
 public:
  static constexpr int kAxes = DrivePair::kDrives;
  static constexpr std::uint32_t kSilence_us = 10'000, kAnswer_us = 150'000;

  explicit MoteusPort(ByteLink& link) : link_(link) {}
  /// With the counts a turn of the set in use.
  MoteusPort(ByteLink& link, const MotorDeviceConfig<FiveBar<double>>& config)
      : link_(link), counts_per_turn_(DrivePair::CountsOf(config)) {}

  const LineDeviceCounters& counters() const noexcept { return counters_; }

 private:
  static constexpr std::size_t kLongestLine = 256;

  /// What one drive said last.
  struct Axis {
    moteus::Answer answer;
    std::int32_t count = 0;
    std::uint32_t asked_us = 0;  ///< when its request went out
    bool has_answer = false, is_fresh = false;
    bool has_run = false;  ///< it has said position mode since Enable
  };
  /// A request that went out.
  struct Request {
    std::uint32_t sent_us = 0;
    bool waits[kAxes] = {};  ///< for the drive's answer
  };

  const PortTraits& DoTraits() const noexcept override;
  PortReading DoPoll(std::uint32_t now_us) noexcept override;
  Status DoWrite(const float (&current_A)[kMaxMotors]) noexcept override;
  Status DoZero() noexcept override { return Send({}); }
  void DoEnable(bool on) noexcept override;

  void Receive();
  void TakeLine(std::span<const std::uint8_t> line);
  void Take(const moteus::Answer& answer);
  void NoteBad(Status status);
  PortCause Wrong() const;
  PortCause WrongAxis(const Axis& axis) const;
  PortCause WrongMode(const Axis& axis) const;
  bool Measures() const;
  Status Send(const std::array<float, kAxes>& torque_Nm);
  void Forget();

  ByteLink& link_;
  const DrivePair::Counts counts_per_turn_ = DrivePair::kCounts;
  LineDeviceCounters counters_;
  std::array<Axis, kAxes> axes_{};
  std::array<Request, moteus::kTags> requests_{};
  TextLines<kLongestLine> lines_;
  std::array<std::uint8_t, canfd_text::kOpen.size() + kAxes * canfd_text::kMostSize> out_{};
  std::uint32_t now_us_ = 0, opened_us_ = 0, enabled_us_ = 0;
  int tag_ = 0;  ///< of the next request
  RecentNonsense nonsense_{kSilence_us};
  PortCause stopped_ = PortCause::kNone;  ///< why the drives are stopped though they are enabled
  bool started_ = false, closed_ = false, enabled_ = false;
};

/// Of DrivePantographConfig.
MotorDeviceConfig<FiveBar<double>> MoteusConfig(double period_s = 0.001) noexcept;

}  // namespace tactus::hal
