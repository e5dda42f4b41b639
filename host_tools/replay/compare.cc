#include "host_tools/replay/compare.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

namespace tactus::host {
namespace {

template <class T>
T At(const void* bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, static_cast<const char*>(bytes) + offset, sizeof(T));
  return value;
}

std::size_t SizeOf(flatbuffers::ElementaryType type) {
  switch (type) {
    case flatbuffers::ET_FLOAT:
    case flatbuffers::ET_UINT:
    case flatbuffers::ET_INT: return 4;
    case flatbuffers::ET_DOUBLE:
    case flatbuffers::ET_ULONG: return 8;
    case flatbuffers::ET_USHORT: return 2;
    default: return 1;
  }
}

/// Numbers with enough digits to tell neighbours apart.
std::string Text(flatbuffers::ElementaryType type, const void* bytes, std::size_t offset) {
  switch (type) {
    case flatbuffers::ET_FLOAT: return fmt::format("{:.9g}", At<float>(bytes, offset));
    case flatbuffers::ET_DOUBLE: return fmt::format("{:.17g}", At<double>(bytes, offset));
    case flatbuffers::ET_UINT: return fmt::format("{}", At<std::uint32_t>(bytes, offset));
    case flatbuffers::ET_INT: return fmt::format("{}", At<std::int32_t>(bytes, offset));
    case flatbuffers::ET_ULONG: return fmt::format("{:#018x}", At<std::uint64_t>(bytes, offset));
    case flatbuffers::ET_USHORT: return fmt::format("{}", At<std::uint16_t>(bytes, offset));
    default: return fmt::format("{}", At<std::uint8_t>(bytes, offset));
  }
}

}  // namespace

std::string FirstDifference(const flatbuffers::TypeTable& type, std::size_t size, const void* a, const void* b) {
  const char* const first = static_cast<const char*>(a);
  const std::size_t differs_at =
      static_cast<std::size_t>(std::mismatch(first, first + size, static_cast<const char*>(b)).first - first);
  for (std::size_t i = type.num_elems; i-- > 0;) {
    const std::size_t begin = static_cast<std::size_t>(type.values[i]);
    if (begin > differs_at) continue;
    const auto kind = static_cast<flatbuffers::ElementaryType>(type.type_codes[i].base_type);
    const std::size_t element = (differs_at - begin) / SizeOf(kind), at = begin + element * SizeOf(kind);
    const bool is_array = type.type_codes[i].is_repeating != 0;
    return fmt::format("{}{}: {} and {}", type.names[i], is_array ? fmt::format("[{}]", element) : "", Text(kind, a, at),
                       Text(kind, b, at));
  }
  return "no named field";
}

}  // namespace tactus::host
