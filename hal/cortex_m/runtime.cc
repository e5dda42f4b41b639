#include <cstddef>
#include <cstdint>

#include "hal/cortex_m/fault.h"

// What the compiler expects of a C and C++ run time when there is none. Compiled with -fno-tree-loop-distribute-patterns:
// otherwise the compiler would turn these loops into calls of themselves.

using tactus::hal::cortex_m::FaultCause;
using tactus::hal::cortex_m::ReportFault;

namespace {
bool Aligned(const void* a, const void* b) {
  return ((reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(b)) & 3u) == 0;
}
using AliasWord [[gnu::may_alias]] = std::uint32_t;

// Sixteen bytes at a time: solutions and workspaces of some kilobytes are copied and cleared in every tick.
struct [[gnu::may_alias]] AliasBlock {
  AliasWord a, b, c, d;
};

void CopyForwards(void* to, const void* from, std::size_t size) {
  auto* out = static_cast<unsigned char*>(to);
  const auto* in = static_cast<const unsigned char*>(from);
  if (Aligned(to, from)) {
    for (; size >= 16; size -= 16, out += 16, in += 16)
      *reinterpret_cast<AliasBlock*>(out) = *reinterpret_cast<const AliasBlock*>(in);
    for (; size >= 4; size -= 4, out += 4, in += 4)
      *reinterpret_cast<AliasWord*>(out) = *reinterpret_cast<const AliasWord*>(in);
  }
  while (size-- > 0) *out++ = *in++;
}

void CopyBackwards(void* to, const void* from, std::size_t size) {
  auto* out = static_cast<unsigned char*>(to);
  const auto* in = static_cast<const unsigned char*>(from);
  while (size-- > 0) out[size] = in[size];
}
}  // namespace

extern "C" {

void* memcpy(void* __restrict to, const void* __restrict from, std::size_t size) {
  CopyForwards(to, from, size);
  return to;
}

void* memmove(void* to, const void* from, std::size_t size) {
  to <= from ? CopyForwards(to, from, size) : CopyBackwards(to, from, size);
  return to;
}

void* memset(void* to, int value, std::size_t size) {
  auto* out = static_cast<unsigned char*>(to);
  const auto byte = static_cast<unsigned char>(value);
  if (Aligned(to, to)) {
    const AliasWord word = byte * 0x01010101u;
    for (; size >= 16; size -= 16, out += 16) *reinterpret_cast<AliasBlock*>(out) = {word, word, word, word};
    for (; size >= 4; size -= 4, out += 4) *reinterpret_cast<AliasWord*>(out) = byte * 0x01010101u;
  }
  while (size-- > 0) *out++ = byte;
  return to;
}

int memcmp(const void* a, const void* b, std::size_t size) {
  const auto* x = static_cast<const unsigned char*>(a);
  const auto* y = static_cast<const unsigned char*>(b);
  for (; size > 0; --size, ++x, ++y) {
    if (*x != *y) return *x - *y;
  }
  return 0;
}

std::size_t strlen(const char* text) {
  std::size_t length = 0;
  while (text[length] != '\0') ++length;  // ends: the zero, strlen's contract
  return length;
}

// Destructors of objects with static storage never run: the program does not end.
int __aeabi_atexit(void*, void (*)(void*), void*) { return 0; }
void* __dso_handle = nullptr;

// The assert of a library that we include: flatbuffers' arrays.
[[noreturn]] void __assert_func(const char*, int line, const char*, const char* condition) {
  ReportFault(FaultCause::kCheckFailed, static_cast<std::uint32_t>(line), condition);
}

void __cxa_pure_virtual() { ReportFault(FaultCause::kPureVirtual, 0); }
}

// A virtual destructor refers to it; nothing can call it, since nothing can call new.
void operator delete(void*) noexcept { ReportFault(FaultCause::kDelete, 0); }
void operator delete(void*, std::size_t) noexcept { ReportFault(FaultCause::kDelete, 0); }
