#include "hal/sim/memory_link.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace tactus::hal {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes Read(ByteLink& link, std::size_t room = 64) {
  Bytes bytes(room);
  std::size_t count = 0;
  EXPECT_EQ(link.Read(bytes, &count), Status::kOk);
  bytes.resize(count);
  return bytes;
}

TEST(MemoryLink, GivesTheControllerOneFramePerRead) {
  MemoryLink link;
  ASSERT_EQ(link.HostWrite(Bytes{1, 2, 0, 3, 0, 4}), Status::kOk);
  EXPECT_EQ(Read(link), (Bytes{1, 2, 0}));
  EXPECT_EQ(Read(link), (Bytes{3, 0}));
  EXPECT_EQ(Read(link), (Bytes{4}));
  EXPECT_EQ(Read(link), Bytes{});
}

TEST(MemoryLink, GivesTheRestOfAFrameThatIsLongerThanTheRoom) {
  MemoryLink link;
  ASSERT_EQ(link.HostWrite(Bytes{1, 2, 3, 0}), Status::kOk);
  EXPECT_EQ(Read(link, 2), (Bytes{1, 2}));
  EXPECT_EQ(Read(link, 2), (Bytes{3, 0}));
}

TEST(MemoryLink, RefusesAWholeFrameWhenTheHostDoesNotRead) {
  MemoryLink link;
  const Bytes frame(100, 7);
  std::size_t taken = 0;
  while (link.Write(frame, Lane::kCommand) == Status::kOk) ++taken;
  EXPECT_EQ(taken, MemoryLink::kCapacity_B / 100);
  EXPECT_EQ(link.counters().refused_frames, 1u);
  EXPECT_EQ(link.counters().sent_bytes, 100 * taken);
  Bytes room(MemoryLink::kCapacity_B);
  EXPECT_EQ(link.HostRead(room), 100 * taken);
  EXPECT_EQ(link.Write(frame, Lane::kCommand), Status::kOk);
}

TEST(MemoryLink, KeepsTheOrderOfBytesAroundItsEnd) {
  MemoryLink link;
  Bytes room(1000);
  std::uint8_t next_in = 0, next_out = 0;
  for (int round = 0; round < 100; ++round) {  // 70 000 bytes through 16 384
    Bytes bytes(700);
    for (std::uint8_t& byte : bytes) byte = next_in++;
    ASSERT_EQ(link.Write(bytes, Lane::kTelemetry), Status::kOk);
    ASSERT_EQ(link.HostRead(room), 700u);
    for (std::size_t i = 0; i < 700; ++i) ASSERT_EQ(room[i], next_out++);
  }
}

}  // namespace
}  // namespace tactus::hal
