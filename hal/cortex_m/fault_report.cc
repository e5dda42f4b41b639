#include "hal/cortex_m/fault_report.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "hal/cortex_m/semihosting.h"

namespace tactus::hal::cortex_m {
namespace {

constexpr std::uint32_t kTicksToTell = 8;  // the record has more, for whoever reads the memory

/// One line of text in a room of its own; what does not fit is left out.
class Line {
 public:
  Line& Text(const char* text) {
    for (; *text != '\0'; ++text) Put(*text);  // ends: the zero of a message of ours
    return *this;
  }
  Line& Number(std::int32_t value) {
    std::array<char, 12> digits{};
    std::size_t count = 0;
    auto rest = static_cast<std::uint32_t>(value < 0 ? -value : value);
    do digits[count++] = static_cast<char>('0' + rest % 10);
    while ((rest /= 10) != 0);  // ends: a number has ten digits at most
    if (value < 0) Put('-');
    while (count > 0) Put(digits[--count]);  // ends: each turn takes a digit
    return *this;
  }
  Line& Hex(std::uint32_t value) {
    for (int shift = 28; shift >= 0; shift -= 4) Put("0123456789abcdef"[(value >> shift) & 15u]);
    return *this;
  }
  void Print() {
    if (TACTUS_EMULATED) semihosting::Print(Text("\n").room_.data());
  }

 private:
  void Put(char letter) {
    if (size_ + 1 < room_.size()) room_[size_++] = letter;
  }

  std::array<char, 192> room_{};
  std::size_t size_ = 0;
};

/// Whole millinewtons, within what a number holds; NaN: the least one.
std::int32_t Millinewtons(float force_N) {
  constexpr float kMost = 2e6f;
  return force_N == force_N ? static_cast<std::int32_t>(1000.0f * std::clamp(force_N, -kMost, kMost)) : -2'000'000'000;
}

void PrintPlace(const FlightRecord& record) {
  if (record.text[0] != '\0') {
    Line()
        .Text("  ")
        .Text(record.cause == FaultCause::kCheckFailed ? "check failed: " : "")
        .Text(record.text)
        .Text(" in line ")
        .Number(static_cast<std::int32_t>(record.detail))
        .Print();
  }
  Line()
      .Text("  at ")
      .Hex(record.pc)
      .Text(", called from ")
      .Hex(record.lr)
      .Text(", stack pointer ")
      .Hex(record.stack_pointer)
      .Text(", address ")
      .Hex(record.address)
      .Print();
  Line().Text("  cfsr ").Hex(record.cfsr).Text(", hfsr ").Hex(record.hfsr).Text(", detail ").Hex(record.detail).Print();
}

void PrintTick(const TickNote& note) {
  Line line;
  line.Text("  tick ")
      .Number(static_cast<std::int32_t>(note.tick))
      .Text(": edge ")
      .Number(static_cast<std::int32_t>(note.edge))
      .Text(", ")
      .Number(static_cast<std::int32_t>(note.now_us))
      .Text(" us, took ")
      .Number(static_cast<std::int32_t>(note.tick_us))
      .Text(" us, force");
  for (const float component_N : note.force_N) line.Text(" ").Number(Millinewtons(component_N));
  line.Text(" mN, state ")
      .Number(note.state)
      .Text(", mode ")
      .Number(note.mode)
      .Text(", fault ")
      .Number(note.fault)
      .Text(", cause ")
      .Number(note.external_cause)
      .Text(", status ")
      .Hex(note.status)
      .Print();
}

}  // namespace

const char* NameOf(ResetCause cause) {
  switch (cause) {
    case ResetCause::kUnknown: return "a reset of unknown cause";
    case ResetCause::kPowerOn: return "power-on";
    case ResetCause::kSoftware: return "a reset by the program";
    case ResetCause::kWatchdog: return "a reset by the watchdog";
    case ResetCause::kLockup: return "a reset after a lock-up";
    case ResetCause::kBrownOut: return "a brown-out";
  }
  return "?";
}

void PrintRecord(const FlightRecord& record) {
  Line()
      .Text("tactus: fault: ")
      .Text(NameOf(record.cause))
      .Text(" (cause ")
      .Number(static_cast<std::int32_t>(record.cause))
      .Text("), in start ")
      .Number(static_cast<std::int32_t>(record.start))
      .Print();
  if (record.cause == FaultCause::kTornRecord) return;
  PrintPlace(record);
  const std::uint32_t told = std::min(record.tick_count, kTicksToTell);
  for (std::uint32_t i = record.tick_count - told; i < record.tick_count; ++i) PrintTick(record.ticks[i]);
}

void PrintLastRun(const FlightRecord& record, ResetCause reset) {
  if (record.cause == FaultCause::kNone) return;
  Line()
      .Text("tactus: start ")
      .Number(static_cast<std::int32_t>(Starts()))
      .Text(" by ")
      .Text(NameOf(reset))
      .Text("; the run before it ended so:")
      .Print();
  PrintRecord(record);
  const FlightRecord* const whole = NewestFlightRecord();
  if (record.cause != FaultCause::kTornRecord || whole == nullptr) return;
  Line().Text("tactus: the last whole record:").Print();
  PrintRecord(*whole);
}

}  // namespace tactus::hal::cortex_m
