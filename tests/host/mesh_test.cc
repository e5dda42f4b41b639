#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <random>

#include "host_tools/link/host_error.h"
#include "host_tools/mesh/bake_grid.h"
#include "host_tools/mesh/mesh_distance.h"
#include "tactus/collide/distance_grid.h"
#include "tactus/contact/friction_frame.h"
#include "tactus/core/spatial.h"
#include "temporary_file.h"

namespace tactus::host {
namespace {

using testing::HasSubstr;

/// A box of half extents h about c, outward.
TriangleMesh Box(const Vec3& h, const Vec3& c = Vec3::Zero()) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertex_m.emplace_back(c + Vec3(i & 1 ? h.x() : -h.x(), i & 2 ? h.y() : -h.y(), i & 4 ? h.z() : -h.z()));
  mesh.triangle = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                   {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}
void Append(const TriangleMesh& part, TriangleMesh* mesh) {
  const int first = static_cast<int>(mesh->vertex_m.size());
  mesh->vertex_m.insert(mesh->vertex_m.end(), part.vertex_m.begin(), part.vertex_m.end());
  for (const auto& t : part.triangle) mesh->triangle.push_back({first + t[0], first + t[1], first + t[2]});
}
/// Source: closed form.
double BoxDistance(const Vec3& x, const Vec3& h) {
  const Vec3 q = x.cwiseAbs() - h;
  return q.cwiseMax(0).norm() + std::min(q.maxCoeff(), 0.0);
}

/// An octahedron whose faces are split and pushed out to the sphere.
TriangleMesh Ball(double radius_m, int splits) {
  TriangleMesh mesh;
  mesh.vertex_m = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  mesh.triangle = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int n = 0; n < splits; ++n) {
    std::map<std::pair<int, int>, int> middle;
    const auto between = [&](int a, int b) {
      const auto [at, is_new] = middle.try_emplace(std::minmax(a, b), static_cast<int>(mesh.vertex_m.size()));
      if (is_new)
        mesh.vertex_m.push_back(
            (mesh.vertex_m[static_cast<std::size_t>(a)] + mesh.vertex_m[static_cast<std::size_t>(b)]).normalized());
      return at->second;
    };
    std::vector<std::array<int, 3>> split;
    for (const auto& t : mesh.triangle) {
      const int ab = between(t[0], t[1]), bc = between(t[1], t[2]), ca = between(t[2], t[0]);
      split.insert(split.end(), {{t[0], ab, ca}, {ab, t[1], bc}, {ca, bc, t[2]}, {ab, bc, ca}});
    }
    mesh.triangle = std::move(split);
  }
  for (Vec3& v : mesh.vertex_m) v *= radius_m;
  return mesh;
}

double Volume(const TriangleMesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.triangle) {
    sum += mesh.vertex_m[static_cast<std::size_t>(t[0])].dot(
        Cross(mesh.vertex_m[static_cast<std::size_t>(t[1])], mesh.vertex_m[static_cast<std::size_t>(t[2])]));
  }
  return sum / 6;
}

std::string RefusalOf(TriangleMesh mesh) {
  try {
    (void)MakeWatertight(&mesh);
  } catch (const HostError& error) {
    return error.what();
  }
  return "";
}

TEST(Mesh, WindingIsMadeRight) {  // Source: closed form, the volume is positive
  std::mt19937 random(1);
  for (int n = 0; n < 50; ++n) {
    TriangleMesh mesh = Box({0.01, 0.02, 0.03});
    std::size_t wrong = 0;
    for (auto& t : mesh.triangle) {
      if (random() % 2 == 0) continue;
      std::swap(t[0], t[1]);
      ++wrong;
    }
    const MeshRepairs repairs = MakeWatertight(&mesh);
    EXPECT_EQ(repairs.turned, wrong);
    EXPECT_EQ(repairs.parts, 1U);
    EXPECT_NEAR(Volume(mesh), 8 * 0.01 * 0.02 * 0.03, 1e-18);
  }
}

