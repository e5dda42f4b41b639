#pragma once
#include <bit>
#include <cstdint>
#include <span>

#include "tactus/core/crc32.h"
#include "tactus/core/eigen.h"
#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"

namespace tactus {

// The bytes of a grid, little endian, read in place (flash or RAM):
//   header           DistanceGrid::kHeaderBytes, see the fields below
//   map              u16 a block: the number of its samples' block; kNoBlock: none, all of it is farther than the band
//   coarse           i16 a block: distance of the block's centre, in coarse_step_m, rounded towards zero
//   samples          i16 × 512 a stored block: spline coefficients, in step_m; x runs fastest
//   CRC-32           of all before it

inline constexpr std::uint32_t kGridMagic = 0x46445354u;  // "TSDF"
inline constexpr std::uint16_t kGridVersion = 1;
inline constexpr int kGridBlock = 8;  ///< samples along an edge of a block
inline constexpr int kBlockSamples = kGridBlock * kGridBlock * kGridBlock;
inline constexpr std::uint16_t kNoBlock = 0xFFFF;
inline constexpr int kMostSample = 32767;   ///< beyond it samples are cut off: far outside, deep inside
inline constexpr int kMostGridBlocks = 64;  ///< along each axis: 512 samples

namespace internal {

inline std::uint16_t LoadU16(const std::uint8_t* bytes) {
  return static_cast<std::uint16_t>(bytes[0] | static_cast<unsigned>(bytes[1]) << 8);
}
inline std::int16_t LoadI16(const std::uint8_t* bytes) { return static_cast<std::int16_t>(LoadU16(bytes)); }
inline std::uint32_t LoadU32(const std::uint8_t* bytes) {
  return LoadU16(bytes) | static_cast<std::uint32_t>(LoadU16(bytes + 2)) << 16;
}
inline float LoadF32(const std::uint8_t* bytes) { return std::bit_cast<float>(LoadU32(bytes)); }

/// The four weights of the uniform cubic B-spline at t in [0, 1], and their derivatives by t.
template <class Scalar>
struct SplineWeights {
  Scalar value[4], slope[4];

  explicit SplineWeights(Scalar t) {
    const Scalar s = Scalar(1) - t, sixth = Scalar(1) / Scalar(6), half = Scalar(0.5);
    value[0] = sixth * s * s * s;
    value[1] = sixth * (Scalar(4) + t * t * (Scalar(3) * t - Scalar(6)));
    value[2] = sixth * (Scalar(4) + s * s * (Scalar(3) * s - Scalar(6)));
    value[3] = sixth * t * t * t;
    slope[0] = -half * s * s;
    slope[1] = half * t * (Scalar(3) * t - Scalar(4));
    slope[2] = -half * s * (Scalar(3) * s - Scalar(4));
    slope[3] = half * t * t;
  }
};

}  // namespace internal

/// Distance to a fixed body of any form, as samples near its surface: a view of bytes that `tactus scene bake` has made.
/// Frame G is the mesh's. Distances are positive outside.
///
///     d(x) = Σ c_ijk β(x/h - i) β(y/h - j) β(z/h - k)       β the cubic B-spline: d is C², the normal has no click
///
/// The coefficients c are prefiltered, so that d is the mesh's distance at each sample. Samples are stored where the body
/// is nearer than `band_m`; elsewhere one number a block gives a lower bound, since a distance is 1-Lipschitz.
class DistanceGrid {
 public:
  static constexpr std::size_t kHeaderBytes = 48, kCrcBytes = 4;

  DistanceGrid() = default;

  /// Looks at all bytes, once, when a scene is loaded. GridReader does it piece by piece.
  /// @returns nullptr and makes `grid` a view of `bytes`, which must outlive it; else what is wrong
  static const char* Open(std::span<const std::uint8_t> bytes, DistanceGrid* grid) noexcept;

  bool empty() const { return map_ == nullptr; }
  float spacing_m() const { return spacing_m_; }
  float band_m() const { return band_m_; }
  float slack_m() const { return slack_m_; }  ///< between a coefficient and the distance at its sample, at most
  int blocks(int axis) const { return blocks_[axis]; }
  int stored() const { return stored_; }
  Vec<float, 3> origin_m() const { return {origin_m_[0], origin_m_[1], origin_m_[2]}; }

