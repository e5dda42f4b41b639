// scenes/scene.schema.json, which editors check a scene with, says what the loader takes and what docs/scenes.md tells.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "host_tools/link/host_error.h"
#include "host_tools/scene/scene_file.h"
#include "host_tools/scene/scene_places.h"
#include "host_tools/scene/toml_plus_plus.h"
#include "scene_folder.h"
#include "temporary_file.h"

namespace tactus::host {
namespace {

using nlohmann::json;
const std::string kRoot = TACTUS_SOURCE_FOLDER;

json Schema() { return json::parse(std::ifstream(kRoot + "/scenes/scene.schema.json")); }

/// What a list has for items; a reference is followed.
const json& Resolve(const json& schema, const json& node) {
  const json& of = node.contains("items") ? node["items"] : node;
  if (!of.contains("$ref")) return of;
  return schema.at(json::json_pointer(of["$ref"].get<std::string>().substr(1)));
}

/// Keys of a table that the schema does not have.
void ExpectKnown(const json& schema, const json& node, const toml::table& table, const std::string& path) {
  for (const auto& [key, value] : table) {
    const std::string name(key.str());
    ASSERT_TRUE(node["properties"].contains(name)) << path << "." << name;
    const json& of = Resolve(schema, node["properties"][name]);
    if (const toml::table* const inner = value.as_table()) ExpectKnown(schema, of, *inner, path + "." + name);
    if (const toml::array* const items = value.as_array()) {
      for (const toml::node& item : *items)
        if (item.is_table()) ExpectKnown(schema, of, *item.as_table(), path + "." + name);
    }
    if (node["properties"][name].contains("enum")) {
      const json& names = node["properties"][name]["enum"];
      EXPECT_NE(std::find(names.begin(), names.end(), value.value_or(std::string())), names.end()) << path << "." << name;
    }
  }
}

TEST(SceneSchema, HasAllThatTheShippedScenesHave) {
  const json schema = Schema();
  for (const std::string& file : ShippedScenes()) ExpectKnown(schema, schema, toml::parse_file(file), file);
}

/// A table with one key, in a file that has what the loader reads before it.
std::string FileWith(const std::string& head, const std::string& key) {
  const bool is_top = head.empty();
  const std::string line = key + " = 0.123\n";
  const std::string shape = "[[tool.shapes]]\nkind = \"sphere\"\nradius_m = 0.01\n";
  if (is_top) return line + "[tool]\n" + shape;
  if (head == "[tool]") return head + "\n" + line + shape;
  if (head == "[[tool.shapes]]") return "[tool]\n" + shape + line;
  return "[tool]\n" + shape + head + "\n" + line;
}

/// Lines that give a table each of its kinds.
std::vector<std::string> EachKind(const json& node, const std::string& more) {
  std::vector<std::string> lines;
  for (const json& kind : node["properties"]["kind"]["enum"]) lines.push_back("kind = " + kind.dump() + "\n" + more);
  return lines;
}

// A wrong value is refused as such, or taken; a key that the loader does not know is refused by that name.
TEST(SceneSchema, HasNoKeyThatTheLoaderDoesNotKnow) {
  const json schema = Schema();
  int keys = 0;
  // Some keys are of one kind alone: each must be known beside one of `beside`.
  const auto expect = [&](const json& node, const std::string& head, const std::vector<std::string>& beside) {
    for (const auto& [key, value] : node["properties"].items()) {
      std::string error;
      const bool is_known = std::any_of(beside.begin(), beside.end(), [&](const std::string& more) {
        if (more.find(key + " =") != std::string::npos) return true;
        error = ErrorOf(FileWith(head, key) + more);
        return error.find("is not known here") == std::string::npos;
      });
      EXPECT_TRUE(is_known) << head << " " << key << ": " << error;
      ++keys;
    }
  };
  const json& tables = schema["properties"];
  expect(schema, "", {""});
  expect(tables["tool"], "[tool]", {""});
  const std::string second_shape = "[[second_tool.shapes]]\nkind = \"sphere\"\nradius_m = 0.01\n";
  expect(tables["second_tool"], "[second_tool]", {second_shape});
  expect(tables["any_pair"], "[any_pair]", {""});
  expect(tables["coupling"], "[coupling]", {""});
  expect(tables["checks"], "[checks]", {""});
  for (const char* const list : {"force_at", "body_at", "events"})
    expect(tables["checks"]["properties"][list]["items"], std::string("[[checks.") + list + "]]", {""});
  expect(tables["hand"]["items"], "[[hand]]", {"duration_s = 1\n"});
  expect(tables["second_hand"]["items"], "[second_tool]\n" + second_shape + "[[second_hand]]", {"duration_s = 1\n"});
  expect(tables["hand"], "[hand]", {""});
  expect(tables["joints"]["items"], "[[joints]]", EachKind(tables["joints"]["items"], "a = \"tool\"\n"));
  expect(tables["fields"]["items"], "[[fields]]", EachKind(tables["fields"]["items"], ""));
  EXPECT_GT(keys, 60);
  EXPECT_NE(ErrorOf(FileWith("[coupling]", "stiffness")).find("is not known here"), std::string::npos);
}

/// Whether the loader says of such a line that the number is beyond its range.
bool IsBeyond(const std::string& table, const std::string& key, double value) {
  const std::string error =
      ErrorOf(fmt::format("[tool]\n[[tool.shapes]]\nkind = \"sphere\"\nradius_m = 0.01\n{}{} = {}\n", table, key, value));
  return error.find("." + key + ": ") != std::string::npos && error.find("is out of range") != std::string::npos;
}

// A number that an editor marks is refused, and one that it does not mark is not, but where other numbers say so.
TEST(SceneSchema, HasTheLoadersRanges) {
  const json schema = Schema();
  const json& tables = schema["properties"];
  int bounds = 0;
  const auto expect = [&](const json& node, const std::string& table) {
    for (const auto& [key, value] : node["properties"].items()) {
      for (const char* const bound : {"minimum", "maximum"}) {
        if (!value.contains(bound) || value["type"] != "number" || table.find(key) != std::string::npos) continue;
        const double x = value[bound], step = std::abs(x) * 1e-3 + 1e-3;
        const double beyond = std::string(bound) == "maximum" ? x + step : x - step;
        EXPECT_TRUE(IsBeyond(table, key, beyond)) << table << key << " = " << beyond;
        EXPECT_FALSE(IsBeyond(table, key, x)) << table << key << " = " << x;
        ++bounds;
      }
    }
  };
  expect(tables["coupling"], "[coupling]\n");
  expect(tables["workspace"], "[workspace]\n");
  expect(tables["any_pair"], "[any_pair]\n");
  expect(tables["pairs"]["items"], "[[pairs]]\na = \"any\"\nb = \"any\"\n");
  expect(tables["fields"]["items"], "[[fields]]\nkind = \"viscous\"\n");
  expect(tables["checks"], "[checks]\n");
  EXPECT_GT(bounds, 50);
  const auto expect_joint = [&](const std::string& lines, const std::vector<std::string>& without) {
    json joint = tables["joints"]["items"];
    for (const std::string& key : without) joint["properties"].erase(key);
    expect(joint, "[[joints]]\n" + lines + "a = \"tool\"\n");
  };
  const auto expect_one = [&](const std::string& lines, const std::string& key) {
    const json joint = {{"properties", {{key, tables["joints"]["items"]["properties"][key]}}}};
    expect(joint, "[[joints]]\n" + lines + "a = \"tool\"\n");
  };
  const std::vector<std::string> of_others = {"pitch_m_per_rad", "ratio", "length_m", "rest_deg", "rest_m"};
  for (const std::string& other : {std::string("_m"), std::string("_deg")}) {
    std::vector<std::string> without = of_others;
    for (const char* const key : {"low", "high"}) without.push_back(key + other);
    expect_joint(other == "_m" ? "kind = \"hinge\"\n" : "kind = \"slider\"\n", without);
  }
  expect_one("kind = \"hinge\"\nstiffness = 1e-6\n", "rest_deg");
  expect_one("kind = \"slider\"\nstiffness = 1e-6\n", "rest_m");
  expect_one("kind = \"screw\"\n", "pitch_m_per_rad");
  expect_one("kind = \"gear\"\n", "ratio");
  expect_one("kind = \"rope\"\nto_m = [0, 0, 0]\n", "length_m");
}

TEST(SceneSchema, HasEachKeyOfTheDocument) {
  std::set<std::string> known;
  const auto collect = [&known](const auto& self, const json& node) -> void {
    if (!node.is_object()) return;
    if (node.contains("properties"))
      for (const auto& [key, value] : node["properties"].items()) known.insert(key);
    for (const auto& [key, value] : node.items()) self(self, value);
  };
  const json schema = Schema();
  collect(collect, schema);
  std::ifstream file(kRoot + "/docs/scenes.md");
  std::string line;
  int keys = 0;
  bool is_keys = false;
  while (std::getline(file, line)) {
    if (line.starts_with("## ")) is_keys = line.starts_with("## 2. Keys");
    if (!is_keys || !line.starts_with("| `") || line.starts_with("| `kind` | size")) continue;
    const std::string cell = line.substr(1, line.find('|', 1) - 1);
    const std::regex quoted("`([a-z_A-Z0-9]+)`");
    for (std::sregex_iterator word(cell.begin(), cell.end(), quoted), end; word != end; ++word, ++keys) {
      const std::string name = (*word)[1];
      const json& kinds = schema["$defs"]["shape"]["properties"]["kind"]["enum"];
      EXPECT_TRUE(known.contains(name) || std::find(kinds.begin(), kinds.end(), name) != kinds.end()) << name;
    }
  }
  EXPECT_GT(keys, 30);
}

}  // namespace
}  // namespace tactus::host
