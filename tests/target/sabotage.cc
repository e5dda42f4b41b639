#include "tests/target/sabotage.h"

#include <algorithm>
#include <array>

#include "hal/cortex_m/fault.h"
#include "hal/cortex_m/interrupts.h"
#include "hal/cortex_m/registers.h"
#include "hal/cortex_m/semihosting.h"
#include "hal/mps2/registers.h"
#include "tactus/core/check.h"

extern "C" std::uint32_t code_end_symbol[], data_memory_begin_symbol[], stack_top_symbol[], data_begin_symbol[],
    bss_end_symbol[];

namespace tactus::target {
namespace {

namespace cortex_m = hal::cortex_m;
using Word = volatile std::uint32_t;

constexpr std::uint32_t kIcsrNmiPendSet = 1u << 31;
constexpr std::uint32_t kMpuOnWithDefaultMap = 5;  // as ProtectMemory leaves it

Word* At(std::uint32_t address) { return reinterpret_cast<Word*>(address & ~3u); }
std::uint32_t AddressOf(const void* pointer) { return reinterpret_cast<std::uint32_t>(pointer); }

/// If all else goes on, an interrupt that nobody switched on ends it: the dual timer, once, in 10 ms.
void StartBackstop() {
  constexpr std::uint32_t kDualTimer = 0x40002000u, kEnabledOnce32Bits = 0xA3u;
  constexpr int kDualTimerInterrupt = 10;
  *At(kDualTimer) = 10'000u * (hal::mps2::kCore_Hz / 1'000'000u);
  *At(kDualTimer + 8) = kEnabledOnce32Bits;
  cortex_m::EnableInterrupt(kDualTimerInterrupt, 0);
}

/// From here on the stack is what the corruption made of it: no calls, no locals in memory.
[[noreturn, gnu::always_inline]] inline void FaultWithStackAt(std::uint32_t stack_pointer) {
  asm volatile("msr msp, %0\n udf #0" : : "r"(stack_pointer));
  __builtin_unreachable();
}

/// To where a chip would answer with a fault, if with anything. From the hole between the memories and from the code memory
/// behind the image the emulator fetches zeros, instructions that do nothing, until it comes to code again.
void Jump(std::uint32_t address) {
  constexpr std::uint32_t kHoleEnd = 0x20000000u;
  if (AddressOf(code_end_symbol) <= address && address < kHoleEnd) address += kHoleEnd;
  reinterpret_cast<void (*)()>(address)();
}

}  // namespace

Sabotage::Sabotage(std::uint32_t seed) : state_(seed * 2654435761u + 1u), tick_(0), in_tick_(false) {
  if (state_ == 0) state_ = 1;
  tick_ = 16 + Below(8);
  in_tick_ = Below(2) == 0;
}

std::uint32_t Sabotage::Random() {
  state_ ^= state_ << 13;
  state_ ^= state_ >> 17;
  state_ ^= state_ << 5;
  return state_;
}

std::uint32_t Sabotage::AnyAddress() {
  switch (Below(4)) {
    case 0: return Random();
    case 1: return AddressOf(data_memory_begin_symbol) + Below(1u << 22);
    case 2: return Below(AddressOf(code_end_symbol));
    default: return 0xFFFFFFF0u + Below(16);
  }
}

void Sabotage::SendHalfAFrame(int fifo) {
  std::array<std::uint8_t, 16> bytes;
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(1 + Below(255));
  const std::span<const std::uint8_t> half(bytes.data(), Below(bytes.size()));
  if (fifo != 0) {
    cortex_m::semihosting::Write(fifo, half);
    return;
  }
  for (const std::uint8_t byte : half) hal::mps2::Uart0().data = byte;
}

void Sabotage::Corrupt() {
  const std::uint32_t begin = AddressOf(data_memory_begin_symbol), end = AddressOf(bss_end_symbol);
  const std::uint32_t words = (end - begin) / 4, kind = Below(8);
  const std::uint32_t first = AddressOf(data_begin_symbol), here = AddressOf(__builtin_frame_address(0));
  std::uint32_t low = begin + 4 * Below(words), high = low + 4 * (1 + Below(1u << Below(14)));
  if (kind == 2) low = begin, high = end;                          // everything
  if (kind == 3) low = first, high = end;                          // all variables
  if (kind == 4) low = here, high = AddressOf(stack_top_symbol);   // the live part of the stack
  if (kind == 5) low = AddressOf(stack_top_symbol), high = first;  // fault stacks and .noinit
  const bool scattered = kind < 2;                                 // single words, or single bits
  const std::uint32_t fills[] = {0, 0xFFFFFFFFu, AnyAddress(), begin + 4 * Below(words)};
  const std::uint32_t fill = fills[Below(4)];
  const bool random_fill = Below(2) == 0;
  high = std::min(high, end);
  cortex_m::Mpu().ctrl = 0;
  if (scattered) {
    for (std::uint32_t left = 1 + Below(512); left > 0; --left) {
      Word* const word = At(begin + 4 * Below(words));
      *word = kind == 0 ? Random() : *word ^ (1u << Below(32));
    }
    return;
  }
  std::uint32_t noise = Random() | 1u;  // Random's own state may be overwritten on the way
  for (std::uint32_t address = low; address < high; address += 4) {
    noise = noise * 1664525u + 1013904223u;
    *At(address) = random_fill ? noise : fill;
  }
}

void Sabotage::ProtectAnything() {
  switch (Below(3)) {
    case 0: return;                                               // off
    case 1: cortex_m::Mpu().ctrl = kMpuOnWithDefaultMap; return;  // as it was
    default: break;
  }
  for (std::uint32_t region = 0; region < 8; ++region) {
    cortex_m::Mpu().rnr = region;
    cortex_m::Mpu().rbar = AnyAddress() & ~31u;
    cortex_m::Mpu().rasr = Random();
  }
  cortex_m::Mpu().ctrl = Random() & 5u;  // not HFNMIENA: with it the core may not even fetch a handler, and locks up
}

/// The next instruction, or the one after, is the fault.
void Sabotage::RaiseAtOnce() {
  switch (Below(8)) {
    case 0: asm volatile("udf #0"); break;
    case 1: (void)*At(0x90000000u + Below(1u << 24)); break;
    case 2: *At(0xA0000000u + Below(1u << 24)) = 0; break;
    case 3: TACTUS_CHECK(state_ == 0 && state_ == 1); break;
    case 4: CheckFailed(reinterpret_cast<const char*>(AnyAddress()), nullptr, 1); break;
    case 5: cortex_m::Scb().icsr = kIcsrNmiPendSet; break;
    case 6:
      cortex_m::EnableInterrupt(20, 0);
      *At(0xE000E200u) = 1u << 20;  // NVIC, set pending
      break;
    default: FaultWithStackAt(AddressOf(data_memory_begin_symbol) + Below(1u << 16));
  }
}

/// Something else may run before the fault.
void Sabotage::Raise() {
  switch (Below(6)) {
    case 0: Jump(Random()); break;
    case 1: Jump(AnyAddress()); break;
    case 2: Jump(AddressOf(data_memory_begin_symbol) + Below(1u << 22) + 1); break;
    case 3: FaultWithStackAt(AnyAddress());
    case 4: cortex_m::SysTick().csr = 0; break;
    default: break;  // what the corrupted program does by itself
  }
}

// Where a product has flash, the MPS2 has RAM with the vectors and the code in it, and only memory protection keeps a
// program that runs on from writing there: it is disturbed where the fault comes at once.
void Sabotage::Do(int fifo) {
  SendHalfAFrame(fifo);
  StartBackstop();
  const bool at_once = Below(2) == 0;
  Corrupt();
  if (at_once) {
    ProtectAnything();
    RaiseAtOnce();
  }
  cortex_m::Mpu().ctrl = kMpuOnWithDefaultMap;
  Raise();
}

}  // namespace tactus::target