TEST(Mesh, ABoxInABoxIsACavity) {  // and one in the cavity is a body again
  TriangleMesh mesh = Box({0.03, 0.03, 0.03});
  Append(Box({0.02, 0.02, 0.02}), &mesh);
  Append(Box({0.01, 0.01, 0.01}), &mesh);
  Append(Box({0.01, 0.01, 0.01}, {0.1, 0, 0}), &mesh);
  const MeshRepairs repairs = MakeWatertight(&mesh);
  EXPECT_EQ(repairs.parts, 4U);
  EXPECT_EQ(repairs.cavities, 1U);
  EXPECT_EQ(repairs.turned, 12U);
  EXPECT_NEAR(Volume(mesh), 8e-6 * (27 - 8 + 1 + 1), 1e-18);
  const MeshDistance distance(mesh);
  EXPECT_NEAR(distance({0.025, 0, 0}), -0.005, 1e-15);
  EXPECT_NEAR(distance({0.015, 0, 0}), 0.005, 1e-15);
  EXPECT_NEAR(distance({0, 0, 0}), -0.01, 1e-15);
}

TriangleMesh Two(TriangleMesh first, const TriangleMesh& second) {
  Append(second, &first);
  return first;
}

TriangleMesh Moved(TriangleMesh mesh, const Vec3& by_m) {
  for (Vec3& v : mesh.vertex_m) v += by_m;
  return mesh;
}

// Source: each pair overlaps by 5 mm or more, and no part is wholly inside of the other.
TEST(Mesh, PartsThatIntersectAreRefusedWithTheirPlace) {
  const Vec3 c20 = Vec3::Constant(0.02), c10 = Vec3::Constant(0.01);
  const std::pair<const char*, TriangleMesh> cases[] = {
      {"(0.02, ", Two(Box(c20), Box(c10, {0.025, 0, 0}))},  // a handle on a body
      {"(0.02, ", Two(Box(c10, {0.025, 0, 0}), Box(c20))},  // the other way about
      {"(", Two(Box(c20), Box(c20, {0.01, 0.01, 0.01}))},
      {"(", Two(Box(c20), Box(c20, {0.01, 0, 0}))},                   // four faces lie in each other
      {"(", Two(Box({0.05, 0.01, 0.01}), Box({0.01, 0.05, 0.012}))},  // beams that cross: no vertex is inside
      {"(", Two(Ball(0.02, 4), Moved(Ball(0.02, 4), {0.03, 0, 0}))}};
  for (const auto& [place, mesh] : cases) {
    EXPECT_THAT(RefusalOf(mesh), HasSubstr(std::string("parts 1 and 2 of the mesh intersect at ") + place));
    EXPECT_THAT(RefusalOf(mesh), HasSubstr("unite them in the program that made them"));
  }
}

TEST(Mesh, PartsThatTouchOrAreApartAreTwoBodies) {
  const Vec3 c20 = Vec3::Constant(0.02), c10 = Vec3::Constant(0.01);
  for (const Vec3& at : {Vec3(0.03, 0, 0), Vec3(0.03, 0.01, 0.005), Vec3(0, 0.0300001, 0), Vec3(0.03, 0.03, 0)}) {
    TriangleMesh mesh = Two(Box(c20), Box(c10, at));
    const MeshRepairs repairs = MakeWatertight(&mesh);
    EXPECT_EQ(repairs.parts, 2U);
    EXPECT_EQ(repairs.cavities, 0U);
    EXPECT_NEAR(Volume(mesh), 8e-6 * (8 + 1), 1e-18);
  }
}

