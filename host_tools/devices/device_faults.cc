#include "host_tools/devices/device_faults.h"

#include <fmt/core.h>

#include <array>

#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

struct Kind {
  const char* name;
  void (*apply)(DeviceFaults* wrong);
};

constexpr std::array kKinds = {
    Kind{"mute", [](DeviceFaults* f) { f->board.mute = true; }},
    Kind{"deaf", [](DeviceFaults* f) { f->deaf = true; }},
    Kind{"silent", [](DeviceFaults* f) { f->deaf = f->line.cut = true; }},
    Kind{"unplug", [](DeviceFaults* f) { f->unplugged = true; }},
    Kind{"reset", [](DeviceFaults* f) { f->reset = true; }},
    Kind{"split", [](DeviceFaults* f) { f->line.pieces = 3; }},
    Kind{"merge", [](DeviceFaults* f) { f->line.merge = true; }},
    Kind{"shift", [](DeviceFaults* f) { f->line.drop_first = true; }},
    Kind{"garbage", [](DeviceFaults* f) { f->line.garbage = true; }},
    Kind{"flip", [](DeviceFaults* f) { f->line.flip_byte = 3; }},
    Kind{"cut-short", [](DeviceFaults* f) { f->line.keep_bytes = 5; }},
    Kind{"repeat", [](DeviceFaults* f) { f->line.repeat = true; }},
    Kind{"late", [](DeviceFaults* f) { f->line.late_periods = 12; }},
    Kind{"creep", [](DeviceFaults* f) { f->line.late_periods = 1; }},  // and more with time
    Kind{"jump", [](DeviceFaults* f) { f->board.jump = true; }},
    Kind{"zero-positions", [](DeviceFaults* f) { f->board.zero_positions = true; }},
    Kind{"frozen", [](DeviceFaults* f) { f->board.frozen = true; }},
    Kind{"refuse", [](DeviceFaults* f) { f->board.refuses = true; }},
    Kind{"sensor-fault", [](DeviceFaults* f) { f->board.sensor_fault = true; }},
    Kind{"drive-fault", [](DeviceFaults* f) { f->board.drive_fault = true; }},
    Kind{"other-model", [](DeviceFaults* f) { f->board.other_model = true; }},
    Kind{"not-a-number", [](DeviceFaults* f) { f->board.not_a_number = true; }},
};

const Kind* Find(const std::string& name) {
  for (const Kind& kind : kKinds) {
    if (name == kind.name) return &kind;
  }
  return nullptr;
}

/// A line that becomes late by one period more each so often, to so many: no gap in what comes is longer than two periods.
constexpr double kCreep_ms = 5;
constexpr std::uint32_t kMostCreep = 40;
std::uint32_t CreptPeriods(double since_ms) {
  return since_ms >= kCreep_ms * kMostCreep ? kMostCreep : 1 + static_cast<std::uint32_t>(since_ms / kCreep_ms);
}

/// Of a line any device has all.
bool Has(const hal::BoardFaults& board, const Kind& kind) {
  DeviceFaults with, alone;
  with.board = board;
  kind.apply(&with), kind.apply(&alone);
  return with.board == board || alone.board == hal::BoardFaults{};
}

}  // namespace

std::string DeviceFaultNames() {
  std::string names;
  for (const Kind& kind : kKinds) names += (names.empty() ? "" : ", ") + std::string(kind.name);
  return names;
}

EmulatedFault ParseDeviceFault(const std::string& text) {
  EmulatedFault fault = ParseFaultTime(text);
  if (Find(fault.name) == nullptr) {
    throw HostError(fmt::format("no fault '{}'; there are: {}", fault.name, DeviceFaultNames()));
  }
  return fault;
}

void CheckHas(const hal::EmulatedBoard& board, const std::string& device, const EmulatedFault& fault) {
  const hal::BoardFaults known = board.CanHave();
  if (Has(known, *Find(fault.name))) return;
  std::string names;
  for (const Kind& kind : kKinds) {
    if (Has(known, kind)) names += (names.empty() ? "" : ", ") + std::string(kind.name);
  }
  throw HostError(fmt::format("{} has no fault '{}'; it has: {}", device, fault.name, names));
}

DeviceFaults DeviceFaultsAt(const std::vector<EmulatedFault>& faults, double now_ms, double step_ms) {
  DeviceFaults wrong;
  for (const EmulatedFault& fault : faults) {
    const double since_ms = now_ms - fault.start_ms;
    const bool once = fault.name == "reset";
    if (since_ms < 0 || (fault.length_ms > 0 && since_ms >= fault.length_ms) || (once && since_ms >= step_ms)) continue;
    Find(fault.name)->apply(&wrong);
    if (fault.name == "creep") wrong.line.late_periods = CreptPeriods(since_ms);
  }
  return wrong;
}

}  // namespace tactus::host
