#include "host_tools/io/emulated_faults.h"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <cmath>

#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

constexpr int kBadMotor = 2;            // the vertical axis, along which the peg is pressed
constexpr double kBouncePeriod_ms = 2;  // of a contact that closes and opens

struct Kind {
  const char* name;
  void (*apply)(double since_ms, EmulatedState* state);
};

constexpr std::array kKinds = {
    Kind{"e-stop", [](double, EmulatedState* s) { s->motors.e_stop = true; }},
    Kind{"e-stop-bounce",
         [](double since_ms, EmulatedState* s) {
           s->motors.e_stop |= std::fmod(since_ms, kBouncePeriod_ms) < 0.5 * kBouncePeriod_ms;
         }},
    Kind{"drive-fault", [](double, EmulatedState* s) { s->motors.drive_fault = true; }},
    Kind{"brown-out", [](double, EmulatedState* s) { s->motors.brown_out = true; }},
    Kind{"encoder-fault",
         [](double, EmulatedState* s) { s->motors.encoder_fault = true, s->motors.frozen_motor = kBadMotor; }},
    Kind{"encoder-frozen", [](double, EmulatedState* s) { s->motors.frozen_motor = kBadMotor; }},
    Kind{"encoder-jump", [](double, EmulatedState* s) { s->motors.jumping_motor = kBadMotor; }},
    Kind{"encoder-inverted", [](double, EmulatedState* s) { s->motors.inverted_motor = kBadMotor; }},
    Kind{"encoder-swapped", [](double, EmulatedState* s) { s->motors.swapped[0] = 0, s->motors.swapped[1] = kBadMotor; }},
    Kind{"current-stuck", [](double, EmulatedState* s) { s->motors.current_stuck = true; }},
    Kind{"current-saturated", [](double, EmulatedState* s) { s->motors.current_saturated = true; }},
    Kind{"drives-refuse", [](double, EmulatedState* s) { s->motors.refuses_writes = true; }},
    Kind{"mute", [](double, EmulatedState* s) { s->mute = true; }},
    Kind{"reset", [](double, EmulatedState* s) { s->reset = true; }},
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

EmulatedFault ParseFault(const std::string& text) {
  EmulatedFault fault = ParseFaultTime(text);
  if (Find(fault.name) == nullptr) throw HostError(fmt::format("no fault '{}'; there are: {}", fault.name, FaultNames()));
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

EmulatedState FaultsAt(const std::vector<EmulatedFault>& faults, double now_ms, double step_ms) {
  EmulatedState state;
  for (const EmulatedFault& fault : faults) {
    const double since_ms = now_ms - fault.start_ms;
    const bool once = fault.name == "reset";
    if (since_ms < 0 || (fault.length_ms > 0 && since_ms >= fault.length_ms) || (once && since_ms >= step_ms)) continue;
    Find(fault.name)->apply(since_ms, &state);
  }
  return state;
}

}  // namespace tactus::host
