#pragma once
#include <unistd.h>

#include <cstddef>

namespace tactus::bench {

/// @returns false: the other end is gone
inline bool ReadAll(int descriptor, void* data, std::size_t size) {
  char* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t count = read(descriptor, at, size);
    if (count <= 0) return false;
    at += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}
inline bool WriteAll(int descriptor, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t count = write(descriptor, at, size);
    if (count <= 0) return false;
    at += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace tactus::bench
