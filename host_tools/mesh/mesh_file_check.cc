#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>

#include "host_tools/link/host_error.h"
#include "host_tools/mesh/mesh_import.h"

namespace tactus::host {
namespace {

constexpr std::size_t kStlHeader = 84, kStlTriangle = 50;  // its count is the last four bytes of the header

std::string Extension(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

/// A text begins with "solid", as some binary files do; in its first kilobyte it has a facet, or the end.
bool IsText(std::string_view start) {
  if (start.starts_with("\xEF\xBB\xBF")) start.remove_prefix(3);  // UTF-8's byte order mark
  start.remove_prefix(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
  return start.starts_with("solid") &&
         (start.find("facet") != std::string_view::npos || start.find("endsolid") != std::string_view::npos);
}

/// A line without its comment; of an OBJ what ends in a backslash goes on in the next line. @returns false: there is none
bool NextLine(std::istream& in, std::string* line, int* number) {
  line->clear();
  for (std::string piece; std::getline(in, piece);) {
    ++*number;
    if (!piece.empty() && piece.back() == '\r') piece.pop_back();
    const bool goes_on = !piece.empty() && piece.back() == '\\';
    if (goes_on) piece.pop_back();
    *line += piece + ' ';
    if (goes_on) continue;
    line->resize(std::min(line->find('#'), line->size()));
    return true;
  }
  return !line->empty();
}

/// The first vertex that has not three numbers; what is infinite or no number has its own words later.
void CheckVertices(const std::string& path, const char* keyword) {
  std::ifstream in(path);
  std::string line, word;
  for (int number = 0; NextLine(in, &line, &number);) {
    std::istringstream words(line);
    if (!(words >> word) || word != keyword) continue;
    for (int i = 0; i < 3; ++i) {
      if (!(words >> word))
        throw HostError(fmt::format("'{}', line {}: a vertex has three numbers, this one {}", path, number, i));
      char* end = nullptr;
      (void)std::strtof(word.c_str(), &end);
      if (*end != '\0') throw HostError(fmt::format("'{}', line {}: '{:.40}' is no number", path, number, word));
    }
  }
}

void CheckStl(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return;  // the reader says so
  std::string start(1024, '\0');
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(in.gcount()));
  const std::uintmax_t size = std::filesystem::file_size(path);
  std::uint32_t triangles = 0;
  if (start.size() >= kStlHeader) std::memcpy(&triangles, start.data() + kStlHeader - sizeof triangles, sizeof triangles);
  const std::uintmax_t wanted = kStlHeader + kStlTriangle * std::uintmax_t{triangles};
  if (size == wanted) return;
  if (IsText(start)) return CheckVertices(path, "vertex");
  throw HostError(fmt::format(
      "'{}' is no text ('solid ...', 'facet ...', in small letters) and no whole binary STL: one of {} triangles has {} "
      "bytes, this one {}",
      path, triangles, wanted, size));
}

/// What a PLY's header announces.
class PlyHeader {
 public:
  explicit PlyHeader(const std::string& path) : path_(path), in_(path, std::ios::binary) {
    if (!in_) return;  // the reader says so
    const std::string magic = Line();
    if (magic != "ply" && magic != "PLY") Refuse("does not begin with 'ply'");
    for (int lines = 1; lines <= kMostLines; ++lines) {
      const std::string line = Line();
      if (line == "end_header") return;
      std::istringstream words(line);
      Take(&words);
    }
    Refuse("has no line 'end_header'");
  }

  /// Of one kind of element, as a vertex: the least number of bytes that so many have.
  void CheckLength() {
    if (!in_) return;
    if (!has_format_) Refuse("has no format");
    const auto here = in_.tellg();
    const std::uintmax_t size = std::filesystem::file_size(path_);
    const std::uintmax_t left = here < 0 ? 0 : size - static_cast<std::uintmax_t>(here);
    std::uintmax_t least = 0;
    for (const auto& [count, bytes] : elements_) {
      // Of a text each number has a digit and what parts it from the next one.
      if (bytes > 0 && count > (left - std::min(left, least)) / bytes + 1) {
        Refuse(fmt::format("announces {} elements, more than its {} bytes hold", count, size));
      }
      least += count * bytes;
    }
    if (least > left + 1) Refuse(fmt::format("is cut: {} bytes behind its header, {} at least are announced", left, least));
  }

 private:
  static constexpr int kMostLines = 10'000;

  [[noreturn]] void Refuse(const std::string& what) const { throw HostError(fmt::format("the PLY '{}' {}", path_, what)); }

  /// It ends in a line feed, in a carriage return, or in both.
  std::string Line() {
    std::string line;
    int c = in_.get();
    if (c == std::ifstream::traits_type::eof()) Refuse("has no line 'end_header'");
    for (; c != std::ifstream::traits_type::eof() && c != '\n' && c != '\r'; c = in_.get()) line += static_cast<char>(c);
    if (c == '\r' && in_.peek() == '\n') (void)in_.get();
    while (!line.empty() && (line.back() == '\t' || line.back() == ' ')) line.pop_back();
    return line;
  }

  void Take(std::istringstream* words) {
    std::string key, kind;
    if (!(*words >> key)) return;
    if (key == "format") {
      *words >> kind;
      has_format_ = true;
      is_text_ = kind == "ascii";
      if (!is_text_ && kind != "binary_little_endian" && kind != "binary_big_endian") {
        Refuse(fmt::format("has the format '{:.40}', which is none", kind));
      }
    } else if (key == "element") {
      std::uintmax_t count = 0;
      if (!(*words >> kind >> count)) Refuse("has an element without a count");
      elements_.emplace_back(count, 0);
    } else if (key == "property" && !elements_.empty()) {
      *words >> kind;
      const bool is_list = kind == "list";
      if (is_list) *words >> kind;
      elements_.back().second += is_text_ ? 2 : SizeOf(kind);
    }
  }

  std::uintmax_t SizeOf(const std::string& type) const {
    static const std::map<std::string, std::uintmax_t> kSizes{
        {"char", 1}, {"uchar", 1}, {"int8", 1},  {"uint8", 1},  {"short", 2}, {"ushort", 2},  {"int16", 2},  {"uint16", 2},
        {"int", 4},  {"uint", 4},  {"int32", 4}, {"uint32", 4}, {"float", 4}, {"float32", 4}, {"double", 8}, {"float64", 8}};
    const auto at = kSizes.find(type);
    if (at == kSizes.end()) Refuse(fmt::format("has a property of the type '{:.40}', which is none", type));
    return at->second;
  }

  const std::string& path_;
  std::ifstream in_;
  bool has_format_ = false, is_text_ = true;
  std::vector<std::pair<std::uintmax_t, std::uintmax_t>> elements_;  // how many, and least bytes of one
};

}  // namespace

void CheckMeshFile(const std::string& path) {
  if (!std::filesystem::is_regular_file(path)) return;  // the reader says so
  const std::string extension = Extension(path);
  if (extension == ".stl") CheckStl(path);
  if (extension == ".obj") CheckVertices(path, "v");
  if (extension == ".ply") PlyHeader(path).CheckLength();
}

}  // namespace tactus::host
