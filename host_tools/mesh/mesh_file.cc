#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "host_tools/link/host_error.h"
#include "host_tools/mesh/mesh_import.h"
#include "host_tools/mesh/triangle_mesh.h"

namespace tactus::host {
namespace {

constexpr double kMostPlace_m = 10;

/// ", line 12" of the first vertex in a text file (OBJ, STL) with what is no number; "": it has no such line.
std::string LineOfNoNumber(const std::string& path) {
  std::ifstream in(path);
  std::string line, word;
  for (int number = 1; std::getline(in, line); ++number) {
    std::istringstream words(line);
    if (!(words >> word) || (word != "v" && word != "vertex")) continue;
    for (int i = 0; i < 3 && words >> word; ++i) {
      if (!std::isfinite(std::strtof(word.c_str(), nullptr))) return fmt::format(", line {}", number);
    }
  }
  return "";
}

/// Collects the triangles of all meshes of a file; vertices at equal places become one.
class Collector {
 public:
  Collector(const std::string& path, double scale) : path_(path), scale_(scale) {}

  void Add(const FileTriangle& corners) {
    for (unsigned k = 0; k < 3; ++k) ExpectNumbers(corners[k], k);
    mesh_.triangle.push_back({NumberOf(corners[0]), NumberOf(corners[1]), NumberOf(corners[2])});
  }
  TriangleMesh mesh() && { return std::move(mesh_); }

 private:
  /// Before NumberOf(): what is no number is neither before nor behind any place, and would be taken for one that is there.
  void ExpectNumbers(const FileVertex& v, unsigned corner) const {
    if (std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2])) return;
    throw HostError(fmt::format("'{}'{}: vertex {} of triangle {} is at ({:g}, {:g}, {:g}), which are not three numbers",
                                path_, LineOfNoNumber(path_), corner + 1, mesh_.triangle.size() + 1, v[0], v[1], v[2]));
  }

  int NumberOf(const FileVertex& v) {
    const auto [at, is_new] = number_.try_emplace(v, static_cast<int>(mesh_.vertex_m.size()));
    if (!is_new) return at->second;
    const Vec3 place_m = scale_ * Vec3(static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2]));
    if (!(place_m.cwiseAbs().maxCoeff() <= kMostPlace_m)) {
      throw HostError(fmt::format("'{}' has a vertex at ({:g}, {:g}, {:g}) m, which is not within {:g} m: is --scale right?",
                                  path_, place_m.x(), place_m.y(), place_m.z(), kMostPlace_m));
    }
    mesh_.vertex_m.push_back(place_m);
    return at->second;
  }

  const std::string& path_;
  const double scale_;
  std::map<FileVertex, int> number_;
  TriangleMesh mesh_;
};

}  // namespace

TriangleMesh ReadMesh(const std::string& path, double scale) {
  CheckMeshFile(path);
  const std::vector<FileTriangle> triangles = ImportTriangles(path);
  if (triangles.empty()) throw HostError(fmt::format("the mesh '{}' has no triangles", path));
  if (triangles.size() > kMostTriangles) {
    throw HostError(fmt::format("'{}' has more than {} triangles: make it simpler first", path, kMostTriangles));
  }
  Collector collector(path, scale);
  for (const FileTriangle& triangle : triangles) collector.Add(triangle);
  return std::move(collector).mesh();
}

}  // namespace tactus::host
