#include "hal/cortex_m/boot.h"

#include <array>

#include "hal/cortex_m/fault_report.h"
#include "hal/cortex_m/registers.h"
#include "hal/cortex_m/semihosting.h"

namespace tactus::hal::cortex_m {
namespace {

constexpr int kFaultExitBase = 64;

/// The text behind `key` in `line`, up to the next blank, which becomes a zero; nullptr: the key is not there.
char* Value(char* line, const char* key) {
  for (; *line != '\0'; ++line) {  // ends: the zero of the command line
    int i = 0;
    while (key[i] != '\0' && line[i] == key[i]) ++i;  // ends: the zero of a key of ours
    if (key[i] != '\0') continue;
    char* const value = line + i;
    for (char* end = value;; ++end) {  // ends: the zero of the command line
      if (*end == ' ') *end = '\0';
      if (*end == '\0') return value;
    }
  }
  return nullptr;
}

/// Whether `word` stands in `line`.
bool Has(const char* line, const char* word) {
  for (; *line != '\0'; ++line) {  // ends: the zero of the command line
    int i = 0;
    while (word[i] != '\0' && line[i] == word[i]) ++i;  // ends: the zero of a word of ours
    if (word[i] == '\0') return true;
  }
  return false;
}

/// The number behind `key` in `line`; `otherwise`: the key is not there, or no number of 1 to 5 digits is behind it.
std::uint32_t Number(const char* line, const char* key, std::uint32_t otherwise) {
  for (; *line != '\0'; ++line) {  // ends: the zero of the command line
    int i = 0;
    while (key[i] != '\0' && line[i] == key[i]) ++i;  // ends: the zero of a key of ours
    if (key[i] != '\0') continue;
    constexpr int kDigits = 5;
    std::uint32_t number = 0;
    int digits = 0;
    for (const char* c = line + i; digits <= kDigits && *c >= '0' && *c <= '9'; ++c, ++digits) {
      number = 10 * number + static_cast<std::uint32_t>(*c - '0');
    }
    return digits >= 1 && digits <= kDigits ? number : otherwise;
  }
  return otherwise;
}

}  // namespace

void Reset() {
  Scb().aircr = kAircrSystemReset;
  for (;;) {  // ends: never; the outputs are off, the reset has been asked for
  }
}

BootOptions ReadBootOptions() {
  BootOptions options;
  if (!TACTUS_EMULATED) return options;
  static std::array<char, 512> line{};
  if (!semihosting::CommandLine(line)) return options;
  options.reset_after_fault = Has(line.data(), "after_fault=reset");
  const std::uint32_t period_us = Number(line.data(), "period_us=", options.period_us);
  if (period_us >= kShortestPeriod_us && period_us <= kLongestPeriod_us) options.period_us = period_us;
  options.local_device = Has(line.data(), "device=local");
  options.fifo_directory = Value(line.data(), "link=fifo:");  // last: it cuts the line
  return options;
}

std::uint32_t WatchdogTimeout_us(const BootOptions& options) {
  constexpr std::uint32_t kServo_us = 20'000, kWithHostTime_us = 5'000'000;
  return TACTUS_EMULATED && options.fifo_directory == nullptr ? kWithHostTime_us : kServo_us;
}

void Idle() {
  if (!TACTUS_EMULATED) asm volatile("wfi");
}

void EndRun(int exit_code) {
  if (TACTUS_EMULATED) semihosting::Exit(exit_code);
  Reset();
}

void EndAfterFault(const FlightRecord& record) {
  if (TACTUS_EMULATED && !ReadBootOptions().reset_after_fault) {
    PrintRecord(record);
    semihosting::Exit(kFaultExitBase + static_cast<int>(record.cause));
  }
  RequireFaultEntry();
  Reset();
}

}  // namespace tactus::hal::cortex_m
