#include "host_tools/solve/line_reader.h"

#include <unistd.h>

#include <cerrno>

namespace tactus::host {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 16;  // 64 KiB. what a Linux pipe holds
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

LineReader::Result LineReader::Next(std::string_view* line) {
  bool too_long = false;
  while (true) {
    const std::size_t newline = buffer_.find('\n', searched_);
    if (newline != std::string::npos) {
      *line = Take(newline - begin_, 1);
      return too_long || line->size() > kMaxLineBytes ? Result::kTooLong : Result::kLine;
    }
    if (at_end_ && begin_ == buffer_.size() && !too_long) return Result::kEnd;
    if (at_end_) {
      *line = Take(buffer_.size() - begin_, 0);
      return too_long || line->size() > kMaxLineBytes ? Result::kTooLong : Result::kLine;
    }
    if (buffer_.size() - begin_ > kMaxLineBytes) {
      too_long = true;
      begin_ = buffer_.size();
    }
    if (!ReadMore()) return Result::kError;
  }
}

std::string_view LineReader::Take(std::size_t size, std::size_t newline_size) {
  std::string_view line = std::string_view(buffer_).substr(begin_, size);
  begin_ += size + newline_size;
  searched_ = begin_;
  ++line_number_;
  if (line_number_ == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool LineReader::ReadMore() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  searched_ = buffer_.size();
  buffer_.resize(searched_ + kChunkBytes);
  ssize_t count = -1;
  do {
    count = read(file_descriptor_, buffer_.data() + searched_, kChunkBytes);
  } while (count < 0 && errno == EINTR);
  buffer_.resize(searched_ + static_cast<std::size_t>(count > 0 ? count : 0));
  at_end_ = count == 0;
  return count >= 0;
}

}  // namespace tactus::host
