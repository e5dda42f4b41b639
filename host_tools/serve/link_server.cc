#include "host_tools/serve/link_server.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <utility>
#include <vector>

#include "host_tools/link/stop_signal.h"

namespace tactus::host {
namespace {

// The loop cannot wake us without a system call, so we look: a Command waits a quarter of a millisecond on average.
constexpr timespec kPause{.tv_sec = 0, .tv_nsec = 500'000}, kPauseAlone{.tv_sec = 0, .tv_nsec = 5'000'000};
constexpr std::chrono::milliseconds kFinishPatience{300};
constexpr std::chrono::milliseconds kStopPatience{1000};  // the longest fade is 101 ms
constexpr int kAcceptsPerTurn = 8;

}  // namespace

LinkServer::LinkServer(const Listener& listener, ServoLoop& loop, hal::ThreadLink& link, const std::string& token,
                       std::chrono::milliseconds client_timeout)
    : listener_(listener),
      loop_(loop),
      link_(link),
      asks_token_(!token.empty()),
      client_timeout_(client_timeout),
      doorkeeper_(token) {}

LinkServer::~LinkServer() {
  if (next_) close(*next_);
}

void LinkServer::Run(const std::function<void()>& look) {
  loop_.NextSession();
  while (!loop_.done()) {
    Wait();
    const Time now = std::chrono::steady_clock::now();
    FollowSession();
    if (!stopping_ && (StopSignal::Raised() != 0 || loop_.ticks_are_over())) BeginStop(now);
    if (stopping_ && now > stop_deadline_) link_.Close();
    Serve(now);  // first: a host that has gone makes room for the one that comes
    Accept(now);
    look();
  }
  if (client_) client_->Finish(link_, kFinishPatience);
  client_.reset();
  counts_.turned_away = doorkeeper_.turned_away();
}

void LinkServer::Wait() {
  std::vector<pollfd> waits;
  if (LetsIn()) waits.push_back({listener_.descriptor(), POLLIN, 0});
  if (client_) waits.push_back({client_->descriptor(), client_->Events(link_), 0});
  if (LetsIn()) doorkeeper_.AddTo(&waits);
  (void)ppoll(waits.data(), waits.size(), client_ || !session_open_ ? &kPause : &kPauseAlone, nullptr);
}

/// The loop ends sessions; here the next one is asked for.
void LinkServer::FollowSession() {
  if (session_open_ == loop_.session_runs()) return;
  session_open_ = loop_.session_runs();
  hung_up_ = false;
  if (session_open_) {
    if (next_) Admit(*std::exchange(next_, std::nullopt), std::chrono::steady_clock::now());
    return;
  }
  if (client_ && !stopping_) {
    client_->Finish(link_, kFinishPatience);
    client_.reset();
  }
  if (!stopping_) {
    DropOutput();
    loop_.NextSession();
  }
}

void LinkServer::BeginStop(Time now) {
  stopping_ = true;
  stop_deadline_ = now + kStopPatience;
  link_.OrderStop();
  loop_.Stop();
}

/// While one session ends, hosts wait in the listener's queue for the next.
void LinkServer::Accept(Time now) {
  if (!LetsIn()) return;
  for (int i = 0; i < kAcceptsPerTurn && !hung_up_; ++i) {
    const int descriptor = listener_.Accept();
    if (descriptor < 0) break;
    asks_token_ ? doorkeeper_.Add(descriptor, now) : Admit(descriptor, now);
  }
  doorkeeper_.Check(now, [&](int descriptor) { Admit(descriptor, now); });
}

void LinkServer::Admit(int descriptor, Time now) {
  if (client_ && client_->IsGone()) HangUp();
  if (client_ || next_) {
    close(descriptor);
    ++counts_.busy;
    return;
  }
  if (hung_up_) {
    next_ = descriptor;
    return;
  }
  DropOutput();  // what was said to nobody
  client_.emplace(descriptor, now);
  ++counts_.hosts;
}

void LinkServer::Serve(Time now) {
  if (!client_) return DropOutput();
  if (!client_->Move(link_, now)) return HangUp();
  if (client_->Silence(now) < client_timeout_) return;
  ++counts_.hung;
  HangUp();
}

void LinkServer::HangUp() {
  client_.reset();
  if (!session_open_) return;
  hung_up_ = true;
  link_.Close();
}

void LinkServer::DropOutput() {
  std::array<std::uint8_t, 4096> dropped;
  while (link_.HostRead(dropped) > 0) {
  }
}

}  // namespace tactus::host
