#pragma once
#include "hal/api/byte_link.h"
#include "hal/devices/answer_clock.h"
#include "hal/devices/haply_codec.h"
#include "hal/devices/line_counters.h"
#include "hal/devices/motor_device.h"
#include "tactus/device/five_bar.h"

namespace tactus::hal {

/// A Haply board with two motors and the open firmware; not run on hardware.
///
/// Starting: zeros go out first, for a reset leaves torque on. 20 ms later the reset goes out, and the set-up behind it. The
/// arms are held straight out meanwhile, because that is where the board counts from. The first answer must say so.
///
/// Dangers: the board has no watchdog, so a host that dies leaves its last torque on (host_tools/devices/line_guard.h). It
/// is set up once. A board that has started anew stays kRestarted until the program is started again with the arms held. It
/// takes no torques then, zeros neither, and need not say so. So where zeros behind a torque have no answer of a board that
/// is set up, set-up and zeros go out in turn. The board counts from where it stands then: kNotHomed, to be started again.
class HaplyPort final : public MotorPort {
 public:
  explicit HaplyPort(ByteLink& link) : link_(link) {}

  const LineDeviceCounters& counters() const noexcept { return counters_; }

  static constexpr std::uint32_t kPatience_us = 5'000, kSilence_us = 20'000;
  static constexpr std::uint32_t kStartPause_us = 20'000;
  static constexpr std::uint32_t kZerosPatience_us = 6'000;  ///< without an answer to zeros that take a torque away

 private:
  static constexpr int kShownZeros = 3;  // an answer may be an older request's

  enum class Step : std::uint8_t { kZeros, kReset, kSetup, kFirst, kRuns, kLost };

  const PortTraits& DoTraits() const noexcept override;
  PortReading DoPoll(std::uint32_t now_us) noexcept override;
  Status DoWrite(const float (&current_A)[kMaxMotors]) noexcept override;
  Status DoZero() noexcept override;
  void DoEnable(bool on) noexcept override { enabled_ = on; }

  void Receive();
  void Judge();
  void Resynchronise();
  void Lose(PortCause cause);
  PortCause Wrong() const;
  PortCause Missing() const;  ///< why there is no answer
  Status Send(const std::array<float, 2>& torque_Nm);
  Status SendStart();
  Status SendEnd();

  ByteLink& link_;
  AnswerClock clock_{kPatience_us, kSilence_us};
  LineDeviceCounters counters_;
  std::array<std::uint8_t, 64> received_{};
  std::size_t size_ = 0;
  std::array<std::int32_t, 2> count_{};
  Step step_ = Step::kZeros;
  PortCause lost_ = PortCause::kNone;  // of kLost
  Status last_bad_ = Status::kOk;      // of the last bytes that were no answer, since the last that was one
  std::uint32_t step_time_us_ = 0, quiet_until_us_ = 0;
  std::uint32_t set_up_us_ = 0;    // when the board last showed that it is set up, or zeros were first wanted
  int shown_zeros_ = kShownZeros;  // answers to zeros alone, since the last torque
  bool closed_ = false, enabled_ = false, is_new_ = false, drains_ = false, sent_zero_ = false, ends_with_zeros_ = false;
  bool wants_zeros_ = false;  // the device has failed, or is off
};

/// Which firmware: they turn the motors another way (docs/devices.md, derived, not tried).
enum class HaplyBoardSet : std::uint8_t { kM3, kDevKit };

/// The arms' plane is W's x-z plane: W's z is away from the base, its origin 85 mm from the base joints.
MotorDeviceConfig<FiveBar<double>> HaplyConfig(HaplyBoardSet set = HaplyBoardSet::kM3, double period_s = 0.001) noexcept;

}  // namespace tactus::hal
