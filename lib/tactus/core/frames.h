#pragma once
#include <cstdint>

namespace tactus {

/// Where a position is from counts of up to three motors: the way of the handle for one count of each, in W. To no more than
/// a count of each is the position known, and along nothing else does it move.
struct CountSteps {
  std::uint8_t motors = 0;  ///< 0: the position is not from counts of motors, or nobody says so
  std::uint8_t reserved[3] = {};
  float step_m[3][3] = {};  ///< of each motor along x, y, z
};

/// What a device measured for one tick: the pose of the handle H in the world W. Plain single precision numbers, so that the
/// frame has the same bits on the wire, in a log and in the tick. (24 bits of a 0.1 m workspace resolve 6 nm.)
struct SensorFrame {
  std::uint32_t sequence = 0;    ///< counts the device's samples; a repeated number is an old sample
  std::uint32_t age_us = 0;      ///< how old the sample is when the tick starts
  float p_WH_m[3] = {0, 0, 0};   ///< position of the handle
  float q_WH[4] = {1, 0, 0, 0};  ///< orientation of the handle, unit quaternion w, x, y, z
  CountSteps counts = {};        ///< what the position is from
};

/// What the device is told to do until the next tick: force and torque *on the hand* through the handle, in W.
struct CommandFrame {
  std::uint32_t sequence = 0;  ///< the sample this answers
  float force_N[3] = {0, 0, 0};
  float torque_Nm[3] = {0, 0, 0};
};

}  // namespace tactus
