#pragma once
#include <cstdint>

#include "host_tools/command_line.h"

namespace tactus::host {

/// [µs] of a servo loop at this rate, which AddRateOption() has checked.
inline std::uint32_t PeriodOf(std::uint32_t rate_Hz) { return 1'000'000 / rate_Hz; }

/// --rate HZ: 1000 to `highest_Hz`, and a whole number of microseconds a period.
void AddRateOption(CLI::App* command, std::uint32_t highest_Hz, std::uint32_t* rate_Hz);

}  // namespace tactus::host
