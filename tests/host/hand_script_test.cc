#include "hal/sim/hand_script.h"

#include <gtest/gtest.h>

#include "hal/sim/peg_in_hole_script.h"

namespace tactus::hal {
namespace {

constexpr HandMove kTwoMoves[] = {{.name = "there", .duration_s = 2, .p_m = {0.1, 0, 0}},
                                  {.name = "back", .duration_s = 1, .p_m = {0, 0, 0}, .rotation_rad = {0, 0, 0.2}}};
constexpr HandScript kScript{kTwoMoves, 2};

TEST(HandScript, ReachesThePlaceOfEachMoveWhenItEnds) {
  EXPECT_NEAR(kScript.TargetAt(2.0).p_WS_m.x(), 0.1, 1e-15);
  EXPECT_NEAR(kScript.TargetAt(3.0 - 1e-9).p_WS_m.x(), 0.0, 1e-15);
  EXPECT_STREQ(kScript.MoveAt(1.999).name, "there");
  EXPECT_STREQ(kScript.MoveAt(2.001).name, "back");
}

TEST(HandScript, MovesWithMinimumJerk) {  // Source: Flash & Hogan 1985; the peak speed is 15/8 of the mean speed, half way.
  EXPECT_NEAR(kScript.TargetAt(1.0).p_WS_m.x(), 0.05, 1e-15);
  const double h_s = 1e-5;
  const double speed_mps = (kScript.TargetAt(1 + h_s).p_WS_m.x() - kScript.TargetAt(1 - h_s).p_WS_m.x()) / (2 * h_s);
  EXPECT_NEAR(speed_mps, 1.875 * 0.1 / 2, 1e-9);  // Tolerance: central difference, h² times the third derivative.
}

TEST(HandScript, BeginsAgainWhenItIsOver) {
  for (const double t_s : {0.0, 0.7, 2.3}) {
    EXPECT_NEAR((kScript.TargetAt(t_s).p_WS_m - kScript.TargetAt(t_s + 3).p_WS_m).norm(), 0, 1e-15);
  }
}

TEST(HandScript, GivesUnitQuaternions) {
  for (double t_s = 0; t_s < 10; t_s += 0.013) {
    EXPECT_NEAR(PegInHoleScript().TargetAt(t_s).q_WS.norm(), 1, 1e-15);
  }
}

TEST(HandScript, RestsAtTheOriginWithoutMoves) {
  EXPECT_EQ(HandScript{}.TargetAt(5).p_WS_m.norm(), 0);
  EXPECT_EQ(HandScript{}.TargetAt(5).q_WS(0), 1);
}

TEST(PegInHoleScript, TakesTenSecondsAndNeverJumps) {
  const HandScript script = PegInHoleScript();
  EXPECT_NEAR(script.duration_s(), 10, 1e-12);
  for (int tick = 0; tick < 10000; ++tick) {
    const double t_s = tick * 1e-3;
    const double way_m = (script.TargetAt(t_s + 1e-3).p_WS_m - script.TargetAt(t_s).p_WS_m).norm();
    EXPECT_LT(way_m, 0.25e-3) << script.MoveAt(t_s).name;  // a calm hand: below 0.25 m/s
  }
}

}  // namespace
}  // namespace tactus::hal
