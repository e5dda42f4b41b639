// What `tactus export` does with a recording that is torn or damaged: it writes what is whole, and ends with 1.
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <fstream>

#include "local_run.h"
#include "temporary_file.h"

namespace tactus::host {
namespace {

/// The end and all that is said of one export.
struct Outcome {
  int code = -1;
  std::string output;
};

Outcome Export(const std::string& arguments) {
  FILE* const pipe = popen((std::string(TACTUS_COMMAND) + " export " + arguments + " 2>&1").c_str(), "r");
  Outcome outcome;
  std::array<char, 4096> chunk;
  while (const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), pipe))
    outcome.output.append(chunk.data(), count);
  outcome.code = WEXITSTATUS(pclose(pipe));
  return outcome;
}

std::size_t LinesOf(const TemporaryFile& file) {
  const std::vector<char> bytes = file.Bytes();
  return static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\n'));
}

class ExportDamage : public testing::Test {
 protected:
  void SetUp() override {
    (void)RecordLocalRun(log_.path(), 200);
    bytes_ = log_.Bytes();
  }
  /// That all three tables are written, and that the damage is told once.
  void ExpectTold(const std::string& damage) {
    const TemporaryFile csv("csv"), contacts("contacts"), events("events");
    const Outcome outcome =
        Export(log_.path() + " --csv " + csv.path() + " --contacts " + contacts.path() + " --events " + events.path());
    EXPECT_EQ(outcome.code, 1) << outcome.output;
    EXPECT_GT(LinesOf(csv), 50u);
    EXPECT_GT(LinesOf(contacts), 0u);
    EXPECT_GT(LinesOf(events), 0u);
    const std::string said = "tactus: " + log_.path() + ": " + damage;
    const std::size_t place = outcome.output.find(said);
    ASSERT_NE(place, std::string::npos) << outcome.output;
    EXPECT_EQ(outcome.output.find(log_.path(), place + said.size()), std::string::npos) << outcome.output;
  }
  const TemporaryFile log_{"log"};
  std::vector<char> bytes_;
};

TEST_F(ExportDamage, OfATornRecordingIsToldInTheEnd) {
  bytes_.resize(bytes_.size() / 2);
  log_.Write(bytes_);
  ExpectTold("the recording breaks off");
}

TEST_F(ExportDamage, OfADamagedRecordIsToldInTheEnd) {
  bytes_[bytes_.size() / 2] ^= 0x10;
  log_.Write(bytes_);
  ExpectTold("a damaged record");
}

TEST_F(ExportDamage, OfNoneIsNotTold) {
  const TemporaryFile csv("csv");
  const Outcome outcome = Export(log_.path() + " --csv " + csv.path());
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_EQ(outcome.output.find("tactus: "), std::string::npos) << outcome.output;
}

}  // namespace
}  // namespace tactus::host
