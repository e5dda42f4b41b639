#include "bench/safety/device_campaign.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "bench/safety/device_rig.h"
#include "hal/devices/motor_port.h"

namespace tactus::bench::safety {
namespace {

// A request that is not answered: after 10 ms its positions are too old, and zeros go out in the period that sees it.
constexpr int kSilence = 14;
constexpr int kCreep = 60;  // a period more each 5 ms: 10 ms late after 50, and 10 ms without an answer
constexpr int kHeard = 7;   // zeros go out each 5 ms while nothing answers
constexpr int kNow = 4;     // the answer of this period is judged in the next, the zeros go out then, or one answer later

enum class Promise {
  kZero,           ///< no current within the bound, and none again
  kZeroOnceHeard,  ///< of a device without a time-out that hears nothing: no other current until it hears again, then kZero
  kGoesOn,         ///< nothing is wrong with what comes: no cause, and the force stays. kZero from where it is let go
};

/// What goes wrong, and what the driver must call it.
struct DeviceCase {
  const char* device;
  const char* fault;   ///< as `tactus emulate --fault` has it
  int most_ticks;      ///< to no current in any motor
  const char* causes;  ///< one of these, by name, between bars; "": none
  Promise promise = Promise::kZero;
};

constexpr DeviceCase kCases[] = {
    {"woodenhaptics", "mute", kSilence, "no answer in time"},
    {"woodenhaptics", "deaf", 101, "no answer in time"},  // its own watchdog alone: 100 ms
    {"woodenhaptics", "silent", 101, "no answer in time"},
    {"woodenhaptics", "unplug", 101, "the line is gone"},
    {"woodenhaptics", "reset", 9, "a position jumped"},  // its answer is lost: the next message goes 5 ms later
    {"woodenhaptics", "shift", kSilence, "no answer in time|bytes that are no answer"},
    {"woodenhaptics", "cut-short", kSilence, "no answer in time|bytes that are no answer"},
    {"woodenhaptics", "flip", kSilence, "no answer in time|bytes that are no answer"},
    {"woodenhaptics", "not-a-number", kSilence, "no answer in time|bytes that are no answer"},
    {"woodenhaptics", "late", kSilence, "no answer in time"},
    {"woodenhaptics", "creep", kCreep, "no answer in time"},
    {"woodenhaptics", "jump", kNow, "a position jumped|no posture has these positions"},
    {"woodenhaptics", "zero-positions", kNow, "a position jumped"},
    {"woodenhaptics", "other-model", kNow, "another device answers"},
    {"woodenhaptics", "refuse", 101, "the device refuses commands"},  // it takes no zeros either: its watchdog
    {"woodenhaptics", "garbage", kNow, "", Promise::kGoesOn},
    {"woodenhaptics", "split", kNow, "", Promise::kGoesOn},
    {"woodenhaptics", "merge", kNow, "", Promise::kGoesOn},
    {"woodenhaptics", "repeat", kNow, "", Promise::kGoesOn},
    // Haply has no watchdog: what cuts the host's words off leaves its torque on until it hears zeros.
    {"haply", "deaf", kHeard, "no answer in time", Promise::kZeroOnceHeard},
    {"haply", "silent", kHeard, "no answer in time", Promise::kZeroOnceHeard},
    {"haply", "unplug", kHeard, "the line is gone", Promise::kZeroOnceHeard},
    {"haply", "reset", kSilence, "the device has started anew|bytes that are no answer"},  // torques read as words
    {"haply", "split", kNow, "", Promise::kGoesOn},
    {"haply", "merge", kNow, "", Promise::kGoesOn},
    {"haply", "repeat", kSilence, "bytes that are no answer"},
    {"haply", "mute", kSilence, "no answer in time"},
    {"haply", "shift", kSilence, "no answer in time|bytes that are no answer"},
    {"haply", "cut-short", kSilence, "no answer in time|bytes that are no answer"},
    {"haply", "flip", kSilence, "no answer in time|a number out of its range|a position jumped"},
    {"haply", "garbage", kSilence, "no answer in time|bytes that are no answer"},
    {"haply", "not-a-number", kSilence, "no answer in time|a number out of its range"},
    {"haply", "other-model", kSilence, "no answer in time|bytes that are no answer"},
    {"haply", "late", kSilence, "no answer in time|bytes that are no answer"},
    {"haply", "creep", kCreep, "no answer in time|bytes that are no answer"},
    {"haply", "jump", kNow, "a position jumped|no posture has these positions"},
    {"haply", "zero-positions", kNow, "a position jumped"},
    // The drives' own watchdogs, set to 50 ms, where they do not hear; their heartbeats, each 100 ms, where they have
    // failed.
    {"odrive", "mute", kSilence, "no answer in time"},
    {"odrive", "deaf", 52, "no answer in time"},
    {"odrive", "silent", 52, "no answer in time"},
    {"odrive", "unplug", 52, "the line is gone"},
    {"odrive", "reset", kNow, "the device has started anew|the device refuses commands"},
    {"odrive", "shift", kNow, "", Promise::kGoesOn},
    {"odrive", "garbage", kNow, "", Promise::kGoesOn},
    {"odrive", "split", kNow, "", Promise::kGoesOn},
    {"odrive", "merge", kNow, "", Promise::kGoesOn},
    {"odrive", "repeat", kNow, "", Promise::kGoesOn},
    {"odrive", "cut-short", kSilence, "no answer in time|bytes that are no answer"},
    {"odrive", "flip", kSilence, "no answer in time|bytes that are no answer"},
    {"odrive", "not-a-number", kSilence, "a number out of its range"},
    {"odrive", "late", kSilence, "no answer in time"},
    {"odrive", "creep", kCreep, "no answer in time"},
    {"odrive", "jump", kNow, "a position jumped|no posture has these positions"},
    {"odrive", "zero-positions", kNow, "a position jumped"},
    {"odrive", "other-model", 52, "no answer in time"},
    {"odrive", "refuse", kNow, "the device has started anew|the device refuses commands"},
    {"odrive", "drive-fault", kNow, "a drive reports a fault"},
    {"odrive", "sensor-fault", kNow, "a position jumped|a position sensor has failed"},
    // The drives' own watchdogs, which each command sets to 20 ms, where they do not hear; their answers, each period.
    {"moteus", "mute", kSilence, "no answer in time"},
    {"moteus", "deaf", 22, "no answer in time"},
    {"moteus", "silent", 22, "no answer in time"},
    {"moteus", "unplug", 22, "the line is gone"},
    {"moteus", "reset", kNow, "the device has started anew"},
    {"moteus", "shift", kNow, "", Promise::kGoesOn},
    {"moteus", "garbage", kNow, "", Promise::kGoesOn},
    {"moteus", "split", kNow, "", Promise::kGoesOn},
    {"moteus", "merge", kNow, "", Promise::kGoesOn},
    {"moteus", "repeat", kNow, "", Promise::kGoesOn},
    {"moteus", "cut-short", kSilence, "no answer in time|bytes that are no answer"},
    {"moteus", "flip", kSilence, "no answer in time|bytes that are no answer"},
    {"moteus", "not-a-number", kNow, "a number out of its range"},
    {"moteus", "late", kSilence, "no answer in time"},
    {"moteus", "creep", kCreep, "no answer in time"},
    {"moteus", "jump", kNow, "a position jumped|no posture has these positions"},
    {"moteus", "zero-positions", kNow, "a position jumped"},
    {"moteus", "other-model", 22, "no answer in time"},
    {"moteus", "refuse", kNow, "the device has started anew"},
    {"moteus", "drive-fault", kNow, "a drive reports a fault"},
    {"moteus", "sensor-fault", kNow, "a position jumped|a position sensor has failed"},
    // Whether a Falcon has a watchdog is not known: its emulator has none, the worst case.
    {"falcon", "deaf", kHeard, "no answer in time", Promise::kZeroOnceHeard},
    {"falcon", "silent", kHeard, "no answer in time", Promise::kZeroOnceHeard},
    {"falcon", "unplug", kHeard, "the line is gone", Promise::kZeroOnceHeard},
    {"falcon", "garbage", kNow, "", Promise::kGoesOn},
    {"falcon", "split", kNow, "", Promise::kGoesOn},
    {"falcon", "merge", kNow, "", Promise::kGoesOn},
    {"falcon", "repeat", kNow, "", Promise::kGoesOn},
    {"falcon", "mute", kSilence, "no answer in time"},
    {"falcon", "shift", kSilence, "no answer in time|bytes that are no answer"},
    {"falcon", "cut-short", kSilence, "no answer in time|bytes that are no answer"},
    {"falcon", "flip", kSilence, "no answer in time|bytes that are no answer|a position jumped"},
    {"falcon", "not-a-number", kSilence, "no answer in time|bytes that are no answer"},
    {"falcon", "late", kSilence, "no answer in time"},
    {"falcon", "creep", kCreep, "no answer in time"},
    {"falcon", "jump", kNow, "a position jumped|no posture has these positions"},
    {"falcon", "reset", kSilence, "the device has started anew|a position jumped"},
};

bool IsOneOf(const std::string& why, std::string_view causes) {
  if (causes.empty()) return why.empty();
  for (; !causes.empty(); causes.remove_prefix(std::min(causes.size(), causes.find('|') + 1))) {
    if (why == causes.substr(0, causes.find('|'))) return true;
    if (causes.find('|') == std::string_view::npos) return false;
  }
  return false;
}

/// Periods `from` to `end` of the fault. @returns ticks to no current that stays so; all of them and one: there was none
int RunBeside(const host::EmulatedFault& fault, int from, int end, DeviceRig* rig) {
  int zero_after = end - from + 1;
  for (int i = from; i < end; ++i) {
    rig->wrong = host::DeviceFaultsAt({fault}, i, 1);
    rig->Period();
    if (!rig->off()) {
      zero_after = end - from + 1;
    } else if (zero_after > end - from) {
      zero_after = i - from + 1;
    }
  }
  return zero_after;
}

/// The operator gives counters their place again, by the device's own procedure (docs/devices.md).
void HomeAgain(std::string_view device, DeviceRig* rig) {
  constexpr int kHeld = 600, kPulled = 2000;  // periods: of a pose, of a Falcon's grip, which passes its marks in 1700
  if (device == "haply") rig->StartAnew();    // arms held
  if (device == "woodenhaptics" && rig->device().Home() == Status::kOk) rig->Periods(kHeld);
  if (device == "falcon") rig->board().PowerUp(), rig->Periods(kPulled);
}

struct Injected {
  bool kept = true;  ///< what is promised before the zeros
  int ticks = 0;     ///< to the zeros
};

Injected InjectOnce(const DeviceCase& wrong, DeviceRig* rig, Random* random) {
  constexpr int kWatched = 150;  // beyond any time-out
  host::EmulatedFault fault = host::ParseDeviceFault(wrong.fault);
  if (wrong.promise == Promise::kZero) return {.ticks = RunBeside(fault, 0, kWatched, rig)};
  if (wrong.promise == Promise::kGoesOn) {
    const bool flowed = RunBeside(fault, 0, kWatched, rig) > kWatched && rig->drives;
    rig->drives = false;
    return {.kept = flowed, .ticks = RunBeside(fault, kWatched, 2 * kWatched, rig)};
  }
  const int deaf_periods = random->Integer(20, 100);  // the driver tells after 10
  const float before_A = rig->board().largest_A();
  fault.length_ms = deaf_periods;
  (void)RunBeside(fault, 0, deaf_periods, rig);
  const bool stands = rig->board().largest_A() == before_A;
  return {.kept = stands && !rig->drives, .ticks = RunBeside(fault, deaf_periods, deaf_periods + kWatched, rig)};
}

/// Whether force flows again. A Haply that was reset, or does not show that it took zeros, is set up again, which costs its
/// reference too.
bool Recovers(const DeviceCase& wrong, DeviceRig* rig) {
  if (rig->Drive()) return true;
  const std::string why(rig->device().why());
  if (!IsOneOf(why, "not homed|the device has started anew") && why != Name(hal::PortCause::kReferenceLost)) return false;
  HomeAgain(wrong.device, rig);
  return rig->Drive();
}

FaultCount CountCase(const DeviceCase& wrong, const Campaign& campaign) {
  FaultCount count{.name = std::string(wrong.device) + " " + wrong.fault,
                   .most_ticks = static_cast<int>(wrong.most_ticks * campaign.bound_share)};
  Random random(campaign.seed);
  for (int i = 0; i < 2 * campaign.injections; ++i) {
    DeviceRig rig(*host::FindRealDevice(wrong.device));
    for (float& force_N : rig.force_N) force_N = static_cast<float>(random.Uniform(-2, 2));
    const bool drives = rig.Drive();
    rig.Periods(random.Integer(0, 60));
    const Injected injected =
        drives && rig.drives ? InjectOnce(wrong, &rig, &random) : Injected{.ticks = count.most_ticks + 1};
    const bool detected = IsOneOf(rig.why, wrong.causes), safe = injected.kept && injected.ticks <= count.most_ticks,
               recovered = Recovers(wrong, &rig);
    count.Add({.detected = detected, .safe = safe, .recovered = recovered, .ticks_to_zero = injected.ticks});
  }
  return count;
}

}  // namespace

std::vector<FaultCount> CountDeviceFaults(const Campaign& campaign) {
  std::vector<FaultCount> counts;
  for (const DeviceCase& wrong : kCases) counts.push_back(CountCase(wrong, campaign));
  return counts;
}

}  // namespace tactus::bench::safety
