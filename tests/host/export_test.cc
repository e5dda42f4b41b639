// A recording as files that others read: by the formats' own descriptions, not by the code that wrote them.
#include <cstring>
#include <fstream>
#include <sstream>

#include "host_tools/export/table_files.h"
#include "host_tools/link/host_error.h"
#include "local_run.h"
#include "temporary_file.h"

namespace tactus::host {
namespace {

std::string All(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
std::uint32_t U32(const std::string& bytes, std::size_t at) {
  std::uint32_t value;
  std::memcpy(&value, bytes.data() + at, 4);
  return value;
}

class Export : public testing::Test {
 protected:
  void SetUp() override {
    (void)RecordLocalRun(log_.path(), 200);
    table_ = ReadRecording(log_.path());
  }
  const RecordingColumn& Column(const std::string& name) const {
    for (const RecordingColumn& column : table_.columns) {
      if (column.name == name) return column;
    }
    throw HostError("no column " + name);
  }
  const TemporaryFile log_{"log"};
  RecordingTable table_;
};

TEST_F(Export, HasTheRecordingsNumbers) {
  EXPECT_GT(table_.ticks, 200u);
  std::size_t row = 0;
  EXPECT_EQ(ReadLog(log_.path(),
                    [&](wire::LogDirection, const wire::Frame& frame) {
                      wire::Telemetry tick;
                      if (wire::ReadMessage(frame, &tick) != Status::kOk) return;
                      EXPECT_EQ(Column("tick").values[row], tick.tick());
                      EXPECT_EQ(Column("time_s").values[row], tick.tick() / 1e3);
                      EXPECT_EQ(Column("p_WT_m").values[3 * row + 2], tick.p_WT_m()->Get(2));
                      EXPECT_EQ(Column("command_wrench_W").values[6 * row + 1], tick.command_wrench_W()->Get(1));
                      EXPECT_EQ(Column("contacts").values[row], tick.contacts());
                      EXPECT_EQ(Column("state_hash").values[2 * row], tick.state_hash() & 0xFFFFFFFFu);
                      EXPECT_EQ(Column("state_hash").values[2 * row + 1], tick.state_hash() >> 32);
                      ++row;
                    }),
            "");
  EXPECT_EQ(row, table_.ticks);
}

TEST_F(Export, CsvHasNamesUnitsAndALineATick) {
  const TemporaryFile file("csv");
  WriteCsv(table_, file.path());
  std::istringstream text(All(file.path()));
  std::string line;
  std::getline(text, line);
  EXPECT_EQ(line.find("time_s [s],tick,"), 0u);
  EXPECT_NE(line.find("command_wrench_W_0 [N]"), std::string::npos);
  EXPECT_NE(line.find("command_wrench_W_5 [N m]"), std::string::npos);
  EXPECT_NE(line.find("p_WT_m_2 [m]"), std::string::npos);
  const auto commas = std::count(line.begin(), line.end(), ',');
  std::size_t lines = 0;
  while (std::getline(text, line)) {
    EXPECT_EQ(std::count(line.begin(), line.end(), ','), commas);
    ++lines;
  }
  EXPECT_EQ(lines, table_.ticks);
}

// Source: PKWARE APPNOTE 4.3: the end record's signature, entries, size and place of the directory.
TEST_F(Export, NpzIsAnArchiveOfArrays) {
  const TemporaryFile file("npz");
  WriteNpz(table_, file.path());
  const std::string bytes = All(file.path());
  const std::size_t end = bytes.size() - 22;
  EXPECT_EQ(U32(bytes, end), 0x06054b50u);
  std::size_t at = U32(bytes, end + 16), entries = 0;
  EXPECT_EQ(at + U32(bytes, end + 12), end);
  for (; at < end; ++entries) {
    ASSERT_EQ(U32(bytes, at), 0x02014b50u);
    const std::size_t name_size = bytes[at + 28] & 0xFF, data_size = U32(bytes, at + 24), local = U32(bytes, at + 42);
    ASSERT_EQ(U32(bytes, local), 0x04034b50u);
    const std::string data = bytes.substr(local + 30 + name_size, data_size);
    EXPECT_EQ(data.substr(1, 5), "NUMPY");
    EXPECT_EQ((10 + (data[8] & 0xFF)) % 64, 0);
    EXPECT_EQ(Crc32({reinterpret_cast<const std::uint8_t*>(data.data()), data.size()}), U32(bytes, at + 16));
    at += 46 + name_size;
  }
  EXPECT_EQ(entries, table_.columns.size());
}

// Source: MAT-file level 4: type 0, rows, columns, imaginary 0, length of the name, the name, doubles by columns.
TEST_F(Export, MatIsAListOfMatrices) {
  const TemporaryFile file("mat");
  WriteMat(table_, file.path());
  const std::string bytes = All(file.path());
  std::size_t at = 0;
  for (const RecordingColumn& column : table_.columns) {
    EXPECT_EQ(U32(bytes, at), 0u);
    EXPECT_EQ(U32(bytes, at + 4), table_.ticks);
    EXPECT_EQ(U32(bytes, at + 8), column.width);
    const std::size_t name = U32(bytes, at + 16);
    EXPECT_EQ(bytes.substr(at + 20, name - 1), column.name);
    double second;  // the first column's second row
    std::memcpy(&second, bytes.data() + at + 20 + name + 8, 8);
    EXPECT_EQ(second, column.values[column.width]) << column.name;
    at += 20 + name + 8 * table_.ticks * column.width;
  }
  EXPECT_EQ(at, bytes.size());
}

TEST(ExportErrors, SayWhatIsWrong) {
  EXPECT_THROW((void)ReadRecording("/does/not/exist"), HostError);
  EXPECT_THROW(WriteCsv({}, "/does/not/exist/x.csv"), HostError);
}

}  // namespace
}  // namespace tactus::host
