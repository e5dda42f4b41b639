// The example's stick, as a stranger's device is to be tested. Sources: differences of Forward; its own inverse; virtual
// work.
#include <gtest/gtest.h>

#include "examples/own_device/stick.h"
#include "examples/own_device/stick_port.h"

namespace tactus {
namespace {

TEST(OwnDevice, InverseUndoesForwardAndJacobianIsItsSlope) {
  const Stick stick;
  EXPECT_FALSE(stick.Validate());
  for (double a = -0.69; a < 0.7; a += 0.1) {
    for (double b = -0.69; b < 0.7; b += 0.1) {
      const Stick::Angles q(a, b);
      HandlePose<double> pose, more, less;
      Stick::Angles back;
      Mat<double, 3, 2> J;
      ASSERT_TRUE(stick.Forward(q, &pose).ok() && stick.Inverse(pose, &back).ok() && stick.Jacobian(q, &J).ok());
      EXPECT_LT((back - q).norm(), 1e-14);
      for (int i = 0; i < 2; ++i) {
        constexpr double kStep = 1e-6;
        Stick::Angles step = Stick::Angles::Zero();
        step(i) = kStep;
        ASSERT_TRUE(stick.Forward(q + step, &more).ok() && stick.Forward(q - step, &less).ok());
        EXPECT_LT(((more.p_DH - less.p_DH) / (2 * kStep) - J.col(i)).norm(), 1e-10);
      }
    }
  }
}

TEST(OwnDevice, RefusesWhatIsNoPosture) {
  const Stick stick;
  HandlePose<double> pose;
  Stick::Angles q;
  EXPECT_EQ(stick.Forward(Stick::Angles(0.8, 0), &pose).cause, KinematicCause::kJointLimit);
  EXPECT_EQ(stick.Forward(Stick::Angles(0, __builtin_nan("")), &pose).cause, KinematicCause::kNotFinite);
  pose.p_DH << 0, 0, 0.01;
  EXPECT_EQ(stick.Inverse(pose, &q).cause, KinematicCause::kOffSurface);
}

TEST(OwnDevice, MessagesSurviveNothingThatIsTurned) {  // exclusive or: each single bit is seen
  const StickPort::Message good = StickPort::Pack('E', -1234, 567);
  EXPECT_TRUE(StickPort::IsWhole(good, 'E'));
  EXPECT_EQ(StickPort::Number(good, 1), -1234);
  for (std::size_t byte = 0; byte < good.size(); ++byte) {
    for (int bit = 0; bit < 8; ++bit) {
      StickPort::Message bad = good;
      bad[byte] ^= static_cast<std::uint8_t>(1 << bit);
      EXPECT_FALSE(StickPort::IsWhole(bad, 'E'));
    }
  }
}

}  // namespace
}  // namespace tactus
