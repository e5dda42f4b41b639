#include "tick_rig.h"

#include <cmath>
#include <numbers>

namespace tactus::test {

InsertionPose Insertion(int tick) {
  const double turn = 2 * std::numbers::pi, t_s = tick * 1e-3;
  return {.x_m = 5e-4 * std::sin(turn * 1.3 * t_s),
          .y_m = 4e-4 * std::cos(turn * 0.7 * t_s),
          .z_m = 0.045 - 0.025 * (1 - std::cos(turn * t_s /
                                               4)),  // the middle of the peg: 45 mm up to 5 mm below the floor's contact
          .rotation_rad = Vec<double, 3>(0.03 * std::sin(turn * 0.9 * t_s), 0.03 * std::cos(turn * 0.6 * t_s),
                                         0.8 * std::sin(turn * 1.1 * t_s))};
}

}  // namespace tactus::test
