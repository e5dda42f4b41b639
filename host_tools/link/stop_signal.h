#pragma once
#include <csignal>

namespace tactus::host {

/// While it lives, Ctrl-C, SIGTERM and the end of the terminal (SIGHUP, unless it is ignored: nohup) do not end the program:
/// they are remembered, and who waits looks at them. One at a time.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  /// The signal that came; 0: none.
  static int Raised() { return raised_; }

 private:
  static void OnSignal(int signal) { raised_ = signal; }

  static volatile std::sig_atomic_t raised_;
  struct sigaction before_int_ {};
  struct sigaction before_term_ {};
  struct sigaction before_hup_ {};
};

}  // namespace tactus::host
