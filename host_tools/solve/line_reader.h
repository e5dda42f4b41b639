#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace tactus::host {

/// Reads a file line by line in constant memory. Takes LF and CRLF, a UTF-8 byte order mark, and a last line without its
/// newline. Reads as soon as there is something to read, so it works on a pipe that stays open.
class LineReader {
 public:
  static constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20;  // 16 MiB. 100 times the largest problem that fits

  enum class Result {
    kLine,     ///< `*line` is the next line
    kTooLong,  ///< the next line has more than kMaxLineBytes and was skipped
    kEnd,      ///< nothing is left
    kError,    ///< the file cannot be read any more; errno says why
  };

  /// @param file_descriptor open for reading; stays the caller's
  explicit LineReader(int file_descriptor) : file_descriptor_(file_descriptor) {}

  /// @param[out] line valid until the next call
  Result Next(std::string_view* line);

  /// Of the last line returned, from 1.
  long line_number() const { return line_number_; }

 private:
  bool ReadMore();
  std::string_view Take(std::size_t size, std::size_t newline_size);

  int file_descriptor_;
  std::string buffer_;
  std::size_t begin_ = 0;     // of what has not been returned yet
  std::size_t searched_ = 0;  // no newline before this
  bool at_end_ = false;
  long line_number_ = 0;
};

}  // namespace tactus::host
