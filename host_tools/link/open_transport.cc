#include <fmt/core.h>
#include <unistd.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/serial_port.hpp>
#include <charconv>

#include "host_tools/link/host_error.h"
#include "host_tools/link/terminal_lock.h"
#include "host_tools/link/token.h"
#include "host_tools/link/transport.h"

namespace tactus::host {
namespace {

namespace asio = boost::asio;
constexpr unsigned kDefaultBaud = 921600;  // 92 bytes a tick each way: a Sample up, a Command down, and room (docs/wire.md)

/// The transport keeps its own descriptor, so Asio's object may go.
std::unique_ptr<Transport> Adopt(int fd) {
  const int own_fd = dup(fd);
  return MakeFdTransport(own_fd, own_fd);
}

unsigned Number(const std::string& text, unsigned largest, const std::string& address, const char* what) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value == 0 || value > largest) {
    throw HostError(fmt::format("link '{}': '{}' is not a {}", address, text, what));
  }
  return value;
}

std::unique_ptr<Transport> OpenUnix(asio::io_context& context, const std::string& path) {
  asio::local::stream_protocol::socket socket(context);
  socket.connect(asio::local::stream_protocol::endpoint(path));
  return Adopt(socket.native_handle());
}

std::unique_ptr<Transport> OpenTcp(asio::io_context& context, const std::string& address, const std::string& place) {
  const std::size_t colon = place.rfind(':');
  if (colon == std::string::npos) throw HostError(fmt::format("link '{}': give tcp:HOST:PORT", address));
  const std::string port = place.substr(colon + 1);
  (void)Number(port, 65535, address, "port number");  // only to refuse a bad one: the resolver takes text
  asio::ip::tcp::resolver resolver(context);
  asio::ip::tcp::socket socket(context);
  asio::connect(socket, resolver.resolve(place.substr(0, colon), port));
  socket.set_option(asio::ip::tcp::no_delay(true));
  return Adopt(socket.native_handle());
}

std::unique_ptr<Transport> OpenSerial(asio::io_context& context, const std::string& address, const std::string& place) {
  const std::size_t colon = place.find(':');
  const unsigned baud =
      colon == std::string::npos ? kDefaultBaud : Number(place.substr(colon + 1), 50'000'000, address, "baud rate");
  asio::serial_port port(context, place.substr(0, colon));
  if (!TakeTerminal(port.native_handle())) {
    throw HostError(fmt::format("link '{}': '{}' {}", address, place.substr(0, colon), kTerminalInUse), kExitLink);
  }
  port.set_option(asio::serial_port::baud_rate(baud));
  port.set_option(asio::serial_port::character_size(8));
  port.set_option(asio::serial_port::parity(asio::serial_port::parity::none));
  port.set_option(asio::serial_port::stop_bits(asio::serial_port::stop_bits::one));
  port.set_option(asio::serial_port::flow_control(asio::serial_port::flow_control::none));
  return Adopt(port.native_handle());
}

std::unique_ptr<Transport> Open(const std::string& address) {
  const std::size_t colon = address.find(':');
  const std::string kind = address.substr(0, colon);
  const std::string place = colon == std::string::npos ? "" : address.substr(colon + 1);
  asio::io_context context;
  try {
    if (kind == "unix" && !place.empty()) return OpenUnix(context, place);
    if (kind == "tcp" && !place.empty()) return OpenTcp(context, address, place);
    if (kind == "serial" && !place.empty()) return OpenSerial(context, address, place);
  } catch (const boost::system::system_error& error) {
    throw HostError(fmt::format("cannot open link '{}': {}", address, error.code().message()), kExitLink);
  }
  throw HostError(
      fmt::format("unknown link '{}': give qemu:BOARD, unix:PATH, tcp:HOST:PORT or serial:/dev/ttyX[:BAUD]", address));
}

}  // namespace

std::unique_ptr<Transport> OpenTransport(const std::string& address, const std::string& token) {
  std::unique_ptr<Transport> transport = Open(address);
  if (token.empty()) return transport;
  const std::string line = std::string(kTokenGreeting) + token + "\n";
  transport->Write(std::span(reinterpret_cast<const std::uint8_t*>(line.data()), line.size()));
  return transport;
}

}  // namespace tactus::host
