#pragma once
#include <string>
#include <vector>

namespace tactus::test {

/// How a run of the host tool ended.
struct ToolRun {
  int exit_code = -1;  ///< 128 + signal number when a signal ended it
  std::string out, err;
  long peak_kB = 0;  ///< largest resident set
};

/// Runs `tactus ARGS...` with `input` on its standard input, and waits for it.
ToolRun RunTactus(const std::vector<std::string>& args, const std::string& input = "");

/// The same; its standard input comes from `input_file`, its standard output goes to `output_file`.
ToolRun RunTactusOnFiles(const std::vector<std::string>& args, const std::string& input_file,
                         const std::string& output_file);

/// A file in the temporary folder, as long as the object lives.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content = "");
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  const std::string& path() const { return path_; }
  std::string Read() const;

 private:
  std::string path_;
};

/// The lines of `text`, without their newlines.
std::vector<std::string> Lines(const std::string& text);

}  // namespace tactus::test
