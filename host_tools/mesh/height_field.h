#pragma once
#include <string>
#include <vector>

#include "host_tools/mesh/triangle_mesh.h"

namespace tactus::host {

/// Heights over a regular grid of places: row j, column i at x = (i - (columns - 1)/2) cell, y = (j - (rows - 1)/2) cell.
struct HeightField {
  int columns = 0, rows = 0;
  double cell_m = 0;
  std::vector<double> height_m;  ///< row by row

  double At(int i, int j) const { return height_m[static_cast<std::size_t>(j * columns + i)]; }
};

/// Reads a text file: a row of numbers a line, at increasing y, with commas, semicolons or blanks between them; empty lines
/// and what follows a # do not count.
/// @param[in] scale  metres a unit of the file's heights
/// @throws HostError, with file and line: not a number, rows of different lengths, fewer than 2 x 2, not within 10 m; a cell
///                    out of range; more heights than a quarter of kMostTriangles
HeightField ReadHeightField(const std::string& path, double cell_m, double scale);

/// The height at u columns and v rows from the first sample, by cubics of Catmull and Rom ([CatmullRom74]) along both: it
/// goes through the samples, its slopes are continuous, and it depends on 4 x 4 of them. Beyond the edge the samples go on
/// in a straight line.
double HeightAt(const HeightField& field, double u, double v);

/// The body below the surface as a closed mesh: the surface in triangles, walls, and a flat bottom.
/// @param[in] step_m       at most so long are the edges of a triangle, seen from above; longer if there were too many
/// @param[in] thickness_m  from the lowest height to the bottom
TriangleMesh MeshOf(const HeightField& field, double step_m, double thickness_m);

}  // namespace tactus::host
