#pragma once
#include <csignal>

namespace tactus::host {

/// While it lives, SIGUSR1 does not end the program: it is the operator's word that the handle is held in its home pose. One
/// at a time.
class HomeSignal {
 public:
  HomeSignal() {
    raised_ = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { raised_ = 1; };
    sigaction(SIGUSR1, &action, &before_);
  }
  ~HomeSignal() { sigaction(SIGUSR1, &before_, nullptr); }
  HomeSignal(const HomeSignal&) = delete;
  HomeSignal& operator=(const HomeSignal&) = delete;

  /// Whether it has come since the last call.
  static bool Take() {
    if (raised_ == 0) return false;
    raised_ = 0;
    return true;
  }

 private:
  static inline volatile std::sig_atomic_t raised_ = 0;
  struct sigaction before_ {};
};

}  // namespace tactus::host
