#include "tactus/wire/cobs.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <optional>

#include "bytes.h"

namespace tactus::wire {
namespace {

Bytes Encode(const Bytes& data) {
  Bytes out(CobsEncodedBound(data.size()));
  out.resize(CobsEncode(data, out));
  return out;
}

std::optional<Bytes> Decode(const Bytes& stuffed) {  // `stuffed` without the closing 0x00
  CobsDecoder decoder;
  Bytes data;
  std::uint8_t out = 0;
  for (const std::uint8_t byte : stuffed) {
    if (decoder.Push(byte, &out) == CobsEvent::kByte) data.push_back(out);
  }
  if (decoder.Push(0, &out) != CobsEvent::kEnd) return std::nullopt;
  return data;
}

struct Example {
  Bytes data, stuffed;
};

// Source: the examples of the Wikipedia article "Consistent Overhead Byte Stuffing" (2024), after Cheshire and Baker 1999.
const std::vector<Example>& Examples() {
  static const std::vector<Example> examples = {
      {FromHex("00"), FromHex("01 01")},
      {FromHex("00 00"), FromHex("01 01 01")},
      {FromHex("00 11 00"), FromHex("01 02 11 01")},
      {FromHex("11 22 00 33"), FromHex("03 11 22 02 33")},
      {FromHex("11 22 33 44"), FromHex("05 11 22 33 44")},
      {FromHex("11 00 00 00"), FromHex("02 11 01 01 01")},
      {Count(1, 254), Join({0xFF}, Count(1, 254))},
      {Count(0, 255), Join({0x01, 0xFF}, Count(1, 254))},
      {Count(1, 255), Join(Join({0xFF}, Count(1, 254)), {0x02, 0xFF})},
      {Join(Count(2, 254), {0x00}), Join(Join({0xFF}, Count(2, 254)), {0x01, 0x01})},
      {Join(Count(3, 253), {0x00, 0x01}), Join(Join({0xFE}, Count(3, 253)), {0x02, 0x01})},
  };
  return examples;
}

TEST(Cobs, EncodesThePublishedExamples) {
  for (const Example& example : Examples()) EXPECT_EQ(Encode(example.data), example.stuffed);
}

TEST(Cobs, DecodesThePublishedExamples) {
  for (const Example& example : Examples()) EXPECT_EQ(Decode(example.stuffed), example.data);
}

TEST(Cobs, RefusesARoomThatMayBeTooSmall) {
  const Bytes data = Count(1, 254);
  Bytes room(CobsEncodedBound(data.size()) - 1, 0xEE);
  EXPECT_EQ(CobsEncode(data, room), 0u);
}

TEST(Cobs, CallsAZeroInsideABlockTorn) {
  for (const Example& example : Examples()) {
    if (example.data.back() == 0) continue;  // the last block has no data to lose
    EXPECT_EQ(Decode(Bytes(example.stuffed.begin(), example.stuffed.end() - 1)), std::nullopt);
  }
}

TEST(Cobs, StartsAfreshAfterATornBlock) {
  CobsDecoder decoder;
  std::uint8_t out = 0;
  EXPECT_EQ(decoder.Push(0xFF, &out), CobsEvent::kNothing);
  EXPECT_EQ(decoder.Push(0x00, &out), CobsEvent::kTorn);
  EXPECT_EQ(decoder.Push(0x02, &out), CobsEvent::kNothing);
  EXPECT_EQ(decoder.Push(0x11, &out), CobsEvent::kByte);
  EXPECT_EQ(out, 0x11);
  EXPECT_EQ(decoder.Push(0x00, &out), CobsEvent::kEnd);
}

// Half of the bytes zero, or none: the lengths around 254 with and without zeros are where stuffing goes wrong.
rc::Gen<Bytes> Data() {
  return rc::gen::mapcat(rc::gen::inRange(0, 800), [](int size) {
    const auto byte = rc::gen::weightedOneOf<std::uint8_t>(
        {{1, rc::gen::just<std::uint8_t>(0)}, {200, rc::gen::inRange<std::uint8_t>(1, 255)}});
    return rc::gen::container<Bytes>(static_cast<std::size_t>(size), byte);
  });
}

RC_GTEST_PROP(Cobs, GivesBackWhatWentIn, ()) {
  const Bytes data = *Data();
  RC_ASSERT(Decode(Encode(data)) == data);
}

RC_GTEST_PROP(Cobs, HasNoZeroAndKeepsItsBound, ()) {
  const Bytes data = *Data();
  const Bytes stuffed = Encode(data);
  RC_ASSERT(std::find(stuffed.begin(), stuffed.end(), 0) == stuffed.end());
  RC_ASSERT(stuffed.size() > data.size());
  RC_ASSERT(stuffed.size() <= CobsEncodedBound(data.size()));
}

RC_GTEST_PROP(Cobs, GivesAtMostOneByteForEachByteOfAnything, (const Bytes& anything)) {
  CobsDecoder decoder;
  std::size_t bytes = 0;
  for (const std::uint8_t byte : anything) {
    std::uint8_t out = 0;
    bytes += decoder.Push(byte, &out) == CobsEvent::kByte ? 1 : 0;
  }
  RC_ASSERT(bytes <= anything.size());
}

}  // namespace
}  // namespace tactus::wire
