#include "tactus/wire/frame.h"

#include <gtest/gtest.h>

#include "bytes.h"
#include "tactus/wire/frame_decoder.h"

namespace tactus::wire {
namespace {

// Every byte of the message is different from its neighbours, and from zero: no two fields can be swapped unseen.
template <Message M>
M Patterned() {
  M message;
  std::uint8_t bytes[sizeof(M)];
  for (std::size_t i = 0; i < sizeof(M); ++i) bytes[i] = static_cast<std::uint8_t>(1 + i % 251);
  std::memcpy(static_cast<void*>(&message), bytes, sizeof(M));
  return message;
}

template <class M>
class EachMessage : public testing::Test {};
using AllMessages =
    testing::Types<HelloRequest, Config, Control, Sample, Hello, Ack, Command, Telemetry, Fault, Stopped, LogEnd>;
TYPED_TEST_SUITE(EachMessage, AllMessages);

TYPED_TEST(EachMessage, ArrivesAsItWasSent) {
  const TypeParam sent = Patterned<TypeParam>();
  FrameWriter writer;
  FrameDecoder decoder;
  std::size_t used = 0;
  ASSERT_EQ(decoder.Push(writer.Write(sent), &used), Status::kOk);
  TypeParam received;
  ASSERT_EQ(ReadMessage(decoder.frame(), &received), Status::kOk);
  EXPECT_EQ(std::memcmp(&received, &sent, sizeof(sent)), 0);
}

TYPED_TEST(EachMessage, KeepsItsBoundOnTheLink) {
  FrameWriter writer;
  EXPECT_LE(writer.Write(Patterned<TypeParam>()).size(), kEncodedSize<TypeParam>);
  EXPECT_LE(kEncodedSize<TypeParam>, kMaxEncodedSize);
}

TYPED_TEST(EachMessage, DoesNotFitItsFrameWhenTheRoomIsOneByteShort) {
  const TypeParam message = Patterned<TypeParam>();
  Bytes room(kEncodedSize<TypeParam> - 1);
  std::size_t size = 1;
  EXPECT_EQ(EncodeFrame(kTypeOf<TypeParam>, 0, PayloadOf(message), room, &size), Status::kOverCapacity);
  EXPECT_EQ(size, 0u);
}

TEST(Frame, HasTheBytesOfTheDocument) {  // Source: docs/wire.md section 3, computed there with Python's struct and zlib.
  FrameWriter writer;
  const std::span<const std::uint8_t> frame = writer.Write(HelloRequest(1, 77));
  EXPECT_EQ(Bytes(frame.begin(), frame.end()), FromHex("02 01 01 01 02 01 01 01 02 4D 01 01 05 7E 0A A4 45 00"));
}

TEST(Frame, HasNoRoomForALargerPayload) {
  const Bytes payload = Count(0, kMaxPayloadSize + 1);
  Bytes room(2 * kMaxEncodedSize);
  std::size_t size = 1;
  EXPECT_EQ(EncodeFrame(MessageType::kSample, 0, payload, room, &size), Status::kOverCapacity);
  EXPECT_EQ(size, 0u);
}

TEST(Frame, RefusesNoRoomAtAll) {
  std::size_t size = 1;
  EXPECT_EQ(EncodeFrame(MessageType::kControl, 0, {}, {}, &size), Status::kOverCapacity);
  EXPECT_EQ(size, 0u);
}

TEST(Frame, IsNotReadAsAnotherMessage) {
  FrameWriter writer;
  FrameDecoder decoder;
  std::size_t used = 0;
  ASSERT_EQ(decoder.Push(writer.Write(LogEnd(1, 2)), &used), Status::kOk);
  HelloRequest other(3, 4);  // has the same size
  EXPECT_EQ(ReadMessage(decoder.frame(), &other), Status::kCorrupt);
  EXPECT_EQ(other.nonce(), 4u);
}

TEST(FrameWriter, NumbersItsFramesModulo65536) {
  FrameWriter writer;
  FrameDecoder decoder;
  for (std::uint32_t i = 0; i < 65538; ++i) {
    std::size_t used = 0;
    ASSERT_EQ(decoder.Push(writer.Write(Control()), &used), Status::kOk);
    ASSERT_EQ(decoder.frame().sequence, i % 65536);
  }
  EXPECT_EQ(decoder.counters().missing, 0u);
}

}  // namespace
}  // namespace tactus::wire
