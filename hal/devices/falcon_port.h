#pragma once
#include "hal/api/byte_link.h"
#include "hal/devices/answer_clock.h"
#include "hal/devices/falcon_codec.h"
#include "hal/devices/line_counters.h"
#include "hal/devices/motor_device.h"
#include "tactus/device/stamper_delta.h"

namespace tactus::hal {

/// A Novint Falcon whose program has been loaded and runs; not run on hardware.
///
/// Start    asks to home, with the red light, until all three encoders have passed their mark: its user pulls the grip out
///          and pushes it in. Then green, with force blue.
/// Units    a port's ampere is 1000 of the device's motor counts: nobody knows their newtons without a spring scale.
/// Dangers  whether the device has a watchdog is not known (host_tools/devices/line_guard.h).
class FalconPort final : public MotorPort {
 public:
  explicit FalconPort(ByteLink& link) : link_(link) {}

  const LineDeviceCounters& counters() const noexcept { return counters_; }
  std::uint8_t buttons() const noexcept { return answer_.buttons; }

  static constexpr float kCountsPerA = 1000;
  static constexpr std::uint32_t kPatience_us = 5'000, kSilence_us = 20'000;

 private:
  const PortTraits& DoTraits() const noexcept override;
  PortReading DoPoll(std::uint32_t now_us) noexcept override;
  Status DoWrite(const float (&current_A)[kMaxMotors]) noexcept override;
  Status DoZero() noexcept override { return Send({}); }
  void DoEnable(bool on) noexcept override { enabled_ = on; }

  void Receive();
  void Take(std::span<const std::uint8_t> packet);
  PortCause Wrong() const;
  PortCause Missing() const;  ///< why there is no answer
  std::uint8_t Lights() const;
  Status Send(const std::array<std::int16_t, 3>& motor);
  bool homed() const { return answer_.homed[0] && answer_.homed[1] && answer_.homed[2]; }

  ByteLink& link_;
  AnswerClock clock_{kPatience_us, kSilence_us};
  LineDeviceCounters counters_;
  falcon::PacketFinder finder_;
  falcon::Answer answer_;
  std::uint32_t skipped_ = 0;  // bytes, when the last answer came
  std::uint32_t homings_ = 0;
  bool closed_ = false, enabled_ = false, is_new_ = false, sent_zero_ = false, was_homed_ = false, restarted_ = false;
  bool bad_since_answer_ = false;  // a packet with a begin and an end, and nonsense between them
};

/// W's z is up, y away from the user, the origin 110 mm in front of the base, where the workspace is widest.
MotorDeviceConfig<StamperDelta<double>> FalconConfig(double period_s = 0.001) noexcept;

}  // namespace tactus::hal
