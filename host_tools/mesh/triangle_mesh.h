#pragma once
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tactus/core/eigen.h"

namespace tactus::host {

using Vec3 = Vec<double, 3>;

/// A closed surface as triangles, counterclockwise seen from outside.
struct TriangleMesh {
  std::vector<Vec3> vertex_m;
  std::vector<std::array<int, 3>> triangle;
};

inline constexpr std::size_t kMostTriangles = 500'000;

/// What was mended of a mesh, for people to see.
struct MeshRepairs {
  std::size_t turned = 0;                           ///< triangles whose winding was wrong
  std::size_t dropped = 0;                          ///< without an area, or given twice
  std::size_t parts = 0;                            ///< closed surfaces
  std::size_t cavities = 0;                         ///< of them, those inside of another: they enclose what is not there
  std::vector<std::pair<Vec3, Vec3>> boxes_m = {};  ///< around each part: its low and its high corner
};

/// Reads a file by libassimp (STL, OBJ, PLY and more); equal places become one vertex.
/// @param[in] scale  metres a unit of the file: an STL in millimetres has 0.001
/// @throws HostError: cannot be read, no triangles, more than kMostTriangles, numbers that are not finite or above 10 m
TriangleMesh ReadMesh(const std::string& path, double scale);

/// Makes the winding right: alike within each part, outward seen from outside, inward in a cavity.
/// @throws HostError: not closed, with the place of the first open edge and how many there are; an edge with more than two
///                    triangles; a part without an inside, as a Moebius strip; parts that intersect, with a place
MeshRepairs MakeWatertight(TriangleMesh* mesh);

}  // namespace tactus::host
