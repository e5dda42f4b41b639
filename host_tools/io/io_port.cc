#include "host_tools/io/io_port.h"

#include "tactus/core/scalar.h"

namespace tactus::host {

IoPort::IoPort(IoLine& line, int motors) : line_(line) {
  traits_.name = "I/O board";
  traits_.motors = motors;
  traits_.max_age_us = IoLine::kSilence_us;  // what is older has a name there
  for (int i = 0; i < motors; ++i)
    traits_.max_current_A[i] = line.hello().max_current_A()->Get(static_cast<std::uint16_t>(i));
}

hal::PortReading IoPort::DoPoll(std::uint32_t now_us) noexcept {
  const IoReading reading = line_.Take(now_us);
  hal::PortReading port{.age_us = reading.age_us,
                        .valid = reading.valid,
                        .is_new = reading.is_new,
                        .e_stop = reading.e_stop,
                        .restarts = line_.restarts(),
                        .state = reading.state,
                        .cause = ToPortCause(reading.trouble)};
  for (int i = 0; i < traits_.motors; ++i) port.count[i] = line_.last().count()->Get(static_cast<std::uint16_t>(i));
  return port;
}

Status IoPort::DoWrite(const float (&current_A)[hal::kMaxMotors]) noexcept {
  float within_A[hal::kMaxMotors] = {};
  for (int i = 0; i < traits_.motors; ++i)
    within_A[i] = Clamp(current_A[i], -traits_.max_current_A[i], traits_.max_current_A[i]);
  return line_.Command(within_A);
}

Status IoPort::DoZero() noexcept { return line_.Command({}); }

}  // namespace tactus::host
