#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace tactus::host {

/// A stream of bytes to and from a controller, as the host sees it.
class Transport {
 public:
  virtual ~Transport() = default;

  /// Sends all of it. To a side that is gone nothing is sent, and Read tells so behind that side's last words.
  /// @throws HostError(kExitLink): the other side takes nothing for ten seconds, or the link is broken.
  virtual void Write(std::span<const std::uint8_t> bytes) = 0;

  /// Waits at most `timeout` for at least one byte. @returns how many came; 0: none in that time.
  /// @throws HostError(kExitLink): the other side is gone.
  virtual std::size_t Read(std::span<std::uint8_t> room, std::chrono::milliseconds timeout) = 0;
};

/// A transport over file descriptors, which it owns. `read_fd` and `write_fd` may be the same.
std::unique_ptr<Transport> MakeFdTransport(int read_fd, int write_fd);

/// Opens "unix:PATH", "tcp:HOST:PORT" or "serial:/dev/tty…[:BAUD]". @throws HostError.
/// @param token  shown first, if it is not empty (`tactus serve --token-file`)
std::unique_ptr<Transport> OpenTransport(const std::string& address, const std::string& token = "");

}  // namespace tactus::host
