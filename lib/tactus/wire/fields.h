#pragma once
#include <cstddef>
#include <cstdint>

#include "tactus/wire/message.h"

namespace tactus::wire {

/// Stands for no field in Ack.field.
inline constexpr std::uint16_t kNoField = 0xFFFF;

/// Whether `path` means the field `name`: equal, but that the path may have a dot where the name has an underscore.
constexpr bool IsPathOf(const char* path, const char* name) {
  for (; *path != '\0' && *name != '\0'; ++path, ++name) {
    if (*path != *name && !(*path == '.' && *name == '_')) return false;
  }
  return *path == *name;
}

/// Place of a field in message `M`, in bytes: FieldOffset<Config>("limits.max_force_N"). kNoField: there is none of that
/// name.
template <Message M>
std::uint16_t FieldOffset(const char* path) noexcept {
  const flatbuffers::TypeTable& fields = *M::MiniReflectTypeTable();
  for (std::size_t i = 0; i < fields.num_elems; ++i) {
    if (IsPathOf(path, fields.names[i])) return static_cast<std::uint16_t>(fields.values[i]);
  }
  return kNoField;
}

/// Name of the field of message `M` that starts at `offset`; nullptr: none does.
template <Message M>
const char* FieldName(std::size_t offset) noexcept {
  const flatbuffers::TypeTable& fields = *M::MiniReflectTypeTable();
  for (std::size_t i = 0; i < fields.num_elems; ++i) {
    if (static_cast<std::size_t>(fields.values[i]) == offset) return fields.names[i];
  }
  return nullptr;
}

}  // namespace tactus::wire
