#include "tests/target/fault_cases.h"

#include <cstdint>

#include "hal/cortex_m/flight_record.h"
#include "hal/cortex_m/interrupts.h"
#include "hal/cortex_m/registers.h"
#include "hal/cortex_m/start_up.h"
#include "hal/cortex_m/systick_clock.h"
#include "tactus/core/check.h"
#include TACTUS_BOARD_HEADER

extern "C" std::uint32_t data_memory_begin_symbol[], bss_end_symbol[];

namespace tactus::target {
namespace {

namespace cortex_m = hal::cortex_m;
using cortex_m::FaultCause;
using cortex_m::FlightRecord;

[[gnu::noinline]] int Recurse(int depth) {
  volatile int frame[64] = {depth};
  return frame[0] < 0 ? 0 : Recurse(depth + 1) + frame[0];
}
int StackOverflow() { return Recurse(1); }

int NullCall() {
  void (*volatile nothing)() = nullptr;
  nothing();
  return 1;
}

/// An address that the compiler cannot see through.
volatile std::uint32_t* At(std::uint32_t address) {
  volatile std::uint32_t hidden = address;
  return reinterpret_cast<volatile std::uint32_t*>(hidden);
}

int WriteToCode() {
  *At(TACTUS_CODE_AT) = 0;
  return 1;
}

int ExecuteData() {
  static std::uint32_t data[2] = {0x47704770, 0x47704770};  // bx lr
  auto* const function = reinterpret_cast<void (*)()>(reinterpret_cast<std::uint32_t>(data) | 1u);
  function();
  return 1;
}

int NothingThere() { return static_cast<int>(*At(TACTUS_NOTHING_AT)); }

int DivideByZero() {
  volatile int seven = 7, zero = 0;
  return seven / zero;
}

int UnexpectedInterrupt() {
  constexpr int kNobodys = 20;
  cortex_m::EnableInterrupt(kNobodys, cortex_m::kLinkPriority);
  *At(0xE000E200) = 1u << kNobodys;  // NVIC, set pending
  asm volatile("dsb\n isb");
  return 1;
}

/// S4: SysTick is dead, ticks and the watchdog's food go on. The second timer must see it.
int ClockStops() {
  static cortex_m::SysTickClock clock(board::Board::kCore_Hz);
  board::Board::Watchdog watchdog;
  watchdog.Start(20'000);
  clock.Start();
  board::Board::StartClockGuard();
  while (clock.edges() < 20) watchdog.Feed();
  cortex_m::SysTick().csr = 0;
  for (;;) {
    watchdog.Feed();
    cortex_m::PendTick();
  }
}

/// S6: no word of RAM is what it was, the stack pointer points to nothing, and the program meets an undefined instruction.
int RamIsGone() {
  cortex_m::Mpu().ctrl = 0;
  asm volatile(
      "1: str %2, [%0], #4 \n"
      "eors %2, %0         \n"
      "cmp %0, %1          \n"
      "blo 1b              \n"
      "msr msp, %2         \n"
      "udf #0              \n"
      :
      : "r"(data_memory_begin_symbol), "r"(bss_end_symbol), "r"(0xDEADBEEFu));
  return 1;
}

/// A jump to the start of the program is no reset.
int JumpToStart() {
  cortex_m::ResetHandler();
  return 1;
}

/// First start: a check fails, and the option after_fault=reset starts the board again. Second start: the record is there
/// with the last ticks. Third start, without a fault before it: none.
int RecordSurvivesReset() {
  constexpr std::uint32_t kTicks = 100;
  const FlightRecord& record = cortex_m::TakeFlightRecord();
  NoteTicks(kTicks);
  if (cortex_m::Starts() == 1) return CheckFails();
  return Verdict(IsCheckFailed(record, kTicks) && cortex_m::Starts() == 2 && record.start == 1 &&
                 cortex_m::TakeFlightRecord().cause == FaultCause::kNone);
}

constexpr Case kCases[] = {
    {"stack_overflow", StackOverflow},
    {"null_call", NullCall},
    {"write_to_code", WriteToCode},
    {"execute_data", ExecuteData},
    {"nothing_there", NothingThere},
    {"divide_by_zero", DivideByZero},
    {"unexpected_interrupt", UnexpectedInterrupt},
    {"check_fails", CheckFails},
    {"clock_stops", ClockStops},
    {"ram_is_gone", RamIsGone},
    {"jump_to_start", JumpToStart},
    {"record_survives_reset", RecordSurvivesReset},
};

}  // namespace

int CheckFails() {
  volatile int two = 2;
  TACTUS_CHECK(two == 3);
  return 1;
}

namespace {
constexpr hal::TickNote NoteOf(std::uint32_t tick) {
  return {.tick = tick,
          .edge = tick + 1,
          .now_us = 1000 * tick,
          .status = 0,
          .force_N = {0.5f, -1.25f, 0},
          .state = 3,
          .mode = 2,
          .fault = 0,
          .external_cause = 0,
          .tick_us = 400};
}
}  // namespace

void NoteTicks(std::uint32_t count) {
  static cortex_m::NoinitFlightRecorder recorder;
  for (std::uint32_t tick = 1; tick <= count; ++tick) recorder.Note(NoteOf(tick));
}

bool IsCheckFailed(const FlightRecord& record, std::uint32_t ticks) {
  const bool fault = record.cause == FaultCause::kCheckFailed && record.detail > 0 && record.text[0] == 't';
  const std::uint32_t kept = ticks < FlightRecord::kTicks ? ticks : FlightRecord::kTicks;
  bool notes = record.tick_count == kept;
  for (std::uint32_t i = 0; i < record.tick_count; ++i) notes = notes && record.ticks[i].tick == ticks - kept + i + 1;
  return fault && notes;
}

std::span<const Case> FaultCases() { return kCases; }

}  // namespace tactus::target
