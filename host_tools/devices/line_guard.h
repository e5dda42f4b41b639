#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace tactus::host {

/// What takes all force away from a device: `first`, if there is any, then `then`, each in one write.
struct LastWords {
  std::span<const std::uint8_t> first = {}, then = {};
};

/// For a device without a watchdog, or with a slow one: a child process that waits for the end of this one, whatever ends it
/// - SIGKILL, a crash, no memory - and then says the device's last words on its line, three times. It cannot help where the
/// computer stops or the line is cut.
class LineGuard {
 public:
  /// @param path  of a terminal
  /// @throws HostError: no process to have.
  LineGuard(const std::string& path, unsigned baud, const LastWords& last_words);
  /// @param speak  says them, in the child
  explicit LineGuard(const std::function<void()>& speak);
  ~LineGuard();  ///< the last words too; waits until they are said
  LineGuard(const LineGuard&) = delete;
  LineGuard& operator=(const LineGuard&) = delete;

 private:
  int pid_ = -1, pipe_ = -1;
};

}  // namespace tactus::host
