#include "host_tools/mesh/bake_grid.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include "host_tools/link/host_error.h"
#include "host_tools/mesh/mesh_distance.h"
#include "host_tools/report/percentile.h"
#include "tactus/collide/distance_grid.h"
#include "tactus/core/spatial.h"
#include "tactus/scene/validate.h"

namespace tactus::host {
namespace {

constexpr double kHalfDiagonal = 0.8661;  // √3/2, above
constexpr std::size_t kMostSamples = std::size_t{1} << 25;

/// All samples of the box, x fastest: first distances, then also coefficients.
struct DenseGrid {
  int n[3] = {};
  Vec3 origin_m;
  double spacing_m = 0;
  std::vector<double> distance_m, coefficient_m;

  std::size_t At(int x, int y, int z) const {
    return static_cast<std::size_t>(x) +
           static_cast<std::size_t>(n[0]) *
               (static_cast<std::size_t>(y) + static_cast<std::size_t>(n[1]) * static_cast<std::size_t>(z));
  }
};

DenseGrid Lay(const TriangleMesh& mesh, const BakeOptions& options) {
  Vec3 low = mesh.vertex_m.front(), high = low;
  for (const std::array<int, 3>& triangle : mesh.triangle) {
    for (const int v : triangle) {
      low = low.cwiseMin(mesh.vertex_m[static_cast<std::size_t>(v)]);
      high = high.cwiseMax(mesh.vertex_m[static_cast<std::size_t>(v)]);
    }
  }
  const double h = options.spacing_m, rim_m = options.band_m + 3 * h;
  DenseGrid grid{.origin_m = Vec3::Zero(), .spacing_m = h, .distance_m = {}, .coefficient_m = {}};
  std::size_t all = 1;
  for (int i = 0; i < 3; ++i) {
    const double blocks = std::ceil((high(i) - low(i) + 2 * rim_m) / (kGridBlock * h));
    if (!(blocks <= kMostGridBlocks)) {
      throw HostError(fmt::format("{:g} samples along an axis, and {} are the most: a coarser --resolution, please",
                                  blocks * kGridBlock, kMostGridBlocks * kGridBlock));
    }
    grid.n[i] = kGridBlock * static_cast<int>(blocks);
    grid.origin_m(i) = 0.5 * (low(i) + high(i)) - 0.5 * h * grid.n[i];
    all *= static_cast<std::size_t>(grid.n[i]);
  }
  if (all > kMostSamples) {
    throw HostError(fmt::format("{} million samples, and {} are the most: a coarser --resolution, please", all >> 20,
                                kMostSamples >> 20));
  }
  grid.distance_m.resize(all);
  return grid;
}

void Measure(const MeshDistance& distance, DenseGrid* grid, const BakeProgress& progress) {
  for (int z = 0; z < grid->n[2]; ++z) {
    for (int y = 0; y < grid->n[1]; ++y) {
      for (int x = 0; x < grid->n[0]; ++x) {
        grid->distance_m[grid->At(x, y, z)] = distance(grid->origin_m + grid->spacing_m * Vec3(x, y, z));
      }
    }
    if (progress) progress(static_cast<double>(z + 1) / grid->n[2]);
  }
}

/// The coefficients along one line, from the samples: the recursive filter with the pole z = √3 - 2, mirrored at the ends
/// [Unser99] box 2.
void Prefilter(std::vector<double>* line) {
  static const double z = std::sqrt(3.0) - 2;
  std::vector<double>& c = *line;
  const std::size_t n = c.size();
  double first = 0, power = 1;
  for (std::size_t k = 0; k < std::min<std::size_t>(n, 40); ++k, power *= z) first += power * c[k];  // z⁴⁰ is 1e-23
  c[0] = first;
  for (std::size_t k = 1; k < n; ++k) c[k] += z * c[k - 1];
  c[n - 1] = z / (z * z - 1) * (c[n - 1] + z * c[n - 2]);
  for (std::size_t k = n - 1; k-- > 0;) c[k] = z * (c[k + 1] - c[k]);
  for (double& x : c) x *= 6;
}

void Prefilter(DenseGrid* grid) {
  grid->coefficient_m = grid->distance_m;
  std::vector<double> line;
  const std::size_t stride[3] = {1, static_cast<std::size_t>(grid->n[0]),
                                 static_cast<std::size_t>(grid->n[0]) * static_cast<std::size_t>(grid->n[1])};
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    line.resize(static_cast<std::size_t>(grid->n[axis]));
    for (int i = 0; i < grid->n[u]; ++i) {
      for (int j = 0; j < grid->n[v]; ++j) {
        double* const from =
            grid->coefficient_m.data() + static_cast<std::size_t>(i) * stride[u] + static_cast<std::size_t>(j) * stride[v];
        for (std::size_t k = 0; k < line.size(); ++k) line[k] = from[k * stride[axis]];
        Prefilter(&line);
        for (std::size_t k = 0; k < line.size(); ++k) from[k * stride[axis]] = line[k];
      }
    }
  }
}

/// Writes numbers, little endian.
class Writer {
 public:
  void U16(unsigned x) {
    bytes_.push_back(static_cast<std::uint8_t>(x & 0xFF));
    bytes_.push_back(static_cast<std::uint8_t>(x >> 8 & 0xFF));
  }
  void I16(double x) { U16(static_cast<std::uint16_t>(static_cast<std::int16_t>(std::clamp(x, -32767.0, 32767.0)))); }
  void U32(std::uint32_t x) {
    U16(x & 0xFFFF);
    U16(x >> 16);
  }
  void F32(double x) { U32(std::bit_cast<std::uint32_t>(static_cast<float>(x))); }
  std::vector<std::uint8_t>& bytes() { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

class Packer {
 public:
  Packer(const DenseGrid& grid, double band_m) : grid_(grid), band_m_(band_m) {
    for (int i = 0; i < 3; ++i) blocks_[i] = grid.n[i] / kGridBlock;
    Choose();
    MeasureSlack();
    // A query within the band needs samples two spacings off. What is farther is cut: its bound is right still.
    const double largest_m = band_m_ + (kHalfDiagonal + 4) * grid_.spacing_m + slack_m_;
    step_m_ = Float(largest_m / 32767);
  }

  std::vector<std::uint8_t> Write(BakeReport* report) {
    for (int i = 0; i < 3; ++i) report->samples[i] = grid_.n[i];
    report->blocks = blocks_[0] * blocks_[1] * blocks_[2];
    report->stored = static_cast<int>(chosen_.size());
    report->step_m = step_m_;
    report->band_m = band_m_;
    WriteHeader();
    WriteMap();
    for (const std::array<int, 3>& block : chosen_) WriteSamples(block);
    out_.U32(Crc32(out_.bytes()));
    return std::move(out_.bytes());
  }

 private:
  static double Float(double x) { return static_cast<double>(static_cast<float>(x)); }

  template <class Visit>
  void EachSample(const std::array<int, 3>& block, int rim, Visit visit) const {
    int low[3], high[3];
    for (std::size_t i = 0; i < 3; ++i) {
      low[i] = std::max(kGridBlock * block[i] - rim, 0);
      high[i] = std::min(kGridBlock * (block[i] + 1) + rim, grid_.n[i]);
    }
    for (int z = low[2]; z < high[2]; ++z) {
      for (int y = low[1]; y < high[1]; ++y) {
        for (int x = low[0]; x < high[0]; ++x) visit(grid_.At(x, y, z));
      }
    }
  }
  template <class Visit>
  void EachBlock(Visit visit) const {
    for (int z = 0; z < blocks_[2]; ++z) {
      for (int y = 0; y < blocks_[1]; ++y) {
        for (int x = 0; x < blocks_[0]; ++x) visit(std::array<int, 3>{x, y, z});
      }
    }
  }

  /// The blocks that a query within the band can need: some sample within two of it is that near.
  void Choose() {
    const double near_m = band_m_ + kHalfDiagonal * grid_.spacing_m;
    EachBlock([&](const std::array<int, 3>& block) {
      bool is_near = false;
      EachSample(block, 2, [&](std::size_t at) { is_near = is_near || std::abs(grid_.distance_m[at]) <= near_m; });
      if (is_near) chosen_.push_back(block);
    });
    if (chosen_.size() >= kNoBlock) {
      throw HostError(fmt::format(
          "{} blocks of samples near the surface, and 65534 are the most: a coarser --resolution, please", chosen_.size()));
    }
  }
  void MeasureSlack() {
    const double near_m = band_m_ + 4 * grid_.spacing_m;
    for (const std::array<int, 3>& block : chosen_) {
      EachSample(block, 0, [&](std::size_t at) {
        if (std::abs(grid_.distance_m[at]) > near_m) return;
        slack_m_ = std::max(slack_m_, std::abs(grid_.coefficient_m[at] - grid_.distance_m[at]));
      });
    }
    slack_m_ = Float(slack_m_ * 1.001 + 1e-9);
  }
  double CentreDistance(const std::array<int, 3>& block) const {
    const int half = kGridBlock / 2;
    return grid_
        .distance_m[grid_.At(kGridBlock * block[0] + half, kGridBlock * block[1] + half, kGridBlock * block[2] + half)];
  }

  void WriteHeader() {
    double largest_m = 0;
    EachBlock([&](const std::array<int, 3>& block) { largest_m = std::max(largest_m, std::abs(CentreDistance(block))); });
    coarse_step_m_ = Float(largest_m / 32766);
    out_.U32(kGridMagic);
    out_.U16(kGridVersion);
    out_.U16(static_cast<unsigned>(chosen_.size()));
    for (const int blocks : blocks_) out_.U16(static_cast<unsigned>(blocks));
    out_.U16(0);
    for (int i = 0; i < 3; ++i) out_.F32(grid_.origin_m(i));
    for (const double x : {grid_.spacing_m, band_m_, step_m_, coarse_step_m_, slack_m_ + step_m_}) out_.F32(x);
  }
  void WriteMap() {
    std::size_t next = 0;
    EachBlock([&](const std::array<int, 3>& block) {
      const bool stored = next < chosen_.size() && chosen_[next] == block;
      out_.U16(stored ? static_cast<unsigned>(next++) : kNoBlock);
    });
    EachBlock([&](const std::array<int, 3>& block) { out_.I16(std::trunc(CentreDistance(block) / coarse_step_m_)); });
  }
  void WriteSamples(const std::array<int, 3>& block) {
    EachSample(block, 0, [&](std::size_t at) { out_.I16(std::round(grid_.coefficient_m[at] / step_m_)); });
  }

  const DenseGrid& grid_;
  const double band_m_;
  int blocks_[3] = {};
  std::vector<std::array<int, 3>> chosen_;
  double slack_m_ = 0, step_m_ = 0, coarse_step_m_ = 0;
  Writer out_;
};

/// Random points near the surface, the same in every run.
void MeasureErrors(const TriangleMesh& mesh, const MeshDistance& distance, const DistanceGrid& grid, BakeReport* report) {
  std::vector<double> area;
  for (const std::array<int, 3>& t : mesh.triangle) {
    const Vec3 a = mesh.vertex_m[static_cast<std::size_t>(t[0])];
    area.push_back(Cross(Vec3(mesh.vertex_m[static_cast<std::size_t>(t[1])] - a),
                         Vec3(mesh.vertex_m[static_cast<std::size_t>(t[2])] - a))
                       .norm());
  }
  std::mt19937 random(1);
  std::discrete_distribution<std::size_t> pick(area.begin(), area.end());
  std::uniform_real_distribution<double> unit(0, 1);
  const double reach_m = std::min(1e-3, 0.9 * report->band_m);
  std::vector<double> errors;
  for (int i = 0; i < 20'000; ++i) {
    const std::array<int, 3>& t = mesh.triangle[pick(random)];
    const Vec3 a = mesh.vertex_m[static_cast<std::size_t>(t[0])], ab = mesh.vertex_m[static_cast<std::size_t>(t[1])] - a,
               ac = mesh.vertex_m[static_cast<std::size_t>(t[2])] - a;
    const double s = std::sqrt(unit(random)), r = unit(random);
    const Vec3 x = a + s * (1 - r) * ab + s * r * ac + reach_m * (2 * unit(random) - 1) * Cross(ab, ac).normalized();
    double d = 0;
    Vec<double, 3> gradient;
    if (grid.Distance(Vec<double, 3>(x), &d, &gradient)) errors.push_back(std::abs(d - distance(x)));
  }
  if (errors.empty()) return;
  std::sort(errors.begin(), errors.end());
  report->error_p50_m = Percentile(errors, 0.5);
  report->error_p99_m = Percentile(errors, 0.99);
  report->error_max_m = errors.back();
}

}  // namespace

double DefaultBand_m(double spacing_m) { return std::max(4 * spacing_m, 8e-3); }

double LargestBall_m(double band_m) { return band_m - scene_limit::kGridReach_m - Scene<kBoardScene>{}.margin_m; }

BakeOptions CheckedOptions(const BakeOptions& options) {
  constexpr double kLeastSpacing_m = 1e-5, kMost_m = 0.1;
  const double spacing_m = options.spacing_m;
  if (!(spacing_m >= kLeastSpacing_m && spacing_m <= kMost_m)) {
    throw HostError(fmt::format("--resolution is out of 0.01 to 100 mm: {:g} mm", 1e3 * spacing_m));
  }
  const double band_m = options.band_m == 0 ? DefaultBand_m(spacing_m) : options.band_m;
  if (band_m > kMost_m && options.band_m == 0) {
    throw HostError(fmt::format("--resolution is {:g} mm: without --band it is 25 mm at most, for four samples are stored",
                                1e3 * spacing_m));
  }
  if (!(band_m >= spacing_m && band_m <= kMost_m)) {
    throw HostError(
        fmt::format("--band is out of --resolution, {:g} mm, to 100 mm: {:g} mm", 1e3 * spacing_m, 1e3 * band_m));
  }
  return {.spacing_m = spacing_m, .band_m = band_m};
}

std::vector<std::uint8_t> BakeGrid(const TriangleMesh& mesh, const BakeOptions& options, BakeReport* report,
                                   const BakeProgress& progress) {
  const BakeOptions chosen = CheckedOptions(options);
  const MeshDistance distance(mesh);
  DenseGrid grid = Lay(mesh, chosen);
  Measure(distance, &grid, progress);
  Prefilter(&grid);
  std::vector<std::uint8_t> bytes = Packer(grid, chosen.band_m).Write(report);
  DistanceGrid made;
  if (const char* const wrong = DistanceGrid::Open(bytes, &made)) throw HostError(fmt::format("the baked grid {}", wrong));
  MeasureErrors(mesh, distance, made, report);
  return bytes;
}

}  // namespace tactus::host
