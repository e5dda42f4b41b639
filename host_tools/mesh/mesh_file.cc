#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/core.h>
#include <assimp/Importer.hpp>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <tuple>

#include "host_tools/link/host_error.h"
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

  void Add(const aiMesh& part) {
    for (unsigned i = 0; i < part.mNumFaces; ++i) {
      const aiFace& face = part.mFaces[i];
      if (face.mNumIndices != 3) continue;  // points and lines have no surface
      for (unsigned k = 0; k < 3; ++k) ExpectNumbers(part.mVertices[face.mIndices[k]], k);
      const auto number = [&](int k) { return NumberOf(part.mVertices[face.mIndices[k]]); };
      mesh_.triangle.push_back({number(0), number(1), number(2)});
    }
    if (mesh_.triangle.size() > kMostTriangles) {
      throw HostError(fmt::format("'{}' has more than {} triangles: make it simpler first", path_, kMostTriangles));
    }
  }
  TriangleMesh mesh() && { return std::move(mesh_); }

 private:
  /// Before NumberOf(): what is no number is neither before nor behind any place, and would be taken for one that is there.
  void ExpectNumbers(const aiVector3D& v, unsigned corner) const {
    if (std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z)) return;
    throw HostError(fmt::format("'{}'{}: vertex {} of triangle {} is at ({:g}, {:g}, {:g}), which are not three numbers",
                                path_, LineOfNoNumber(path_), corner + 1, mesh_.triangle.size() + 1, v.x, v.y, v.z));
  }

  int NumberOf(const aiVector3D& v) {
    const auto [at, is_new] = number_.try_emplace({v.x, v.y, v.z}, static_cast<int>(mesh_.vertex_m.size()));
    if (!is_new) return at->second;
    const Vec3 place_m = scale_ * Vec3(static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z));
    if (!(place_m.cwiseAbs().maxCoeff() <= kMostPlace_m)) {
      throw HostError(fmt::format("'{}' has a vertex at ({:g}, {:g}, {:g}) m, which is not within {:g} m: is --scale right?",
                                  path_, place_m.x(), place_m.y(), place_m.z(), kMostPlace_m));
    }
    mesh_.vertex_m.push_back(place_m);
    return at->second;
  }

  const std::string& path_;
  const double scale_;
  std::map<std::tuple<float, float, float>, int> number_;
  TriangleMesh mesh_;
};

}  // namespace

TriangleMesh ReadMesh(const std::string& path, double scale) {
  Assimp::Importer importer;
  const aiScene* const scene = importer.ReadFile(path, aiProcess_Triangulate | aiProcess_PreTransformVertices);
  if (scene == nullptr) throw HostError(fmt::format("cannot read the mesh '{}': {}", path, importer.GetErrorString()));
  Collector collector(path, scale);
  for (unsigned i = 0; i < scene->mNumMeshes; ++i) collector.Add(*scene->mMeshes[i]);
  TriangleMesh mesh = std::move(collector).mesh();
  if (mesh.triangle.empty()) throw HostError(fmt::format("the mesh '{}' has no triangles", path));
  return mesh;
}

}  // namespace tactus::host
