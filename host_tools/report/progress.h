#pragma once
#include <chrono>
#include <cstdint>
#include <string>

namespace tactus::host {

/// Live progress on standard error: one line that is redrawn on a terminal, a few lines otherwise.
class Progress {
 public:
  Progress(std::uint64_t ticks, bool quiet);
  ~Progress();

  void Update(std::uint64_t tick, int contacts, double force_N, const std::string& activity);

 private:
  void Draw(std::uint64_t tick, int contacts, double force_N, const std::string& activity);

  std::uint64_t ticks_;
  bool quiet_, terminal_;
  std::uint64_t next_line_ = 0;
  std::chrono::steady_clock::time_point next_draw_;
};

}  // namespace tactus::host
