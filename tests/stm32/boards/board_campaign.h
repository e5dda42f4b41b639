#pragma once
#include <cstdlib>
#include <iostream>
#include <optional>
#include <vector>

#include "bench/safety/fault_count.h"
#include "bench/safety/io_rig.h"
#include "bench/safety/parts.h"
#include "firmware/io/io_app.h"
#include "tests/stm32/boards/board_faults.h"
#include "tests/stm32/boards/campaign_parts.h"
#include "tests/stm32/boards/device_campaign.h"

// The rows of `tactus bench safety` that need a chip: its clock, supply, break and DMA fail on register models, at random
// moments, under a board's own source. One program a chip, for its registers stand at their addresses.

namespace tactus::board::rig {

using wire::IoFault;

/// The I/O firmware on a chip, with the chip's own drivers for motors and line, and motors that follow their bridges.
template <class Chip>
class FirmwareRig final : public bench::safety::IoRig {
 public:
  FirmwareRig(Random* random, const hal::stm32::model::ClockFaults& times) : IoRig(random), chip(times) {
    starts_ = FaultOf(Chip::SetUp) == FaultCause::kNone;
    if (!starts_) return;
    hal::ByteLink& link = Chip::Link();
    hal::MotorIo& motors = Chip::Motors();  // once: this begins the encoders' counts
    motors_ = motors.traits().motors;
    motors.SetEnable(false);  // one object for every chip of this program
    chip.machine.EndStart();
    chip.OpenEStop(false);
    app_.emplace(io::Identity{.board = "campaign"}, link, clock_, watchdog_, motors);
    LearnOffsets();
  }

  bool starts() const { return starts_; }
  void MendLine() {
    chip.dma.stands &= ~(1u << Chip::kLink.receives);
    if constexpr (requires { chip.line_is_cut; }) chip.line_is_cut = false;
  }
  bool IsZero() const override {
    double most_A = 0;
    for (int motor = 0; motor < 3; ++motor) most_A = std::max(most_A, std::abs(Flowing_A(chip, motor)));
    return most_A < kNothing_A;
  }
  bool IsOff() const override { return chip.IsOff(); }

  mutable Chip chip;

 private:
  static constexpr double kPwm_A = 0.0024;     // two counts of the PWM, of 3400 to 5000
  static constexpr double kOffset_A = 0.0012;  // of 64 samples with this noise: four standard deviations
  // What the loop of a current makes of the noise (gain 1/2, a period late: 1.67 times as much at the most), and three
  // counts of the converter: its own noise, its rounding.
  static constexpr double kNothing_A = 1.67 * kNoise_A + kPwm_A + kOffset_A + 3 * Chip::kCount_A;

  void LearnOffsets() {
    sends = false;
    for (int i = 0; i < kOffsetPeriods; ++i) Period();
  }

  int motors() const override { return motors_; }
  double most_A() const override { return 1; }
  void Put(const std::vector<std::uint8_t>& bytes) override { chip.ToBoard(bytes); }
  std::vector<std::uint8_t> Take() override { return chip.FromBoard(); }
  void RunBoard() override {
    std::array<double, 3> measured_A{};
    for (int motor = 0; motor < 3; ++motor)
      measured_A[static_cast<std::size_t>(motor)] = Flowing_A(chip, motor) + random().Uniform(-kNoise_A, kNoise_A);
    chip.Period(measured_A);
    ++clock_.edge_count;
    app_->OnTick();
  }
  void Mend() override {
    chip.OpenEStop(false);
    chip.dma.stands = 0;
    if constexpr (requires { chip.FlowToGround({}, 0.0); }) chip.FlowToGround({}, 1000);
    MendLine();
    LearnOffsets();
  }
  bool Flows() const override { return std::abs(Flowing_A(chip, 0) - double{current_A}) < kNothing_A; }

