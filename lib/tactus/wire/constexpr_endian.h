#pragma once
#include <flatbuffers/base.h>

#include <cstdint>

// Messages whose bytes the compiler computes, for memory that nothing can overwrite: FlatBuffers' own EndianScalar is not
// constexpr. Seen before any use of it, so before every generated header. Little endian on every target, as on the wire.

static_assert(FLATBUFFERS_LITTLEENDIAN == 1);

namespace flatbuffers {

template <>
constexpr std::uint8_t EndianScalar(std::uint8_t value) {
  return value;
}
template <>
constexpr std::uint16_t EndianScalar(std::uint16_t value) {
  return value;
}
template <>
constexpr std::uint32_t EndianScalar(std::uint32_t value) {
  return value;
}

}  // namespace flatbuffers
