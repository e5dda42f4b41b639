#pragma once
#include <string>

#include "host_tools/io/io_line.h"

namespace tactus::host {

/// A terminal and its rate.
struct TtyPlace {
  std::string path;
  unsigned baud = 921600;
};

/// "/dev/ttyX" or "/dev/ttyX:BAUD". What stands behind the last colon is a rate if it is a number: a path may have colons.
TtyPlace TtyPlaceOf(const std::string& place);

/// Asks for a session until there is one, for at most two seconds. Before the loop.
/// @throws HostError: no answer, a hello that is refused (io_hello.h)
void WaitForHello(IoLine& line, const TtyPlace& place);

/// @throws HostError: a rate of commands that the board does not keep
void CheckRate(const wire::IoHello& hello, const TtyPlace& place, std::uint32_t period_us);

}  // namespace tactus::host
