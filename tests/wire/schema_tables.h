#pragma once
#include "tactus/wire/constexpr_endian.h"  // before FlatBuffers' own headers

#include <flatbuffers/reflection_generated.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tactus::wire {

/// The compiled schema (flatc --binary --schema --bfbs-comments), as bytes of a file.
class Schema {
 public:
  explicit Schema(const std::string& path);

  /// Names of all structs and enums, without the namespace.
  std::vector<std::string> names() const;

  /// The Markdown table of a struct or an enum, from the schema's layout and comments; nullopt: no such name.
  std::optional<std::string> Table(std::string_view name) const;

  /// The struct's fields, in the order of the schema; nullptr: no such struct.
  const reflection::Object* Struct(std::string_view name) const;

 private:
  const reflection::Schema& root() const { return *reflection::GetSchema(bytes_.data()); }
  std::string TypeName(const reflection::Type& type) const;
  std::string StructTable(const reflection::Object& object) const;

  std::string bytes_;
};

/// `text` with what stands between "<!-- schema: Name -->" and "<!-- end -->" replaced by that table, for every such place.
std::string WithTables(std::string_view text, const Schema& schema);

std::string ReadFile(const std::string& path);

}  // namespace tactus::wire
