#pragma once
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <string>
#include <utility>

namespace tactus::host {

/// Call first in main(). Standard streams that are closed get a descriptor of their own that cannot be used, so that no file
/// opened later takes their place and reading or writing them still fails.
inline void ReserveStandardStreams() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    const int opened = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // the lowest that is free
    if (opened > STDERR_FILENO) close(opened);
  }
}

/// Prints a line to standard error; when that cannot be written there is nobody left to tell.
template <class... Args>
void PrintError(fmt::format_string<Args...> text, Args&&... args) {
  const std::string line = fmt::format(text, std::forward<Args>(args)...) + "\n";
  std::size_t written = 0;
  while (written < line.size()) {
    const ssize_t count = write(STDERR_FILENO, line.data() + written, line.size() - written);
    if (count <= 0) return;
    written += static_cast<std::size_t>(count);
  }
}

}  // namespace tactus::host
