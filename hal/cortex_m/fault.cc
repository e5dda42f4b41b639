#include "hal/cortex_m/fault.h"

#include "hal/cortex_m/memory_protection.h"
#include "hal/cortex_m/registers.h"
#include "hal/cortex_m/start_up.h"
#include "tactus/core/check.h"

namespace tactus::hal::cortex_m {
namespace {

[[gnu::section(".noinit")]] FlightRecord flight_record;

/// The words that the core pushes when it takes an exception (B1.5.6).
struct ExceptionFrame {
  std::uint32_t r0, r1, r2, r3, r12, lr, pc, psr;
};

constexpr std::uint32_t kStackingFailed = (1u << 4) | (1u << 12);      // CFSR: MSTKERR, STKERR
constexpr std::uint32_t kMmfarValid = 1u << 7, kBfarValid = 1u << 15;  // CFSR

void CopyText(const char* text, char (&room)[64]) {
  unsigned i = 0;
  for (; i + 1 < sizeof(room) && text[i] != '\0'; ++i) room[i] = text[i];
  for (; i < sizeof(room); ++i) room[i] = '\0';
}

void Record(FaultCause cause, std::uint32_t detail, const char* text) {
  const std::uint32_t boots = flight_record.magic == kFlightRecordMagic ? flight_record.boots : 0;
  flight_record = FlightRecord{};
  flight_record.magic = kFlightRecordMagic;
  flight_record.boots = boots;
  flight_record.cause = cause;
  flight_record.cfsr = Scb().cfsr;
  flight_record.hfsr = Scb().hfsr;
  if (flight_record.cfsr & kMmfarValid) flight_record.address = Scb().mmfar;
  if (flight_record.cfsr & kBfarValid) flight_record.address = Scb().bfar;
  flight_record.detail = detail;
  CopyText(text, flight_record.text);
}

}  // namespace

extern "C" [[noreturn, gnu::used]] void HandleFault(const ExceptionFrame* frame, std::uint32_t exception) {
  ZeroOutputs();
  UnprotectMemory();
  Record(exception < 16 ? static_cast<FaultCause>(exception) : FaultCause::kUnexpected, exception, "");
  flight_record.stack_pointer = reinterpret_cast<std::uint32_t>(frame);
  if ((flight_record.cfsr & kStackingFailed) == 0) {
    flight_record.pc = frame->pc;
    flight_record.lr = frame->lr;
    flight_record.psr = frame->psr;
  }
  EndAfterFault(flight_record);
}

// A fault may mean that the stack is full: the handler takes a stack of its own, from the linker script. Interrupts off; the
// stack pointer as it was and the exception's number become HandleFault's arguments.
extern "C" [[gnu::naked]] void FaultHandler() {
  asm volatile(
      "cpsid i                          \n"
      "mrs   r0, msp                    \n"
      "mrs   r1, ipsr                   \n"
      "ldr   r2, =fault_stack_top_symbol\n"
      "msr   msp, r2                    \n"
      "b     HandleFault                \n");
}

void ReportFault(FaultCause cause, std::uint32_t detail, const char* text) noexcept {
  asm volatile("cpsid i" ::: "memory");
  ZeroOutputs();
  Record(cause, detail, text);
  flight_record.lr = reinterpret_cast<std::uint32_t>(__builtin_return_address(0));
  EndAfterFault(flight_record);
}

FlightRecord TakeFlightRecord() {
  const bool valid = flight_record.magic == kFlightRecordMagic;
  const FlightRecord last = valid ? flight_record : FlightRecord{};
  flight_record = FlightRecord{};
  flight_record.magic = kFlightRecordMagic;
  flight_record.boots = last.boots + 1;
  FlightRecord result = last;
  result.boots = flight_record.boots;
  return result;
}

}  // namespace tactus::hal::cortex_m

namespace tactus {

void CheckFailed(const char* condition, const char* file, int line) noexcept {
  (void)file;  // the condition and the line name the place; see text and detail
  hal::cortex_m::ReportFault(hal::cortex_m::FaultCause::kCheckFailed, static_cast<std::uint32_t>(line), condition);
}

}  // namespace tactus
