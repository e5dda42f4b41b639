#include "schema_tables.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

namespace tactus::wire {
namespace {

const std::map<reflection::BaseType, std::string> kScalarNames = {
    {reflection::UByte, "u8"},  {reflection::UShort, "u16"}, {reflection::UInt, "u32"},  {reflection::ULong, "u64"},
    {reflection::Short, "i16"}, {reflection::Int, "i32"},    {reflection::Float, "f32"}, {reflection::Double, "f64"}};

std::string ShortName(const flatbuffers::String* name) {
  const std::string full = name->str();
  return full.substr(full.rfind('.') + 1);
}

using Lines = flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>>;

std::string Text(const Lines* comment) {
  std::string text;
  if (comment == nullptr) return text;
  for (const flatbuffers::String* line : *comment) text += line->str();
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

/// "[N/m] meaning" -> {"N/m", "meaning"}; "[m/s], [rad/s] meaning" -> {"m/s, rad/s", "meaning"}.
std::pair<std::string, std::string> SplitUnit(const std::string& comment) {
  const std::size_t close = comment.rfind("] ");
  if (comment.empty() || comment.front() != '[' || close == std::string::npos)
    throw std::runtime_error("no unit: " + comment);
  std::string unit = comment.substr(1, close - 1);
  for (std::size_t at; (at = unit.find("], [")) != std::string::npos;) unit.replace(at, 4, ", ");
  return {unit, comment.substr(close + 2)};
}

std::string EnumTable(const reflection::Enum& definition) {
  // The compiled schema keeps no trace of bit_flags; an enum has a zero here, a set of bits has none.
  const bool is_bits = definition.values()->Get(0)->value() != 0;
  std::string table =
      is_bits ? "| bit | value | name | meaning |\n|---:|---:|---|---|\n" : "| value | name | meaning |\n|---:|---|---|\n";
  for (const reflection::EnumVal* value : *definition.values()) {
    const auto number = static_cast<unsigned long long>(value->value());
    if (is_bits) table += "| " + std::to_string(__builtin_ctzll(number)) + " ";
    table += "| " + std::to_string(number) + " | `" + value->name()->str() + "` | " + Text(value->documentation()) + " |\n";
  }
  return table;
}

std::vector<const reflection::Field*> InOrder(const reflection::Object& object) {
  std::vector<const reflection::Field*> fields(object.fields()->begin(), object.fields()->end());
  std::sort(fields.begin(), fields.end(), [](const auto* a, const auto* b) { return a->offset() < b->offset(); });
  return fields;
}

}  // namespace

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Schema::Schema(const std::string& path) : bytes_(ReadFile(path)) {
  flatbuffers::Verifier verifier(reinterpret_cast<const std::uint8_t*>(bytes_.data()), bytes_.size());
  if (!reflection::VerifySchemaBuffer(verifier)) throw std::runtime_error("not a compiled schema: " + path);
}

std::vector<std::string> Schema::names() const {
  std::vector<std::string> names;
  for (const reflection::Object* object : *root().objects()) names.push_back(ShortName(object->name()));
  for (const reflection::Enum* definition : *root().enums()) names.push_back(ShortName(definition->name()));
  return names;
}

const reflection::Object* Schema::Struct(std::string_view name) const {
  for (const reflection::Object* object : *root().objects()) {
    if (ShortName(object->name()) == name) return object;
  }
  return nullptr;
}

std::optional<std::string> Schema::Table(std::string_view name) const {
  if (const reflection::Object* object = Struct(name)) return StructTable(*object);
  for (const reflection::Enum* definition : *root().enums()) {
    if (ShortName(definition->name()) == name) return EnumTable(*definition);
  }
  return std::nullopt;
}

std::string Schema::TypeName(const reflection::Type& type) const {
  if (type.base_type() == reflection::Obj) {
    return ShortName(root().objects()->Get(static_cast<unsigned>(type.index()))->name());
  }
  const bool is_array = type.base_type() == reflection::Array;
  std::string name = kScalarNames.at(is_array ? type.element() : type.base_type());
  if (is_array) name += "[" + std::to_string(type.fixed_length()) + "]";
  if (type.index() >= 0) name += " " + ShortName(root().enums()->Get(static_cast<unsigned>(type.index()))->name());
  return name;
}

std::string Schema::StructTable(const reflection::Object& object) const {
  std::string table = "| offset | type | field | unit | meaning |\n|---:|---|---|---|---|\n";
  for (const reflection::Field* field : InOrder(object)) {
    const auto [unit, meaning] = SplitUnit(Text(field->documentation()));
    table += "| " + std::to_string(field->offset()) + " | " + TypeName(*field->type()) + " | `" + field->name()->str() +
             "` | " + unit + " | " + meaning + " |\n";
  }
  return table + "| " + std::to_string(object.bytesize()) + " | | | | end |\n";
}

std::string WithTables(std::string_view text, const Schema& schema) {
  constexpr std::string_view kOpen = "<!-- schema: ", kClose = " -->\n", kEnd = "<!-- end -->";
  std::string result;
  for (;;) {
    const std::size_t open = text.find(kOpen);
    if (open == std::string_view::npos) return result.append(text);
    const std::size_t name_at = open + kOpen.size(), close = text.find(kClose, open), end = text.find(kEnd, open);
    if (close == std::string_view::npos || end == std::string_view::npos)
      throw std::runtime_error("a schema place has no end");
    const std::string_view name = text.substr(name_at, close - name_at);
    const std::optional<std::string> table = schema.Table(name);
    if (!table) throw std::runtime_error("no such struct or enum: " + std::string(name));
    result.append(text.substr(0, close + kClose.size())).append(*table).append(kEnd);
    text.remove_prefix(end + kEnd.size());
  }
}

}  // namespace tactus::wire
