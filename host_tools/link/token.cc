#include "host_tools/link/token.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "host_tools/link/host_error.h"

namespace tactus::host {

std::string ReadToken(const std::string& path) {
  const auto refuse = [&](const std::string& why) { throw HostError(fmt::format("token file '{}': {}", path, why)); };
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (descriptor < 0) refuse(std::strerror(errno));
  struct stat file {};
  std::array<char, kMaxToken_B + 2> bytes{};
  const bool looked = fstat(descriptor, &file) == 0 && S_ISREG(file.st_mode);
  const ssize_t count = looked ? read(descriptor, bytes.data(), bytes.size()) : -1;
  close(descriptor);
  if (count < 0) refuse("is not a file that can be read");
  if ((file.st_mode & 077) != 0) refuse("others may read it: chmod 600");
  if (file.st_uid != geteuid() && file.st_uid != 0) refuse("belongs to somebody else");
  std::string token(bytes.data(), static_cast<std::size_t>(count));
  if (!token.empty() && token.back() == '\n') token.pop_back();
  if (token.size() < kMinToken_B || token.size() > kMaxToken_B)
    refuse(fmt::format("a token has {} to {} characters, this has {}", kMinToken_B, kMaxToken_B, token.size()));
  for (const char c : token) {
    if (c < '!' || c > '~') refuse("a token is one line of ASCII without blanks: head -c 24 /dev/urandom | base64");
  }
  return token;
}

bool EqualTokens(std::string_view token, std::string_view given) {
  std::size_t difference = token.size() ^ given.size();
  for (std::size_t i = 0; i < kMaxToken_B; ++i) {  // all of it, always
    const unsigned char a = i < token.size() ? static_cast<unsigned char>(token[i]) : 0;
    const unsigned char b = i < given.size() ? static_cast<unsigned char>(given[i]) : 0;
    difference |= static_cast<std::size_t>(a ^ b);
  }
  volatile std::size_t result = difference;
  return result == 0;
}

}  // namespace tactus::host
