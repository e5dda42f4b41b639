#pragma once
#include "hal/api/byte_link.h"
#include "hal/devices/drive_pantograph.h"
#include "hal/devices/line_counters.h"
#include "hal/devices/odrive_codec.h"
#include "hal/devices/question_clock.h"
#include "hal/devices/recent_nonsense.h"
#include "hal/devices/text_lines.h"

namespace tactus::hal {

/// Two ODrives on a CAN bus, nodes 0 and 1, with CAN-Simple; not run on hardware.
///
/// The drives tell their positions each millisecond by themselves (`encoder_rate_ms` 1). These carry no time, so a line that
/// becomes late little by little would not be seen. Therefore each drive is asked each 2 ms for what does not matter here,
/// its currents or its bus in turn, and its positions are no older than the question that it answered last. Beyond
/// kSilence_us that is kSilent. What the answers take beyond a period counts as age of the positions.
///
/// A drive's watchdog is fed by any frame that it is sent, questions too, so a host that asks and has lost its loop would
/// keep the last torque on. Here a question goes out in the same write as the torques, behind them, and never alone.
///
/// Starting: the adapter's channel is opened, zeros and idle go out, errors are cleared. Enable puts the drives into torque
/// control and closed loop; a heartbeat must say so within 150 ms. Disable puts them to idle.
///
/// Dangers: a drive that does not know its position tells 0. That shows as a jump, unless the motor stands at 0; the
/// heartbeat's error tells it too. A drive counts from where it starts unless its encoder is absolute: only such encoders
/// keep their place over a reset.
class ODrivePort final : public MotorPort {
 public:
  static constexpr int kAxes = 2;
  static constexpr std::uint32_t kSilence_us = 10'000, kHeartbeat_us = 350'000, kAnswer_us = 150'000;
  static constexpr std::uint32_t kForget_us = 200'000;  ///< a question without an answer

  explicit ODrivePort(ByteLink& link) : link_(link) {}
  /// With the counts a turn of the set in use.
  ODrivePort(ByteLink& link, const MotorDeviceConfig<FiveBar<double>>& config)
      : link_(link), counts_per_turn_(DrivePair::CountsOf(config)) {}

  const LineDeviceCounters& counters() const noexcept { return counters_; }

 private:
  static constexpr std::size_t kLongestLine = 64;
  static constexpr odrive::Command kAsked[QuestionClock::kKinds] = {odrive::Command::kCurrents, odrive::Command::kBus};

  /// What one drive said last.
  struct Axis {
    std::int32_t count = 0;
    std::uint32_t estimate_us = 0, heartbeat_us = 0;
    odrive::Heartbeat heartbeat;
    bool has_estimate = false, has_heartbeat = false, is_fresh = false;
    bool answered = false;    ///< a heartbeat has come since the last change of what is wanted
    bool has_run = false;     ///< it has said closed loop since Enable
    bool has_answer = false;  ///< to a question
    QuestionClock clock{kSilence_us, kForget_us};
  };

  const PortTraits& DoTraits() const noexcept override;
  PortReading DoPoll(std::uint32_t now_us) noexcept override;
  Status DoWrite(const float (&current_A)[kMaxMotors]) noexcept override;
  Status DoZero() noexcept override { return Send({}); }
  void DoEnable(bool on) noexcept override;

  void Receive();
  void TakeLine(std::span<const std::uint8_t> line);
  void Take(const CanFrame& frame);
  void TakeHeartbeat(const CanFrame& frame, Axis* axis);
  void TakeEstimates(const CanFrame& frame, int node, Axis* axis);
  void TakeAnswer(const CanFrame& frame, int kind, Axis* axis);
  std::uint32_t Age(bool is_new);
  PortCause Wrong() const;
  PortCause WrongAxis(const Axis& axis) const;  ///< but its errors
  void NoteBad(Status status);
  bool Measures() const;
  Status Send(const std::array<float, kAxes>& torque_Nm);
  bool OrdersAreDue() const;
  void PutOrders();
  int PutQuestion();
  void Put(const CanFrame& frame);
  void Forget();

  ByteLink& link_;
  const DrivePair::Counts counts_per_turn_ = DrivePair::kCounts;
  LineDeviceCounters counters_;
  std::array<Axis, kAxes> axes_{};
  TextLines<kLongestLine> lines_;
  std::array<std::uint8_t, 16 * can_text::kMostSize> out_{};
  std::size_t out_size_ = 0;
  std::uint32_t now_us_ = 0, opened_us_ = 0, enabled_us_ = 0, ordered_us_ = 0;
  std::uint32_t asked_us_ = 0, told_us_ = 0;  ///< the last question; of what time the last reading was
  std::size_t asks_ = 0;                      ///< the drive that is asked next
  RecentNonsense nonsense_{kSilence_us};
  bool started_ = false, closed_ = false, enabled_ = false, ordered_ = false;
};

/// Of DrivePantographConfig.
MotorDeviceConfig<FiveBar<double>> ODriveConfig(double period_s = 0.001) noexcept;

}  // namespace tactus::hal
