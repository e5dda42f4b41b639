#pragma once
#include "hal/api/motor_io.h"

namespace tactus::hal {

/// What is wrong with motors, encoders and drives.
struct MotorFaults {
  bool e_stop = false, drive_fault = false, brown_out = false, encoder_fault = false;
  int frozen_motor = -1;              ///< its count stands; its own check says nothing
  int inverted_motor = -1;            ///< its count runs backwards
  int jumping_motor = -1;             ///< its count is jump_counts off
  int swapped[2] = {-1, -1};          ///< these two counts are exchanged
  std::int32_t jump_counts = 0x8000;  ///< of a counter of 16 bits that was read while it wrapped
  bool current_stuck = false;         ///< the measured currents stand
  bool current_saturated = false;     ///< the measured currents are at the end of their range
  bool current_absent = false;        ///< the measured currents are zero: amplifiers with open inputs
  bool current_not_finite = false;    ///< the measured currents are NaN
  bool refuses_writes = false;        ///< the drives take nothing
};

/// Motors with faults in front of sound ones: for the emulator and the tests.
class FaultyMotorIo final : public MotorIo {
 public:
  explicit FaultyMotorIo(MotorIo& motors) : motors_(motors) {}

  MotorFaults faults;

 private:
  const MotorTraits& DoTraits() const noexcept override { return motors_.traits(); }
  MotorReading DoRead() noexcept override;
  Status DoWrite(const float (&current_A)[kMaxMotors]) noexcept override;
  Status DoZero() noexcept override { return motors_.Zero(); }
  void DoSetEnable(bool on) noexcept override { motors_.SetEnable(on); }

  MotorIo& motors_;
  MotorReading last_;  ///< as it was told
};

}  // namespace tactus::hal