TEST(Mesh, WhatIsNotClosedIsRefusedWithItsPlace) {
  TriangleMesh open = Box({0.01, 0.01, 0.01});
  open.triangle.pop_back();
  EXPECT_THAT(RefusalOf(open),
              HasSubstr("has a hole: 3 edges have one triangle, the first from (0.01, 0.01, -0.01) to (0.01, -0.01, 0.01)"));
  TriangleMesh crowded = Box({0.01, 0.01, 0.01});
  crowded.vertex_m.emplace_back(0.02, 0, 0);
  crowded.triangle.push_back({0, 1, 8});
  crowded.triangle.push_back({1, 0, 8});  // given twice: left out
  EXPECT_THAT(RefusalOf(crowded), HasSubstr("has a hole"));
  TriangleMesh fin = Box({0.01, 0.01, 0.01});
  Append(Box({0.01, 0.01, 0.01}, {0.02, 0.02, 0}), &fin);  // they share an edge: join it
  for (auto& t : fin.triangle) {
    for (int& v : t) v = v == 8 ? 3 : v == 12 ? 7 : v;
  }
  EXPECT_THAT(RefusalOf(fin), HasSubstr("1 edges have more than two triangles"));
}

TEST(Mesh, AMoebiusStripHasNoInside) {  // seven triangles, closed along its rim by a cone: a projective plane
  TriangleMesh strip;
  for (int i = 0; i < 6; ++i) strip.vertex_m.emplace_back(std::cos(i), std::sin(i), 0.1 * i * i);
  // The six-vertex projective plane [a table of it is in every text on triangulated surfaces]: each edge in two triangles.
  strip.triangle = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}, {0, 5, 1},
                    {1, 2, 4}, {2, 3, 5}, {3, 4, 1}, {4, 5, 2}, {5, 1, 3}};
  EXPECT_THAT(RefusalOf(strip), HasSubstr("has no inside"));
}

TEST(Mesh, DistanceOfABoxIsTheClosedForm) {
  const Vec3 h(0.01, 0.02, 0.03);
  const TriangleMesh mesh = Box(h);
  const MeshDistance distance(mesh);
  std::mt19937 random(2);
  std::uniform_real_distribution<double> place(-0.05, 0.05);
  for (int n = 0; n < 20'000; ++n) {
    const Vec3 x(place(random), place(random), place(random));
    ASSERT_NEAR(distance(x), BoxDistance(x, h), 1e-15);
  }
  // On features, where only the weighted normals know the sign: beyond corners and edges, at 1e-9 of them.
  for (const double s : {1 + 1e-9, 1 - 1e-9}) {
    EXPECT_EQ(distance(s * h) > 0, s > 1);
    EXPECT_EQ(distance({s * h.x(), s * h.y(), 0.003}) > 0, s > 1);
  }
}

TEST(Mesh, NearestOnTriangleIsNoFartherThanAnyOtherPoint) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal(0, 1);
  std::uniform_real_distribution<double> unit(0, 1);
  const auto point = [&] { return Vec3(normal(random), normal(random), normal(random)); };
  for (int n = 0; n < 2000; ++n) {
    const Vec3 a = point(), b = point(), c = point(), x = 2 * point();
    const TrianglePoint nearest = NearestOnTriangle(x, a, b, c);
    for (int k = 0; k < 50; ++k) {
      const double s = std::sqrt(unit(random)), r = unit(random);
      EXPECT_LE((nearest.place - x).norm(), (a + s * (1 - r) * (b - a) + s * r * (c - a) - x).norm() + 1e-12);
    }
    // It lies on the triangle: its part along the normal is 0, and no closer than the plane.
    const Vec3 normal_abc = Cross(Vec3(b - a), Vec3(c - a)).normalized();
    EXPECT_NEAR(normal_abc.dot(nearest.place - a), 0, 1e-12);
  }
}

struct Baked {
  std::vector<std::uint8_t> bytes;
  DistanceGrid grid;
  BakeReport report;
};
Baked Bake(const TriangleMesh& mesh, const BakeOptions& options) {
  Baked baked;
  baked.bytes = BakeGrid(mesh, options, &baked.report);
  EXPECT_EQ(DistanceGrid::Open(baked.bytes, &baked.grid), nullptr);
  return baked;
}

