#include "host_tools/export/recording_table.h"

#include <cstring>
#include <limits>
#include <optional>
#include <utility>

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

/// @param[in] type  of no more than 53 bits; of 64 its halves are asked for
double Number(flatbuffers::ElementaryType type, const std::uint8_t* bytes, std::size_t offset) {
  switch (type) {
    case flatbuffers::ET_FLOAT: return At<float>(bytes, offset);
    case flatbuffers::ET_DOUBLE: return At<double>(bytes, offset);
    case flatbuffers::ET_UINT: return At<std::uint32_t>(bytes, offset);
    case flatbuffers::ET_INT: return At<std::int32_t>(bytes, offset);
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

/// How many columns an element of a field takes: a double has no room for 64 bits, so they are two halves, the low one
/// first.
std::size_t ColumnsOf(flatbuffers::ElementaryType type) { return type == flatbuffers::ET_ULONG ? 2 : 1; }

/// A field's column, empty.
RecordingColumn ColumnOf(const flatbuffers::TypeTable& fields, std::size_t field, const std::string& prefix) {
  const auto begin = static_cast<std::size_t>(fields.values[field]),
             end = static_cast<std::size_t>(fields.values[field + 1]);
  const auto type = static_cast<flatbuffers::ElementaryType>(fields.type_codes[field].base_type);
  RecordingColumn column{.name = prefix + fields.names[field],
                         .units = {},
                         .width = (end - begin) / SizeOf(type) * ColumnsOf(type),
                         .values = {}};
  for (std::size_t k = 0; k < column.width; ++k) column.units.push_back(UnitOf(column.name, k));
  return column;
}

/// The columns of Telemetry, empty.
RecordingTable Columns() {
  RecordingTable table;
  table.columns.push_back({.name = "time_s", .units = {"s"}, .width = 1, .values = {}});
  const flatbuffers::TypeTable& fields = *wire::Telemetry::MiniReflectTypeTable();
  for (std::size_t i = 0; i < fields.num_elems; ++i) table.columns.push_back(ColumnOf(fields, i, ""));
  return table;
}

void PushField(flatbuffers::ElementaryType type, const std::uint8_t* bytes, std::size_t begin, RecordingColumn* column) {
  const std::size_t halves = ColumnsOf(type), size = SizeOf(type) / halves;
  const auto read = halves > 1 ? flatbuffers::ET_UINT : type;
  for (std::size_t k = 0; k < column->width; ++k) column->values.push_back(Number(read, bytes, begin + k * size));
}

/// The other hand of a scene with two tools, which has no place in Telemetry: from the SecondTelemetry of each tick. NaN
/// where a tick has none. No columns in a recording of one hand.
class SecondHandColumns {
 public:
  SecondHandColumns() {
    for (std::size_t i = kFirst; i < fields_.num_elems; ++i) columns_.push_back(ColumnOf(fields_, i, "second_"));
  }
  void Take(const wire::Frame& frame) {
    wire::SecondTelemetry second;
    if (wire::ReadMessage(frame, &second) != Status::kOk) return;
    second_ = second;
    seen_ = true;
  }
  void Tick(const wire::Telemetry& tick) {
    const auto second = std::exchange(second_, std::nullopt);  // it goes with one Telemetry
    const bool is_of_tick = second && second->tick() == tick.tick();
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(is_of_tick ? &*second : nullptr);
    for (std::size_t i = kFirst; i < fields_.num_elems; ++i) {
      RecordingColumn& column = columns_[i - kFirst];
      if (is_of_tick) {
        const auto type = static_cast<flatbuffers::ElementaryType>(fields_.type_codes[i].base_type);
        PushField(type, bytes, static_cast<std::size_t>(fields_.values[i]), &column);
      } else {
        column.values.insert(column.values.end(), column.width, std::numeric_limits<double>::quiet_NaN());
      }
    }
  }
  void AddTo(RecordingTable* table) {
    if (!seen_) return;
    for (RecordingColumn& column : columns_) table->columns.push_back(std::move(column));
  }

 private:
  static constexpr std::size_t kFirst = 1;  // behind the tick's number

  const flatbuffers::TypeTable& fields_ = *wire::SecondTelemetry::MiniReflectTypeTable();
  bool seen_ = false;
  std::optional<wire::SecondTelemetry> second_;
  std::vector<RecordingColumn> columns_;
};

}  // namespace

RecordingTable ReadRecording(const std::string& path, std::string* damage) {
  RecordingTable table = Columns();
  const flatbuffers::TypeTable& fields = *wire::Telemetry::MiniReflectTypeTable();
  double period_us = 1000;
  SecondHandColumns second;
  const std::string found = ReadLog(path, [&](wire::LogDirection, const wire::Frame& frame) {
    wire::Hello hello;
    wire::Telemetry tick;
    if (wire::ReadMessage(frame, &hello) == Status::kOk) period_us = hello.tick_period_us();
    second.Take(frame);
    if (wire::ReadMessage(frame, &tick) != Status::kOk) return;
    second.Tick(tick);
    ++table.ticks;
    table.columns[0].values.push_back(tick.tick() * period_us / 1e6);  // the nearest number to it
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&tick);
    for (std::size_t i = 0; i < fields.num_elems; ++i) {
      const auto type = static_cast<flatbuffers::ElementaryType>(fields.type_codes[i].base_type);
      PushField(type, bytes, static_cast<std::size_t>(fields.values[i]), &table.columns[i + 1]);
    }
  });
  second.AddTo(&table);
  if (table.ticks == 0) throw HostError(path + " has no Telemetry: record with telemetry_every_ticks above 0", kExitFailed);
  if (damage != nullptr) *damage = found;
  if (damage == nullptr && !found.empty()) PrintError("tactus: {}", found);
  return table;
}

}  // namespace tactus::host
