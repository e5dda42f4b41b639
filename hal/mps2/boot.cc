#include "hal/mps2/boot.h"

#include <array>

#include "hal/cortex_m/fault_report.h"
#include "hal/cortex_m/registers.h"
#include "hal/cortex_m/reset_cause.h"
#include "hal/cortex_m/semihosting.h"
#include "hal/mps2/registers.h"

namespace tactus::hal::mps2 {
namespace {

namespace semihosting = cortex_m::semihosting;
using cortex_m::ResetCause;

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

/// Whether `word` stands in `line`.
bool Has(const char* line, const char* word) {
  for (; *line != '\0'; ++line) {
    int i = 0;
    while (word[i] != '\0' && line[i] == word[i]) ++i;
    if (word[i] == '\0') return true;
  }
  return false;
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
  static std::array<char, 512> line{};
  if (!semihosting::CommandLine(line)) return options;
  options.reset_after_fault = Has(line.data(), "after_fault=reset");
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

}  // namespace tactus::hal::mps2

namespace tactus::hal::cortex_m {

void EndAfterFault(const FlightRecord& record) {
  if (TACTUS_EMULATED && !mps2::ReadBootOptions().reset_after_fault) {
    PrintRecord(record);
    semihosting::Exit(mps2::kFaultExitBase + static_cast<int>(record.cause));
  }
  RequireFaultEntry();
  mps2::Reset();
}

ResetCause TakeResetCause() {
  using Causes = mps2::ResetInformation;
  const std::uint32_t causes = mps2::ResetInfo().causes;
  mps2::ResetInfo().causes = causes;
  if ((causes & Causes::kLockup) != 0) return ResetCause::kLockup;
  if ((causes & Causes::kWatchdog) != 0) return ResetCause::kWatchdog;
  if ((causes & Causes::kSoftware) != 0) return ResetCause::kSoftware;
  return TACTUS_EMULATED ? ResetCause::kUnknown : ResetCause::kPowerOn;  // QEMU has no such register: it reads zero
}

}  // namespace tactus::hal::cortex_m