// Source: the ball's closed form. The mesh lies up to its sagitta, e²/(2·3·R) = 3.3 µm with edges of 0.8 mm, below the ball;
// a spline with 1.6 mm is within 2.6 µm (99 %) of a ball without facets.
TEST(Bake, ABallIsRound) {
  const double R = 0.03;
  const TriangleMesh mesh = Ball(R, 6);
  const Baked baked = Bake(mesh, {.spacing_m = 1.6e-3, .band_m = 4e-3});
  EXPECT_LT(baked.report.error_p99_m, 2.6e-6 + 3.3e-6);
  std::mt19937 random(4);
  std::normal_distribution<double> normal(0, 1);
  std::uniform_real_distribution<double> off(-2e-3, 2e-3);
  double worst_m = 0, worst_rad = 0, worst_turn_rad = 0;
  for (int n = 0; n < 20'000; ++n) {
    const Vec3 u = Vec3(normal(random), normal(random), normal(random)).normalized();
    const double d = off(random);
    double got = 0, next = 0;
    Vec<double, 3> gradient, moved;
    ASSERT_TRUE(baked.grid.Distance(Vec<double, 3>((R + d) * u), &got, &gradient));
    worst_m = std::max(worst_m, std::abs(got - d));
    worst_rad = std::max(worst_rad, std::acos(std::min(1.0, gradient.normalized().dot(u))));
    const Vec3 along = DefaultTangent(u);  // 50 µm along the surface turn the true normal by 50 µm / R
    ASSERT_TRUE(baked.grid.Distance(Vec<double, 3>((R + d) * u + 5e-5 * along), &next, &moved));
    const double turn = std::acos(std::min(1.0, gradient.normalized().dot(moved.normalized())));
    worst_turn_rad = std::max(worst_turn_rad, turn - 5e-5 / (R + d));
  }
  EXPECT_LT(worst_m, 10e-6);
  EXPECT_LT(worst_rad, 0.01);
  EXPECT_LT(worst_turn_rad, 0.002);  // no click: 0.1° beyond the true turn
}

TEST(Bake, EveryPlaceInTheBandHasADistance) {
  const Vec3 h(0.01, 0.015, 0.02);
  const TriangleMesh mesh = Box(h);
  const Baked baked = Bake(mesh, {.spacing_m = 1e-3, .band_m = 2e-3});
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(-0.03, 0.03);
  int in_band = 0;
  for (int n = 0; n < 50'000; ++n) {
    const Vec3 x(place(random), place(random), place(random));
    const double d = BoxDistance(x, h);
    const Vec<double, 3> at = x;
    EXPECT_LE(baked.grid.CoarseBound_m(at), d + 1e-6);
    EXPECT_LE(baked.grid.FineBound_m(at), d + 1e-6);
    if (d < -3e-3 || d > 3e-3) {
      EXPECT_EQ(baked.grid.IsInside(at), d < 0);
    }
    double got = 0;
    Vec<double, 3> gradient;
    if (std::abs(d) > 2e-3) continue;
    ++in_band;
    ASSERT_TRUE(baked.grid.Distance(at, &got, &gradient));
    EXPECT_NEAR(got, d, 0.4e-3);  // a sharp edge is round by 0.2 h at most; twice that
  }
  EXPECT_GT(in_band, 3000);
}

