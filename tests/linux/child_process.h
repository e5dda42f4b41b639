#pragma once
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "host_tools/link/host_error.h"
#include "tests/support/become_program.h"

namespace tactus::host {

/// A program as a child, and what it says on both its outputs. It ends with this object.
class ChildProcess {
 public:
  explicit ChildProcess(std::vector<std::string> words) {
    int out[2];
    if (pipe2(out, O_CLOEXEC) != 0) throw HostError("pipe");
    pid_ = fork();
    if (pid_ == 0) {
      dup2(out[1], STDOUT_FILENO);
      dup2(out[1], STDERR_FILENO);
      BecomeProgram(std::move(words));
    }
    close(out[1]);
    out_ = out[0];
  }
  ChildProcess(ChildProcess&& from) noexcept
      : pid_(std::exchange(from.pid_, 0)), out_(std::exchange(from.out_, -1)), said_(std::move(from.said_)) {}
  ~ChildProcess() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    if (out_ >= 0) close(out_);
  }

  void Kill(int signal) const { kill(pid_, signal); }

  /// Until it has said this, or ends, or 30 s have passed. @returns whether it has
  bool Says(const std::string& text) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (said_.find(text) == std::string::npos && std::chrono::steady_clock::now() < deadline) {
      pollfd one{out_, POLLIN, 0};
      if (poll(&one, 1, 100) == 0) continue;
      char bytes[4096];
      const ssize_t count = read(out_, bytes, sizeof(bytes));
      if (count <= 0) break;
      said_.append(bytes, static_cast<std::size_t>(count));
    }
    return said_.find(text) != std::string::npos;
  }
  const std::string& said() const { return said_; }

  /// Until it has ended, for at most 30 s. @returns what it exits with; -1: not, or by a signal
  int Wait() {
    int status = 0;
    for (int i = 0; i < 3000; ++i, usleep(10'000)) {
      if (waitpid(pid_, &status, WNOHANG) != pid_) continue;
      pid_ = 0;
      return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    return -1;
  }

 private:
  pid_t pid_ = 0;
  int out_ = -1;
  std::string said_;
};

}  // namespace tactus::host
