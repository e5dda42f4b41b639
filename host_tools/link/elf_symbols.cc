#include "host_tools/link/elf_symbols.h"

#include <elf.h>
#include <fmt/core.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

class ElfFile {
 public:
  explicit ElfFile(const std::string& path) : path_(path) {
    std::ifstream file(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    const Elf32_Ehdr header = At<Elf32_Ehdr>(0);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS32 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB) {
      throw HostError(fmt::format("{} is not a 32-bit little-endian ELF image", path));
    }
    for (std::size_t i = 0; i < header.e_shnum; ++i)
      sections_.push_back(At<Elf32_Shdr>(header.e_shoff + i * sizeof(Elf32_Shdr)));
  }

  template <class T>
  T At(std::size_t offset) const {
    if (offset > bytes_.size() || sizeof(T) > bytes_.size() - offset) {
      throw HostError(fmt::format("{} is missing, cut short, or not an ELF image", path_));
    }
    T item;
    std::memcpy(&item, bytes_.data() + offset, sizeof(T));
    return item;
  }

  bool HasStringAt(std::size_t offset, const std::string& text) const {
    return offset <= bytes_.size() && text.size() < bytes_.size() - offset &&
           std::memcmp(bytes_.data() + offset, text.c_str(), text.size() + 1) == 0;
  }

  const std::vector<Elf32_Shdr>& sections() const { return sections_; }

 private:
  std::string path_;
  std::vector<char> bytes_;
  std::vector<Elf32_Shdr> sections_;
};

}  // namespace

std::uint32_t SymbolAddress(const std::string& elf_path, const std::string& name) {
  const ElfFile elf(elf_path);
  for (const Elf32_Shdr& section : elf.sections()) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= elf.sections().size()) continue;
    const std::size_t names = elf.sections()[section.sh_link].sh_offset;
    for (std::size_t offset = 0; offset + sizeof(Elf32_Sym) <= section.sh_size; offset += sizeof(Elf32_Sym)) {
      const Elf32_Sym symbol = elf.At<Elf32_Sym>(section.sh_offset + offset);
      if (elf.HasStringAt(names + symbol.st_name, name)) return symbol.st_value & ~1u;
    }
  }
  throw HostError(fmt::format("{} has no symbol '{}': is it a Tactus servo image, with its symbols?", elf_path, name));
}

}  // namespace tactus::host