TEST(Bake, WhatIsTooFineOrTooCoarseIsRefused) {
  const TriangleMesh mesh = Box({0.1, 0.1, 0.1});
  BakeReport report;
  const auto refusal = [&](const BakeOptions& options) -> std::string {
    try {
      (void)BakeGrid(mesh, options, &report);
    } catch (const HostError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal({.spacing_m = 1e-4}), HasSubstr("samples along an axis, and 512 are the most"));
  EXPECT_THAT(refusal({.spacing_m = 1}), HasSubstr("--resolution is out of"));
  EXPECT_THAT(refusal({.spacing_m = std::nan("")}), HasSubstr("--resolution is out of"));
  EXPECT_THAT(refusal({.spacing_m = 0.01, .band_m = 1e-3}), HasSubstr("--band is out of"));
  EXPECT_THAT(refusal({.spacing_m = 0.05}), HasSubstr("--resolution is 50 mm: without --band it is 25 mm at most"));
  EXPECT_THAT(refusal({.spacing_m = 5e-4}), HasSubstr("million samples"));
}

TEST(MeshFile, ReadsStlAndSaysWhatIsWrong) {
  const std::string path = testing::TempDir() + "tactus_box.stl";
  const TriangleMesh box = Box({10, 20, 30});
  std::ofstream stl(path);
  stl << "solid box\n";
  for (const auto& t : box.triangle) {
    stl << "facet normal 0 0 0\nouter loop\n";
    for (const int v : t)
      stl << "vertex " << box.vertex_m[static_cast<std::size_t>(v)](0) << ' ' << box.vertex_m[static_cast<std::size_t>(v)](1)
          << ' ' << box.vertex_m[static_cast<std::size_t>(v)](2) << "\n";
    stl << "endloop\nendfacet\n";
  }
  stl << "endsolid box\n";
  stl.close();
  TriangleMesh mesh = ReadMesh(path, 1e-3);
  EXPECT_EQ(mesh.vertex_m.size(), 8U);
  (void)MakeWatertight(&mesh);
  EXPECT_NEAR(Volume(mesh), 8 * 0.01 * 0.02 * 0.03, 1e-12);
  EXPECT_THROW((void)ReadMesh(path, 1), HostError);  // 30 m: the scale is wrong
  EXPECT_THROW((void)ReadMesh(path + ".none", 1), HostError);
  std::ofstream(path) << "solid none\nendsolid none\n";
  EXPECT_THROW((void)ReadMesh(path, 1), HostError);
}

// Source: a ball must be known its radius, 3 mm and the default margin_m of 0.5 mm before it touches.
TEST(Bake, TellsTheLargestBall) {
  EXPECT_NEAR(LargestBall_m(8e-3), 4.5e-3, 1e-12);
  EXPECT_LT(LargestBall_m(3e-3), 0);
  EXPECT_EQ(DefaultBand_m(1e-3), 8e-3);
  EXPECT_EQ(DefaultBand_m(4e-3), 16e-3);
}

// Source: the vertex that was written so; the fourth line of the OBJ, the second corner of the STL's third triangle.
TEST(MeshFile, RefusesWhatIsNoNumberWithItsPlace) {
  const auto refusal = [](const std::string& path) -> std::string {
    try {
      (void)ReadMesh(path, 1e-3);
    } catch (const HostError& error) {
      return error.what();
    }
    return "";
  };
  const auto text = [](const std::string& x) {
    return "v 0 0 0\nv 1 0 0\nv 0 1 0\nv " + x + " 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
  };
  const auto write = [](const TemporaryFile& file, const std::string& bytes) { file.Write({bytes.begin(), bytes.end()}); };
  const TemporaryFile obj("a.obj"), stl("a.stl");
  write(obj, text("0"));
  EXPECT_EQ(refusal(obj.path()), "");
  for (const char* const x : {"nan", "inf", "-inf", "1e39"}) {
    write(obj, text(x));
    EXPECT_THAT(refusal(obj.path()), HasSubstr("a.obj', line 4: vertex 3 of triangle 2 is at ("));
    EXPECT_THAT(refusal(obj.path()), HasSubstr("which are not three numbers"));
  }
  std::string bytes(80, ' ');  // binary: 80 bytes of title, the count, for each triangle normal, three corners, two bytes
  const auto append = [&bytes](const auto& x) { bytes.append(reinterpret_cast<const char*>(&x), sizeof(x)); };
  append(std::uint32_t{4});
  const float corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  for (int face = 0; face < 4; ++face) {
    for (int i = 0; i < 3; ++i) append(0.0f);
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) append(face == 2 && k == 1 && i == 1 ? std::nanf("") : corner[faces[face][k]][i]);
    append(std::uint16_t{0});
  }
  write(stl, bytes);
  EXPECT_THAT(refusal(stl.path()), HasSubstr("a.stl': vertex 2 of triangle 3 is at (0, nan, 0)"));
}

}  // namespace
}  // namespace tactus::host
