#include "host_tools/mesh/mesh_import.h"

#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <assimp/Importer.hpp>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "host_tools/link/host_error.h"
#include "host_tools/mesh/triangle_mesh.h"

namespace tactus::host {
namespace {

constexpr rlim_t kMostProcessorTime_s = 60;  // kMostTriangles take 4 s
constexpr std::size_t kMostWords = 160;      // of assimp's own words: it may give the rest of the file
constexpr char kTriangles = 'T', kWrong = 'W';

/// All of it, or nothing more can be said.
void WriteAll(int out, const void* bytes, std::size_t size) {
  const char* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t written = write(out, at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    at += written;
    size -= static_cast<std::size_t>(written);
  }
}

/// Before anything works on the faces: some files' have vertices that are not there.
void CheckFaces(const aiScene& scene) {
  for (unsigned m = 0; m < scene.mNumMeshes; ++m) {
    const aiMesh& part = *scene.mMeshes[m];
    for (unsigned i = 0; i < part.mNumFaces; ++i) {
      const aiFace& face = part.mFaces[i];
      if (face.mNumIndices == 0) throw HostError(fmt::format("face {} has no corners", i + 1));
      for (unsigned k = 0; k < face.mNumIndices; ++k) {
        if (face.mIndices[k] < part.mNumVertices) continue;
        throw HostError(fmt::format("face {} has vertex {}, and there are {}", i + 1, face.mIndices[k], part.mNumVertices));
      }
    }
  }
}

/// Points and lines have no surface.
void AppendTriangles(const aiMesh& part, std::vector<FileTriangle>* triangles) {
  for (unsigned i = 0; i < part.mNumFaces && triangles->size() <= kMostTriangles; ++i) {
    const aiFace& face = part.mFaces[i];
    if (face.mNumIndices != 3) continue;
    FileTriangle triangle;
    for (unsigned k = 0; k < 3; ++k) {
      const aiVector3D& v = part.mVertices[face.mIndices[k]];
      triangle[k] = {v.x, v.y, v.z};
    }
    triangles->push_back(triangle);
  }
}

std::string FirstWords(std::string_view words) {
  words = words.substr(0, words.find_first_of("\r\n"));
  return words.size() <= kMostWords ? std::string(words) : std::string(words.substr(0, kMostWords)) + " ...";
}

/// The reader's process: a letter, then the triangles or what is wrong.
[[noreturn]] void Import(const std::string& path, int out) {
  const rlimit limit{kMostProcessorTime_s, kMostProcessorTime_s};
  (void)setrlimit(RLIMIT_CPU, &limit);
  for (const int crash : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) (void)std::signal(crash, SIG_DFL);
  const rlimit no_core{0, 0};
  (void)setrlimit(RLIMIT_CORE, &no_core);
  std::vector<FileTriangle> triangles;
  std::string wrong;
  try {
    Assimp::Importer importer;
    const aiScene* scene = importer.ReadFile(path, 0);
    if (scene != nullptr) {
      CheckFaces(*scene);
      scene = importer.ApplyPostProcessing(aiProcess_Triangulate | aiProcess_PreTransformVertices);
    }
    if (scene == nullptr) {
      wrong = FirstWords(importer.GetErrorString());
    } else {
      for (unsigned i = 0; i < scene->mNumMeshes; ++i) AppendTriangles(*scene->mMeshes[i], &triangles);
    }
  } catch (const std::exception& error) {
    wrong = FirstWords(error.what());
  }
  const char kind = wrong.empty() ? kTriangles : kWrong;
  WriteAll(out, &kind, 1);
  if (wrong.empty()) {
    const std::uint64_t count = triangles.size();
    WriteAll(out, &count, sizeof count);
    WriteAll(out, triangles.data(), triangles.size() * sizeof(FileTriangle));
  } else {
    WriteAll(out, wrong.data(), wrong.size());
  }
  _exit(0);
}

std::string ReadAll(int in) {
  std::string bytes;
  std::array<char, 65536> piece;
  for (;;) {
    const ssize_t got = read(in, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return bytes;
    bytes.append(piece.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

std::vector<FileTriangle> ImportTriangles(const std::string& path) {
  int ends[2];
  if (pipe(ends) != 0) throw HostError(fmt::format("cannot read the mesh '{}': {}", path, std::strerror(errno)));
  const pid_t reader = fork();
  if (reader == 0) {
    close(ends[0]);
    Import(path, ends[1]);
  }
  close(ends[1]);
  if (reader < 0) {
    close(ends[0]);
    throw HostError(fmt::format("cannot read the mesh '{}': {}", path, std::strerror(errno)));
  }
  const std::string said = ReadAll(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(reader, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    const bool is_late = signal == SIGXCPU || signal == SIGKILL;
    throw HostError(
        fmt::format("cannot read the mesh '{}': its reader {}; the file is damaged. Export it again, as STL or OBJ", path,
                    is_late ? "did not end" : fmt::format("crashed (signal {})", signal)));
  }
  if (said.empty() || said[0] != kTriangles) {
    throw HostError(
        fmt::format("cannot read the mesh '{}': {}", path, said.empty() ? "its reader said nothing" : said.substr(1)));
  }
  std::uint64_t count = 0;
  const std::size_t begin = 1 + sizeof count;
  if (said.size() >= begin) std::memcpy(&count, said.data() + 1, sizeof count);
  if (said.size() < begin || said.size() - begin != count * sizeof(FileTriangle)) {
    throw HostError(fmt::format("cannot read the mesh '{}': its reader broke off", path));
  }
  std::vector<FileTriangle> triangles(count);
  if (count > 0) std::memcpy(triangles.data(), said.data() + begin, count * sizeof(FileTriangle));
  return triangles;
}

}  // namespace tactus::host
