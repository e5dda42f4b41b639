#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>

// Models and drivers share the layouts and the bits of hal/stm32's headers: a header that is wrong is wrong for both. So the
// manual's numbers stand here once more, as numbers.

namespace tactus::hal::stm32::manual {

/// A register by its name in the manual, and its address there.
struct Place {
  const char* name;
  const volatile void* ours;
  std::uintptr_t address;
};

/// Bits by their names in the manual: register, field, what its value means.
struct Bits {
  const char* name;
  std::uint32_t ours, bits;
};

constexpr std::uint32_t Bit(unsigned number) { return 1u << number; }
/// Of a field whose lowest bit has this number.
constexpr std::uint32_t Field(std::uint32_t value, unsigned lowest) { return value << lowest; }

inline void ExpectPlaces(std::initializer_list<Place> places) {
  for (const Place& place : places) EXPECT_EQ(reinterpret_cast<std::uintptr_t>(place.ours), place.address) << place.name;
}

inline void ExpectBits(std::initializer_list<Bits> all) {
  for (const Bits& one : all) EXPECT_EQ(one.ours, one.bits) << one.name;
}

}  // namespace tactus::hal::stm32::manual
