#include "tests/solve_cli/run_tactus.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace tactus::test {
namespace {

void Redirect(const std::string& file, int flags, int descriptor) {
  const int opened = open(file.c_str(), flags, 0644);
  if (opened < 0 || dup2(opened, descriptor) < 0) _exit(126);
}

}  // namespace

TemporaryFile::TemporaryFile(const std::string& content) : path_(testing::TempDir() + "tactus_XXXXXX") {
  const int descriptor = mkstemp(path_.data());
  EXPECT_GE(descriptor, 0);
  close(descriptor);
  std::ofstream(path_, std::ios::binary) << content;
}

TemporaryFile::~TemporaryFile() { unlink(path_.c_str()); }

std::string TemporaryFile::Read() const {
  std::ostringstream content;
  content << std::ifstream(path_, std::ios::binary).rdbuf();
  return content.str();
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

ToolRun RunTactusOnFiles(const std::vector<std::string>& args, const std::string& input_file,
                         const std::string& output_file) {
  const TemporaryFile error_file;
  std::vector<char*> argv{const_cast<char*>(TACTUS_TOOL)};
  for (const std::string& arg : args) argv.push_back(const_cast<char*>(arg.c_str()));
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    Redirect(input_file, O_RDONLY, STDIN_FILENO);
    Redirect(output_file, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    Redirect(error_file.path(), O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    execv(TACTUS_TOOL, argv.data());
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  EXPECT_EQ(wait4(child, &status, 0, &usage), child);
  ToolRun run;
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  run.err = error_file.Read();
  run.peak_kB = usage.ru_maxrss;
  return run;
}

ToolRun RunTactus(const std::vector<std::string>& args, const std::string& input) {
  const TemporaryFile input_file(input), output_file;
  ToolRun run = RunTactusOnFiles(args, input_file.path(), output_file.path());
  run.out = output_file.Read();
  return run;
}

}  // namespace tactus::test
