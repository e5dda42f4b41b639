#pragma once
#include "bench/scenes/random.h"
#include "tests/stm32/clock_model.h"

// What the campaigns of boards on register models have in common: a clock that is slow, motors that follow their bridges.

namespace tactus::board::rig {

using bench::Random;

inline constexpr double kStall_A = 2;      // of the boards' motors: the whole supply gives it to one at rest
inline constexpr double kNoise_A = 0.004;  // of what a sense measures
inline constexpr int kOffsetPeriods = 70;  // a current sense that begins has its zero from 64 samples without current

/// A clock that is slow to come, and does.
inline hal::stm32::model::ClockFaults SlowClock(Random* random) {
  return {.crystal_takes = random->Integer(1, 2000),
          .lock_takes = random->Integer(1, 1000),
          .supply_takes = random->Integer(1, 200),
          .switch_takes = random->Integer(1, 50)};
}

/// What flows in a motor at rest.
template <class Chip>
double Flowing_A(const Chip& chip, int motor) {
  return chip.power.timer.outputs_on() ? chip.power.timer.Drive(motor) * kStall_A : 0;
}

}  // namespace tactus::board::rig
