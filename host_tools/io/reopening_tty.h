#pragma once
#include <pthread.h>

#include <atomic>
#include <memory>
#include <string>

#include "host_tools/io/tty_link.h"

namespace tactus::host {

/// A terminal that may go and come back: a USB line that is unplugged or reset, a pseudo terminal whose other end ends.
///
/// Who reads and writes never waits, opens, closes or allocates. A thread of its own, without real time, closes what has
/// hung up and opens the same path again. Each hang-up is told, by kClosed from at least one Read, before bytes come again.
class ReopeningTty final : public hal::ByteLink {
 public:
  /// @throws HostError: as OpenTty, the first time. Later it tries again until it is there.
  ReopeningTty(const std::string& path, unsigned baud);
  /// Goes on with a terminal that is open already, at its rate and with its lines.
  ReopeningTty(const std::string& path, unsigned baud, std::unique_ptr<TtyLink> open);
  ~ReopeningTty() override;  ///< by the thread that reads and writes
  ReopeningTty(const ReopeningTty&) = delete;
  ReopeningTty& operator=(const ReopeningTty&) = delete;

 private:
  /// Who may touch `tty_`.
  enum class Owner { kUser, kKeeper, kUserAgain };  // the last: it is open anew, and the user has not seen that yet

  Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept override;
  Status DoWrite(std::span<const std::uint8_t> frame, hal::Lane lane) noexcept override;
  hal::LinkCounters DoCounters() const noexcept override { return counters_; }
  Status HandOverIfClosed(Status status) noexcept;
  static void* Keep(void* self);
  bool Reopen();

  const std::string path_;
  const unsigned baud_;
  std::unique_ptr<TtyLink> tty_;
  hal::LinkCounters counters_;  // of all openings
  std::atomic<Owner> owner_{Owner::kUser};
  std::atomic<bool> end_{false};
  pthread_t keeper_{};
};

}  // namespace tactus::host
