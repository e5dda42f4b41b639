#pragma once
#include <string>
#include <vector>

#include "bench/safety/fault_count.h"
#include "tests/stm32/boards/campaign_parts.h"
#include "tests/stm32/boards/own_device.h"

// Rows of `tactus bench safety` of a board whose servo drives its own motors (own_device.h): what fails between the pins and
// the controller, at random moments and under random forces. What the controller does with a device that has failed has
// rows of its own.

namespace tactus::board::rig {

using bench::safety::FaultCount;

/// A device that drives, with motors that follow their bridges.
template <class Chip>
class DrivenDevice {
 public:
  explicit DrivenDevice(Random* random) : own(SlowClock(random)), random_(*random) {}

  void Period() {
    std::array<double, 3> flows_A{};
    for (int motor = 0; motor < 3; ++motor) {
      double& flows = flows_A[static_cast<std::size_t>(motor)];
      flows = Flowing_A(own.chip, motor) + random_.Uniform(-kNoise_A, kNoise_A) + besides_A;
      if (motor == dead_channel) flows = 0;
    }
    (void)own.Period(force_N, flows_A);
  }
  /// Switched off and on, then a force until its currents flow. @returns whether they do
  bool Drive() {
    own.device().Disable();
    force_N = 0;
    for (int i = 0; i < 2 + kOffsetPeriods; ++i) Period();
    if (own.reading.state != hal::DeviceState::kReady) return false;
    own.device().Enable();
    force_N = static_cast<float>(random_.Uniform(0.3, 1) * (random_.Integer(0, 1) == 0 ? 1 : -1));
    for (int i = random_.Integer(10, 60); i > 0; --i) Period();
    const double wanted_A = kGamma_A / 0.4 * double{force_N};
    return own.reading.state == hal::DeviceState::kEnabled &&
           std::abs(Flowing_A(own.chip, 2) - wanted_A) < 0.1 * std::abs(wanted_A);
  }
  /// Under the same force until all is off. @returns periods; kWatched: it was not
  int PeriodsToOff() {
    for (int i = 1; i < kWatched; ++i) {
      Period();
      if (own.reading.state == hal::DeviceState::kFaulted && own.chip.IsOff()) return i;
    }
    return kWatched;
  }
  /// @returns whether it stays off under a force, though nobody has switched it off
  bool StaysOff() {
    for (int i = 0; i < kWatched; ++i) {
      Period();
      if (!own.chip.IsOff()) return false;
    }
    return true;
  }
  void Mend() {
    own.chip.OpenEStop(false);
    own.chip.dma.stands = 0;
    dead_channel = -1;
    besides_A = 0;
  }

  static constexpr int kWatched = 120;
  OwnDevice<Chip> own;
  int dead_channel = -1;  ///< its amplifier shows no current
  double besides_A = 0;   ///< that each channel shows besides what flows

 private:
  Random& random_;
  float force_N = 0;
};

/// Boards that drive three motors with current senses and gates.
template <class Chip>
concept HasOwnDevice = requires(Chip chip) {
  chip.gates_are_on();
  chip.encoder();
  Chip::kCurrentChannel;
};

/// What fails while the device drives, and what must come of it.
template <class Chip>
struct DeviceCase {
  const char* name;
  int most_periods;  ///< until all is off
  bool keeps_place;  ///< mended, it goes on; else it needs its home
  hal::DeviceCause cause;
  void (*inject)(DrivenDevice<Chip>* device);
};

template <class Chip>
std::vector<DeviceCase<Chip>> DeviceCases() {
  using Device = DrivenDevice<Chip>;
  constexpr std::int32_t kLeap = 15'000;  // beyond what a period can have
  // A mean error of 50 ms above a tenth of the ceiling, which the least force here makes before the mean has settled.
  constexpr int kMeanError = 100;
  // The last scan has come before the stall; the third that does not come is the first of two wrong periods.
  constexpr int kStale = 5, kWrong = 3;
  return {{"device: e-stop opens, or its wire", 1, true, hal::DeviceCause::kDriveFault,
           [](Device* device) { device->own.chip.OpenEStop(true); }},
          {"device: drive fault on the break", 1, true, hal::DeviceCause::kDriveFault,
           [](Device* device) { device->own.chip.power.OpenContact(true); }},
          {"device: encoder's count leaps", 1, false, hal::DeviceCause::kNoSignal,
           [](Device* device) { device->own.chip.encoder().Turn(kLeap); }},
          {"device: a current that was not asked for", kWrong, true, hal::DeviceCause::kDriveFault,
           [](Device* device) { device->besides_A = 0.9; }},
          {"device: a channel shows no current", kMeanError, true, hal::DeviceCause::kDriveFault,
           [](Device* device) { device->dead_channel = 2; }},
          {"device: DMA of the currents stalls", kStale, true, hal::DeviceCause::kDriveFault,
           [](Device* device) { device->own.chip.dma.stands = 1u << Chip::kCurrentChannel; }}};
}

template <class Chip>
FaultCount CountDevice(const DeviceCase<Chip>& wrong, const std::string& board, int injections, std::uint64_t seed) {
  FaultCount count{.name = board + " " + wrong.name, .most_ticks = wrong.most_periods};
  Random random(seed);
  for (int i = 0; i < injections; ++i) {
    DrivenDevice<Chip> device(&random);
    const bool drives = device.Drive();
    if (drives) wrong.inject(&device);
    const int periods = drives ? device.PeriodsToOff() : DrivenDevice<Chip>::kWatched;
    const bool detected = drives && device.own.reading.cause == wrong.cause, stays_off = device.StaysOff();
    device.Mend();
    const bool goes_on = device.Drive(), is_clean = device.own.chip.machine.violations.empty();
    count.Add({.detected = detected,
               .safe = periods <= wrong.most_periods && stays_off && is_clean,
               .recovered = goes_on == wrong.keeps_place,
               .ticks_to_zero = periods});
  }
  return count;
}

}  // namespace tactus::board::rig
