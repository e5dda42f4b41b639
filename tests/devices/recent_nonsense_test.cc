// What a device said that made no sense: hal/devices/recent_nonsense.h.
#include "hal/devices/recent_nonsense.h"

#include <gtest/gtest.h>

namespace tactus::hal {
namespace {

TEST(RecentNonsense, CountsForItsTimeAlone) {
  RecentNonsense nonsense(10'000);
  EXPECT_EQ(nonsense.Missing(), PortCause::kSilent);
  nonsense.Note(Status::kOutOfRange, 500);
  nonsense.Age(10'500);
  EXPECT_TRUE(nonsense.is(Status::kOutOfRange));
  EXPECT_EQ(nonsense.Missing(), PortCause::kCorrupt);
  nonsense.Age(10'501);
  EXPECT_TRUE(nonsense.is(Status::kOk));
  EXPECT_EQ(nonsense.Missing(), PortCause::kSilent);
}

// A clock of 32 bits comes round to the same time after 71.6 minutes.
TEST(RecentNonsense, DoesNotComeBackWithTheClock) {
  RecentNonsense nonsense(10'000);
  nonsense.Note(Status::kOutOfRange, 500);
  for (std::uint32_t now_us = 500; now_us < 4'294'000'000u; now_us += 1'000'000) nonsense.Age(now_us);
  nonsense.Age(600);
  EXPECT_TRUE(nonsense.is(Status::kOk));
}

}  // namespace
}  // namespace tactus::hal
