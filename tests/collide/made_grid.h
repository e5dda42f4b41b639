#pragma once
#include <bit>
#include <cstdint>
#include <span>

#include "tactus/collide/distance_grid.h"

namespace tactus {

/// A cube of blocks about the origin.
struct MadeGrid {
  int blocks = 5;  ///< along each axis
  double spacing_m = 1e-3;
  double band_m = 3e-3;
  double step_m = 2e-7;
  double slack_m = 2e-7;  ///< of the coefficients beside the distances

  double Coordinate(int sample) const { return spacing_m * (sample - kGridBlock * blocks / 2); }
};

/// Writes the bytes of a grid whose coefficients are the values of `distance`, into `bytes`.
/// @param[in] distance  (x, y, z) → signed distance [m]
/// @returns how many bytes; 0: they have no room
template <class Distance>
std::size_t MakeGrid(const MadeGrid& made, Distance distance, std::span<std::uint8_t> bytes) {
  std::size_t size = 0;
  const auto u16 = [&](unsigned x) {
    if (size + 2 <= bytes.size()) {
      bytes[size] = static_cast<std::uint8_t>(x & 0xFF);
      bytes[size + 1] = static_cast<std::uint8_t>(x >> 8 & 0xFF);
    }
    size += 2;
  };
  const auto i16 = [&](double x) {
    u16(static_cast<std::uint16_t>(static_cast<std::int16_t>(x < -32767 ? -32767 : (x > 32767 ? 32767 : x))));
  };
  const auto u32 = [&](std::uint32_t x) {
    u16(x & 0xFFFF);
    u16(x >> 16);
  };
  const auto f32 = [&](double x) { u32(std::bit_cast<std::uint32_t>(static_cast<float>(x))); };
  const int n = kGridBlock * made.blocks;
  const auto at = [&](int x, int y, int z) { return distance(made.Coordinate(x), made.Coordinate(y), made.Coordinate(z)); };
  const auto is_near = [&](int bx, int by, int bz) {
    for (int i = 0; i < 12 * 12 * 12; ++i) {
      const int x = kGridBlock * bx + i % 12 - 2, y = kGridBlock * by + i / 12 % 12 - 2, z = kGridBlock * bz + i / 144 - 2;
      if (x < 0 || y < 0 || z < 0 || x >= n || y >= n || z >= n) continue;
      if (Abs(at(x, y, z)) <= made.band_m + 0.87 * made.spacing_m) return true;
    }
    return false;
  };
  const auto each_block = [&](auto visit) {
    for (int i = 0; i < made.blocks * made.blocks * made.blocks; ++i) {
      visit(i % made.blocks, i / made.blocks % made.blocks, i / (made.blocks * made.blocks));
    }
  };
  constexpr double kCoarse_m = 5e-6;
  u32(kGridMagic);
  u16(kGridVersion);
  u16(0);  // how many are stored, below
  for (int i = 0; i < 3; ++i) u16(static_cast<unsigned>(made.blocks));
  u16(0);
  for (int i = 0; i < 3; ++i) f32(made.Coordinate(0));
  for (const double x : {made.spacing_m, made.band_m, made.step_m, kCoarse_m, made.slack_m}) f32(x);
  unsigned stored = 0;
  each_block([&](int x, int y, int z) { u16(is_near(x, y, z) ? stored++ : kNoBlock); });
  each_block([&](int x, int y, int z) {
    i16(at(kGridBlock * x + kGridBlock / 2, kGridBlock * y + kGridBlock / 2, kGridBlock * z + kGridBlock / 2) / kCoarse_m);
  });
  each_block([&](int x, int y, int z) {
    if (!is_near(x, y, z)) return;
    for (int i = 0; i < kBlockSamples; ++i) {
      const double d = at(kGridBlock * x + i % 8, kGridBlock * y + i / 8 % 8, kGridBlock * z + i / 64) / made.step_m;
      i16(d < 0 ? d - 0.5 : d + 0.5);
    }
  });
  if (size + 4 > bytes.size()) return 0;
  bytes[6] = static_cast<std::uint8_t>(stored & 0xFF);
  bytes[7] = static_cast<std::uint8_t>(stored >> 8);
  u32(Crc32(bytes.first(size)));
  return size;
}

}  // namespace tactus
