#include "bench/feel/feel_bench.h"

#include "bench/feel/rooms.h"
#include "bench/feel/setup.h"
#include "host_tools/report/limit_cycle.h"

namespace tactus::bench {

int RunFeel(const BenchOptions& options) {
  Report report("feel", "Feel: what a hand gets from the whole tick with the default Config", options);
  feel::ReportNoise(options, &report);
  feel::ReportFollowing(options, &report);
  feel::ReportStability(options, &report);
  feel::ReportZWidth(options, &report);
  feel::ReportPresetZWidth(options, &report);
  feel::ReportRates(options, &report);
  feel::ReportObserver(options, &report);
  feel::ReportBounces(options, &report);
  feel::ReportHolds(options, &report);
  for (std::string& sentence : host::LimitCycleReport(hal::FalconClass(), feel::ConfigFor({}).coupling)) {
    report.Note(std::move(sentence));
  }
  report.Note(
      "The device is hal/sim's, of its class or with the friction and the encoder that a row names; a handle that is led "
      "does "
      "not yield. Band: rms of the force vector in 100-500 Hz by Welch's method, Hann's window, segments of 0.5 s. What "
      "each "
      "figure means: docs/benchmarks.md.");
  return report.Finish();
}

}  // namespace tactus::bench
