#pragma once
#include "tactus/core/eigen.h"
#include "tactus/core/frames.h"

namespace tactus::hal {

/// A simulated device with a hand on it, as a session plays it: samples out, commands in.
class HeldDevice {
 public:
  virtual ~HeldDevice() = default;

  /// What the encoders read now. The first sample has sequence 1.
  virtual SensorFrame Sample() const = 0;
  /// Lets one tick pass. The command was computed from the last sample. Not finite components count as no command.
  virtual void Advance(const CommandFrame& command) = 0;
  /// The movement of the hand that is under way; "": it has none.
  virtual const char* move() const = 0;
  /// Whether the hand holds the clutch in it.
  virtual bool clutch() const = 0;
  /// Energy that the motors gave to the handle, ∫ max(0, power) dt, and took from it.
  virtual double given_J() const = 0;
  virtual double taken_J() const = 0;
  /// How long it has stood at an end of its reach.
  virtual double stopped_s() const = 0;
  /// Of the motors' thermal budgets, the one that is spent most, as a share.
  virtual double hottest() const = 0;
  /// What the motors did to the handle in the last tick, its mean, in W.
  virtual Vec<double, 3> motor_force_N() const = 0;
  /// The true handle, in W.
  virtual Vec<double, 3> p_WH_m() const = 0;
  virtual Vec<double, 3> v_WH_mps() const = 0;
};

}  // namespace tactus::hal
