// docs/wire.md and docs/io_firmware.md against schema, defaults and decoder: what they print is what the code does.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <sstream>
#include <string>

#include "bytes.h"
#include "firmware/servo/config_from_wire.h"
#include "schema_tables.h"
#include "tactus/haptic/ceilings.h"
#include "tactus/wire/fields.h"
#include "tactus/wire/frame_decoder.h"

namespace tactus::wire {
namespace {

std::string Document() { return ReadFile(TACTUS_WIRE_DOCUMENT); }

TEST(Document, HasTheTableOfEveryNameOfTheSchema) {  // If not: wire_update_tables tactus.bfbs docs/wire.md
  const Schema schema(TACTUS_WIRE_SCHEMA);
  for (const std::string& name : schema.names()) {
    const std::string document = name.starts_with("Io") ? ReadFile(TACTUS_IO_DOCUMENT) : Document();
    const std::string table = "<!-- schema: " + name + " -->\n" + schema.Table(name).value_or("") + "<!-- end -->\n";
    EXPECT_TRUE(document.find(table) != std::string::npos) << "the table of " << name << " is missing or old";
  }
}

TEST(Document, HasNoOtherTables) {
  const std::string document = Document();
  EXPECT_TRUE(document == WithTables(document, Schema(TACTUS_WIRE_SCHEMA)));
  const std::string io_document = ReadFile(TACTUS_IO_DOCUMENT);
  EXPECT_TRUE(io_document == WithTables(io_document, Schema(TACTUS_WIRE_SCHEMA)));
}

/// A column of the table "| field | value | lowest | highest |", by field.
std::map<std::string, std::vector<double>> Column(int column) {
  std::istringstream lines(Document());
  std::map<std::string, std::vector<double>> values;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("| field | value | lowest | highest |", 0) == 0) inside = true;
    if (line.empty()) inside = false;
    const std::size_t name = line.find('`'), name_end = line.find('`', name + 1);
    if (!inside || name == std::string::npos) continue;
    std::vector<double>& numbers = values[line.substr(name + 1, name_end - name - 1)];
    std::istringstream row(line.substr(line.find('|', name_end) + 1));
    std::string cell;
    for (int i = 0; i < column; ++i) std::getline(row, cell, '|');
    std::istringstream text(cell);
    char comma = ',';
    for (double number = 0; comma == ',' && text >> number; text >> comma) numbers.push_back(number);
  }
  return values;
}
constexpr int kValue = 1, kLowest = 2, kHighest = 3;

/// What the library has for each field of the table.
class Collector {
 public:
  std::map<std::string, std::vector<double>> values, lowest, highest;

  void operator()(const ConfigField& field, double x) { Add(field, {x}); }
  template <int kRows>
  void operator()(const ConfigField& field, const Vec<double, kRows>& x) {
    Add(field, {x.data(), x.data() + kRows});
  }
  void operator()(const ConfigField& field, int x) { Add(field, {static_cast<double>(x)}); }
  void operator()(const ConfigField& field, bool x) { Add(field, {x ? 1.0 : 0.0}); }

  void Add(const ConfigField& field, const std::vector<double>& x) {
    values[field.name] = x;
    lowest[field.name] = {field.lowest};
    highest[field.name] = {field.highest};
  }
};

TEST(Document, HasTheValuesAndBoundsOfTheLibrary) {  // Source: tactus::Config, ceilings.h; the loop's fields: servo.
  Collector expected;
  const tactus::Config<double> config;
  ForEachField({}, config, expected);
  expected.Add({"telemetry_every_ticks", 0, servo::kMostTelemetryEveryTicks}, {10});
  expected.Add({"pacing", 0, static_cast<double>(Pacing::MAX)}, {static_cast<double>(Pacing::kClock)});
  EXPECT_EQ(Column(kValue), expected.values) << "set the document, and the example's client";
  EXPECT_EQ(Column(kLowest), expected.lowest);
  EXPECT_EQ(Column(kHighest), expected.highest);
}

TEST(Document, StartsEveryFieldOfConfigButTheReservedOnes) {
  const Schema schema(TACTUS_WIRE_SCHEMA);  // has the bytes that `config` points into
  const reflection::Object* config = schema.Struct("Config");
  EXPECT_EQ(Column(kValue).size() + 1, config->fields()->size());
  for (const auto& [name, values] : Column(kValue)) EXPECT_NE(FieldOffset<Config>(name.c_str()), kNoField) << name;
}

/// The frames of section 10: a line "    >   # what" or "    <   # what", then lines of bytes.
std::vector<std::pair<char, Bytes>> SessionFrames() {
  const std::string document = Document();
  std::istringstream lines(document.substr(document.find("## 10. A session in bytes")));
  std::vector<std::pair<char, Bytes>> frames;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("    >", 0) == 0 || line.rfind("    <", 0) == 0) {
      frames.emplace_back(line[4], Bytes{});
    } else if (line.rfind("      ", 0) == 0 && !frames.empty()) {
      frames.back().second = Join(frames.back().second, FromHex(line));
    }
  }
  return frames;
}

TEST(Document, PrintsASessionOfGoodFrames) {
  using enum MessageType;
  const std::vector<std::pair<char, MessageType>> expected = {
      {'>', kHelloRequest}, {'<', kHello},   {'<', kCommand}, {'<', kConfigLowest}, {'<', kConfigHighest}, {'>', kConfig},
      {'<', kAck},          {'>', kArm},     {'<', kCommand}, {'<', kAck},          {'>', kSample},        {'<', kCommand},
      {'<', kCommand},      {'>', kControl}, {'<', kAck},     {'<', kCommand},      {'<', kStopped}};
  std::vector<std::pair<char, MessageType>> found;
  FrameDecoder from_host, from_controller;
  for (const auto& [direction, bytes] : SessionFrames()) {
    FrameDecoder& decoder = direction == '>' ? from_host : from_controller;
    std::size_t used = 0;
    ASSERT_EQ(decoder.Push(bytes, &used), Status::kOk);
    ASSERT_EQ(used, bytes.size());
    found.emplace_back(direction, decoder.frame().type);
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(from_host.counters().missing + from_controller.counters().missing, 0u);
}

}  // namespace
}  // namespace tactus::wire
