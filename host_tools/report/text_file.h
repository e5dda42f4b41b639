#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tactus::host {

/// Writes a whole file. @throws HostError: cannot be written
void WriteText(const std::string& path, std::string_view text);
void WriteBytes(const std::string& path, std::span<const std::uint8_t> bytes);

/// As text in XML, also in an attribute; what XML cannot hold becomes a space.
std::string InXml(std::string_view text);

}  // namespace tactus::host
