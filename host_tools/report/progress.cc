#include "host_tools/report/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace tactus::host {
namespace {

constexpr int kBarWidth = 24;
constexpr std::chrono::milliseconds kRedraw{80};
constexpr int kLinesWithoutTerminal = 5;

std::string Bar(double share) {
  const int full = std::clamp(static_cast<int>(share * kBarWidth), 0, kBarWidth);
  std::string bar;
  for (int i = 0; i < kBarWidth; ++i) bar += i < full ? "━" : "─";
  return bar;
}

}  // namespace

Progress::Progress(std::uint64_t ticks, bool quiet) : ticks_(ticks), quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (!quiet_ && terminal_) fmt::print(stderr, "\r\033[K");
}

void Progress::Update(std::uint64_t tick, int contacts, double force_N, const std::string& activity) {
  if (quiet_) return;
  if (terminal_) {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_draw_) return;
    next_draw_ = now + kRedraw;
  } else {
    if (tick < next_line_) return;
    next_line_ += std::max<std::uint64_t>(1, ticks_ / kLinesWithoutTerminal);
  }
  Draw(tick, contacts, force_N, activity);
}

void Progress::Draw(std::uint64_t tick, int contacts, double force_N, const std::string& activity) {
  const double share = static_cast<double>(tick) / static_cast<double>(std::max<std::uint64_t>(1, ticks_));
  fmt::print(stderr, "{}  {} tick {:>6}/{}  {:>2} contacts  {:5.2f} N  {}{}", terminal_ ? "\r" : "", Bar(share), tick,
             ticks_, contacts, force_N, activity, terminal_ ? "\033[K" : "\n");
  (void)std::fflush(stderr);  // a line of progress that is lost harms nothing
}

}  // namespace tactus::host