  /// Whether x_G is inside of the body, where no samples tell how far. @param[in] x_G_m  finite
  template <class Scalar>
  bool IsInside(const Vec<Scalar, 3>& x_G_m) const noexcept {
    int at[3];
    if (!NearestSample(x_G_m, &at)) return false;  // the body is in the box
    const std::uint8_t* const sample = SampleAt(at[0], at[1], at[2]);
    if (sample != nullptr) return internal::LoadI16(sample) < 0;
    const int number = NumberOf(at[0] / kGridBlock, at[1] / kGridBlock, at[2] / kGridBlock);
    return internal::LoadI16(coarse_ + 2 * number) < 0;
  }

  /// A number that the distance at x_G is not below, from one block's number. Cheap; of use far away.
  /// @param[in] x_G_m  finite
  template <class Scalar>
  Scalar CoarseBound_m(const Vec<Scalar, 3>& x_G_m) const noexcept {
    Vec<Scalar, 3> inside = x_G_m;
    int block[3];
    for (int i = 0; i < 3; ++i) {
      const Scalar low = Scalar(origin_m_[i]), edge = Scalar(kGridBlock) * Scalar(spacing_m_);
      inside(i) = Clamp(x_G_m(i), low, low + edge * static_cast<Scalar>(blocks_[i]));
      block[i] = Clamp(static_cast<int>((inside(i) - low) / edge), 0, blocks_[i] - 1);
    }
    const Scalar inside_m = BlockBound_m(inside, block);
    const Vec<Scalar, 3> out = x_G_m - inside;
    if (out.isZero(0)) return inside_m;
    // The body is in the box, so seen from any of its points x is behind `inside`, at an obtuse angle there.
    const Scalar least_m = Max(inside_m, Scalar(0));
    return Sqrt(out.squaredNorm() + least_m * least_m);
  }

  /// The same from the nearest sample; where none is stored, the coarse bound.
  template <class Scalar>
  Scalar FineBound_m(const Vec<Scalar, 3>& x_G_m) const noexcept {
    constexpr Scalar kHalfDiagonal = Scalar(0.8661);  // √3/2, above
    int at[3];
    if (!NearestSample(x_G_m, &at)) return CoarseBound_m(x_G_m);
    const std::uint8_t* const sample = SampleAt(at[0], at[1], at[2]);
    if (sample == nullptr || internal::LoadI16(sample) <= -kMostSample) return CoarseBound_m(x_G_m);  // none, or cut off
    return Decode<Scalar>(sample) - Scalar(slack_m_) - kHalfDiagonal * Scalar(spacing_m_);
  }

  /// About d(x), from the eight samples around: off by up to twice slack_m. To choose points by, not for forces: its
  /// gradient jumps from cell to cell.
  /// @returns false where samples are missing; nothing is written
  template <class Scalar>
  bool RoughDistance(const Vec<Scalar, 3>& x_G_m, Scalar* distance_m) const noexcept {
    Cell<Scalar, 2> cell;
    if (!FindCell(x_G_m, &cell)) return false;
    Scalar d = 0;
    for (int k = 0; k < 2; ++k) {
      for (int j = 0; j < 2; ++j) {
        Scalar c[2];
        if (!cell.Row(j, k, *this, &c)) return false;
        const Scalar across = (k == 0 ? Scalar(1) - cell.t[2] : cell.t[2]) * (j == 0 ? Scalar(1) - cell.t[1] : cell.t[1]);
        d += across * (c[0] + cell.t[0] * (c[1] - c[0]));
      }
    }
    *distance_m = Scalar(step_m_) * d;
    return true;
  }

  /// d(x) and its gradient.
  /// @returns false where samples are missing: farther than band_m, outside of the grid, not a number. Nothing is written
  template <class Scalar>
  bool Distance(const Vec<Scalar, 3>& x_G_m, Scalar* distance_m, Vec<Scalar, 3>* gradient) const noexcept {
    Cell<Scalar, 4> cell;
    if (!FindCell(x_G_m, &cell)) return false;
    const internal::SplineWeights<Scalar> wx(cell.t[0]), wy(cell.t[1]), wz(cell.t[2]);
    Scalar d = 0, dx = 0, dy = 0, dz = 0;
    for (int k = 0; k < 4; ++k) {
      for (int j = 0; j < 4; ++j) {
        Scalar c[4];
        if (!cell.Row(j, k, *this, &c)) return false;
        Scalar row = 0, row_slope = 0;
        for (int i = 0; i < 4; ++i) {
          row += wx.value[i] * c[i];
          row_slope += wx.slope[i] * c[i];
        }
        d += wz.value[k] * wy.value[j] * row;
        dx += wz.value[k] * wy.value[j] * row_slope;
        dy += wz.value[k] * wy.slope[j] * row;
        dz += wz.slope[k] * wy.value[j] * row;
      }
    }
    const Scalar step = Scalar(step_m_), per_m = step / Scalar(spacing_m_);
    *distance_m = step * d;
    *gradient = {per_m * dx, per_m * dy, per_m * dz};
    return true;
  }

