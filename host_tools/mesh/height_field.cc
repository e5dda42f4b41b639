#include "host_tools/mesh/height_field.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string_view>

#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

constexpr double kLeastCell_m = 1e-5, kMostCell_m = 0.1, kMostHeight_m = 10;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // of UTF-8, as table programs write it
constexpr int kMostSamples = static_cast<int>(kMostTriangles / 4);

/// The numbers of a line.
std::vector<double> ReadRow(std::string line, const std::string& place) {
  line = line.substr(0, line.find('#'));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == ',' || c == ';' || c == '\t' || c == '\r'; }, ' ');
  std::vector<double> row;
  for (std::size_t at = line.find_first_not_of(' '); at != std::string::npos; at = line.find_first_not_of(' ', at)) {
    const std::string word = line.substr(at, line.find(' ', at) - at);
    std::size_t used = 0;
    double number = 0;
    try {
      number = std::stod(word, &used);
    } catch (const std::exception&) {
      used = 0;
    }
    if (used != word.size()) throw HostError(fmt::format("{}: '{}' is no number", place, word));
    row.push_back(number);
    at += word.size();
  }
  return row;
}

/// Catmull and Rom's weights of the samples at -1, 0, 1, 2 for a place t in [0, 1].
std::array<double, 4> Weights(double t) {
  const double t2 = t * t, t3 = t2 * t;
  return {(-t3 + 2 * t2 - t) / 2, (3 * t3 - 5 * t2 + 2) / 2, (-3 * t3 + 4 * t2 + t) / 2, (t3 - t2) / 2};
}

/// Sample i of a line of n that goes on straight.
template <class Sample>
double Extended(int i, int n, const Sample& sample) {
  if (i < 0) return 2 * sample(0) - sample(1);
  if (i >= n) return 2 * sample(n - 1) - sample(n - 2);
  return sample(i);
}

/// Triangles of a body over a rectangle of (nx + 1)(ny + 1) places: its top, then a ring and a middle for the bottom.
class BodyBelow {
 public:
  BodyBelow(int nx, int ny) : nx_(nx), ny_(ny) {}

  void AddTop(const Vec3& place_m) { mesh_.vertex_m.push_back(place_m); }

  TriangleMesh Close(double bottom_m) && {
    for (int j = 0; j < ny_; ++j) {
      for (int i = 0; i < nx_; ++i) {
        mesh_.triangle.push_back({Top(i, j), Top(i + 1, j), Top(i + 1, j + 1)});
        mesh_.triangle.push_back({Top(i, j), Top(i + 1, j + 1), Top(i, j + 1)});
      }
    }
    const std::vector<int> edge = Edge();
    const int first = static_cast<int>(mesh_.vertex_m.size()), count = static_cast<int>(edge.size());
    for (const int v : edge) AddBottom(mesh_.vertex_m[static_cast<std::size_t>(v)], bottom_m);
    AddBottom((mesh_.vertex_m.front() + mesh_.vertex_m[static_cast<std::size_t>(Top(nx_, ny_))]) / 2, bottom_m);
    for (int k = 0; k < count; ++k) {
      const int next = (k + 1) % count, top = edge[static_cast<std::size_t>(k)];
      const int next_top = edge[static_cast<std::size_t>(next)];
      mesh_.triangle.push_back({next_top, top, first + k});
      mesh_.triangle.push_back({next_top, first + k, first + next});
      mesh_.triangle.push_back({first + next, first + k, first + count});
    }
    return std::move(mesh_);
  }

 private:
  int Top(int i, int j) const { return j * (nx_ + 1) + i; }
  void AddBottom(const Vec3& above_m, double bottom_m) { mesh_.vertex_m.emplace_back(above_m.x(), above_m.y(), bottom_m); }

  /// Around the top, counterclockwise seen from above.
  std::vector<int> Edge() const {
    std::vector<int> edge;
    for (int i = 0; i < nx_; ++i) edge.push_back(Top(i, 0));
    for (int j = 0; j < ny_; ++j) edge.push_back(Top(nx_, j));
    for (int i = nx_; i > 0; --i) edge.push_back(Top(i, ny_));
    for (int j = ny_; j > 0; --j) edge.push_back(Top(0, j));
    return edge;
  }

