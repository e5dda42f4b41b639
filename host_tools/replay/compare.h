#pragma once
#include <cstring>
#include <string>

#include "tactus/wire/message.h"

namespace tactus::host {

/// The first field whose bits differ, with both values; empty: the messages are equal. `a` and `b` are structs of `type`.
std::string FirstDifference(const flatbuffers::TypeTable& type, std::size_t size, const void* a, const void* b);

/// The same for two messages.
template <wire::Message M>
std::string FirstDifference(const M& a, const M& b) {
  if (std::memcmp(&a, &b, sizeof(M)) == 0) return {};
  return FirstDifference(*M::MiniReflectTypeTable(), sizeof(M), &a, &b);
}

}  // namespace tactus::host
