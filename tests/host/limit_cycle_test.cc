#include "host_tools/report/limit_cycle.h"

#include <gtest/gtest.h>

#include "host_tools/report/print_report.h"

namespace tactus::host {
namespace {

// Source: K q/2 = 1500 · 23e-6/2 = 0.01725 N.
TEST(LimitCycle, OfAnUnknownFrictionIsNoAllClear) {
  EXPECT_EQ(
      UnknownFrictionReport(1500, 23e-6),
      "translation: limit cycle at the edge of a count, if Coulomb friction is below K q/2 = 0.0173 N; it is not known");
  EXPECT_NE(UnknownFrictionReport(1500, 0).find("nothing is known"), std::string::npos);
}

TEST(LimitCycle, AppearsWhereFrictionIsBelowHalfACount) {
  // Source: Abbott & Okamura 2005, f_c < K q/2, by hand: 28.5 and 57 mN; equal is still.
  EXPECT_FALSE(FindLimitCycle(1500, 38e-6, 0.05).appears());
  EXPECT_TRUE(FindLimitCycle(3000, 38e-6, 0.05).appears());
  EXPECT_FALSE(FindLimitCycle(2, 0.5, 0.5).appears());
  EXPECT_NEAR(FindLimitCycle(3000, 38e-6, 0.05).edge, 0.057, 1e-15);
  EXPECT_FALSE(FindLimitCycle(3000, 0, 0).appears());  // nothing is counted
}

TEST(LimitCycle, IsTheReportsDeviceRow) {
  hal::DeviceParameters device = hal::FalconClass();
  device.coulomb_N.value = 0.02;
  RunSummary run;
  EXPECT_EQ(ReportTable(run).find("device"), std::string::npos);
  run.device = LimitCycleReport(device, CouplingConfig<double>());
  const std::string table = ReportTable(run);
  EXPECT_NE(
      table.find(
          "  device       translation: limit cycle at the edge of a count, for f_c < K q/2 (f_c 0.02 N, K q/2 0.0285 N)\n"),
      std::string::npos);
  EXPECT_NE(table.find("               rotation: no limit cycle at the edge of a count, for f_c >= K q/2"),
            std::string::npos);
}

}  // namespace
}  // namespace tactus::host
