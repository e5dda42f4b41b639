#include "host_tools/serve/listener.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

constexpr int kBacklog = 8;
constexpr int kSendBuffer_B = 65536;  // what a host does not read shall be seen soon

[[noreturn]] void Refuse(const std::string& address, const std::string& why) {
  throw HostError(fmt::format("cannot listen on '{}': {}", address, why));
}

sockaddr_un UnixAddress(const std::string& path, const std::string& address) {
  sockaddr_un place{};
  place.sun_family = AF_UNIX;
  if (path.empty()) Refuse(address, "give unix:PATH");
  if (path.size() >= sizeof(place.sun_path)) Refuse(address, "a socket's path has at most 107 bytes");
  std::memcpy(place.sun_path, path.data(), path.size());
  return place;
}

/// A socket file is left behind when its program was killed: nobody answers there.
bool IsStale(const sockaddr_un& place) {
  const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const bool refused =
      connect(probe, reinterpret_cast<const sockaddr*>(&place), sizeof(place)) != 0 && errno == ECONNREFUSED;
  close(probe);
  return refused;
}

/// Two programs that find the same socket file left behind would each take it away, the second one that of the first. So
/// only one at a time looks into the folder; the lock goes with the descriptor.
class FolderLock {
 public:
  explicit FolderLock(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    descriptor_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; i < kLooks && !held_ && descriptor_ >= 0; ++i) {
      held_ = flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
      if (!held_) usleep(kLook_us);
    }
  }
  ~FolderLock() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  bool held() const { return held_; }

 private:
  static constexpr int kLooks = 200;
  static constexpr useconds_t kLook_us = 10'000;
  int descriptor_ = -1;
  bool held_ = false;
};

bool IsLoopback(const sockaddr* place) {
  if (place->sa_family == AF_INET) {
    return ntohl(reinterpret_cast<const sockaddr_in*>(place)->sin_addr.s_addr) >> 24 == 127;
  }
  return place->sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6*>(place)->sin6_addr);
}

/// The numbers of "ADDRESS:PORT" or "[ADDRESS]:PORT". Names are not looked up: what a name means may change.
addrinfo* Resolve(const std::string& place, const std::string& address) {
  const std::size_t colon = place.rfind(':');
  if (colon == std::string::npos) Refuse(address, "give tcp:ADDRESS:PORT");
  std::string host = place.substr(0, colon);
  const std::string port = place.substr(colon + 1);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  if (port.empty() || port.size() > 5 || port.find_first_not_of("0123456789") != std::string::npos ||
      std::stoi(port) > 65535)
    Refuse(address, fmt::format("'{}' is not a port number", port));
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (host.empty() || getaddrinfo(host.c_str(), port.c_str(), &hints, &found) != 0)
    Refuse(address, fmt::format("'{}' is not an address in numbers, as 127.0.0.1", host));
  return found;
}

int PortOf(int descriptor) {
  sockaddr_storage place{};
  socklen_t size = sizeof(place);
  getsockname(descriptor, reinterpret_cast<sockaddr*>(&place), &size);
  return ntohs(place.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(place).sin6_port
                                           : reinterpret_cast<const sockaddr_in&>(place).sin_port);
}

}  // namespace

Listener::Listener(const std::string& address, bool has_token) : address_(address) {
  if (address.starts_with("unix:")) {
    ListenUnix(address.substr(5));
  } else if (address.starts_with("tcp:")) {
    ListenTcp(address.substr(4), has_token);
  } else {
    Refuse(address, "give unix:PATH or tcp:ADDRESS:PORT");
  }
}

Listener::~Listener() {
  close(descriptor_);
  struct stat file {};
  if (!path_.empty() && lstat(path_.c_str(), &file) == 0 && file.st_dev == device_ && file.st_ino == inode_)
    unlink(path_.c_str());
}

void Listener::ListenUnix(const std::string& path) {
  const sockaddr_un place = UnixAddress(path, address_);
  const FolderLock lock(path);
  struct stat file {};
  if (lstat(path.c_str(), &file) == 0) {
    if (!S_ISSOCK(file.st_mode)) Refuse(address_, "there is a file of that name, and it is no socket");
    if (!IsStale(place)) Refuse(address_, "somebody listens there: stop that, or choose another path");
    if (!lock.held())
      Refuse(address_, "a socket file is left there, and its folder is locked: remove it, or choose another path");
    unlink(path.c_str());
  }
  const int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const mode_t before = umask(0177);  // the file is there with mode 0600, or not at all
  const int bound = bind(made, reinterpret_cast<const sockaddr*>(&place), sizeof(place));
  const int error = errno;
  umask(before);
  if (bound != 0 || listen(made, kBacklog) != 0 || lstat(path.c_str(), &file) != 0) {
    close(made);
    Refuse(address_, std::strerror(bound != 0 ? error : errno));
  }
  descriptor_ = made;
  path_ = path;
  device_ = file.st_dev;
  inode_ = file.st_ino;
}

void Listener::ListenTcp(const std::string& place, bool has_token) {
  addrinfo* const found = Resolve(place, address_);
  const bool open = !IsLoopback(found->ai_addr);
  const int made = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int on = 1;
  setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));  // the port of a run that has just ended
  const bool allowed = !open || has_token;
  const bool listening = allowed && bind(made, found->ai_addr, found->ai_addrlen) == 0 && listen(made, kBacklog) == 0;
  const int error = errno;
  freeaddrinfo(found);
  if (!listening) close(made);
  if (!allowed) {
    Refuse(address_,
           "whoever reaches that address could move the device. Give --token-file, or listen on 127.0.0.1 and come by ssh");
  }
  if (!listening) Refuse(address_, std::strerror(error));
  descriptor_ = made;
  address_ = fmt::format("tcp:{}:{}", place.substr(0, place.rfind(':')), PortOf(made));
}

int Listener::Accept() const {
  const int made = accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (made < 0) return -1;
  const int on = 1;
  if (path_.empty()) setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  setsockopt(made, SOL_SOCKET, SO_SNDBUF, &kSendBuffer_B, sizeof(kSendBuffer_B));
  return made;
}

}  // namespace tactus::host
