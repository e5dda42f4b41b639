#pragma once
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cerrno>
#include <cmath>
#include <csetjmp>
#include <new>

#include "hal/api/byte_link.h"
#include "hal/api/last_words.h"
#include "hal/api/motor_io.h"
#include "hal/api/watchdog.h"
#include "hal/cortex_m/barrier.h"
#include "hal/cortex_m/fault.h"
#include "hal/cortex_m/interrupts.h"
#include "hal/cortex_m/outputs_safe.h"
#include "hal/cortex_m/start_up.h"
#include "hal/cortex_m/systick_clock.h"
#include "hal/stm32/dma_uart_link.h"
#include "hal/stm32/vectors.h"
#include "tests/stm32/each_write.h"
#include "tests/stm32/gpio_model.h"
#include "tests/stm32/timer_model.h"
#include "tests/stm32/watchdog_model.h"

// A board's own source (firmware/boards) on register models that stand at the addresses of its chip's manual: what of a
// board is no driver, clocks of blocks, pins, interrupts, the way of a fault.

namespace tactus::board::rig {

using hal::cortex_m::FaultCause;
using hal::stm32::model::GpioModel;
using hal::stm32::model::Machine;
using hal::stm32::model::ModelRegister;
using hal::stm32::model::Pin;
using hal::stm32::model::TimerModel;

/// A block, and the bit of its clock.
struct ClockBit {
  hal::stm32::model::Block& block;
  unsigned bit;
};
/// Blocks that listen while their bits are set in a register of the RCC.
inline void NeedClocks(const ModelRegister& word, const std::vector<ClockBit>& clocks) {
  for (const ClockBit& one : clocks) one.block.has_clock = [&word, bit = one.bit] { return (word.bits >> bit & 1u) != 0; };
}

/// Memory at the address of a block, as a reset leaves it.
template <class Registers>
Registers* At(std::uintptr_t address) {
  constexpr std::uintptr_t kPage = 4096;
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
  for (std::uintptr_t page = address / kPage * kPage; page < address + sizeof(Registers); page += kPage) {
    const void* const mapped = mmap(reinterpret_cast<void*>(page), kPage, PROT_READ | PROT_WRITE, kFlags, -1, 0);
    if (mapped == MAP_FAILED && errno != EEXIST) throw std::logic_error("the address of a block is not free");
  }
  return new (reinterpret_cast<void*>(address)) Registers{};
}

/// What has ended the run; kNone: nothing has.
inline FaultCause last_fault = FaultCause::kNone;
inline std::jmp_buf fault_exit;
inline int clock_checks = 0;

[[noreturn]] inline void EndRun(FaultCause cause) {
  last_fault = cause;
  hal::cortex_m::OutputsSafe();
  std::longjmp(fault_exit, 1);
}

/// Runs until its end or a fault.
inline FaultCause FaultOf(const std::function<void()>& run) {
  last_fault = FaultCause::kNone;
  if (setjmp(fault_exit) == 0) run();
  return last_fault;
}

/// The first of a row of checks that has failed; empty: none.
class Findings {
 public:
  void Want(bool is_so, const char* what) {
    if (!is_so && first_.empty()) first_ = what;
  }
  const std::string& first() const { return first_; }

 private:
  std::string first_;
};

/// A pin with the number of its function in the data sheet and its pull (0: none, 1: up, 2: down).
struct Wire {
  const GpioModel& port;
  unsigned pin, function, pull;
  bool is_set_up() const {
    return port.mode(pin) == GpioModel::kAlternate && port.function(pin) == function && port.pull(pin) == pull &&
           port.functions_seen(pin) == 1u << function;
  }
};

/// The six pins of a power stage, and the break's.
struct PowerPins {
  TimerModel& timer;
  std::vector<Wire> positive, negative;
  Wire break_input;

  bool are_set_up() const {
    bool all = break_input.is_set_up();
    for (const Wire& wire : positive) all = all && wire.is_set_up();
    for (const Wire& wire : negative) all = all && wire.is_set_up();
    return all;
  }
  bool are_low() const { return are_set_up() && timer.outputs_held_low(); }
  /// Outputs on, at no current.
  bool are_neutral() {
    bool all = are_set_up() && timer.outputs_on();
    for (int motor = 0; motor < 3; ++motor) all = all && std::abs(timer.Drive(motor)) < 1e-3;  // a count of 1700
    return all;
  }
  /// A contact to ground; open, the pin's pull-up decides.
  void OpenContact(bool open) { timer.SetBreak(break_input.is_set_up() && open && break_input.pull == 1); }
};

/// Lines of the interrupt controller: what of a block's request reaches the board's handler.
template <class Table>
class Interrupts {
 public:
  explicit Interrupts(const Table& table) : table_(table) {
    hal::cortex_m::enabled_interrupts.clear();
    hal::cortex_m::writes_before_barrier = 0;
  }
  /// @returns whether there was a handler that was let through
  bool Fire(int number) {
    if (hal::cortex_m::enabled_interrupts.count(number) == 0) return false;
    table_.interrupts[number]();
    return true;
  }
  int priority(int number) const {
    const auto found = hal::cortex_m::enabled_interrupts.find(number);
    return found == hal::cortex_m::enabled_interrupts.end() ? -1 : found->second;
  }
  void NonMaskable() { table_.system.nmi(); }
  /// One that nobody has switched on.
  void Unexpected() { table_.interrupts[std::size(table_.interrupts) - 1](); }

