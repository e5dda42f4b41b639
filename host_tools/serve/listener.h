#pragma once
#include <cstdint>
#include <string>

namespace tactus::host {

/// Where hosts connect: "unix:PATH" or "tcp:ADDRESS:PORT" (numbers; IPv6 in brackets; port 0: any that is free).
///
/// A unix socket has mode 0600. A socket file that nobody listens on any more is replaced; anything else at PATH is not. An
/// address other than loopback is refused unless `has_token`.
class Listener {
 public:
  /// @throws HostError: a bad address, one that is in use, one that needs a token.
  Listener(const std::string& address, bool has_token);
  ~Listener();  ///< takes the socket file away, if it is still this one
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int descriptor() const { return descriptor_; }
  /// With the port that was found.
  const std::string& address() const { return address_; }

  /// @returns a connected socket that does not block; -1: nobody waits.
  int Accept() const;

 private:
  void ListenUnix(const std::string& path);
  void ListenTcp(const std::string& place, bool has_token);

  int descriptor_ = -1;
  std::string address_, path_;
  std::uint64_t device_ = 0, inode_ = 0;
};

}  // namespace tactus::host
