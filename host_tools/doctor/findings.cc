#include "host_tools/doctor/findings.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace tactus::host {
namespace {

using Judgement = Finding::Judgement;
constexpr const char* kCpus = "/sys/devices/system/cpu";
constexpr long kPriority = 80;  // hal::RealtimeWish
constexpr long kMemory_B = 128L << 20;
constexpr long kDeepest_us = 100;  // a tenth of the period of 1 kHz
constexpr const char* kLimitsFile = "/etc/security/limits.d/60-tactus.conf";

std::optional<long> Number(const std::optional<std::string>& text) {
  long value = 0;
  if (!text) return std::nullopt;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc{} || end != text->data() + text->size()) return std::nullopt;
  return value;
}

/// "/sys/devices/system/cpu/cpu12"
bool IsCpu(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return name.size() > 3 && name.starts_with("cpu") && name.find_first_not_of("0123456789", 3) == std::string::npos;
}

std::string FileName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

Finding Kernel(const Machine& machine) {
  const std::string release = machine.Line("/proc/sys/kernel/osrelease").value_or("unknown release");
  if (machine.Line("/sys/kernel/realtime") == "1") return {"kernel", Judgement::kGood, release + ", PREEMPT_RT", "", ""};
  const std::string version = machine.Line("/proc/sys/kernel/version").value_or("");
  if (version.find("PREEMPT_RT") != std::string::npos) return {"kernel", Judgement::kGood, release + ", PREEMPT_RT", "", ""};
  return {"kernel", Judgement::kWrong,
          release + ", not PREEMPT_RT: the kernel's own work delays the loop, by milliseconds at worst",
          "as root: apt-get install linux-image-rt-amd64 (or -rt-arm64), then restart into it",
          "a few percent of throughput; drivers outside Debian's kernel must be built for it"};
}

/// A row of /proc/self/limits: name, soft limit, hard limit, unit. -1: unlimited.
std::optional<long> SoftLimit(const Machine& machine, const std::string& name) {
  for (const std::string& line : machine.Lines("/proc/self/limits")) {
    if (!line.starts_with(name)) continue;
    const std::size_t begin = line.find_first_not_of(' ', name.size());
    if (begin == std::string::npos) return std::nullopt;
    const std::string value = line.substr(begin, line.find(' ', begin) - begin);
    return value == "unlimited" ? -1 : Number(value);
  }
  return std::nullopt;
}

/// Root may be without some of root's rights: in a container, in a unit of systemd.
bool MayPassLimits(const Machine& machine, const User& user, int capability) {
  if (user.id != 0) return false;
  for (const std::string& line : machine.Lines("/proc/self/status")) {
    if (!line.starts_with("CapEff:")) continue;
    const std::string digits = line.substr(line.find_last_of(" \t") + 1);
    std::uint64_t rights = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), rights, 16);
    return error != std::errc{} || (rights >> capability & 1) != 0;
  }
  return true;
}

/// A limit of this user, and the right that lifts it.
struct LimitRow {
  const char* name;
  const char* row;  ///< in /proc/self/limits
  long wanted;
  long unit;  ///< in which it is told
  const char* unit_name;
  const char* item;  ///< in limits.conf
  int capability;    ///< Source: capabilities(7), linux/capability.h
};

Finding Limit(const Machine& machine, const User& user, const LimitRow& limit) {
  const auto& [name, row, wanted, unit, unit_name, item, capability] = limit;
  const std::optional<long> soft = SoftLimit(machine, row);
  if (MayPassLimits(machine, user, capability)) return {name, Judgement::kGood, "root has no such limit", "", ""};
  if (!soft) return {name, Judgement::kUnknown, "/proc/self/limits does not tell", "", ""};
  const std::string found = *soft < 0 ? "unlimited" : fmt::format("{}{}", *soft / unit, unit_name);
  if (*soft < 0 || *soft >= wanted) return {name, Judgement::kGood, found, "", ""};
  return {name, Judgement::kWrong, fmt::format("{}, the loop wants {}{}", found, wanted / unit, unit_name),
          fmt::format(
              "as root: echo '@plugdev - {}' >> {}; usermod -aG plugdev USER; log in again. Or run it by the systemd unit",
              item, kLimitsFile),
          "every program of that group may take the processor, or memory, from the others"};
}

