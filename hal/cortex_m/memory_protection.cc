#include "hal/cortex_m/memory_protection.h"

#include "hal/cortex_m/registers.h"

#ifndef __ARM_ARCH_7EM__
#error "Armv7-M's memory protection unit: Armv8-M has other registers in its place"
#endif

extern "C" {
extern std::uint32_t code_begin_symbol[], data_memory_begin_symbol[], stack_guard_symbol[], hot_begin_symbol[],
    bulk_begin_symbol[], shared_begin_symbol[];
// Absolute symbols: log2 of the sizes of the memories and of the guards.
extern char code_size_log2_symbol[], data_size_log2_symbol[], stack_guard_log2_symbol[], null_guard_log2_symbol[],
    hot_size_log2_symbol[], bulk_size_log2_symbol[], shared_size_log2_symbol[];
}

namespace tactus::hal::cortex_m {
namespace {

constexpr std::uint32_t kReadOnly = 6u << 24, kReadWrite = 3u << 24, kNoAccess = 0u << 24;
constexpr std::uint32_t kExecuteNever = 1u << 28;
constexpr std::uint32_t kWriteThrough = 1u << 17;  // normal memory, cacheable, not shared
/// A Cortex-M7 to r1p1 may lose data in a cache that writes through (Arm's erratum 1259864; ES0392 2.1.1).
constexpr std::uint32_t kWriteBack = 3u << 16;
constexpr std::uint32_t kNotCached = 1u << 19;  // normal memory all the same: unaligned words are allowed
constexpr std::uint32_t kEnable = 1u, kPrivilegedDefaultMap = 1u << 2;

/// A region of 2^size_log2 bytes. Where regions overlap the higher number wins.
void SetRegion(std::uint32_t number, const void* begin, std::uint32_t size_log2, std::uint32_t attributes,
               std::uint32_t caching = kWriteThrough) {
  Mpu().rnr = number;
  Mpu().rbar = reinterpret_cast<std::uint32_t>(begin);
  Mpu().rasr = attributes | caching | ((size_log2 - 1u) << 1) | 1u;
}

/// The compiler takes no address of an object for 0; that of an absolute symbol may be.
std::uint32_t SizeLog2(const char* absolute_symbol) {
  std::uint32_t size_log2 = reinterpret_cast<std::uint32_t>(absolute_symbol);
  asm("" : "+r"(size_log2));
  return size_log2;
}

const void* MemoryOf(const void* place, std::uint32_t size_log2) {
  return reinterpret_cast<const void*>(reinterpret_cast<std::uint32_t>(place) >> size_log2 << size_log2);
}

}  // namespace

void ProtectMemory() {
  SetRegion(0, code_begin_symbol, SizeLog2(code_size_log2_symbol), kReadOnly);
  SetRegion(1, data_memory_begin_symbol, SizeLog2(data_size_log2_symbol), kReadWrite | kExecuteNever);
  SetRegion(2, stack_guard_symbol, SizeLog2(stack_guard_log2_symbol), kNoAccess | kExecuteNever);
  if (SizeLog2(hot_size_log2_symbol) != 0)  // the memory begins where an alignment of its own length says
    SetRegion(3, MemoryOf(hot_begin_symbol, SizeLog2(hot_size_log2_symbol)), SizeLog2(hot_size_log2_symbol), kReadOnly);
  if (SizeLog2(null_guard_log2_symbol) != 0)
    SetRegion(4, nullptr, SizeLog2(null_guard_log2_symbol), kNoAccess | kExecuteNever);
  if (SizeLog2(bulk_size_log2_symbol) != 0)
    SetRegion(5, MemoryOf(bulk_begin_symbol, SizeLog2(bulk_size_log2_symbol)), SizeLog2(bulk_size_log2_symbol),
              kReadWrite | kExecuteNever, kWriteBack);
  if (SizeLog2(shared_size_log2_symbol) != 0)
    SetRegion(6, MemoryOf(shared_begin_symbol, SizeLog2(shared_size_log2_symbol)), SizeLog2(shared_size_log2_symbol),
              kReadWrite | kExecuteNever, kNotCached);
  asm volatile("dsb" ::: "memory");
  Mpu().ctrl = kEnable | kPrivilegedDefaultMap;
  asm volatile("dsb\n isb" ::: "memory");
}

}  // namespace tactus::hal::cortex_m
