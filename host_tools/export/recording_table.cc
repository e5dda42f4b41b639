#include "host_tools/export/recording_table.h"

#include <cstring>

#include "host_tools/link/host_error.h"
#include "host_tools/session/log_file.h"
#include "host_tools/standard_streams.h"
#include "tactus/wire/frame.h"

namespace tactus::host {
namespace {

template <class T>
double At(const std::uint8_t* bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes + offset, sizeof(T));
  return static_cast<double>(value);
}

std::size_t SizeOf(flatbuffers::ElementaryType type) {
  switch (type) {
    case flatbuffers::ET_FLOAT:
    case flatbuffers::ET_UINT:
    case flatbuffers::ET_INT: return 4;
    case flatbuffers::ET_DOUBLE:
    case flatbuffers::ET_ULONG: return 8;
    case flatbuffers::ET_USHORT: return 2;
    default: return 1;
  }
}

double Number(flatbuffers::ElementaryType type, const std::uint8_t* bytes, std::size_t offset) {
  switch (type) {
    case flatbuffers::ET_FLOAT: return At<float>(bytes, offset);
    case flatbuffers::ET_DOUBLE: return At<double>(bytes, offset);
    case flatbuffers::ET_UINT: return At<std::uint32_t>(bytes, offset);
    case flatbuffers::ET_INT: return At<std::int32_t>(bytes, offset);
    case flatbuffers::ET_ULONG: return At<std::uint64_t>(bytes, offset);
    case flatbuffers::ET_USHORT: return At<std::uint16_t>(bytes, offset);
    default: return At<std::uint8_t>(bytes, offset);
  }
}

/// A field's unit, by the end of its name: Tactus' names have it there.
std::string UnitOf(const std::string& name, std::size_t element) {
  const auto ends = [&name](const char* end) { return name.ends_with(end); };
  if (ends("twist_W")) return element < 3 ? "m/s" : "rad/s";
  if (ends("wrench_W")) return element < 3 ? "N" : "N m";
  if (ends("_Ns")) return "N s";
  if (ends("_us")) return "us";
  if (ends("_J")) return "J";
  if (ends("_m")) return "m";
  return "";
}

/// The columns of Telemetry, empty.
RecordingTable Columns() {
  RecordingTable table;
  table.columns.push_back({.name = "time_s", .units = {"s"}, .width = 1, .values = {}});
  const flatbuffers::TypeTable& fields = *wire::Telemetry::MiniReflectTypeTable();
  for (std::size_t i = 0; i < fields.num_elems; ++i) {
    const auto begin = static_cast<std::size_t>(fields.values[i]), end = static_cast<std::size_t>(fields.values[i + 1]);
    const auto type = static_cast<flatbuffers::ElementaryType>(fields.type_codes[i].base_type);
    RecordingColumn column{.name = fields.names[i], .units = {}, .width = (end - begin) / SizeOf(type), .values = {}};
    for (std::size_t k = 0; k < column.width; ++k) column.units.push_back(UnitOf(column.name, k));
    table.columns.push_back(std::move(column));
  }
  return table;
}

}  // namespace

RecordingTable ReadRecording(const std::string& path) {
  RecordingTable table = Columns();
  const flatbuffers::TypeTable& fields = *wire::Telemetry::MiniReflectTypeTable();
  double period_s = 0.001;
  const std::string damage = ReadLog(path, [&](wire::LogDirection, const wire::Frame& frame) {
    wire::Hello hello;
    wire::Telemetry tick;
    if (wire::ReadMessage(frame, &hello) == Status::kOk) period_s = hello.tick_period_us() * 1e-6;
    if (wire::ReadMessage(frame, &tick) != Status::kOk) return;
    ++table.ticks;
    table.columns[0].values.push_back(tick.tick() * period_s);
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&tick);
    for (std::size_t i = 0; i < fields.num_elems; ++i) {
      RecordingColumn& column = table.columns[i + 1];
      const auto type = static_cast<flatbuffers::ElementaryType>(fields.type_codes[i].base_type);
      const auto begin = static_cast<std::size_t>(fields.values[i]);
      for (std::size_t k = 0; k < column.width; ++k) column.values.push_back(Number(type, bytes, begin + k * SizeOf(type)));
    }
  });
  if (table.ticks == 0) throw HostError(path + " has no Telemetry: record with telemetry_every_ticks above 0", kExitFailed);
  if (!damage.empty()) PrintError("tactus: {}: {}", path, damage);
  return table;
}

}  // namespace tactus::host
