#include "host_tools/link/elf_symbols.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>

#include "host_tools/link/host_error.h"
#include "temporary_file.h"

namespace tactus::host {
namespace {

/// An ELF file of nothing but a symbol table with the function `tick` at 0x2a1 (Thumb) and its names.
std::vector<char> SmallElf() {
  struct Layout {
    Elf32_Ehdr header{};
    Elf32_Shdr sections[2]{};
    Elf32_Sym symbols[2]{};
    char names[8] = "\0tick";
  } file;
  std::memcpy(file.header.e_ident, ELFMAG, SELFMAG);
  file.header.e_ident[EI_CLASS] = ELFCLASS32;
  file.header.e_ident[EI_DATA] = ELFDATA2LSB;
  file.header.e_shoff = offsetof(Layout, sections);
  file.header.e_shnum = 2;
  file.sections[0].sh_type = SHT_SYMTAB;
  file.sections[0].sh_offset = offsetof(Layout, symbols);
  file.sections[0].sh_size = sizeof(file.symbols);
  file.sections[0].sh_link = 1;
  file.sections[1].sh_offset = offsetof(Layout, names);
  file.symbols[1].st_name = 1;
  file.symbols[1].st_value = 0x2a1;
  std::vector<char> bytes(sizeof(file));
  std::memcpy(bytes.data(), &file, sizeof(file));
  return bytes;
}

TEST(SymbolAddress, IsWithoutTheThumbBit) {
  const TemporaryFile file("elf");
  file.Write(SmallElf());
  EXPECT_EQ(SymbolAddress(file.path(), "tick"), 0x2a0u);
}

TEST(SymbolAddress, ThrowsWhenThereIsNoSuchSymbol) {
  const TemporaryFile file("elf");
  file.Write(SmallElf());
  EXPECT_THROW(static_cast<void>(SymbolAddress(file.path(), "tic")), HostError);
  EXPECT_THROW(static_cast<void>(SymbolAddress(file.path(), "ticks")), HostError);
}

TEST(SymbolAddress, ThrowsForEveryTornFile) {
  const TemporaryFile file("elf");
  for (std::size_t size = 0; size + 3 < SmallElf().size(); ++size) {  // the last three bytes are not part of any name
    std::vector<char> bytes = SmallElf();
    bytes.resize(size);
    file.Write(bytes);
    EXPECT_THROW(static_cast<void>(SymbolAddress(file.path(), "tick")), HostError) << size;
  }
}

TEST(SymbolAddress, ThrowsForAFileThatIsNoElfImage) {
  const TemporaryFile file("elf");
  file.Write(std::vector<char>(500, 'x'));
  EXPECT_THROW(static_cast<void>(SymbolAddress(file.path(), "tick")), HostError);
}

}  // namespace
}  // namespace tactus::host
