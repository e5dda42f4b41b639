#pragma once
#include <array>

#include "hal/api/byte_link.h"
#include "hal/devices/answer_clock.h"
#include "hal/devices/motor_port.h"

/// The stick's line, invented here: each way 6 bytes.
///
///     host   'M' a b x    a, b: currents in mA, 16 bits, least byte first      x: all bytes before, exclusive or
///     stick  'E' a b x    a, b: counts, the same                               one answer to each message
///
/// A port has five functions: what the electronics are, take what has come, write, write zeros, enable.
class StickPort final : public tactus::hal::MotorPort {
 public:
  using Message = std::array<std::uint8_t, 6>;

  explicit StickPort(tactus::hal::ByteLink& link) : link_(link) {}

  static Message Pack(char kind, int a, int b) {
    Message m = {static_cast<std::uint8_t>(kind), static_cast<std::uint8_t>(a),      static_cast<std::uint8_t>(a >> 8),
                 static_cast<std::uint8_t>(b),    static_cast<std::uint8_t>(b >> 8), 0};
    for (int i = 0; i < 5; ++i) m[5] ^= m[static_cast<std::size_t>(i)];
    return m;
  }
  static int Number(const Message& m, std::size_t at) { return static_cast<std::int16_t>(m[at] | m[at + 1] << 8); }
  static bool IsWhole(const Message& m, char kind) {
    return m[0] == static_cast<std::uint8_t>(kind) && m == Pack(kind, Number(m, 1), Number(m, 3));
  }

 private:
  static constexpr tactus::hal::PortTraits kTraits{
      .name = "stick", .motors = 2, .max_current_A = {2, 2}, .max_speed_counts_per_s = 100'000};

  const tactus::hal::PortTraits& DoTraits() const noexcept override { return kTraits; }

  tactus::hal::PortReading DoPoll(std::uint32_t now_us) noexcept override {
    tactus::hal::PortReading reading;
    clock_.SetNow(now_us);
    for (int i = 0; i < 4; ++i) {  // bounded, whatever comes
      std::array<std::uint8_t, 32> room;
      std::size_t count = 0;
      closed_ = link_.Read(room, &count) == tactus::Status::kClosed;
      for (std::size_t k = 0; k < count; ++k) reading.is_new |= Take(room[k]);
      if (count == 0) break;
    }
    reading.count[0] = Number(last_, 1);
    reading.count[1] = Number(last_, 3);
    reading.age_us = clock_.age_us();
    reading.valid = measured_ && !closed_ && !clock_.silent();
    if (closed_ || clock_.silent()) {
      reading.state = tactus::hal::DeviceState::kFaulted;
      reading.cause = closed_ ? tactus::hal::PortCause::kClosed : tactus::hal::PortCause::kSilent;
    } else if (measured_) {
      reading.state = enabled_ ? tactus::hal::DeviceState::kEnabled : tactus::hal::DeviceState::kReady;
    }
    return reading;
  }

  /// The last six bytes are an answer, or not yet: a byte that is lost or added costs one answer. @returns whether it was
  /// one.
  bool Take(std::uint8_t byte) {
    for (std::size_t i = 0; i + 1 < window_.size(); ++i) window_[i] = window_[i + 1];
    window_.back() = byte;
    if (!IsWhole(window_, 'E') || !clock_.NoteAnswer()) return false;
    last_ = window_;
    window_ = {};
    return measured_ = true;
  }

  tactus::Status DoWrite(const float (&current_A)[tactus::hal::kMaxMotors]) noexcept override {
    if (!enabled_) {
      (void)DoZero();
      return tactus::Status::kNotReady;
    }
    const auto milliampere = [](float I) { return static_cast<int>(tactus::Clamp(I, -2.0f, 2.0f) * 1000); };
    return Send(milliampere(current_A[0]), milliampere(current_A[1]));
  }
  tactus::Status DoZero() noexcept override { return Send(0, 0); }
  void DoEnable(bool on) noexcept override { enabled_ = on; }

  tactus::Status Send(int a, int b) {
    if (closed_) return tactus::Status::kClosed;
    const bool zero = a == 0 && b == 0;
    if (!clock_.MayAsk() && !(zero && !sent_zero_)) return zero ? tactus::Status::kOk : tactus::Status::kWouldBlock;
    const tactus::Status status = link_.Write(Pack('M', a, b), tactus::hal::Lane::kCommand);
    if (status == tactus::Status::kOk) clock_.NoteRequest(), sent_zero_ = zero;
    return status;
  }

  tactus::hal::ByteLink& link_;
  tactus::hal::AnswerClock clock_{5'000, 20'000};  // patience and silence, in µs
  Message window_{}, last_{};
  bool closed_ = false, enabled_ = false, measured_ = false, sent_zero_ = false;
};
