#include "bench/measure/coprocess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "bench/measure/pipe.h"
#include "bench/report/report.h"

namespace tactus::bench {
namespace {

std::string PathOf(const std::string& name) {
  std::error_code error;
  return (std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / name).string();
}

}  // namespace

bool IsBuilt(const std::string& name) { return access(PathOf(name).c_str(), X_OK) == 0; }

Coprocess::Coprocess(const std::string& name) : name_(name) {
  const std::string program = PathOf(name);
  int input[2], output[2];
  if (!IsBuilt(name) || pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0) {
    throw BenchError(fmt::format("cannot run {}: {}; build it with ./dev build host", program, std::strerror(errno)));
  }
  child_ = fork();
  if (child_ == 0) {
    dup2(input[0], STDIN_FILENO);
    dup2(output[1], STDOUT_FILENO);
    execl(program.c_str(), program.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  close(input[0]);
  close(output[1]);
  to_child_ = input[1];
  from_child_ = output[0];
  if (child_ < 0) EndWith("cannot be started");
}

Coprocess::~Coprocess() {
  close(to_child_);
  close(from_child_);
  if (child_ > 0) waitpid(child_, nullptr, 0);
}

void Coprocess::EndWith(const char* what) const { throw BenchError(fmt::format("{}: {}", name_, what)); }

void Coprocess::Write(const void* data, std::size_t size) {
  if (!WriteAll(to_child_, data, size)) EndWith("ended while it was asked");
}

void Coprocess::Read(void* data, std::size_t size) {
  if (!ReadAll(from_child_, data, size)) EndWith("ended before it answered");
}

}  // namespace tactus::bench
