#include "host_tools/io/open_io_line.h"

#include <fmt/core.h>

#include <charconv>
#include <chrono>
#include <thread>

#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

constexpr std::chrono::milliseconds kHelloPatience{2000}, kHelloAgain{100}, kLook{1};

/// Why there is no board to go on with, in one sentence for the user.
std::string WhyNoBoard(const IoLine& line, const TtyPlace& place) {
  if (line.hello_fault() != HelloFault::kNone) {
    return fmt::format("the I/O board '{}' on '{}' {}", BoardName(line.refused_hello()), place.path,
                       Sentence(line.hello_fault(), line.refused_hello()));
  }
  const char* const came = line.bad_frames() > 0 ? " Something came that is no frame of this version." : "";
  return fmt::format("no I/O board of version {} answers on '{}' at {} baud.{} Is that its rate? A USB line has any",
                     wire::kProtocolVersion, place.path, place.baud, came);
}

}  // namespace

TtyPlace TtyPlaceOf(const std::string& place) {
  const std::size_t colon = place.rfind(':');
  if (colon == std::string::npos) return {.path = place};
  TtyPlace tty{.path = place.substr(0, colon)};
  const char* const last = place.data() + place.size();
  const auto [end, error] = std::from_chars(place.data() + colon + 1, last, tty.baud);
  return error == std::errc{} && end == last ? tty : TtyPlace{.path = place};
}

void WaitForHello(IoLine& line, const TtyPlace& place) {
  using Clock = std::chrono::steady_clock;
  auto nonce = static_cast<std::uint32_t>(Clock::now().time_since_epoch().count());
  const auto answered = [&] { return line.connected() || line.hello_fault() != HelloFault::kNone; };
  for (const auto end = Clock::now() + kHelloPatience; Clock::now() < end && !answered();) {
    line.AskForSession(++nonce);
    for (const auto again = Clock::now() + kHelloAgain; Clock::now() < again && !answered();) {
      std::this_thread::sleep_for(kLook);
      line.Poll();
    }
  }
  if (!line.connected()) throw HostError(WhyNoBoard(line, place), kExitLink);
}

void CheckRate(const wire::IoHello& hello, const TtyPlace& place, std::uint32_t period_us) {
  const std::uint32_t rate_Hz = 1'000'000 / period_us;
  if (rate_Hz <= hello.highest_rate_Hz() && rate_Hz >= hello.lowest_rate_Hz()) return;
  throw HostError(fmt::format("the board on '{}' takes {} to {} commands a second: give such a --rate, not {}", place.path,
                              hello.lowest_rate_Hz(), hello.highest_rate_Hz(), rate_Hz));
}

}  // namespace tactus::host