Finding Governor(const Machine& machine) {
  std::string slow;
  int known = 0;
  for (const std::string& cpu : machine.In(kCpus)) {
    const std::optional<std::string> governor = machine.Line(cpu + "/cpufreq/scaling_governor");
    if (!IsCpu(cpu) || !governor) continue;
    ++known;
    if (*governor != "performance") slow += fmt::format("{}{} {}", slow.empty() ? "" : ", ", FileName(cpu), *governor);
  }
  if (known == 0)
    return {"governor", Judgement::kAbsent, "the clock rate is not the kernel's to choose (a virtual machine?)", "", ""};
  if (slow.empty()) return {"governor", Judgement::kGood, fmt::format("performance on {} processors", known), "", ""};
  return {"governor", Judgement::kWrong, slow + ": a tick after a quiet time runs at a low clock rate",
          "as root, after each start: echo performance | tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor",
          "power and heat"};
}

bool MayUse(const Machine::Owner& file, const User& user) {
  if (user.id == 0) return true;
  if (file.user == user.id) return (file.mode & 0600) == 0600;
  const bool in_group = std::find(user.groups.begin(), user.groups.end(), file.group) != user.groups.end();
  return in_group ? (file.mode & 060) == 060 : (file.mode & 06) == 06;
}

constexpr const char* kLatencyFile = "/dev/cpu_dma_latency";

Finding CStates(const Machine& machine, const User& user) {
  long deepest_us = -1;
  std::string deepest;
  for (const std::string& cpu : machine.In(kCpus)) {
    if (!IsCpu(cpu)) continue;
    for (const std::string& state : machine.In(cpu + "/cpuidle")) {
      const long us = Number(machine.Line(state + "/latency")).value_or(-1);
      if (machine.Line(state + "/disable") == "1" || us <= deepest_us) continue;
      deepest_us = us;
      deepest = machine.Line(state + "/name").value_or(FileName(state));
    }
  }
  if (deepest_us < 0)
    return {"C-states", Judgement::kAbsent, "the kernel puts no processor to sleep (a virtual machine?)", "", ""};
  if (deepest_us <= kDeepest_us)
    return {"C-states", Judgement::kGood, fmt::format("the deepest, {}, wakes in {} µs", deepest, deepest_us), "", ""};
  const std::string found = fmt::format("{} takes {} µs to wake", deepest, deepest_us);
  const std::optional<Machine::Owner> file = machine.OwnerOf(kLatencyFile);
  if (file && MayUse(*file, user))
    return {"C-states", Judgement::kGood, fmt::format("{}; tactus serve keeps it away by {}", found, kLatencyFile), "", ""};
  return {
      "C-states", Judgement::kWrong, found,
      fmt::format("install 60-tactus.rules (docs/linux.md) and join the group plugdev: tactus serve then opens {}; or boot "
                  "with processor.max_cstate=1 intel_idle.max_cstate=1",
                  kLatencyFile),
      "power and heat while it runs"};
}

Finding Isolation(const Machine& machine) {
  int cpus = 0;
  for (const std::string& cpu : machine.In(kCpus)) cpus += IsCpu(cpu) ? 1 : 0;
  const std::string isolated = machine.Line(std::string(kCpus) + "/isolated").value_or("");
  if (!isolated.empty()) return {"isolation", Judgement::kGood, "processors " + isolated + ": give one with --cpu", "", ""};
  if (cpus == 1)
    return {"isolation", Judgement::kWrong, "one processor for everything", "use a machine with two", "a machine"};
  return {"isolation", Judgement::kWrong, "no processor is kept free of other work",
          fmt::format("boot with isolcpus={0} nohz_full={0} rcu_nocbs={0} (GRUB_CMDLINE_LINUX in /etc/default/grub, then "
                      "update-grub), and give --cpu {0}",
                      cpus > 0 ? cpus - 1 : 1),
          "that processor does nothing else"};
}

