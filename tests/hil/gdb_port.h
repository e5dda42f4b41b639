#pragma once
#include <fmt/core.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace tactus::host {

/// The emulator's debugger port, a socket: stops the processor, writes its memory and registers, lets it go on. As much of
/// the GDB Remote Serial Protocol as that takes.
class GdbPort {
 public:
  explicit GdbPort(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
    socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
      throw std::runtime_error(fmt::format("no debugger port at {}: {}", path, std::strerror(errno)));
    // Whoever connects stops the processor, and is told so: Ask passes it over. Single registers only for who has asked
    // what there are.
    Ask("qXfer:features:read:target.xml:0,100");
  }
  ~GdbPort() { close(socket_); }
  GdbPort(const GdbPort&) = delete;
  GdbPort& operator=(const GdbPort&) = delete;

  std::vector<std::uint8_t> Read(std::uint32_t address, std::size_t size) {
    const std::string hex = Ask(fmt::format("m{:x},{:x}", address, size));
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
      bytes.push_back(static_cast<std::uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
    return bytes;
  }

  void Write(std::uint32_t address, const std::vector<std::uint8_t>& bytes) {
    std::string hex;
    for (const std::uint8_t byte : bytes) hex += fmt::format("{:02x}", byte);
    Expect("OK", Ask(fmt::format("M{:x},{:x}:{}", address, bytes.size(), hex)));
  }

  static constexpr int kPc = 15;
  std::string Register(int number) { return Ask(fmt::format("p{:x}", number)); }
  void SetRegister(int number, const std::string& hex) { Expect("OK", Ask(fmt::format("P{:x}={}", number, hex))); }
  void SetRegister(int number, std::uint32_t value) { SetRegister(number, fmt::format("{:08x}", __builtin_bswap32(value))); }

  /// One instruction.
  void Step() { Ask("s"); }

  /// Lets the processor go on, without a debugger.
  void Detach() { Expect("OK", Ask("D")); }

 private:
  static void Expect(const std::string& wanted, const std::string& answer) {
    if (answer != wanted) throw std::runtime_error("the debugger port answered " + answer);
  }

  char Next() {
    char letter = 0;
    if (recv(socket_, &letter, 1, 0) != 1) throw std::runtime_error("the debugger port is closed");
    return letter;
  }

  /// $packet#sum; acknowledges are passed over, and messages of a stop unless it was asked for.
  std::string Ask(const std::string& packet) {
    unsigned sum = 0;
    for (const char letter : packet) sum += static_cast<unsigned char>(letter);
    const std::string framed = fmt::format("${}#{:02x}", packet, sum & 0xFFu);
    if (send(socket_, framed.data(), framed.size(), MSG_NOSIGNAL) < 0)
      throw std::runtime_error("the debugger port is closed");
    std::string answer;
    do answer = Answer();
    while (answer.starts_with('T') && packet != "s");
    return answer;
  }

  std::string Answer() {
    while (Next() != '$') {
    }
    std::string answer;
    for (char letter = Next(); letter != '#'; letter = Next()) answer += letter;
    Next(), Next();
    (void)send(socket_, "+", 1, MSG_NOSIGNAL);
    return answer;
  }

  int socket_ = -1;
};

}  // namespace tactus::host
