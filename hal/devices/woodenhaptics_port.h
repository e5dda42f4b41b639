#pragma once
#include "hal/api/byte_link.h"
#include "hal/devices/answer_clock.h"
#include "hal/devices/line_counters.h"
#include "hal/devices/motor_device.h"
#include "hal/devices/woodenhaptics_codec.h"
#include "tactus/device/link_arm.h"

namespace tactus::hal {

/// WoodenHaptics at the end of its line. Firmware of 2026 on the Teensy; not run on hardware.
///
/// Its request is its command, and its watchdog (100 ms) is fed by each that it takes. It cannot be told to switch the
/// drives off: disabled means zero current, and the drives go off by themselves when the line is silent. Recovers     by
/// itself: an answer that makes sense after silence, garbage or a hang-up
class WoodenHapticsPort final : public MotorPort {
 public:
  explicit WoodenHapticsPort(ByteLink& link) : link_(link) {}

  const LineDeviceCounters& counters() const noexcept { return counters_; }

  static constexpr std::uint32_t kPatience_us = 5'000;  ///< two messages at once are refused: the answer is waited for
  static constexpr std::uint32_t kSilence_us = 20'000;
  static constexpr int kRefusals = 3;  ///< in a row: what flows then is 3 ms old

 private:
  const PortTraits& DoTraits() const noexcept override;
  PortReading DoPoll(std::uint32_t now_us) noexcept override;
  Status DoWrite(const float (&current_A)[kMaxMotors]) noexcept override;
  Status DoZero() noexcept override;
  void DoEnable(bool on) noexcept override { enabled_ = on; }

  void Take(std::span<const std::uint8_t> bytes);
  void HandleAnswer(const woodenhaptics::Answer& answer);
  Status Send(const std::array<int, 3>& milliampere);
  PortCause Wrong() const;
  PortCause Missing() const;  ///< why there is no answer

  ByteLink& link_;
  woodenhaptics::AnswerReader reader_;
  AnswerClock clock_{kPatience_us, kSilence_us};
  LineDeviceCounters counters_;
  std::array<std::int32_t, 3> count_{};
  std::uint32_t restarts_ = 0;
  int refusals_ = 0;
  bool closed_ = false, enabled_ = false, has_answer_ = false, is_new_ = false, sent_zero_ = false;
  bool corrupt_since_answer_ = false, out_of_range_since_answer_ = false, other_model_ = false;
};

/// Sets of numbers of the arms that have been built (docs/devices.md).
enum class WoodenHapticsSet : std::uint8_t { kV2015, kV2019, kAluminium2017 };

/// @param period_s  of the loop
MotorDeviceConfig<LinkArm<double>> WoodenHapticsConfig(WoodenHapticsSet set = WoodenHapticsSet::kV2015,
                                                       double period_s = 0.001) noexcept;

}  // namespace tactus::hal
