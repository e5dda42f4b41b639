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
constexpr int kNow = 4;     // the answer of this period is judged in the next, the zeros go out then, or one answer later

/// What goes wrong, and what the driver must call it.
struct DeviceCase {
  const char* device;
  const char* fault;   ///< as `tactus emulate --fault` has it
  int most_ticks;      ///< to no current in any motor
  const char* causes;  ///< one of these, by name, between bars
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
    // Haply has no watchdog: what cuts the host's words off (deaf, silent, unplug) leaves its torque on, and is not here.
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
    // Whether a Falcon has a watchdog is not known: what cuts the host's words off is not here.
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
  for (; !causes.empty(); causes.remove_prefix(std::min(causes.size(), causes.find('|') + 1))) {
    if (why == causes.substr(0, causes.find('|'))) return true;
    if (causes.find('|') == std::string_view::npos) return false;
  }
  return false;
}

/// @returns ticks to no current that stays so; beyond the bound: it was not safe.
int InjectOnce(const DeviceCase& wrong, DeviceRig* rig) {
  const std::vector<host::EmulatedFault> fault = {host::ParseDeviceFault(wrong.fault)};
  constexpr int kWatched = 150;
  int zero_after = kWatched;
  for (int i = 1; i <= kWatched; ++i) {
    rig->wrong = host::DeviceFaultsAt(fault, i - 1, 1);
    rig->Period();
    if (!rig->off()) {
      zero_after = kWatched;
    } else if (zero_after == kWatched) {
      zero_after = i;
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

/// Whether force flows again. A Haply that does not show that it took zeros is set up again, which costs its reference too.
bool Recovers(const DeviceCase& wrong, DeviceRig* rig) {
  if (rig->Drive()) return true;
  const std::string_view why = rig->device().why();
  if (why != "not homed" && why != Name(hal::PortCause::kReferenceLost)) return false;
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
    const int ticks = drives && rig.drives ? InjectOnce(wrong, &rig) : count.most_ticks + 1;
    const bool detected = IsOneOf(rig.why, wrong.causes), safe = ticks <= count.most_ticks,
               recovered = Recovers(wrong, &rig);
    count.Add({.detected = detected, .safe = safe, .recovered = recovered, .ticks_to_zero = ticks});
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
