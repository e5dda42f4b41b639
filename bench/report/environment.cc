#include "bench/report/environment.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <ctime>
#include <fstream>

namespace tactus::bench {
namespace {

std::string Processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name") && line.find(": ") != std::string::npos) return line.substr(line.find(": ") + 2);
  }
  return "unknown";
}

std::string Cores() {
  cpu_set_t ours;
  const bool is_known = sched_getaffinity(0, sizeof ours, &ours) == 0;
  return fmt::format("{}, used {}", sysconf(_SC_NPROCESSORS_ONLN), is_known ? std::to_string(CPU_COUNT(&ours)) : "unknown");
}

std::string Load() {
  std::array<double, 1> load{};
  return getloadavg(load.data(), 1) == 1 ? fmt::format("{:.1f} over the last minute", load[0]) : "unknown";
}

std::string System() {
  utsname name{};
  return uname(&name) == 0 ? fmt::format("{} {} {}", name.sysname, name.release, name.machine) : "unknown";
}

}  // namespace

Environment DescribeEnvironment() {
  const std::time_t now = std::time(nullptr);
  return {{"cpu", Processor()},
          {"cores", Cores()},
          {"load", Load()},
          {"system", System()},
          {"compiler", TACTUS_BENCH_COMPILER},
          {"flags", TACTUS_BENCH_FLAGS},
          {"date", fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(now))}};
}

}  // namespace tactus::bench