 private:
  const Table& table_;
};

/// A block listens two clocks behind the write that switches its clock on (RM0090 7.3.10, errata ES0182 2.1.13): nothing
/// else is written before the barrier behind these writes.
inline bool WaitsForItsClocks(const Machine& machine) {
  const auto& log = machine.log;
  const auto other = std::find_if(log.begin(), log.end(), [](const auto& access) { return access.block != "RCC"; });
  return other - log.begin() == static_cast<std::ptrdiff_t>(hal::cortex_m::writes_before_barrier);
}

/// 24 kHz, and a dead time of 500 ns at least and of 512 at most: what the boards say of their bridges.
inline bool IsTimed(TimerModel& timer, double clock_Hz) {
  constexpr double kWatched_us = 100'000;
  const double dead_ns = timer.DeadTime() / clock_Hz * 1e9;
  const int before = timer.updates;
  timer.Run(kWatched_us);
  return dead_ns >= 500 && dead_ns <= 512 && timer.updates - before == 2400;
}

/// The external interrupts' line 16, which is the supply detector's; an edge that a loader has left is pending.
template <template <class> class Registers>
class DetectorLine : public hal::stm32::model::Holding<Registers> {
 public:
  using Word = ModelRegister Registers<ModelRegister>::*;
  struct Words {
    Word rising, mask, pending;
  };
  DetectorLine(Machine& machine, Registers<ModelRegister>* place, const Words& words)
      : hal::stm32::model::Holding<Registers>(machine, "EXTI", place), words_(words) {
    Bits(words_.pending) = kLine;
  }
  /// The supply has fallen below the detector's level.
  void Rise() { Bits(words_.pending) |= Bits(words_.rising) & kLine; }
  bool interrupts() { return (Bits(words_.pending) & Bits(words_.mask) & kLine) != 0; }
  void Write(std::size_t, std::uint32_t value, std::uint32_t& bits) override {
    bits = &bits == &Bits(words_.pending) ? bits & ~value : value;  // cleared by a one
  }

