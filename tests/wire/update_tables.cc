// Writes the tables of a document anew from the compiled schema: wire_update_tables SCHEMA.bfbs docs/wire.md
#include <cstdio>
#include <exception>
#include <fstream>

#include "schema_tables.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s SCHEMA.bfbs DOCUMENT.md\n", argv[0]);
    return 2;
  }
  try {
    const std::string text = tactus::wire::WithTables(tactus::wire::ReadFile(argv[2]), tactus::wire::Schema(argv[1]));
    std::ofstream(argv[2], std::ios::binary) << text;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