Finding Throttling(const Machine& machine) {
  const std::optional<long> runtime = Number(machine.Line("/proc/sys/kernel/sched_rt_runtime_us"));
  if (!runtime) return {"throttling", Judgement::kUnknown, "sched_rt_runtime_us cannot be read", "", ""};
  if (*runtime >= 0)
    return {"throttling", Judgement::kGood,
            fmt::format("a thread that runs wild keeps {} µs of a period: the rest can stop it", *runtime), "", ""};
  return {"throttling", Judgement::kWrong, "off: a real-time thread that runs wild cannot be stopped",
          "as root: sysctl kernel.sched_rt_runtime_us=950000", "nothing, as long as the loop uses less than 95 %"};
}

Finding UsbLatency(const Machine& machine) {
  std::string slow;
  int known = 0;
  for (const std::string& device : machine.In("/sys/bus/usb-serial/devices")) {
    const std::optional<long> ms = Number(machine.Line(device + "/latency_timer"));
    if (!ms) continue;
    ++known;
    if (*ms > 1) slow += fmt::format("{}{} waits {} ms", slow.empty() ? "" : ", ", FileName(device), *ms);
  }
  if (known == 0) return {"USB latency", Judgement::kAbsent, "no serial adapter with a latency timer", "", ""};
  if (slow.empty()) return {"USB latency", Judgement::kGood, "1 ms", "", ""};
  return {"USB latency", Judgement::kWrong, slow + " before it hands bytes on",
          "install 60-tactus.rules (docs/linux.md), or as root: echo 1 > /sys/bus/usb-serial/devices/ttyUSB0/latency_timer",
          "more interrupts"};
}

Finding Permissions(const Machine& machine, const User& user) {
  std::string closed, open;
  for (const std::string& device : machine.In("/dev")) {
    const std::string name = FileName(device);
    if (!name.starts_with("ttyACM") && !name.starts_with("ttyUSB") && name != "cpu_dma_latency") continue;
    const std::optional<Machine::Owner> owner = machine.OwnerOf(device);
    std::string& list = owner && MayUse(*owner, user) ? open : closed;
    list += (list.empty() ? "" : ", ") + name;
  }
  if (closed.empty() && open.empty()) return {"permissions", Judgement::kAbsent, "no device is plugged in", "", ""};
  if (closed.empty()) return {"permissions", Judgement::kGood, open + " can be opened", "", ""};
  return {"permissions", Judgement::kWrong, closed + " cannot be opened",
          "as root: cmake --install build/host --component linux --prefix /usr/local; udevadm control --reload; udevadm "
          "trigger; usermod -aG plugdev,dialout USER; log in again",
          "who is in these groups may use the devices"};
}

}  // namespace

std::vector<Finding> Examine(const Machine& machine, const User& user) {
  return {Kernel(machine),
          Limit(machine, user, {"RT priority", "Max realtime priority", kPriority, 1, "", "rtprio 90", 23}),
          Limit(machine, user, {"locked memory", "Max locked memory", kMemory_B, 1024, " KiB", "memlock unlimited", 14}),
          Governor(machine),
          CStates(machine, user),
          Isolation(machine),
          Throttling(machine),
          UsbLatency(machine),
          Permissions(machine, user)};
}

const char* Name(Finding::Judgement judgement) {
  switch (judgement) {
    case Judgement::kGood: return "good";
    case Judgement::kWrong: return "wrong";
    case Judgement::kUnknown: return "unknown";
    case Judgement::kAbsent: return "absent";
  }
  return "unknown";
}

}  // namespace tactus::host
