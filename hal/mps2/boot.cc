#include "hal/mps2/boot.h"

#include <array>

#include "hal/cortex_m/registers.h"
#include "hal/cortex_m/semihosting.h"
#include "hal/mps2/uart_link.h"

namespace tactus::hal::mps2 {
namespace {

namespace semihosting = cortex_m::semihosting;
using cortex_m::FlightRecord;

constexpr int kFaultExitBase = 64;

/// The text behind `key` in `line`, up to the next blank, which becomes a zero; nullptr: the key is not there.
char* Value(char* line, const char* key) {
  for (; *line != '\0'; ++line) {
    int i = 0;
    while (key[i] != '\0' && line[i] == key[i]) ++i;
    if (key[i] != '\0') continue;
    char* const value = line + i;
    for (char* end = value;; ++end) {
      if (*end == ' ') *end = '\0';
      if (*end == '\0') return value;
    }
  }
  return nullptr;
}

void PrintHex(const char* name, std::uint32_t value) {
  std::array<char, 12> text{};
  for (int i = 0; i < 8; ++i) text[static_cast<std::size_t>(i)] = "0123456789abcdef"[(value >> (28 - 4 * i)) & 15u];
  semihosting::Print(name);
  semihosting::Print(text.data());
}

void PrintFault(const FlightRecord& record) {
  PrintHex("tactus: fault, cause ", static_cast<std::uint32_t>(record.cause));
  PrintHex(" detail ", record.detail);
  PrintHex(" pc ", record.pc);
  PrintHex(" lr ", record.lr);
  PrintHex(" sp ", record.stack_pointer);
  PrintHex(" cfsr ", record.cfsr);
  PrintHex(" hfsr ", record.hfsr);
  PrintHex(" address ", record.address);
  PrintHex(" start ", record.boots);
  semihosting::Print(record.text[0] != '\0' ? "\n  check failed: " : "");
  semihosting::Print(record.text);
  semihosting::Print("\n");
}

[[noreturn]] void Reset() {
  cortex_m::Scb().aircr = cortex_m::kAircrSystemReset;
  for (;;) {
  }
}

}  // namespace

BootOptions ReadBootOptions() {
  BootOptions options;
  if (!TACTUS_EMULATED) return options;
  static std::array<char, 512> line{}, copy{};  // Value cuts the line
  if (!semihosting::CommandLine(line)) return options;
  copy = line;
  options.fifo_directory = Value(line.data(), "link=fifo:");
  options.reset_after_fault = Value(copy.data(), "after_fault=reset") != nullptr;
  return options;
}

void ReportLastFault(const FlightRecord& record) {
  if (TACTUS_EMULATED && record.cause != cortex_m::FaultCause::kNone) PrintFault(record);
}

void Idle() {
  if (!TACTUS_EMULATED) asm volatile("wfi");
}

void EndRun(int exit_code) {
  if (TACTUS_EMULATED) semihosting::Exit(exit_code);
  Reset();
}

}  // namespace tactus::hal::mps2

namespace tactus::hal::cortex_m {

void EndAfterFault(const FlightRecord& record) {
  if (TACTUS_EMULATED && !mps2::ReadBootOptions().reset_after_fault) {
    mps2::PrintFault(record);
    semihosting::Exit(mps2::kFaultExitBase + static_cast<int>(record.cause));
  }
  mps2::Reset();
}

}  // namespace tactus::hal::cortex_m
