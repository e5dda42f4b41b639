#include "host_tools/link/stop_signal.h"

namespace tactus::host {

volatile std::sig_atomic_t StopSignal::raised_ = 0;

StopSignal::StopSignal() {
  raised_ = 0;
  struct sigaction action {};
  action.sa_handler = OnSignal;
  sigaction(SIGINT, &action, &before_int_);
  sigaction(SIGTERM, &action, &before_term_);
  sigaction(SIGHUP, nullptr, &before_hup_);
  if (before_hup_.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

StopSignal::~StopSignal() {
  sigaction(SIGINT, &before_int_, nullptr);
  sigaction(SIGTERM, &before_term_, nullptr);
  sigaction(SIGHUP, &before_hup_, nullptr);
}

}  // namespace tactus::host
