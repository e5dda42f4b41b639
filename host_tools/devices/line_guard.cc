#include "host_tools/devices/line_guard.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "host_tools/io/tty_link.h"
#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

constexpr int kTimes = 3;
constexpr useconds_t kPause_us = 5'000, kTryAgain_us = 20'000;
constexpr int kTries = 25;  // the terminal may still be the dead program's for a moment

void SayLastWords(const std::string& path, unsigned baud, const LastWords& words) {
  for (int i = 0; i < kTries; ++i, usleep(kTryAgain_us)) {
    try {
      const int fd = OpenTty(path, baud);
      for (int k = 0; k < kTimes; ++k, usleep(kPause_us)) {
        if (!words.first.empty() && write(fd, words.first.data(), words.first.size()) >= 0) usleep(kPause_us);
        if (write(fd, words.then.data(), words.then.size()) < 0) continue;
      }
      close(fd);
      return;
    } catch (const HostError&) {  // not there, or not free
    }
  }
}

/// In the child, of all beyond the standard streams. Another guard's pipe would keep that one from speaking, and a line
/// would stay taken.
void KeepOnly(int descriptor) {
  const auto end = static_cast<unsigned>(descriptor);
  if (end > STDERR_FILENO + 1) (void)close_range(STDERR_FILENO + 1, end - 1, 0);
  (void)close_range(std::max<unsigned>(end, STDERR_FILENO) + 1, ~0u, 0);
}

}  // namespace

LineGuard::LineGuard(const std::string& path, unsigned baud, const LastWords& last_words)
    : LineGuard([&] { SayLastWords(path, baud, last_words); }) {}

LineGuard::LineGuard(const std::function<void()>& speak) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw HostError("no pipe to a guard of the line");
  pid_ = fork();
  if (pid_ < 0) throw HostError("no process for a guard of the line");
  if (pid_ == 0) {
    KeepOnly(ends[0]);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) (void)std::signal(signal, SIG_IGN);
    (void)setsid();  // Ctrl-C is the program's, not the guard's
    char byte;
    while (read(ends[0], &byte, 1) > 0) {
    }
    speak();
    _exit(0);
  }
  close(ends[0]);
  pipe_ = ends[1];
}

LineGuard::~LineGuard() {
  close(pipe_);
  (void)waitpid(pid_, nullptr, 0);
}

}  // namespace tactus::host
