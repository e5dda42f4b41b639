#pragma once
#include <cstdint>
#include <string>

namespace tactus::host {

/// Address of a symbol in a 32-bit little-endian ELF file, without the Thumb bit.
///
/// @throws HostError: not such a file, no symbol table, or no such symbol.
std::uint32_t SymbolAddress(const std::string& elf_path, const std::string& name);

}  // namespace tactus::host
