#include "host_tools/mesh/height_field.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "host_tools/link/host_error.h"
#include "host_tools/mesh/bake_grid.h"
#include "tactus/collide/distance_grid.h"
#include "temporary_file.h"

namespace tactus::host {
namespace {

using testing::HasSubstr;

/// A file that is gone with the test.
class Heights {
 public:
  explicit Heights(const std::string& text)
      : path_((std::filesystem::temp_directory_path() / ("heights" + std::to_string(getpid()) + ".csv")).string()) {
    std::ofstream(path_) << text;
  }
  ~Heights() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

template <class Height>
HeightField Field(int columns, int rows, double cell_m, const Height& height) {
  HeightField field{.columns = columns, .rows = rows, .cell_m = cell_m, .height_m = {}};
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) field.height_m.push_back(height(i, j));
  return field;
}

std::string RefusalOf(const std::string& text, double cell_m = 1e-3, double scale = 1e-3) {
  const Heights heights(text);
  try {
    (void)ReadHeightField(heights.path(), cell_m, scale);
  } catch (const HostError& error) {
    return error.what();
  }
  return "";
}

TEST(HeightField, IsReadRowByRow) {
  const Heights heights("# millimetres\n1, 2;3\n\n4 5\t-6e0  # the far side\r\n");
  const HeightField field = ReadHeightField(heights.path(), 2e-3, 1e-3);
  EXPECT_EQ(field.columns, 3);
  EXPECT_EQ(field.rows, 2);
  EXPECT_DOUBLE_EQ(field.At(2, 0), 3e-3);
  EXPECT_DOUBLE_EQ(field.At(2, 1), -6e-3);
}

TEST(HeightField, WhatIsNoneIsRefusedWithItsPlace) {
  EXPECT_THAT(RefusalOf("1 2\n3 x4\n"), HasSubstr(":2: 'x4' is no number"));
  EXPECT_THAT(RefusalOf("1 2\n3 4 5\n"), HasSubstr(":2: 3 heights, where the first row has 2"));
  EXPECT_THAT(RefusalOf("1 2\n3 nan\n"), HasSubstr(":2: a height of nan m"));
  EXPECT_THAT(RefusalOf("1 2\n1e9 4\n"), HasSubstr("is --scale right?"));
  EXPECT_THAT(RefusalOf("1 2 3\n"), HasSubstr("3 x 1 heights; a surface has 2 x 2 at least"));
  EXPECT_THAT(RefusalOf(""), HasSubstr("0 x 0 heights"));
  EXPECT_THAT(RefusalOf("1 2\n3 4\n", 0), HasSubstr("--cell is 0 mm, out of range"));
  EXPECT_THAT(RefusalOf("1 2\n3 4\n", std::nan("")), HasSubstr("out of range"));
  std::string many;
  for (int row = 0; row < 400; ++row) {
    for (int column = 0; column < 400; ++column) many += "1 ";
    many += '\n';
  }
  EXPECT_THAT(RefusalOf(many), HasSubstr("has more than 125000 heights"));
}

TEST(HeightField, ABytesOrderMarkIsNoNumber) {
  const TemporaryFile file("heights.csv");
  const std::string text =
      "\xEF\xBB\xBF"
      "1,2\n3,4\n";
  file.Write({text.begin(), text.end()});
  EXPECT_EQ(ReadHeightField(file.path(), 1e-3, 1e-3).height_m, (std::vector<double>{1e-3, 2e-3, 3e-3, 4e-3}));
}

// Source: cubics of Catmull and Rom give what is a polynomial of degree 2 exactly, away from the edge.
TEST(HeightField, APolynomialOfDegreeTwoIsExact) {
  const auto height = [](double u, double v) {
    return 1e-3 * (1 + 0.3 * u - 0.2 * v + 0.05 * u * u - 0.04 * u * v + 0.03 * v * v);
  };
  const HeightField field = Field(8, 7, 1e-3, height);
  for (double u = 1; u <= 6; u += 0.13)
    for (double v = 1; v <= 5; v += 0.17) EXPECT_NEAR(HeightAt(field, u, v), height(u, v), 1e-15);
}

// Source: definition. Slopes from both sides of a line of samples, by differences.
TEST(HeightField, SlopesAreContinuous) {
  const HeightField field = Field(6, 6, 1e-3, [](int i, int j) { return 1e-3 * ((i * 7 + j * 5) % 4); });
  constexpr double kStep = 1e-6;
  for (int i = 1; i < 5; ++i) {
    for (double v = 0; v <= 5; v += 0.21) {
      const double left = (HeightAt(field, i, v) - HeightAt(field, i - kStep, v)) / kStep;
      const double right = (HeightAt(field, i + kStep, v) - HeightAt(field, i, v)) / kStep;
      EXPECT_NEAR(left, right, 1e-7) << i << ' ' << v;
    }
  }
}

TEST(HeightField, TheBodyBelowIsClosed) {  // Source: closed form, the volume below a tilted plane
  const HeightField field = Field(5, 4, 2e-3, [](int i, int j) { return 1e-3 * (0.5 * i + 0.25 * j); });
  TriangleMesh mesh = MeshOf(field, 0.7e-3, 3e-3);
  const std::size_t triangles = mesh.triangle.size();
  const MeshRepairs repairs = MakeWatertight(&mesh);
  EXPECT_EQ(repairs.turned, 0U);
  EXPECT_EQ(repairs.dropped, 0U);
  EXPECT_EQ(repairs.parts, 1U);
  EXPECT_EQ(mesh.triangle.size(), triangles);
  double volume_m3 = 0;
  for (const auto& t : mesh.triangle) {
    const Vec3 &a = mesh.vertex_m[static_cast<std::size_t>(t[0])], &b = mesh.vertex_m[static_cast<std::size_t>(t[1])];
    volume_m3 += a.dot(Cross(b, mesh.vertex_m[static_cast<std::size_t>(t[2])])) / 6;
  }
  EXPECT_NEAR(volume_m3, 8e-3 * 6e-3 * (3e-3 + (2e-3 + 0.75e-3) / 2), 1e-14);
}

TEST(HeightField, NoMoreTrianglesThanABakeTakes) {
  const HeightField field = Field(101, 101, 1e-3, [](int, int) { return 0.0; });
  EXPECT_LE(MeshOf(field, 1e-6, 1e-3).triangle.size(), kMostTriangles);
}

// Source: closed form. Hills z = A cos(2π x/L): above a crest, and above a dale as long as its curvature leaves it alone,
// the distance is the height.
TEST(HeightField, HillsAreBakedWithinMicrometres) {
  constexpr double kHeight_m = 1e-3, kLength_m = 16e-3, kCell_m = 1e-3;
  const HeightField field = Field(33, 25, kCell_m, [](int i, int) {
    return kHeight_m * std::cos(2 * std::numbers::pi * (i - 16) * kCell_m / kLength_m);
  });
  TriangleMesh mesh = MeshOf(field, 0.5e-3, 8e-3);
  (void)MakeWatertight(&mesh);
  BakeReport report;
  const std::vector<std::uint8_t> bytes = BakeGrid(mesh, {.spacing_m = 1e-3, .band_m = 4e-3}, &report);
  DistanceGrid grid;
  ASSERT_EQ(DistanceGrid::Open(bytes, &grid), nullptr);
  const auto distance = [&grid](double x_m, double y_m, double z_m) {
    double found_m = 0;
    Vec3 gradient;
    EXPECT_TRUE(grid.Distance(Vec3(x_m, y_m, z_m), &found_m, &gradient));
    return found_m;
  };
  for (const double above_m : {0.0, 0.5e-3, 1.5e-3}) {
    for (const double y_m : {-4e-3, 0.3e-3, 2e-3}) {
      EXPECT_NEAR(distance(0, y_m, kHeight_m + above_m), above_m, 3e-6);
      EXPECT_NEAR(distance(kLength_m / 2, y_m, -kHeight_m + above_m), above_m, 3e-6);
    }
  }
}

}  // namespace
}  // namespace tactus::host
