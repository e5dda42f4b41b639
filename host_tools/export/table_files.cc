#include "host_tools/export/table_files.h"

#include <fmt/core.h>

#include <cstdint>
#include <fstream>
#include <span>

#include "host_tools/link/host_error.h"
#include "tactus/core/crc32.h"

namespace tactus::host {
namespace {

std::ofstream Open(const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  if (!file) throw HostError(fmt::format("cannot write '{}'", path));
  return file;
}

void Close(std::ofstream& file, const std::string& path) {
  file.flush();
  if (!file) throw HostError(fmt::format("cannot write '{}': is the disk full?", path));
}

/// Little endian bytes of a number.
template <class T>
void Put(T number, std::string* out) {
  for (std::size_t i = 0; i < sizeof(T); ++i) *out += static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i));
}

std::string_view Bytes(const std::vector<double>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)};
}

/// A NumPy array of format 1.0; the data begins at a multiple of 64 bytes.
std::string Npy(const RecordingColumn& column, std::size_t ticks) {
  std::string head = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}", ticks, column.width);
  while ((10 + head.size() + 1) % 64 != 0) head += ' ';
  head += '\n';
  std::string array = "\x93NUMPY";
  array += '\x01';
  array += '\0';
  Put(static_cast<std::uint16_t>(head.size()), &array);
  return array + head + std::string(Bytes(column.values));
}

/// Fields that a file's local head and its entry in the directory share: from "version needed" to the name's length.
std::string ZipFields(const std::string& name, const std::string& data) {
  std::string out;
  Put(std::uint16_t{20}, &out);          // version 2.0
  Put(std::uint16_t{0}, &out);           // flags
  Put(std::uint16_t{0}, &out);           // stored
  Put(std::uint32_t{0x00210000}, &out);  // 1980-01-01: the same recording gives the same bytes
  Put(Crc32({reinterpret_cast<const std::uint8_t*>(data.data()), data.size()}), &out);
  Put(static_cast<std::uint32_t>(data.size()), &out);
  Put(static_cast<std::uint32_t>(data.size()), &out);
  Put(static_cast<std::uint16_t>(name.size()), &out);
  Put(std::uint16_t{0}, &out);  // no extra field
  return out;
}

}  // namespace

void WriteCsv(const RecordingTable& table, const std::string& path) {
  std::ofstream file = Open(path);
  std::string line;
  for (const RecordingColumn& column : table.columns) {
    for (std::size_t k = 0; k < column.width; ++k) {
      if (!line.empty()) line += ',';
      line += column.width == 1 ? column.name : fmt::format("{}_{}", column.name, k);
      if (!column.units[k].empty()) line += fmt::format(" [{}]", column.units[k]);
    }
  }
  file << line << '\n';
  for (std::size_t tick = 0; tick < table.ticks; ++tick) {
    line.clear();
    for (const RecordingColumn& column : table.columns) {
      for (std::size_t k = 0; k < column.width; ++k)
        line += fmt::format("{}{}", line.empty() ? "" : ",", column.values[tick * column.width + k]);
    }
    file << line << '\n';
  }
  Close(file, path);
}

void WriteNpz(const RecordingTable& table, const std::string& path) {
  std::ofstream file = Open(path);
  std::string directory;
  std::uint64_t offset = 0;
  for (const RecordingColumn& column : table.columns) {
    const std::string name = column.name + ".npy", data = Npy(column, table.ticks), fields = ZipFields(name, data);
    file << "PK\x03\x04" << fields << name << data;
    directory += "PK\x01\x02";
    Put(std::uint16_t{20}, &directory);  // made by 2.0
    directory += fields;
    Put(std::uint16_t{0}, &directory);  // no comment
    Put(std::uint16_t{0}, &directory);  // disk
    Put(std::uint16_t{0}, &directory);  // attributes
    Put(std::uint32_t{0}, &directory);
    Put(static_cast<std::uint32_t>(offset), &directory);
    directory += name;
    offset += 4 + fields.size() + name.size() + data.size();
    if (offset > 0xFFFF'FFFFu)
      throw HostError("the recording is too long for one NPZ file of 4 GB: export CSV", kExitFailed);
  }
  std::string end = "PK\x05\x06";
  Put(std::uint32_t{0}, &end);
  Put(static_cast<std::uint16_t>(table.columns.size()), &end);
  Put(static_cast<std::uint16_t>(table.columns.size()), &end);
  Put(static_cast<std::uint32_t>(directory.size()), &end);
  Put(static_cast<std::uint32_t>(offset), &end);
  Put(std::uint16_t{0}, &end);
  file << directory << end;
  Close(file, path);
}

void WriteMat(const RecordingTable& table, const std::string& path) {
  std::ofstream file = Open(path);
  for (const RecordingColumn& column : table.columns) {
    std::string head;
    Put(std::uint32_t{0}, &head);  // little endian, doubles, a full matrix
    Put(static_cast<std::uint32_t>(table.ticks), &head);
    Put(static_cast<std::uint32_t>(column.width), &head);
    Put(std::uint32_t{0}, &head);  // no imaginary part
    Put(static_cast<std::uint32_t>(column.name.size() + 1), &head);
    file << head << column.name << '\0';
    std::vector<double> by_columns;
    by_columns.reserve(column.values.size());
    for (std::size_t k = 0; k < column.width; ++k) {
      for (std::size_t tick = 0; tick < table.ticks; ++tick) by_columns.push_back(column.values[tick * column.width + k]);
    }
    file << Bytes(by_columns);
  }
  Close(file, path);
}

}  // namespace tactus::host
