#pragma once
#include <cstdint>

#include "tactus/core/status.h"

namespace tactus::hal {

/// Motors of one board at most.
inline constexpr int kMaxMotors = 6;

/// What a board's motors are. Compiled in: nothing that comes over a link changes it.
struct MotorTraits {
  int motors = 0;                                  ///< 1 to kMaxMotors; the first of each array
  std::uint32_t counts_per_turn[kMaxMotors] = {};  ///< of the encoder, all four edges counted; 0: linear or unknown
  float max_current_A[kMaxMotors] = {};            ///< ceiling; > 0 for each motor that is there
  std::uint32_t max_step_counts = 0;               ///< a count cannot move farther in one period of the board's loop
  bool senses_current = false;                     ///< current_A of the reading is measured
};

/// What the hardware says at one clock edge.
struct MotorReading {
  std::int32_t count[kMaxMotors] = {};  ///< encoders since power-up; wrap
  float current_A[kMaxMotors] = {};     ///< measured; sign as commanded
  bool e_stop = false;                  ///< the e-stop input is open
  bool drive_fault = false;             ///< a drive reports a fault
  bool brown_out = false;               ///< the supply is too low
  bool encoder_fault = false;           ///< an encoder's own check has failed: no signal, no index, both lines at once
};

/// Motors, their encoders and drives: what the I/O firmware knows of its hardware. One owner of the outputs: nothing else
/// writes them but the board's OutputsSafe(), and the hardware itself, whose break input cuts on e-stop and drive fault
/// without software. After a reset the enable line is off and no current flows. All calls come from the tick context; none
/// waits.
class MotorIo {
 public:
  virtual ~MotorIo() = default;

  /// Constant.
  const MotorTraits& traits() const noexcept { return DoTraits(); }

  MotorReading Read() noexcept { return DoRead(); }

  /// Holds until the next Write or Zero. @param[in] current_A  traits().motors numbers within their ceilings
  /// @returns kOk; kWouldBlock: the drives did not take all of it: what flows is unknown, Zero() follows.
  Status Write(const float (&current_A)[kMaxMotors]) noexcept { return DoWrite(current_A); }

  /// No current in any motor.
  /// @returns as Write.
  Status Zero() noexcept { return DoZero(); }

  /// The line that lets the drives have current. On behind zeros, off behind zeros.
  void SetEnable(bool on) noexcept { DoSetEnable(on); }

 private:
  virtual const MotorTraits& DoTraits() const noexcept = 0;
  virtual MotorReading DoRead() noexcept = 0;
  virtual Status DoWrite(const float (&current_A)[kMaxMotors]) noexcept = 0;
  virtual Status DoZero() noexcept = 0;
  virtual void DoSetEnable(bool on) noexcept = 0;
};

}  // namespace tactus::hal
