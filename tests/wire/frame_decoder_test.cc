#include "tactus/wire/frame_decoder.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

#include "bytes.h"

namespace tactus::wire {
namespace {

Sample SampleWith(std::uint32_t sequence) {
  Sample sample;
  sample.mutate_sequence(sequence);
  sample.mutable_position_m()->Mutate(1, 0.0123f);
  sample.mutable_orientation_wxyz()->Mutate(0, 1.0f);
  return sample;
}

Bytes SampleFrame(std::uint32_t sequence) {
  Bytes out(kMaxEncodedSize);
  std::size_t size = 0;
  EXPECT_EQ(
      EncodeFrame(MessageType::kSample, static_cast<std::uint16_t>(sequence), PayloadOf(SampleWith(sequence)), out, &size),
      Status::kOk);
  out.resize(size);
  return out;
}

/// A stuffed frame with a right checksum around anything: type, flags, sequence, payload.
Bytes Sealed(Bytes raw) {
  const std::uint32_t crc = Crc32(raw);
  for (int i = 0; i < 4; ++i) raw.push_back(static_cast<std::uint8_t>(crc >> (8 * i)));
  Bytes out(CobsEncodedBound(raw.size()));
  out.resize(CobsEncode(raw, out));
  out.push_back(0);
  return out;
}

/// Pushes all bytes; returns the sequences of the samples that came out.
std::vector<std::uint32_t> Samples(FrameDecoder* decoder, std::span<const std::uint8_t> bytes) {
  std::vector<std::uint32_t> sequences;
  while (!bytes.empty()) {
    std::size_t used = 0;
    Sample sample;
    if (decoder->Push(bytes, &used) == Status::kOk && ReadMessage(decoder->frame(), &sample) == Status::kOk) {
      sequences.push_back(sample.sequence());
    }
    bytes = bytes.subspan(used);
  }
  return sequences;
}

/// Something bad, and how it is counted.
struct Case {
  const char* name;
  Bytes bytes;
  std::uint32_t DecoderCounters::*counter;
};

std::vector<Case> BadFrames() {
  const Bytes good = SampleFrame(1);
  Bytes wrong_sum = good;
  wrong_sum[wrong_sum.size() - 2] ^= 0x40;
  const Bytes head{static_cast<std::uint8_t>(MessageType::kSample), 0, 0, 0};
  return {
      {"cut in the middle", Join(Bytes(good.begin(), good.begin() + 20), {0}), &DecoderCounters::torn},
      {"one byte lost at the end", Join(Bytes(good.begin(), good.end() - 2), {0}), &DecoderCounters::torn},
      {"a wrong sum", wrong_sum, &DecoderCounters::wrong_crc},
      {"a single code byte", {1, 0}, &DecoderCounters::undersized},
      {"a sum and no head", Sealed({}), &DecoderCounters::undersized},
      {"a payload one byte short", Sealed(Join(head, Bytes(35, 1))), &DecoderCounters::wrong_size},
      {"a payload one byte long", Sealed(Join(head, Bytes(37, 1))), &DecoderCounters::wrong_size},
      {"no payload", Sealed(head), &DecoderCounters::wrong_size},
      {"an unknown type", Sealed({99, 0, 0, 0, 1, 2, 3, 4}), &DecoderCounters::unknown_type},
      {"type 0", Sealed({0, 0, 0, 0}), &DecoderCounters::unknown_type},
      {"flags", Sealed(Join({4, 1, 0, 0}, Bytes(36, 1))), &DecoderCounters::unknown_flags},
      {"one byte too long", Sealed(Join(head, Bytes(kMaxPayloadSize + 1, 7))), &DecoderCounters::oversized},
      {"far too long", Join(Bytes(100'000, 0x55), {0}), &DecoderCounters::oversized},
      {"codes only, far too long", Join(Bytes(100'000, 0x01), {0}), &DecoderCounters::oversized},
  };
}

TEST(FrameDecoder, CountsEachBadFrameOnceAndByItsCause) {
  for (const Case& bad : BadFrames()) {
    FrameDecoder decoder;
    EXPECT_TRUE(Samples(&decoder, bad.bytes).empty()) << bad.name;
    EXPECT_EQ(decoder.counters().*bad.counter, 1u) << bad.name;
    EXPECT_EQ(decoder.counters().bad(), 1u) << bad.name;
    EXPECT_EQ(decoder.counters().frames, 0u) << bad.name;
  }
}

TEST(FrameDecoder, TakesTheNextFrameAfterABadOne) {
  for (const Case& bad : BadFrames()) {
    FrameDecoder decoder;
    EXPECT_EQ(Samples(&decoder, Join(bad.bytes, SampleFrame(2))), std::vector<std::uint32_t>{2}) << bad.name;
    EXPECT_EQ(decoder.counters().bad(), 1u) << bad.name;
  }
}

TEST(FrameDecoder, TakesTheLargestPayloadThereIs) {  // It has room; only the type is not known.
  FrameDecoder decoder;
  Samples(&decoder, Sealed(Join({99, 0, 0, 0}, Bytes(kMaxPayloadSize, 7))));
  EXPECT_EQ(decoder.counters().unknown_type, 1u);
  EXPECT_EQ(decoder.counters().oversized, 0u);
}

TEST(FrameDecoder, PassesOverEmptyFrames) {
  FrameDecoder decoder;
  const Bytes zeros(5, 0);
  EXPECT_EQ(Samples(&decoder, Join(Join(zeros, SampleFrame(3)), zeros)), std::vector<std::uint32_t>{3});
  EXPECT_EQ(decoder.counters().bad(), 0u);
}

TEST(FrameDecoder, RejectsEveryFrameWithOneWrongBit) {  // No flip may yield a sample: a CRC-32 finds them all, or COBS does.
  const Bytes good = SampleFrame(0x01020304);
  for (std::size_t bit = 0; bit < 8 * (good.size() - 1); ++bit) {
    Bytes bytes = good;
    bytes[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
    FrameDecoder decoder;
    ASSERT_TRUE(Samples(&decoder, Join(bytes, SampleFrame(2))) == std::vector<std::uint32_t>{2}) << "bit " << bit;
    ASSERT_GE(decoder.counters().bad(), 1u) << "bit " << bit;
  }
}

TEST(FrameDecoder, LosesTwoFramesWhenTheZeroBetweenThemIsWrong) {
  Bytes bytes = SampleFrame(1);
  bytes.back() = 0x17;
  FrameDecoder decoder;
  EXPECT_EQ(Samples(&decoder, Join(Join(bytes, SampleFrame(2)), SampleFrame(3))), std::vector<std::uint32_t>{3});
}

TEST(FrameDecoder, CountsMissingFramesFromTheGapsOfTheSequence) {
  FrameDecoder decoder;
  Bytes bytes;
  for (const std::uint32_t sequence : {65533u, 65534u, 1u, 2u, 5u}) bytes = Join(bytes, SampleFrame(sequence));
  Samples(&decoder, bytes);
  EXPECT_EQ(decoder.counters().frames, 5u);
  EXPECT_EQ(decoder.counters().missing, 4u);  // 65535, 0; 3, 4
}

TEST(FrameDecoder,
     StandsAMillionBytesOfNoise) {  // Source: 1e6/256 pieces; a CRC-32 lets one through in 4e9, the type in 20 more.
  std::mt19937 random(1);
  Bytes noise(1'000'000);
  for (std::uint8_t& byte : noise) byte = static_cast<std::uint8_t>(random());
  FrameDecoder decoder;
  EXPECT_TRUE(Samples(&decoder, noise).empty());
  EXPECT_GT(decoder.counters().bad(), 3500u);
  EXPECT_EQ(Samples(&decoder, Join({0}, SampleFrame(9))), std::vector<std::uint32_t>{9});
}

TEST(FrameDecoder, FindsEveryWholeFrameBetweenNoise) {
  std::mt19937 random(2);
  Bytes stream;
  std::vector<std::uint32_t> sent;
  for (std::uint32_t i = 0; i < 500; ++i) {
    Bytes noise(random() % 700);
    for (std::uint8_t& byte : noise) byte = static_cast<std::uint8_t>(random());
    stream = Join(Join(Join(stream, noise), {0}), SampleFrame(i));
    sent.push_back(i);
  }
  FrameDecoder decoder;
  EXPECT_EQ(Samples(&decoder, stream), sent);
}

RC_GTEST_PROP(FrameDecoder, DoesNotDependOnHowTheStreamIsCut, (const std::vector<std::uint8_t>& cuts)) {
  Bytes stream;
  for (std::uint32_t i = 0; i < 20; ++i) stream = Join(stream, SampleFrame(i));
  stream[100] ^= 4;
  FrameDecoder whole, pieces;
  const std::vector<std::uint32_t> expected = Samples(&whole, stream);
  std::vector<std::uint32_t> got;
  std::span<const std::uint8_t> rest(stream);
  for (const std::uint8_t cut : cuts) {
    const std::span<const std::uint8_t> piece = rest.first(std::min<std::size_t>(cut, rest.size()));
    for (const std::uint32_t sequence : Samples(&pieces, piece)) got.push_back(sequence);
    rest = rest.subspan(piece.size());
  }
  for (const std::uint32_t sequence : Samples(&pieces, rest)) got.push_back(sequence);
  RC_ASSERT(got == expected);
  RC_ASSERT(pieces.counters().bad() == whole.counters().bad());
}

RC_GTEST_PROP(FrameDecoder, LosesOnlyTheFramesThatAreTouched, ()) {
  constexpr std::uint32_t kFrames = 10;
  Bytes stream;
  std::vector<std::size_t> ends;
  for (std::uint32_t i = 0; i < kFrames; ++i) {
    stream = Join(stream, SampleFrame(i));
    ends.push_back(stream.size());
  }
  const std::size_t at = *rc::gen::inRange<std::size_t>(0, stream.size());
  stream[at] = *rc::gen::suchThat(rc::gen::arbitrary<std::uint8_t>(), [&](std::uint8_t b) { return b != stream[at]; });
  FrameDecoder decoder;
  const std::vector<std::uint32_t> got = Samples(&decoder, stream);
  const auto touched = static_cast<std::uint32_t>(std::upper_bound(ends.begin(), ends.end(), at) - ends.begin());
  for (std::uint32_t i = 0; i < kFrames; ++i) {
    const bool arrived = std::find(got.begin(), got.end(), i) != got.end();
    const bool next_to_a_lost_end = at + 1 == ends[touched] && i == touched + 1;
    if (i == touched) RC_ASSERT(!arrived);
    if (i != touched && !next_to_a_lost_end) RC_ASSERT(arrived);
  }
}

}  // namespace
}  // namespace tactus::wire
