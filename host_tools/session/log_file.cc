#include "host_tools/session/log_file.h"

#include <fmt/core.h>

#include <array>
#include <filesystem>

#include "host_tools/link/host_error.h"

namespace tactus::host {

LogFile::LogFile(const std::string& path) : path_(path), file_(path, std::ios::binary | std::ios::trunc) {
  if (!file_) throw HostError(fmt::format("cannot write the recording '{}'", path));
  Put(wire::kLogHead.data(), wire::kLogHead.size());
}

void LogFile::Add(wire::LogDirection direction, std::span<const std::uint8_t> frame) {
  const char byte = static_cast<char>(direction);
  Put(&byte, 1);
  Put(frame.data(), frame.size());
  writer_.Add(direction, frame);
}

void LogFile::Close() {
  std::array<std::uint8_t, wire::LogWriter::kEndSize> end{};
  const std::size_t size = writer_.End(end);
  Put(end.data(), size);
  file_.close();
  if (!file_) throw HostError(fmt::format("cannot write the recording '{}'", path_));
}

void LogFile::Put(const void* bytes, std::size_t size) {
  file_.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  if (!file_) throw HostError(fmt::format("cannot write the recording '{}': is the disk full?", path_));
}

std::string ReadLog(const std::string& path, const std::function<void(wire::LogDirection, const wire::Frame&)>& on_frame) {
  if (!std::filesystem::exists(path)) throw HostError(fmt::format("there is no recording '{}'", path));
  if (!std::filesystem::is_regular_file(path))
    throw HostError(fmt::format("'{}' is a folder or a device, not a recording: give a file made with --log", path));
  std::ifstream file(path, std::ios::binary);
  if (!file) throw HostError(fmt::format("cannot read '{}'", path));
  wire::LogReader reader;
  std::array<char, 65536> chunk;
  while (file.read(chunk.data(), chunk.size()), file.gcount() > 0) {
    for (std::streamsize i = 0; i < file.gcount(); ++i) {
      const Status status = reader.Push(static_cast<std::uint8_t>(chunk[static_cast<std::size_t>(i)]));
      if (status == Status::kOk) on_frame(reader.direction(), reader.frame());
      if (status == Status::kCorrupt) break;
    }
    if (reader.problem() != nullptr) break;
  }
  if (reader.Finish() == Status::kClosed) return {};
  const std::string damage =
      fmt::format("{}: {}, at byte {} after {} good records", path, reader.problem(), reader.offset(), reader.records());
  if (reader.records() == 0) throw HostError(damage, kExitFailed);
  return damage;
}

}  // namespace tactus::host
