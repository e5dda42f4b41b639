#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "host_tools/link/host_error.h"
#include "host_tools/mesh/triangle_mesh.h"
#include "temporary_file.h"

// Mesh files that are damaged: each is refused with what is wrong, whatever the library does that reads them. libassimp 5.2
// crashes on some PLY files and reads others for ever.
namespace tactus::host {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

constexpr const char* kPlyHeader =
    "element vertex 8\nproperty float x\nproperty float y\nproperty float z\n"
    "element face 12\nproperty list uchar int vertex_indices\nend_header\n";
constexpr int kCube[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                              {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

/// A cube of 10 units, as text, with `last` as the last index, 5 in a whole one.
std::string TextPly(const std::string& last = "5") {
  std::string ply = std::string("ply\nformat ascii 1.0\n") + kPlyHeader;
  for (int i = 0; i < 8; ++i) {
    for (int axis = 0; axis < 3; ++axis) ply += (i >> axis & 1) != 0 ? "10 " : "0 ";
    ply += '\n';
  }
  for (int face = 0; face < 12; ++face) {
    ply += "3 " + std::to_string(kCube[face][0]) + ' ' + std::to_string(kCube[face][1]) + ' ';
    ply += (face == 11 ? last : std::to_string(kCube[face][2])) + '\n';
  }
  return ply;
}

std::string BinaryPly(std::int32_t last = 5) {
  std::string ply = std::string("ply\nformat binary_little_endian 1.0\n") + kPlyHeader;
  const auto append = [&ply](const auto& x) { ply.append(reinterpret_cast<const char*>(&x), sizeof x); };
  for (int i = 0; i < 8; ++i) {
    for (int axis = 0; axis < 3; ++axis) append((i >> axis & 1) != 0 ? 10.0f : 0.0f);
  }
  for (int face = 0; face < 12; ++face) {
    append(std::uint8_t{3});
    for (int k = 0; k < 3; ++k) append(face == 11 && k == 2 ? last : std::int32_t{kCube[face][k]});
  }
  return ply;
}

std::string BinaryStl(std::uint32_t announced) {
  std::string stl(80, ' ');
  const auto append = [&stl](const auto& x) { stl.append(reinterpret_cast<const char*>(&x), sizeof x); };
  append(announced);
  for (const auto& face : kCube) {
    for (int i = 0; i < 3; ++i) append(0.0f);
    for (const int v : face) {
      for (int axis = 0; axis < 3; ++axis) append((v >> axis & 1) != 0 ? 10.0f : 0.0f);
    }
    append(std::uint16_t{0});
  }
  return stl;
}

/// @returns "": it is a closed mesh
std::string RefusalOf(const std::string& name, const std::string& bytes) {
  const TemporaryFile file(name);
  file.Write({bytes.begin(), bytes.end()});
  try {
    TriangleMesh mesh = ReadMesh(file.path(), 1e-3);
    (void)MakeWatertight(&mesh);
  } catch (const HostError& error) {
    return error.what();
  }
  return "";
}

TEST(MeshDamage, WhatIsWholeIsRead) {
  std::string crlf;
  for (const char c : TextPly()) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(RefusalOf("a.ply", crlf), "");
  std::string text = "  solid a\n";
  for (const auto& face : kCube) {
    text += "facet normal 0 0 0\n outer loop\n";
    for (const int v : face) {
      text += "  vertex";
      for (int axis = 0; axis < 3; ++axis) text += (v >> axis & 1) != 0 ? " 1.0e+01" : " 0";
      text += '\n';
    }
    text += " endloop\nendfacet\n";
  }
  EXPECT_EQ(RefusalOf("a.stl", text + "endsolid a\n"), "");
  EXPECT_EQ(RefusalOf("a.stl", "\xEF\xBB\xBF" + text.substr(2) + "endsolid a\n"), "");
  EXPECT_EQ(RefusalOf("a.stl", "solid none\nendsolid none\n" + text.substr(2) + "endsolid a\n"),
            "");  // one body of two is empty
  const std::string title = "solid part facet 0.1\nvertex 1 facets";
  std::string binary = BinaryStl(12);
  binary.replace(0, title.size(), title);
  EXPECT_EQ(RefusalOf("a.stl", binary), "");
  EXPECT_EQ(
      RefusalOf("a.obj", "v 0 \\\n 0 0\nv 1 0 0# right\nv 0 1 0 # up\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\nl 1 2\n"),
      "");
  EXPECT_EQ(RefusalOf("a.ply", TextPly()), "");
  EXPECT_EQ(RefusalOf("a.ply", BinaryPly()), "");
  EXPECT_EQ(RefusalOf("a.stl", BinaryStl(12)), "");
}

TEST(MeshDamage, AnIndexOfNoVertexIsRefused) {
  for (const char* const last : {"8", "100000000", "2147483647", "-1"}) {
    EXPECT_NE(RefusalOf("a.ply", TextPly(last)), "") << last;
    EXPECT_NE(RefusalOf("a.ply", BinaryPly(std::atoi(last))), "") << last;
  }
}

// A cut text may be a whole mesh still: without its last line feed.
TEST(MeshDamage, APlyThatIsCutAnywhereIsRefused) {
  constexpr std::size_t kStep = 11;
  const std::string text = TextPly(), binary = BinaryPly();
  for (std::size_t size = 0; size + 2 < text.size(); size += kStep) {
    EXPECT_NE(RefusalOf("a.ply", text.substr(0, size)), "") << size;
  }
  for (std::size_t size = 0; size < binary.size(); size += kStep) {
    EXPECT_NE(RefusalOf("a.ply", binary.substr(0, size)), "") << size;
  }
}

TEST(MeshDamage, AHeaderWithoutAnEndIsNamed) {
  std::string torn = TextPly();
  torn.replace(torn.find("end_header"), 10, "end_heade0");
  EXPECT_THAT(RefusalOf("a.ply", torn), HasSubstr("has no line 'end_header'"));
  std::string other = TextPly();
  other.replace(other.find("ascii"), 5, "asciI");
  EXPECT_THAT(RefusalOf("a.ply", other), HasSubstr("has the format 'asciI', which is none"));
  std::string many = BinaryPly();
  many.replace(many.find("vertex 8"), 8, "vertex 18446744073709551615");
  EXPECT_THAT(RefusalOf("a.ply", many), HasSubstr("more than its"));
}

TEST(MeshDamage, AnStlOfAnotherLengthIsNamed) {
  const std::string whole = BinaryStl(12);
  EXPECT_THAT(RefusalOf("a.stl", whole.substr(0, whole.size() - 37)),
              HasSubstr("one of 12 triangles has 684 bytes, this one 647"));
  EXPECT_THAT(RefusalOf("a.stl", whole + "xx"), HasSubstr("has 684 bytes, this one 686"));
  EXPECT_THAT(RefusalOf("a.stl", BinaryStl(13)), HasSubstr("one of 13 triangles has 734 bytes"));
}

TEST(MeshDamage, AWordThatIsNoNumberIsTold) {
  const std::string facet =
      "solid a\nfacet normal 0 0 1\nouter loop\nvertex x 30 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
  std::string many = facet;
  for (int i = 0; i < 1000; ++i)
    many += "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
  const std::string stl = RefusalOf("a.stl", many + "endsolid a\n");
  EXPECT_THAT(stl, HasSubstr("a.stl', line 4: 'x' is no number"));
  EXPECT_LT(stl.size(), 300U);
  EXPECT_THAT(RefusalOf("a.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 30,5 0 0\n"),
              HasSubstr("'30,5' is no number"));
  EXPECT_THAT(RefusalOf("a.obj", "v 0 0 0\nv 1 2 abc\nv 0 1 0\nf 1 2 3\n"), HasSubstr("line 2: 'abc' is no number"));
  EXPECT_THAT(RefusalOf("a.obj", "v 0 0 0\nv 1 2\nv 0 1 0\nf 1 2 3\n"),
              HasSubstr("line 2: a vertex has three numbers, this one 2"));
}

TEST(MeshDamage, TrianglesWithoutAnAreaAreNoMesh) {
  const std::string message = "none of the mesh's 1 triangles has an area";
  EXPECT_THAT(RefusalOf("a.obj", "v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n"),
              AnyOf(HasSubstr(message), HasSubstr("cannot read")));
  std::string stl(80, ' ');
  const std::uint32_t one = 1;
  stl.append(reinterpret_cast<const char*>(&one), sizeof one);
  stl.append(50, '\0');
  EXPECT_THAT(RefusalOf("a.stl", stl), HasSubstr(message));
}

}  // namespace
}  // namespace tactus::host
