#include "tactus/core/crc32.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

namespace tactus {
namespace {

constexpr std::array<std::uint8_t, 9> kDigits{'1', '2', '3', '4', '5', '6', '7', '8', '9'};

TEST(Crc32, GivesThePublishedCheckValue) {  // Source: catalogue of parametrised CRC algorithms, CRC-32/ISO-HDLC.
  static_assert(Crc32(kDigits) == 0xCBF43926u);
  EXPECT_EQ(Crc32(kDigits), 0xCBF43926u);
}

TEST(Crc32, OfNothingIsZero) { EXPECT_EQ(Crc32({}), 0u); }  // Source: start and final xor cancel.

TEST(Crc32, GoesOnWhereItStopped) {
  for (std::size_t cut = 0; cut <= kDigits.size(); ++cut) {
    const std::span<const std::uint8_t> all(kDigits);
    EXPECT_EQ(Crc32(all.subspan(cut), Crc32(all.first(cut))), 0xCBF43926u) << cut;
  }
}

TEST(Crc32, OfDataWithItsOwnSumIsTheResidue) {  // Source: the catalogue's residue 0xDEBB20E3, complemented by the final xor.
  std::array<std::uint8_t, 304> data{};
  std::iota(data.begin(), data.end() - 4, std::uint8_t{1});
  const std::uint32_t crc = Crc32(std::span<const std::uint8_t>(data).first(300));
  for (std::size_t i = 0; i < 4; ++i) data[300 + i] = static_cast<std::uint8_t>(crc >> (8 * i));
  EXPECT_EQ(Crc32(data), ~0xDEBB20E3u);
}

}  // namespace
}  // namespace tactus
