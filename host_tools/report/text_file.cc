#include "host_tools/report/text_file.h"

#include <fmt/core.h>

#include <fstream>

#include "host_tools/link/host_error.h"

namespace tactus::host {

void WriteText(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.flush();
  if (!file) throw HostError(fmt::format("cannot write '{}'", path));
}

void WriteBytes(const std::string& path, std::span<const std::uint8_t> bytes) {
  WriteText(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string InXml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

}  // namespace tactus::host
