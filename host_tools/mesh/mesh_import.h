#pragma once
#include <array>
#include <string>
#include <vector>

namespace tactus::host {

/// A corner as the file has it, and the three of a triangle.
using FileVertex = std::array<float, 3>;
using FileTriangle = std::array<FileVertex, 3>;

/// Looks at a file before a reader does: of a PLY the end of its header, its format and whether it is long enough for what
/// it announces; of a binary STL its length; of a text STL or OBJ whether each vertex has three numbers.
/// @throws HostError: what is wrong, with the line of a text file
void CheckMeshFile(const std::string& path);

/// The triangles of all meshes of a file, by libassimp. It reads in a process of its own, with a limit of processor time,
/// for of a damaged file it may crash or never end.
/// @throws HostError: cannot be read, and why; its reader has crashed or did not end
std::vector<FileTriangle> ImportTriangles(const std::string& path);

}  // namespace tactus::host
