#include "local_run.h"

#include <gtest/gtest.h>

#include "temporary_file.h"

namespace tactus::host {
namespace {

constexpr std::uint32_t kFadeTicks = 20;  // at the end the force fades: guard_ramp_down_s

TEST(LocalRun, GivesTheSameBytesTwice) {
  const TemporaryFile first("first"), second("second");
  RecordLocalRun(first.path(), 600);
  RecordLocalRun(second.path(), 600);
  EXPECT_TRUE(first.Bytes() == second.Bytes());
}

TEST(LocalRun, FeelsThePlateWithoutFaults) {
  const TemporaryFile log("log");
  const RunSummary run = RecordLocalRun(log.path(), 1000);
  EXPECT_EQ(run.ticks, 1000u + kFadeTicks);
  EXPECT_EQ(run.telemetry, 1000u + kFadeTicks);
  EXPECT_TRUE(run.faults.empty());
  EXPECT_EQ(run.stale_ticks, kFadeTicks) << "after its stop the host sends none";
  EXPECT_EQ(run.solve_status[0] + run.deadline_ticks, run.contact_ticks);  // exact, but where the tick ran out of work
  EXPECT_GT(run.largest_force_N, 0.5);
  EXPECT_LE(run.largest_force_N, 8.0 * (1 + 1e-6));  // the limit of the Falcon class, in single precision
}

}  // namespace
}  // namespace tactus::host