  bench::safety::HandClock clock_;
  bench::safety::CountingWatchdog watchdog_;
  std::optional<io::IoApp> app_;
  bool starts_ = false;
  int motors_ = 0;
};

/// What fails while the firmware runs, and what must come of it.
template <class Chip>
struct FirmwareCase {
  const char* name;
  int most_ticks;  ///< to zeros
  void (*inject)(Chip* chip);
  IoFault fault;
};

template <class Chip>
std::vector<FirmwareCase<Chip>> FirmwareCases() {
  std::vector<FirmwareCase<Chip>> cases{
      {"e-stop opens, or its wire", 1, [](Chip* chip) { chip->OpenEStop(true); }, IoFault::kEStop}};
  if constexpr (requires(Chip chip) { chip.gates_are_on(); })  // and a pin of its own for the contact
    cases.push_back(
        {"drive fault on the break", 1, [](Chip* chip) { chip->power.OpenContact(true); }, IoFault::kDriveFault});
  if constexpr (requires(Chip chip) { chip.encoder(); }) {
    constexpr std::int32_t kLeap = 15'000;  // beyond what a period can have
    cases.push_back({"encoder's count leaps", 1, [](Chip* chip) { chip->encoder().Turn(kLeap); }, IoFault::kEncoderFault});
  }
  constexpr int kTimeout = 3;  // periods without a command
  if constexpr (requires(Chip chip) { chip.line_is_cut; })
    cases.push_back({"host's wire of the line comes off", kTimeout, [](Chip* chip) { chip->line_is_cut = true; },
                     IoFault::kCommandTimeout});
  cases.push_back({"DMA of the line stalls", kTimeout, [](Chip* chip) { chip->dma.stands = 1u << Chip::kLink.receives; },
                   IoFault::kCommandTimeout});
  if constexpr (requires(Chip chip) { chip.FlowToGround({}, 0.0); })
    cases.push_back({"too much current in a shunt", 1,
                     [](Chip* chip) {
                       chip->FlowToGround({21, 0}, 2);
                     },
                     IoFault::kDriveFault});
  if constexpr (requires { Chip::kCurrentChannel; }) {
    constexpr int kStale = 4;  // of three scans that do not come the third is the first of two wrong periods
    cases.push_back({"DMA of the currents stalls", kStale,
                     [](Chip* chip) { chip->dma.stands = 1u << Chip::kCurrentChannel; }, IoFault::kCurrentSense});
  }
  return cases;
}

template <class Chip>
FaultCount CountFirmware(const FirmwareCase<Chip>& wrong, const std::string& board, int injections, std::uint64_t seed) {
  FaultCount count{.name = board + " " + wrong.name, .most_ticks = wrong.most_ticks};
  Random random(seed);
  for (int i = 0; i < injections; ++i) {
    FirmwareRig<Chip> rig(&random, SlowClock(&random));
    const bool drives = rig.starts() && rig.Drive();
    if (drives) wrong.inject(&rig.chip);
    const int ticks = drives ? bench::safety::PeriodsToZero(&rig, 1, rig.IsZero()) : bench::safety::kWatched;
    // A line that stalls is told when it is heard again.
    rig.MendLine();
    if (rig.starts()) rig.Period();
    const bool detected = drives && rig.last.fault() == wrong.fault, recovered = rig.starts() && rig.Drive();
    count.Add({.detected = detected,
               .safe = ticks <= wrong.most_ticks && rig.chip.machine.violations.empty(),
               .recovered = recovered,
               .ticks_to_zero = ticks});
  }
  return count;
}

/// A chip that has started, however slowly its clock came, under current.
template <class Chip>
bool Starts(Random* random) {
  Chip chip(SlowClock(random));
  return WhatArmingLacks(chip).empty();
}

/// A start that must end with its fault, with nothing switched on; then a start of a chip that is well.
template <class Chip>
bench::safety::Outcome RefuseStart(const Chip& chip, FaultCause cause, Random* random) {
  const bool detected = FaultOf(Chip::SetUp) == cause;
  const bool safe = !chip.power.timer.outputs_on();
  return {.detected = detected, .safe = safe, .recovered = Starts<Chip>(random), .ticks_to_zero = 1};
}

/// A flag of the clock does not come.
template <class Chip>
FaultCount CountStuckClocks(const std::string& board, int injections, std::uint64_t seed) {
  FaultCount count{.name = board + " crystal, PLL or switch stuck", .most_ticks = 1};
  Random random(seed);
  for (int i = 0; i < injections; ++i) {
    hal::stm32::model::ClockFaults faults = SlowClock(&random);
    bool* const stuck[] = {&faults.no_crystal, &faults.no_lock, &faults.no_switch};
    *stuck[random.Integer(0, 2)] = true;
    const Chip chip(faults);
    count.Add(RefuseStart(chip, FaultCause::kClockTree, &random));
  }
  return count;
}

/// The supply is below the detector's level before the board starts.
template <class Chip>
FaultCount CountLowSupplies(const std::string& board, int injections, std::uint64_t seed) {
  constexpr double kRuns_V = 1.7;  // below about that their own power-on reset holds the chips; not read in data sheets
  FaultCount count{.name = board + " supply low at the start", .most_ticks = 1};
  Random random(seed);
  for (int i = 0; i < injections; ++i) {
    Chip chip(SlowClock(&random));
    chip.clock.pwr.detector.supply_V = random.Uniform(kRuns_V, Chip::kDetected_V);
    count.Add(RefuseStart(chip, FaultCause::kSupplyLow, &random));
  }
  return count;
}

template <class Chip>
FaultCount CountCuts(const std::string& board, const char* name, FaultCause cause, int injections, std::uint64_t seed) {
  FaultCount count{.name = board + " " + name, .most_ticks = 1};
  Random random(seed);
  for (int i = 0; i < injections; ++i) {
    Findings findings;
    {
      Chip chip(SlowClock(&random));
      findings.Want(WhatArmingLacks(chip).empty(), "armed");
      chip.power.timer.Run(random.Uniform(0, 1000));
      Fail(chip, cause, random.Uniform(0, Chip::kDetected_V), &findings);
      findings.Want(chip.machine.violations.empty(), "nothing that the manual forbids");
    }
    const bool told = findings.first().empty();
    const bool safe = told || findings.first() == "the fault is told" || findings.first() == "the last words";
    count.Add({.detected = told, .safe = safe, .recovered = Starts<Chip>(&random), .ticks_to_zero = 1});
  }
  return count;
}

template <class Chip>
std::vector<FaultCount> CountAll(const std::string& board, int injections, std::uint64_t seed) {
  std::vector<FaultCount> counts{
      CountStuckClocks<Chip>(board, injections, seed), CountLowSupplies<Chip>(board, injections, seed),
      CountCuts<Chip>(board, "crystal lost under current", FaultCause::kCrystalLost, injections, seed),
      CountCuts<Chip>(board, "supply falls under current", FaultCause::kSupplyLow, injections, seed),
      CountCuts<Chip>(board, "loop hangs, window watchdog", FaultCause::kWatchdogWarning, injections, seed)};
  if constexpr (requires { Chip::Motors(); }) {
    for (const FirmwareCase<Chip>& wrong : FirmwareCases<Chip>())
      counts.push_back(CountFirmware<Chip>(wrong, board, injections, seed));
  }
  if constexpr (HasOwnDevice<Chip>) {
    for (const DeviceCase<Chip>& wrong : DeviceCases<Chip>())
      counts.push_back(CountDevice<Chip>(wrong, board, injections, seed));
  }
  return counts;
}

/// A program: --injections N --seed S; the counts as JSON.
template <class Chip>
int RunCampaign(const std::string& board, int count, char** words) {
  if (count != 5 || std::string(words[1]) != "--injections" || std::string(words[3]) != "--seed") {
    std::cerr << words[0] << ": usage: --injections N --seed S\n";
    return 2;
  }
  const std::vector<FaultCount> counts = CountAll<Chip>(board, std::atoi(words[2]), std::strtoull(words[4], nullptr, 10));
  std::cout << nlohmann::json(counts).dump() << "\n";
  const auto failed = [](const FaultCount& one) { return one.failed > 0; };
  return std::any_of(counts.begin(), counts.end(), failed) ? 1 : 0;
}

}  // namespace tactus::board::rig
