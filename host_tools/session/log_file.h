#pragma once
#include <cstdint>
#include <fstream>
#include <functional>
#include <span>
#include <string>

#include "tactus/wire/log.h"

namespace tactus::host {

/// Writes a recording (docs/wire.md, section 9) to a file, frame by frame.
class LogFile {
 public:
  /// @throws HostError: the file cannot be made.
  explicit LogFile(const std::string& path);

  /// @throws HostError: the disk is full.
  void Add(wire::LogDirection direction, std::span<const std::uint8_t> frame);

  /// Writes the end, without which a recording counts as torn. Call once, after the last frame.
  void Close();

  const std::string& path() const { return path_; }

 private:
  void Put(const void* bytes, std::size_t size);

  std::string path_;
  std::ofstream file_;
  wire::LogWriter writer_;
};

/// Calls `on_frame` for every frame of a recording, in order.
///
/// @returns empty: the recording is whole. Else how and where it is damaged or torn; the frames before that were handed out.
/// @throws HostError: the file cannot be read. (kExitFailed): it is no recording, or breaks off before its first record.
[[nodiscard]] std::string ReadLog(const std::string& path,
                                  const std::function<void(wire::LogDirection, const wire::Frame&)>& on_frame);

}  // namespace tactus::host
