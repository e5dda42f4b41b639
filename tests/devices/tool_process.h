#pragma once
#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/become_program.h"

namespace tactus {

/// `tactus WORDS` as a child, which ends with this object.
class Process {
 public:
  /// @param errors  a file for what it says on standard error; empty: where this program's goes
  explicit Process(std::vector<std::string> words, const std::string& errors = "") {
    int out[2];
    if (pipe(out) != 0) return;
    words.insert(words.begin(), TACTUS_TOOL);
    pid_ = fork();
    if (pid_ == 0) {
      dup2(out[1], STDOUT_FILENO);
      close(out[0]);
      close(out[1]);
      if (!errors.empty()) (void)std::freopen(errors.c_str(), "w", stderr);
      host::BecomeProgram(std::move(words));
    }
    close(out[1]);
    out_ = out[0];
  }
  ~Process() {
    End(SIGKILL);
    close(out_);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  std::string Line() const {
    std::string line;
    for (char c; read(out_, &c, 1) == 1 && c != '\n';) line += c;
    return line;
  }
  void Tell(int signal) const { kill(pid_, signal); }
  void End(int signal) {
    if (pid_ <= 0) return;
    kill(pid_, signal);
    rusage used{};
    wait4(pid_, &status, 0, &used);
    processor_s = static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                  1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    pid_ = 0;
  }
  int status = 0;
  double processor_s = 0;

 private:
  pid_t pid_ = 0;
  int out_ = -1;
};

/// Files of one test, which go with it.
struct Files {
  explicit Files(const std::string& name)
      : stem((std::filesystem::temp_directory_path() / fmt::format("tactus_{}_{}", name, getpid())).string()) {}
  ~Files() {
    for (const char* const end : {".tty", ".sock", ".csv", ".bin", ".json", ".host.json", ".err"})
      std::filesystem::remove(stem + end);
  }
  std::string Text(const std::string& end) const {
    std::ifstream file(stem + end);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// The emulated motors' largest current, as last written; -1: nothing was.
  double Output() const {
    std::ifstream file(stem + ".csv");
    std::string line, last;
    while (std::getline(file, line)) last = line;
    double ms = 0, output = -1;
    (void)std::sscanf(last.c_str(), "%lf,%lf", &ms, &output);
    return output;
  }
  bool WaitsFor(bool flows, int times_10_ms) const {
    for (int i = 0; i < times_10_ms; ++i, usleep(10'000)) {
      if (Output() >= 0 && (Output() > 0) == flows) return true;
    }
    return false;
  }
  const std::string stem;
};

}  // namespace tactus
