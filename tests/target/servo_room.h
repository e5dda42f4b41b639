#pragma once
#include <array>
#include <cstddef>
#include <new>

#include "firmware/servo/servo_app.h"

namespace tactus::target {

/// Where a test's servo application stands: a small board has no memory for those of two tests.
template <class Scalar>
alignas(servo::ServoApp<Scalar>) inline constinit std::array<std::byte, sizeof(servo::ServoApp<Scalar>)> servo_room{};

/// A servo application in `servo_room`; once in a run.
template <class Scalar>
servo::ServoApp<Scalar>& MakeServo(const servo::Identity& identity, hal::ByteLink& link, const hal::Clock& clock,
                                   hal::Watchdog& watchdog) {
  return *new (servo_room<Scalar>.data()) servo::ServoApp<Scalar>(identity, link, clock, watchdog);
}

}  // namespace tactus::target