  const int nx_, ny_;
  TriangleMesh mesh_;
};

}  // namespace

HeightField ReadHeightField(const std::string& path, double cell_m, double scale) {
  if (!(cell_m >= kLeastCell_m && cell_m <= kMostCell_m)) {
    throw HostError(fmt::format("--cell is {:g} mm, out of range: {:g} to {:g} mm", 1e3 * cell_m, 1e3 * kLeastCell_m,
                                1e3 * kMostCell_m));
  }
  std::ifstream file(path);
  if (!file) throw HostError(fmt::format("cannot read the heights '{}'", path));
  HeightField field{.columns = 0, .rows = 0, .cell_m = cell_m, .height_m = {}};
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string place = fmt::format("{}:{}", path, number);
    if (number == 1 && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
    const std::vector<double> row = ReadRow(line, place);
    if (row.empty()) continue;
    const int columns = static_cast<int>(row.size());
    if (field.rows == 0) field.columns = columns;
    if (columns != field.columns) {
      throw HostError(fmt::format("{}: {} heights, where the first row has {}", place, columns, field.columns));
    }
    for (const double height : row) {
      if (!(std::abs(scale * height) <= kMostHeight_m)) {
        throw HostError(fmt::format("{}: a height of {:g} m is not within {:g} m: is --scale right?", place, scale * height,
                                    kMostHeight_m));
      }
      field.height_m.push_back(scale * height);
    }
    ++field.rows;
    if (field.height_m.size() > kMostSamples) {
      throw HostError(fmt::format("'{}' has more than {} heights: take every second one", path, kMostSamples));
    }
  }
  if (field.rows < 2 || field.columns < 2) {
    throw HostError(fmt::format("'{}' has {} x {} heights; a surface has 2 x 2 at least", path, field.columns, field.rows));
  }
  return field;
}

double HeightAt(const HeightField& field, double u, double v) {
  const int i = std::clamp(static_cast<int>(u), 0, field.columns - 2),
            j = std::clamp(static_cast<int>(v), 0, field.rows - 2);
  const std::array<double, 4> along = Weights(u - i), across = Weights(v - j);
  const auto in_row = [&](int row) {
    double height = 0;
    for (int k = 0; k < 4; ++k) {
      height += along[static_cast<std::size_t>(k)] *
                Extended(i - 1 + k, field.columns, [&](int column) { return field.At(column, row); });
    }
    return height;
  };
  double height = 0;
  for (int k = 0; k < 4; ++k) height += across[static_cast<std::size_t>(k)] * Extended(j - 1 + k, field.rows, in_row);
  return height;
}

TriangleMesh MeshOf(const HeightField& field, double step_m, double thickness_m) {
  const int cells = (field.columns - 1) * (field.rows - 1);
  const int most = std::max(1, static_cast<int>(std::sqrt(static_cast<double>(kMostTriangles) / (3.0 * cells))));
  const int split = static_cast<int>(std::clamp(std::ceil(field.cell_m / step_m), 1.0, static_cast<double>(most)));
  const int nx = split * (field.columns - 1), ny = split * (field.rows - 1);
  BodyBelow body(nx, ny);
  double lowest_m = HeightAt(field, 0, 0);
  for (int j = 0; j <= ny; ++j) {
    for (int i = 0; i <= nx; ++i) {
      const double u = static_cast<double>(i) / split, v = static_cast<double>(j) / split, z_m = HeightAt(field, u, v);
      lowest_m = std::min(lowest_m, z_m);
      body.AddTop({(u - 0.5 * (field.columns - 1)) * field.cell_m, (v - 0.5 * (field.rows - 1)) * field.cell_m, z_m});
    }
  }
  return std::move(body).Close(lowest_m - thickness_m);
}

}  // namespace tactus::host
