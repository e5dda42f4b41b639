#pragma once
#include <cstddef>
#include <cstdint>

#include "tactus/wire/message.h"

namespace tactus::wire {

/// Stands for no field in Ack.field.
inline constexpr std::uint16_t kNoField = 0xFFFF;

/// Whether two texts are equal.
constexpr bool IsName(const char* text, const char* name) {
  for (; *text != '\0' && *text == *name; ++text, ++name) {
  }
  return *text == *name;
}

/// Finds the fields of message `M`. It looks from where it found the last one on: fields that are asked for in the order of
/// the message cost one comparison each.
template <Message M>
class FieldFinder {
 public:
  /// Place of a field, in bytes; kNoField: there is none of that name.
  std::uint16_t Offset(const char* name) noexcept {
    const flatbuffers::TypeTable& fields = *M::MiniReflectTypeTable();
    for (std::size_t i = 0; i < fields.num_elems; ++i) {
      const std::size_t at = (next_ + i) % fields.num_elems;
      if (!IsName(name, fields.names[at])) continue;
      next_ = at + 1;
      return static_cast<std::uint16_t>(fields.values[at]);
    }
    return kNoField;
  }

 private:
  std::size_t next_ = 0;
};

/// Place of a field in message `M`, in bytes: FieldOffset<Config>("limits_max_force_N"). kNoField: there is none of that
/// name.
template <Message M>
std::uint16_t FieldOffset(const char* name) noexcept {
  return FieldFinder<M>().Offset(name);
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
