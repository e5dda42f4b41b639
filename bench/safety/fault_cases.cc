#include "bench/safety/injections.h"

namespace tactus::bench::safety {
namespace {

// Of the default Config, in ticks of 1 ms.
constexpr int kRamp = 21;      // guard_ramp_down_s 20 ms, and one tick for its rounding
constexpr int kHold = 3;       // guard_hold_ticks
constexpr int kSilence = 10;   // guard_silence_ticks
constexpr int kStanding = 16;  // calls in which time stands still
// LatePeriods::kMost + 1 = 5 late periods, every eighth; a late one is noted in the next.
constexpr int kLate = 4 * 8 + 1;

constexpr Setup kBySample{.pacing = wire::Pacing::kSample};
constexpr Setup kLocal{.device = DeviceAt::kBoard};

}  // namespace

std::vector<FaultCase> FaultCases() {
  return {
      {.name = "S1 stop", .fade_ticks = kRamp, .inject = Stop},
      {.name = "S2 disarm, Config at once", .fade_ticks = kRamp, .inject = ConfigureAfterDisarm},
      {.name = "S3 disarm or stop, other version", .fade_ticks = kRamp, .inject = DisarmFromOtherVersion},
      {.name = "S3 e-stop, other version", .fade_ticks = 1, .inject = EStopFromOtherVersion},
      {.name = "S4 clock stands", .patience_ticks = kStanding, .fade_ticks = 1, .may_stand = true, .inject = StopClock},
      {.name = "S5 absurd Config", .fade_ticks = kRamp, .inject = SendAbsurdConfig},
      {.name = "S7 silent host, by clock", .patience_ticks = kHold, .fade_ticks = kRamp, .inject = SilenceHost},
      {.name = "S7 silent host, by sample",
       .patience_ticks = kSilence + kHold,
       .fade_ticks = kRamp,
       .may_stand = true,
       .setup = kBySample,
       .inject = SilenceHost},
      {.name = "S8 replayed Arm", .fade_ticks = kRamp, .inject = ReplayArm},
      {.name = "S8 Arm for another Config", .fade_ticks = kRamp, .inject = ArmForOtherConfig},
      {.name = "S10 late ticks, by clock", .patience_ticks = kLate, .fade_ticks = kRamp, .inject = MissPeriods},
      {.name = "S10 late ticks, by sample",
       .patience_ticks = kLate,
       .fade_ticks = kRamp,
       .setup = kBySample,
       .inject = MissPeriods},
      {.name = "e-stop, order", .fade_ticks = 1, .inject = OrderEStop},
      {.name = "e-stop, input", .fade_ticks = 1, .setup = kLocal, .inject = OpenEStopInput},
      {.name = "device failure", .fade_ticks = 1, .setup = kLocal, .inject = FailDevice},
      {.name = "link closed", .fade_ticks = kRamp, .inject = CloseLink},
      {.name = "samples not finite", .patience_ticks = kHold, .fade_ticks = kRamp, .inject = SpoilSamples},
      {.name = "jump", .fade_ticks = kRamp, .inject = Jump},
      {.name = "torn and hostile bytes", .fade_ticks = kRamp, .inject = SendGarbage},
      {.name = "second host, other version", .fade_ticks = kRamp, .inject = MeddleFromOtherVersion},
      {.name = "absurd Tune", .fade_ticks = kRamp, .inject = SendAbsurdTune},
  };
}

}  // namespace tactus::bench::safety
