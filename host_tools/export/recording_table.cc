#include "host_tools/export/recording_table.h"

#include <cstring>
#include <limits>
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

/// The columns of Telemetry, empty.
RecordingTable Columns() {
  RecordingTable table;
  table.columns.push_back({.name = "time_s", .units = {"s"}, .width = 1, .values = {}});
  const flatbuffers::TypeTable& fields = *wire::Telemetry::MiniReflectTypeTable();
  for (std::size_t i = 0; i < fields.num_elems; ++i) {
    const auto begin = static_cast<std::size_t>(fields.values[i]), end = static_cast<std::size_t>(fields.values[i + 1]);
    const auto type = static_cast<flatbuffers::ElementaryType>(fields.type_codes[i].base_type);
    RecordingColumn column{
        .name = fields.names[i], .units = {}, .width = (end - begin) / SizeOf(type) * ColumnsOf(type), .values = {}};
    for (std::size_t k = 0; k < column.width; ++k) column.units.push_back(UnitOf(column.name, k));
    table.columns.push_back(std::move(column));
  }
  return table;
}

void PushField(flatbuffers::ElementaryType type, const std::uint8_t* bytes, std::size_t begin, RecordingColumn* column) {
  const std::size_t halves = ColumnsOf(type), size = SizeOf(type) / halves;
  const auto read = halves > 1 ? flatbuffers::ET_UINT : type;
  for (std::size_t k = 0; k < column->width; ++k) column->values.push_back(Number(read, bytes, begin + k * size));
}

/// The other hand of a scene with two tools, which has no place in Telemetry: its handle and the force on it, from the
/// SampleOfTwo and the SecondCommand of each tick. NaN where a tick has none. No columns in a recording of one hand.
class SecondHandColumns {
 public:
  void Take(const wire::Frame& frame) {
    (void)wire::ReadMessage(frame, &sample_);
    if (wire::ReadMessage(frame, &command_) == Status::kOk) seen_ = true;
  }
  void Tick(const wire::Telemetry& tick) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const bool sampled = sample_.sequence() == tick.sample_sequence() && seen_,
               commanded = command_.tick() == tick.tick() && seen_;
    for (unsigned i = 0; i < 3; ++i) {
      place_.values.push_back(sampled ? static_cast<double>((*sample_.second_position_m())[i]) : kNone);
      wrench_.values.push_back(commanded ? static_cast<double>((*command_.force_N())[i]) : kNone);
    }
    for (unsigned i = 0; i < 3; ++i)
      wrench_.values.push_back(commanded ? static_cast<double>((*command_.torque_Nm())[i]) : kNone);
  }
  void AddTo(RecordingTable* table) {
    if (!seen_) return;
    table->columns.push_back(std::move(place_));
    table->columns.push_back(std::move(wrench_));
  }

 private:
  bool seen_ = false;
  wire::SampleOfTwo sample_;
  wire::SecondCommand command_;
  RecordingColumn place_{.name = "second_sample_position_m", .units = {"m", "m", "m"}, .width = 3, .values = {}};
  RecordingColumn wrench_{
      .name = "second_command_wrench_W", .units = {"N", "N", "N", "N m", "N m", "N m"}, .width = 6, .values = {}};
};

}  // namespace

RecordingTable ReadRecording(const std::string& path, std::string* damage) {
  RecordingTable table = Columns();
  const flatbuffers::TypeTable& fields = *wire::Telemetry::MiniReflectTypeTable();
  double period_s = 0.001;
  SecondHandColumns second;
  const std::string found = ReadLog(path, [&](wire::LogDirection, const wire::Frame& frame) {
    wire::Hello hello;
    wire::Telemetry tick;
    if (wire::ReadMessage(frame, &hello) == Status::kOk) period_s = hello.tick_period_us() * 1e-6;
    second.Take(frame);
    if (wire::ReadMessage(frame, &tick) != Status::kOk) return;
    second.Tick(tick);
    ++table.ticks;
    table.columns[0].values.push_back(tick.tick() * period_s);
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
