#include "tactus/wire/log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "bytes.h"

namespace tactus::wire {
namespace {

/// A recording of `samples` samples and as many commands.
Bytes Recording(std::uint32_t samples) {
  LogWriter log;
  FrameWriter host, controller;
  Bytes file(kLogHead.begin(), kLogHead.end());
  const auto add = [&](LogDirection direction, std::span<const std::uint8_t> frame) {
    log.Add(direction, frame);
    file.push_back(static_cast<std::uint8_t>(direction));
    file.insert(file.end(), frame.begin(), frame.end());
  };
  for (std::uint32_t i = 0; i < samples; ++i) {
    Sample sample;
    sample.mutate_sequence(i);
    Command command;
    command.mutate_tick(i);
    add(LogDirection::kToController, host.Write(sample));
    add(LogDirection::kToHost, controller.Write(command));
  }
  std::array<std::uint8_t, LogWriter::kEndSize> end;
  file.insert(file.end(), end.begin(), end.begin() + static_cast<std::ptrdiff_t>(log.End(end)));
  return file;
}

struct Reading {
  Status end = Status::kOk;
  int samples = 0, commands = 0;
  std::string problem;
  std::size_t offset = 0;
};

Reading Read(const Bytes& file) {
  LogReader reader;
  Reading reading;
  for (const std::uint8_t byte : file) {
    const Status status = reader.Push(byte);
    if (status == Status::kCorrupt) break;
    if (status != Status::kOk) continue;
    reading.samples +=
        reader.direction() == LogDirection::kToController && reader.frame().type == MessageType::kSample ? 1 : 0;
    reading.commands += reader.direction() == LogDirection::kToHost && reader.frame().type == MessageType::kCommand ? 1 : 0;
  }
  reading.end = reader.Finish();
  reading.problem = reader.problem() == nullptr ? "" : reader.problem();
  reading.offset = reader.offset();
  return reading;
}

TEST(Log, IsReadAsItWasWritten) {
  const Reading reading = Read(Recording(100));
  EXPECT_EQ(reading.end, Status::kClosed) << reading.problem;
  EXPECT_EQ(reading.samples, 100);
  EXPECT_EQ(reading.commands, 100);
}

TEST(Log, MayBeEmpty) { EXPECT_EQ(Read(Recording(0)).end, Status::kClosed); }

TEST(Log, IsCorruptWhereverItIsCutOff) {
  const Bytes whole = Recording(3);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Reading reading = Read(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
    ASSERT_EQ(reading.end, Status::kCorrupt) << size;
    ASSERT_EQ(reading.problem, "the recording breaks off") << size;
  }
}

TEST(Log, IsCorruptWhicheverBitIsWrong) {
  const Bytes whole = Recording(3);
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    Bytes file = whole;
    file[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
    ASSERT_EQ(Read(file).end, Status::kCorrupt) << "bit " << bit;
  }
}

TEST(Log, IsCorruptWhenARecordIsMissing) {
  const Bytes whole = Recording(3);
  const auto first = std::find(whole.begin(), whole.end(), '<');
  const auto behind = std::find(first, whole.end(), '>');
  const Reading reading = Read(Join(Bytes(whole.begin(), first), Bytes(behind, whole.end())));
  EXPECT_EQ(reading.end, Status::kCorrupt);
  EXPECT_EQ(reading.problem, "the sum at the end does not fit");
}

TEST(Log, IsCorruptWhenSomethingFollows) {
  EXPECT_EQ(Read(Join(Recording(1), {'>'})).problem, "bytes follow the end of the recording");
}

TEST(Log, TellsAFileOfAnotherKind) {
  const Reading reading = Read(Bytes{'P', 'K', 3, 4});
  EXPECT_EQ(reading.problem, "not a Tactus recording, or of another version");
  EXPECT_EQ(reading.offset, 1u);
}

}  // namespace
}  // namespace tactus::wire
