#include "hal/cortex_m/fault.h"

#include "hal/cortex_m/flight_record.h"
#include "hal/cortex_m/outputs_safe.h"
#include "tactus/core/check.h"

// The way into a fault. Until OutputsSafe has returned, nothing here reads RAM, and nothing believes the stack pointer: all
// is in registers and constants.

namespace tactus::hal::cortex_m {
namespace {

/// The process stack pointer is used for nothing else; this value in it says that a fault is being handled. A register,
/// since no word in RAM can be believed. ResetHandler sets it to zero.
#define TACTUS_FAULT_MARK "0xFA017ED0"
constexpr std::uint32_t kFaultMark = 0xFA017ED0u;

}  // namespace

extern "C" {

/// What the entry of the first fault has pushed, at the top of the stack for faults.
extern const FaultSite fault_site_symbol;

/// r4 to r8: the site, see FaultSite. Interrupts and memory protection off; no lazy saving of floating-point registers to
/// where the old stack was; a fresh stack; OutputsSafe. A second fault takes the stack below the first one's.
[[gnu::naked, gnu::used]] void EnterFault() {
  asm volatile(
      "cpsid i                           \n"
      "ldr   r0, =0xE000ED94             \n"  // MPU_CTRL
      "movs  r1, #0                      \n"
      "str   r1, [r0]                    \n"
      "ldr   r0, =0xE000EF34             \n"  // FPCCR
      "str   r1, [r0]                    \n"
      "dsb                               \n"
      "isb                               \n"
      "mrs   r9, psp                     \n"
      "ldr   r10, =" TACTUS_FAULT_MARK
      "\n"
      "cmp   r9, r10                     \n"
      "ite   eq                          \n"
      "ldreq r0, =second_fault_stack_top_symbol\n"
      "ldrne r0, =fault_stack_top_symbol \n"
      "msr   msp, r0                     \n"
      "push  {r4, r5, r6, r7, r8, r9}    \n"
      "msr   psp, r10                    \n"
      "bl    OutputsSafe                 \n"
      "b     HandleFault                 \n");
}

[[gnu::naked]] void FaultHandler() {
  asm volatile(
      "mrs   r4, msp                     \n"
      "mrs   r6, ipsr                    \n"
      "mov   r5, r6                      \n"
      "cmp   r5, #15                     \n"
      "it    hi                          \n"
      "movhi r5, #16                     \n"  // FaultCause::kUnexpected
      "movs  r7, #0                      \n"
      "movs  r8, #0                      \n"
      "b     EnterFault                  \n");
}
static_assert(static_cast<int>(FaultCause::kUnexpected) == 16);

[[noreturn, gnu::used]] void HandleFault() { EndAfterFault(RecordFault(fault_site_symbol)); }
}

[[gnu::naked]] void ReportFault(FaultCause, std::uint32_t, const char*) noexcept {
  asm volatile(
      "movs  r4, #0                      \n"
      "mov   r5, r0                      \n"
      "mov   r6, r1                      \n"
      "mov   r7, r2                      \n"
      "mov   r8, lr                      \n"
      "b     EnterFault                  \n");
}

void RequireFaultEntry() {
  std::uint32_t mark = 0;
  asm volatile("mrs %0, psp" : "=r"(mark));
  if (mark != kFaultMark) ReportFault(FaultCause::kNoReset, 2);
}

const char* NameOf(FaultCause cause) {
  switch (cause) {
    case FaultCause::kNone: return "no fault";
    case FaultCause::kNmi: return "the watchdog";
    case FaultCause::kHardFault: return "a hard fault";
    case FaultCause::kMemoryFault: return "a memory fault";
    case FaultCause::kBusFault: return "a bus fault";
    case FaultCause::kUsageFault: return "a usage fault";
    case FaultCause::kUnexpected: return "an interrupt that nobody switched on";
    case FaultCause::kCheckFailed: return "a failed check";
    case FaultCause::kPureVirtual: return "a pure virtual call";
    case FaultCause::kDelete: return "a call of delete";
    case FaultCause::kMainReturned: return "main has returned";
    case FaultCause::kClockLost: return "the clock has stopped";
    case FaultCause::kTornRecord: return "a reset while a fault was being recorded";
    case FaultCause::kNoReset: return "a wild jump to the start or the end";
    case FaultCause::kClockTree: return "a clock that does not start";
    case FaultCause::kCrystalLost: return "the crystal has stopped";
    case FaultCause::kSupplyLow: return "the supply is too low";
    case FaultCause::kWatchdogWarning: return "the watchdog is about to bite";
    case FaultCause::kPowerStage: return "the power stage cannot be set up";
    case FaultCause::kDeviceNumbers: return "a number of the board's device is wrong";
  }
  return "an exception";
}

}  // namespace tactus::hal::cortex_m

namespace tactus {

// The condition and the line name the place; no push before OutputsSafe.
[[gnu::naked]] void CheckFailed(const char*, const char*, int) noexcept {
  asm volatile(
      "mov   r3, r0                      \n"
      "mov   r1, r2                      \n"
      "mov   r2, r3                      \n"
      "movs  r0, #17                     \n"
      "b     tactus_report_fault         \n");
}
static_assert(static_cast<int>(hal::cortex_m::FaultCause::kCheckFailed) == 17);

}  // namespace tactus