 private:
  static constexpr std::uint32_t kLine = 1u << 16;
  std::uint32_t& Bits(Word word) { return (this->regs().*word).bits; }
  Words words_;
};

/// A link by DMA: its three interrupts, and what of the DMA serves it.
struct LinkLines {
  int usart, receive, send;  ///< numbers of the interrupts
  unsigned receives, sends;  ///< of the DMA's streams or channels
};

/// What a DMA model may reach of a link.
template <class Dma>
void ReachBuffers(Dma& dma, hal::stm32::LinkBuffers& buffers) {
  dma.Reach(buffers.ring.data(), buffers.ring.size());
  dma.Reach(buffers.run.data(), buffers.run.size());
}

/// The interrupts of a chip's link, each once if it is asked for.
template <class Chip>
void ServeLink(Chip& chip) {
  constexpr LinkLines kLink = Chip::kLink;
  if (chip.usart.interrupts()) (void)chip.lines.Fire(kLink.usart);
  if (chip.dma.interrupts(kLink.receives)) (void)chip.lines.Fire(kLink.receive);
  if (chip.dma.interrupts(kLink.sends)) (void)chip.lines.Fire(kLink.send);
}
/// Bytes come over the line, then it falls idle.
template <class Chip>
void SendToBoard(Chip& chip, const std::vector<std::uint8_t>& bytes) {
  for (const std::uint8_t byte : bytes) chip.usart.Receive(byte);
  chip.usart.GoIdle();
  ServeLink(chip);
}
/// What it has sent.
template <class Chip>
std::vector<std::uint8_t> TakeFromBoard(Chip& chip) {
  for (std::size_t before = 1, now = 0; now != before; now = chip.usart.sent.size()) {
    before = chip.usart.sent.size();
    chip.usart.Send(256);
    ServeLink(chip);
  }
  return std::exchange(chip.usart.sent, {});
}

/// Bytes by DMA both ways, each interrupt let through and served.
template <class Chip>
bool Exchanges(Chip& chip, hal::ByteLink& link) {
  constexpr LinkLines kLink = Chip::kLink;
  const std::vector<std::uint8_t> burst{1, 2, 3, 0};
  for (const int line : {kLink.usart, kLink.receive, kLink.send})
    if (chip.lines.priority(line) != hal::cortex_m::kLinkPriority) return false;
  const int ticks = hal::cortex_m::asked_ticks;
  SendToBoard(chip, burst);
  const bool asked = hal::cortex_m::asked_ticks == ticks + 1 && !chip.usart.interrupts();
  for (std::size_t i = burst.size(); i < hal::stm32::kReceiveBytes; ++i) chip.usart.Receive(9);
  ServeLink(chip);
  std::vector<std::uint8_t> room(hal::stm32::kReceiveBytes);
  std::size_t count = 0;
  const bool read = link.Read(room, &count) == Status::kOk && std::equal(burst.begin(), burst.end(), room.begin());
  bool sent = !chip.dma.interrupts(kLink.receives);
  for (int i = 0; i < 2; ++i) {
    sent = sent && link.Write(burst, hal::Lane::kCommand) == Status::kOk;
    chip.usart.Send(10);
    ServeLink(chip);
    sent = sent && chip.usart.sent.size() == burst.size() * static_cast<std::size_t>(i + 1);
  }
  return asked && read && count == hal::stm32::kReceiveBytes && room.back() == 9 && sent;
}

/// A motor of 6 ohm at 12 V with an encoder of 4096 counts, to 1 A and 500 counts a period: docs/boards.md.
template <class Period>
bool DrivesItsMotor(hal::MotorIo& motors, TimerModel& timer, Period period) {
  const hal::MotorTraits& traits = motors.traits();
  const bool is_declared =
      traits.counts_per_turn[0] == 4096 && traits.max_current_A[0] == 1.0f && traits.max_step_counts == 500;
  const bool is_written = motors.Write({0.5f, 0, 0, 0, 0, 0}) == Status::kOk;
  period();
  const bool drives = std::abs(timer.Drive(0) - 0.25) < 1e-3;  // 3 V of 12 V; a count of 1700
  (void)motors.Zero();
  period();
  return is_declared && is_written && drives;
}

inline std::vector<std::uint8_t> LastWords() { return {hal::kLastWords.begin(), hal::kLastWords.end()}; }

/// The second timer's interrupt goes before the link's, comes each 2 ms, is cleared, and looks at the clock.
template <class Lines>
bool GuardChecks(TimerModel& timer, Lines& lines, int number) {
  clock_checks = 0;
  if (lines.priority(number) != hal::cortex_m::kTimerPriority) return false;
  for (int i = 1; i <= 2; ++i) {
    timer.Run(1990);
    if (timer.interrupts()) return false;
    timer.Run(10);
    if (!timer.interrupts() || !lines.Fire(number) || timer.interrupts() || clock_checks != i) return false;
  }
  return true;
}

/// A board's two watchdogs run, let it live and bite a loop that hangs, each by itself.
inline bool Guards(hal::Watchdog& dogs, hal::stm32::model::IwdgModel& independent, hal::stm32::model::WwdgModel& window) {
  dogs.Start(10'000);
  const auto pass = [&](double us) {
    independent.Elapse(us);
    window.Elapse(us);
  };
  for (int i = 0; i < 52; ++i) {  // a whole number of refreshes of the window
    pass(1000);
    dogs.Feed();
  }
  pass(9000);
  if (independent.reset || window.reset) return false;
  pass(2000);
  return independent.reset && window.reset && window.warned;
}

}  // namespace tactus::board::rig

// What the files of the chips say their blocks with.
namespace tactus::board {
using hal::stm32::GpioRegisters;
using hal::stm32::TimerRegisters;
using rig::At;
using rig::FaultCause;
using rig::FaultOf;
namespace model = hal::stm32::model;
template <template <class> class Registers>
using Of = Registers<model::ModelRegister>;
}  // namespace tactus::board

// What a board asks of the core.
namespace tactus::hal::cortex_m {
void ReportFault(FaultCause cause, std::uint32_t, const char*) noexcept { board::rig::EndRun(cause); }
void CheckClockAdvances() noexcept { ++board::rig::clock_checks; }
extern "C" {
void FaultHandler() { board::rig::EndRun(FaultCause::kUnexpected); }
void ResetHandler() {}
void TimerHandler() {}
void TickHandler() {}
std::uint32_t stack_bottom_symbol[1], stack_top_symbol[1];
}
}  // namespace tactus::hal::cortex_m

namespace tactus::hal {
constexpr std::uint8_t kWords[] = {0, 7, 7, 0};
const std::span<const std::uint8_t> kLastWords(kWords);
}  // namespace tactus::hal
