#include "host_tools/io/emulated_faults.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

constexpr int kBadMotor = 2;  // the vertical axis, along which the peg is pressed; else the last motor
constexpr std::string_view kSwapped = "encoder-swapped";
constexpr double kBouncePeriod_ms = 2;  // of a contact that closes and opens

struct Kind {
  const char* name;
  void (*apply)(double since_ms, int bad_motor, EmulatedState* state);
};

constexpr std::array kKinds = {
    Kind{"e-stop", [](double, int, EmulatedState* s) { s->motors.e_stop = true; }},
    Kind{"e-stop-bounce",
         [](double since_ms, int, EmulatedState* s) {
           s->motors.e_stop |= std::fmod(since_ms, kBouncePeriod_ms) < 0.5 * kBouncePeriod_ms;
         }},
    Kind{"drive-fault", [](double, int, EmulatedState* s) { s->motors.drive_fault = true; }},
    Kind{"brown-out", [](double, int, EmulatedState* s) { s->motors.brown_out = true; }},
    Kind{"encoder-fault", [](double, int bad_motor,
                             EmulatedState* s) { s->motors.encoder_fault = true, s->motors.frozen_motor = bad_motor; }},
    Kind{"encoder-frozen", [](double, int bad_motor, EmulatedState* s) { s->motors.frozen_motor = bad_motor; }},
    Kind{"encoder-jump", [](double, int bad_motor, EmulatedState* s) { s->motors.jumping_motor = bad_motor; }},
    Kind{"encoder-inverted", [](double, int bad_motor, EmulatedState* s) { s->motors.inverted_motor = bad_motor; }},
    Kind{kSwapped.data(),
         [](double, int bad_motor, EmulatedState* s) { s->motors.swapped[0] = 0, s->motors.swapped[1] = bad_motor; }},
    Kind{"current-stuck", [](double, int, EmulatedState* s) { s->motors.current_stuck = true; }},
    Kind{"current-saturated", [](double, int, EmulatedState* s) { s->motors.current_saturated = true; }},
    Kind{"drives-refuse", [](double, int, EmulatedState* s) { s->motors.refuses_writes = true; }},
    Kind{"mute", [](double, int, EmulatedState* s) { s->mute = true; }},
    Kind{"reset", [](double, int, EmulatedState* s) { s->reset = true; }},
};

const Kind* Find(const std::string& name) {
  for (const Kind& kind : kKinds) {
    if (name == kind.name) return &kind;
  }
  return nullptr;
}

std::uint32_t Milliseconds(const std::string& text, const std::string& fault) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw HostError(fmt::format("'{}': give NAME@MS or NAME@MS+LENGTH, in whole milliseconds", fault));
  }
  return value;
}

}  // namespace

std::string FaultNames() {
  std::string names;
  for (const Kind& kind : kKinds) names += (names.empty() ? "" : ", ") + std::string(kind.name);
  return names;
}

EmulatedFault ParseFault(const std::string& text, int motors) {
  EmulatedFault fault = ParseFaultTime(text);
  if (Find(fault.name) == nullptr) throw HostError(fmt::format("no fault '{}'; there are: {}", fault.name, FaultNames()));
  if (fault.name == kSwapped && motors == 1) throw HostError(fmt::format("'{}': the board has one motor", text));
  return fault;
}

EmulatedFault ParseFaultTime(const std::string& text) {
  const std::size_t at = text.find('@'), plus = text.find('+');
  EmulatedFault fault{.name = text.substr(0, at)};
  if (at == std::string::npos) return fault;
  fault.start_ms = Milliseconds(text.substr(at + 1, plus == std::string::npos ? plus : plus - at - 1), text);
  if (plus != std::string::npos) fault.length_ms = Milliseconds(text.substr(plus + 1), text);
  return fault;
}

EmulatedState FaultsAt(const std::vector<EmulatedFault>& faults, double now_ms, double step_ms, int motors) {
  EmulatedState state;
  for (const EmulatedFault& fault : faults) {
    const double since_ms = now_ms - fault.start_ms;
    const bool once = fault.name == "reset";
    if (since_ms < 0 || (fault.length_ms > 0 && since_ms >= fault.length_ms) || (once && since_ms >= step_ms)) continue;
    Find(fault.name)->apply(since_ms, std::min(kBadMotor, motors - 1), &state);
  }
  return state;
}

}  // namespace tactus::host