 private:
  friend class GridReader;
  /// The kWidth³ samples around a place: for each axis and each of them the part of its block's number and of its place in
  /// the block.
  template <class Scalar, int kWidth>
  struct Cell {
    int block[3][kWidth], in_block[3][kWidth];
    Scalar t[3];  ///< from the sample before the place to the one after it

    bool Row(int j, int k, const DistanceGrid& grid, Scalar (*c)[kWidth]) const {
      const int block_yz = block[1][j] + block[2][k], in_yz = in_block[1][j] + in_block[2][k];
      for (int i = 0; i < kWidth; ++i) {
        const std::uint16_t stored = internal::LoadU16(grid.map_ + 2 * (block[0][i] + block_yz));
        if (stored == kNoBlock) return false;
        (*c)[i] = static_cast<Scalar>(internal::LoadI16(
            grid.samples_ + 2 * (std::size_t{stored} * kBlockSamples + static_cast<unsigned>(in_block[0][i] + in_yz))));
      }
      return true;
    }
  };
  template <class Scalar, int kWidth>
  bool FindCell(const Vec<Scalar, 3>& x_G_m, Cell<Scalar, kWidth>* cell) const {
    constexpr int kBefore = kWidth / 2 - 1;
    int block_stride = 1, in_stride = 1;
    for (int i = 0; i < 3; ++i) {
      const Scalar u = (x_G_m(i) - Scalar(origin_m_[i])) / Scalar(spacing_m_);
      if (!(u >= static_cast<Scalar>(kBefore) && u < static_cast<Scalar>(kGridBlock * blocks_[i] - kWidth / 2)))
        return false;
      const int before = static_cast<int>(u);
      cell->t[i] = u - static_cast<Scalar>(before);
      for (int n = 0; n < kWidth; ++n) {
        const unsigned sample = static_cast<unsigned>(before - kBefore + n);
        cell->block[i][n] = block_stride * static_cast<int>(sample / kGridBlock);
        cell->in_block[i][n] = in_stride * static_cast<int>(sample % kGridBlock);
      }
      block_stride *= blocks_[i];
      in_stride *= kGridBlock;
    }
    return true;
  }

  /// @param[in] bytes  the header is there; of what comes behind it only the size is looked at
  const char* ReadHeader(std::span<const std::uint8_t> bytes) noexcept {
    using internal::LoadF32, internal::LoadU16, internal::LoadU32;
    const std::uint8_t* const at = bytes.data();
    if (LoadU32(at) != kGridMagic) return "is not a distance grid";
    if (LoadU16(at + 4) != kGridVersion) return "is a distance grid of another version";
    stored_ = LoadU16(at + 6);
    for (int i = 0; i < 3; ++i) {
      blocks_[i] = LoadU16(at + 8 + 2 * i);
      if (blocks_[i] < 1 || blocks_[i] > kMostGridBlocks) return "has no or too many blocks along an axis";
      origin_m_[i] = LoadF32(at + 16 + 4 * i);
      if (!(Abs(origin_m_[i]) <= 100.0f)) return "has its origin farther than 100 m";
    }
    spacing_m_ = LoadF32(at + 28);
    band_m_ = LoadF32(at + 32);
    step_m_ = LoadF32(at + 36);
    coarse_step_m_ = LoadF32(at + 40);
    slack_m_ = LoadF32(at + 44);
    if (!(spacing_m_ >= 1e-6f && spacing_m_ <= 1.0f)) return "has a spacing out of 1 um to 1 m";
    for (const float length : {band_m_, step_m_, coarse_step_m_, slack_m_}) {
      if (!(length >= 0.0f && length <= 10.0f)) return "has a length out of 0 to 10 m";
    }
    const std::size_t size =
        kHeaderBytes + 4 * map_size() + std::size_t{2} * kBlockSamples * static_cast<std::size_t>(stored_) + kCrcBytes;
    if (bytes.size() != size) return "has another size than its header says";
    map_ = at + kHeaderBytes;
    coarse_ = map_ + 2 * map_size();
    samples_ = coarse_ + 2 * map_size();
    return nullptr;
  }
  std::size_t map_size() const { return static_cast<std::size_t>(blocks_[0] * blocks_[1] * blocks_[2]); }
  /// Whether entries [from, to) of the map refer to blocks that are there.
  bool HasBlocks(std::size_t from, std::size_t to) const noexcept {
    for (std::size_t i = from; i < to; ++i) {
      const std::uint16_t number = internal::LoadU16(map_ + 2 * i);
      if (number != kNoBlock && number >= stored_) return false;
    }
    return true;
  }

