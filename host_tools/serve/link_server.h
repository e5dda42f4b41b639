#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "host_tools/serve/doorkeeper.h"
#include "host_tools/serve/link_client.h"
#include "host_tools/serve/listener.h"
#include "host_tools/serve/servo_loop.h"

namespace tactus::host {

struct ServerCounts {
  std::uint64_t hosts = 0;        ///< that came in
  std::uint64_t busy = 0;         ///< sent away because one was there
  std::uint64_t hung = 0;         ///< put out because they neither sent nor took anything
  std::uint64_t turned_away = 0;  ///< without the token
};

/// The thread beside the loop: lets one host at a time in and carries its bytes. Whatever a host does, the loop goes on; a
/// host that goes, or hangs, ends its session, and the force fades.
class LinkServer {
 public:
  /// @param token           empty: nobody is asked for one
  /// @param client_timeout  a host that sends nothing for so long, or takes nothing that waits for it, hangs
  LinkServer(const Listener& listener, ServoLoop& loop, hal::ThreadLink& link, const std::string& token,
             std::chrono::milliseconds client_timeout);

  ~LinkServer();
  LinkServer(const LinkServer&) = delete;
  LinkServer& operator=(const LinkServer&) = delete;

  /// Until a stop signal, or until the loop's ticks are over; and then until the force has faded.
  /// @param look  called each turn: about every 5 ms, up to 0.3 s apart while a host is sent away
  void Run(const std::function<void()>& look = [] {});

  const ServerCounts& counts() const { return counts_; }

 private:
  using Time = std::chrono::steady_clock::time_point;

  void Wait();
  void FollowSession();
  void BeginStop(Time now);
  bool LetsIn() const { return session_open_ && !hung_up_ && !stopping_; }
  void Accept(Time now);
  void Admit(int descriptor, Time now);
  void Serve(Time now);
  void HangUp();
  void DropOutput();

  const Listener& listener_;
  ServoLoop& loop_;
  hal::ThreadLink& link_;
  const bool asks_token_;
  const std::chrono::milliseconds client_timeout_;
  Doorkeeper doorkeeper_;
  std::optional<LinkClient> client_;
  std::optional<int> next_;    // came when the host before had gone: has the next session
  bool session_open_ = false;  // the loop has one, and its link is ours to write
  bool hung_up_ = false;       // its link is closed
  bool stopping_ = false;
  Time stop_deadline_;
  ServerCounts counts_;
};

}  // namespace tactus::host
