// An emulated board is a child process and a folder with what goes between us: FIFOs or a socket, its output, the counts.
#include "host_tools/link/qemu_board.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "host_tools/link/elf_symbols.h"
#include "host_tools/link/host_error.h"
#include "host_tools/link/stop_signal.h"

namespace tactus::host {
namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

constexpr const char* kQemu = "qemu-system-arm";
constexpr std::chrono::seconds kStartPatience{20};  // an emulator on a loaded machine starts in two
constexpr std::chrono::milliseconds kPoll{2};
constexpr int kIcountShift = 1;  // an instruction takes 2^shift ns of virtual time

fs::path MakeFolder() {
  std::string name = (fs::temp_directory_path() / "tactus-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw HostError(fmt::format("cannot make a folder {}: {}", name, std::strerror(errno)));
  return name;
}

bool InPath(const std::string& program) {
  const char* const path = std::getenv("PATH");
  std::string rest = path != nullptr ? path : "";
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    if (access((fs::path(rest.substr(0, colon)) / program).c_str(), X_OK) == 0) return true;
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
  }
  return false;
}

std::string CounterArgument(const QemuOptions& options, const fs::path& folder) {
  return fmt::format("{},begin={:#x},end={:#x},out={}", options.counter.string(),
                     SymbolAddress(options.image.string(), "tactus_tick_begin"),
                     SymbolAddress(options.image.string(), "tactus_tick_end"), (folder / "ticks.txt").string());
}

/// With FIFOs instructions make the time, so the run does not depend on this machine's speed: a tick has 500 000 of them
/// until its deadline, a core at 500 MHz, one instruction a cycle.
std::vector<std::string> Arguments(const QemuOptions& options, const fs::path& folder) {
  const bool fifo = options.link == QemuLink::kFifo;
  const std::string link = fifo ? fmt::format("link=fifo:{}", folder.string()) : "link=uart";
  std::vector<std::string> arguments{kQemu,
                                     "-M",
                                     options.machine,
                                     "-display",
                                     "none",
                                     "-monitor",
                                     "none",
                                     "-semihosting-config",
                                     fmt::format("enable=on,target=native,arg=tactus,arg={},arg=period_us={}{}", link,
                                                 options.period_us, options.local_device ? ",arg=device=local" : ""),
                                     "-kernel",
                                     options.image.string()};
  arguments.insert(arguments.end(), {"-icount", fmt::format("shift={}", kIcountShift)});
  if (fifo) arguments.insert(arguments.end(), {"-serial", "none"});
  if (!fifo) {
    const std::string path = (folder / "uart").string();
    arguments.insert(arguments.end(),
                     {"-chardev", fmt::format("socket,id=u,path={},server=on,wait=on", path), "-serial", "chardev:u"});
  }
  if (!options.debugger.empty())
    arguments.insert(arguments.end(), {"-gdb", fmt::format("unix:{},server=on,wait=off", options.debugger.string())});
  if (!options.counter.empty()) arguments.insert(arguments.end(), {"-plugin", CounterArgument(options, folder)});
  return arguments;
}

}  // namespace

QemuBoard::QemuBoard(const QemuOptions& options) : instructions_per_us_(1000u >> kIcountShift) {
  if (!InPath(kQemu)) throw HostError(fmt::format("there is no {} here: run ./dev install", kQemu));
  if (!fs::is_regular_file(options.image))
    throw HostError(fmt::format("there is no firmware image {}", options.image.string()));
  if (!options.counter.empty() && !fs::is_regular_file(options.counter)) {
    throw HostError(
        fmt::format("there is no instruction counter {}: build it, or give --no-count", options.counter.string()));
  }
  folder_ = MakeFolder();
  try {
    Start(options);
    options.link == QemuLink::kFifo ? OpenFifos() : OpenSocket();
  } catch (const HostError&) {
    CleanUp();
    throw;
  }
}

QemuBoard::~QemuBoard() { CleanUp(); }

void QemuBoard::CleanUp() {
  transport_.reset();
  Wait(std::chrono::milliseconds(0));
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void QemuBoard::Start(const QemuOptions& options) {
  std::vector<std::string> arguments = Arguments(options, folder_);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  for (const char* fifo : {"h2g", "g2h"}) mkfifo((folder_ / fifo).c_str(), 0600);
  const int output = open((folder_ / "output.txt").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

  pid_ = fork();
  if (pid_ == 0) {
    setpgid(0, 0);  // Ctrl-C at the terminal is for this program, which then stops the board in good order
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // an emulator that waits for its host ignores every other signal
    dup2(nothing, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  close(output);
  close(nothing);
  if (pid_ < 0) throw HostError(fmt::format("cannot start {}: {}", kQemu, std::strerror(errno)));
  end_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  if (end_ < 0) throw HostError(fmt::format("cannot watch {}, which needs Linux 5.3: {}", kQemu, std::strerror(errno)));
}

/// The image opens h2g for reading, then g2h for writing, and each open waits for the other side: the same order here.
void QemuBoard::OpenFifos() {
  const Clock::time_point deadline = Clock::now() + kStartPatience;
  int to_board = -1;
  while ((to_board = open((folder_ / "h2g").c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0) {  // ENXIO: no reader yet
    if (EndsWithin(kPoll) || Clock::now() > deadline || StopSignal::Raised() != 0) FailToStart();
  }
  transport_ = MakeFdTransport(open((folder_ / "g2h").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC), to_board);
}

void QemuBoard::OpenSocket() {
  const Clock::time_point deadline = Clock::now() + kStartPatience;
  while (true) {
    try {
      transport_ = OpenTransport("unix:" + (folder_ / "uart").string());
      return;
    } catch (const HostError&) {
      if (EndsWithin(kPoll) || Clock::now() > deadline || StopSignal::Raised() != 0) FailToStart();
    }
  }
}

bool QemuBoard::EndsWithin(std::chrono::milliseconds patience) {
  if (Reap(WNOHANG)) return true;
  pollfd end{.fd = end_, .events = POLLIN, .revents = 0};
  (void)poll(&end, 1, static_cast<int>(patience.count()));
  return Reap(WNOHANG);
}

bool QemuBoard::Reap(int wait_options) {
  if (pid_ < 0) return true;
  int status = 0;
  if (waitpid(pid_, &status, wait_options) != pid_) return false;
  pid_ = -1;
  exit_status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return true;
}

void QemuBoard::FailToStart() {
  const std::string output = Output();
  throw HostError(fmt::format("the emulated board does not open its link{}{}", output.empty() ? "" : ": ", output),
                  kExitLink);
}

int QemuBoard::Wait(std::chrono::milliseconds patience) {
  const Clock::time_point deadline = Clock::now() + patience;
  const auto left = [&] {  // rounded up, so that nobody waits for 0 ms again and again
    return std::max(std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()), std::chrono::milliseconds(0));
  };
  while (!EndsWithin(left()) && left().count() > 0) {  // a signal to us comes before its end
  }
  if (!Reap(WNOHANG)) {
    kill(pid_, SIGKILL);
    while (!Reap(0)) {  // blocks; only a signal to us comes before its end
    }
  }
  if (end_ >= 0) close(end_);
  end_ = -1;
  return exit_status_;
}

std::vector<std::uint64_t> QemuBoard::TickCounts() const {
  std::ifstream file(folder_ / "ticks.txt");
  return {std::istream_iterator<std::uint64_t>(file), std::istream_iterator<std::uint64_t>()};
}

std::string QemuBoard::Output() const {
  std::ifstream file(folder_ / "output.txt");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace tactus::host