  /// @returns false outside of the grid
  template <class Scalar>
  bool NearestSample(const Vec<Scalar, 3>& x_G_m, int (*at)[3]) const {
    for (int i = 0; i < 3; ++i) {
      const Scalar u = (x_G_m(i) - Scalar(origin_m_[i])) / Scalar(spacing_m_) + Scalar(0.5);
      if (!(u >= Scalar(0) && u < static_cast<Scalar>(kGridBlock * blocks_[i]))) return false;
      (*at)[i] = static_cast<int>(u);
    }
    return true;
  }
  /// A lower bound for a place in a block: from its centre's distance, and, where nothing is stored, from that.
  template <class Scalar>
  Scalar BlockBound_m(const Vec<Scalar, 3>& x_G_m, const int (&block)[3]) const {
    const int number = NumberOf(block[0], block[1], block[2]);
    const int coarse = internal::LoadI16(coarse_ + 2 * number);
    const Scalar step_m = Scalar(coarse_step_m_), at_centre_m = static_cast<Scalar>(coarse) * step_m;
    const Scalar bound_m = at_centre_m - step_m - Norm(Vec<Scalar, 3>(x_G_m - Centre<Scalar>(block)));
    const bool is_clear = coarse > 0 && internal::LoadU16(map_ + 2 * number) == kNoBlock;
    return is_clear ? Max(bound_m, Scalar(band_m_)) : bound_m;
  }
  int NumberOf(int bx, int by, int bz) const { return bx + blocks_[0] * (by + blocks_[1] * bz); }

  /// nullptr: none is stored. All three are inside the grid.
  const std::uint8_t* SampleAt(int x, int y, int z) const {
    const unsigned ux = static_cast<unsigned>(x), uy = static_cast<unsigned>(y), uz = static_cast<unsigned>(z);
    const int number =
        NumberOf(static_cast<int>(ux / kGridBlock), static_cast<int>(uy / kGridBlock), static_cast<int>(uz / kGridBlock));
    const std::uint16_t block = internal::LoadU16(map_ + 2 * number);
    if (block == kNoBlock) return nullptr;
    const unsigned in_block = ux % kGridBlock + kGridBlock * (uy % kGridBlock + kGridBlock * (uz % kGridBlock));
    return samples_ + 2 * (std::size_t{block} * kBlockSamples + in_block);
  }
  template <class Scalar>
  Scalar Decode(const std::uint8_t* sample) const {
    return static_cast<Scalar>(internal::LoadI16(sample)) * Scalar(step_m_);
  }
  template <class Scalar>
  Vec<Scalar, 3> Centre(const int (&block)[3]) const {
    Vec<Scalar, 3> c;
    for (int i = 0; i < 3; ++i) {
      c(i) = Scalar(origin_m_[i]) + Scalar(kGridBlock) * Scalar(spacing_m_) * (static_cast<Scalar>(block[i]) + Scalar(0.5));
    }
    return c;
  }

  const std::uint8_t* map_ = nullptr;
  const std::uint8_t* coarse_ = nullptr;
  const std::uint8_t* samples_ = nullptr;
  int blocks_[3] = {0, 0, 0};
  int stored_ = 0;
  float origin_m_[3] = {0, 0, 0};
  float spacing_m_ = 0, band_m_ = 0, step_m_ = 0, coarse_step_m_ = 0, slack_m_ = 0;
};

}  // namespace tactus

#include "tactus/collide/grid_reader.inl"
