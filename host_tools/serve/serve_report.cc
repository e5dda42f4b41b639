#include "host_tools/serve/serve_report.h"

#include <fmt/core.h>

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "host_tools/link/host_error.h"
#include "host_tools/report/print_report.h"
#include "host_tools/report/text_file.h"

namespace tactus::host {
namespace {

using nlohmann::ordered_json;

struct NamedHistogram {
  const char* key;
  const char* label;
  const hal::Histogram* histogram;
};

std::vector<NamedHistogram> Histograms(const ServoLoop& loop) {
  std::vector<NamedHistogram> all = {{"wake_up", "wake-up late by", &loop.counts().wake_up},
                                     {"compute", "work of a period", &loop.counts().compute}};
  if (const hal::TimedDevice* device = loop.device(); device != nullptr) {
    all.push_back({"device_read", "device: read", &device->read_time()});
    all.push_back({"device_write", "device: write", &device->write_time()});
  }
  return all;
}

ordered_json ToJson(const hal::Histogram& histogram) {
  ordered_json json = {{"count", histogram.count()},
                       {"p50_ns", histogram.Quantile(0.5)},
                       {"p99_ns", histogram.Quantile(0.99)},
                       {"p999_ns", histogram.Quantile(0.999)},
                       {"max_ns", histogram.max_ns()}};
  ordered_json& buckets = json["buckets"] = ordered_json::array();  // [largest value in ns, count]
  for (std::size_t i = 0; i < hal::Histogram::kBuckets; ++i) {
    if (histogram.bucket(i) != 0) buckets.push_back({hal::Histogram::UpperEnd_ns(i), histogram.bucket(i)});
  }
  return json;
}

std::string Row(const NamedHistogram& row) {
  const auto us = [](std::uint32_t ns) { return 1e-3 * ns; };
  const hal::Histogram& h = *row.histogram;
  return fmt::format("  {:<18}{:>10.1f}{:>10.1f}{:>10.1f}{:>10.1f}\n", row.label, us(h.Quantile(0.5)), us(h.Quantile(0.99)),
                     us(h.Quantile(0.999)), us(h.max_ns()));
}

std::string OnlineProcessors() {
  std::ifstream file("/sys/devices/system/cpu/online");
  std::string text;
  return std::getline(file, text) ? text : "those of /proc/cpuinfo";
}

std::string Error(int error) { return error == 0 ? "granted" : std::strerror(error); }

}  // namespace

std::string Refusals(const hal::RealtimeWish& wish, const hal::RealtimeGrant& grant) {
  std::string text;
  if (grant.priority != 0) {
    text += fmt::format(
        "no real-time priority {} ({}): other programs delay the loop, by tens of milliseconds on a busy machine, and late "
        "periods are a fault. Raise the limit 'rtprio' (tactus doctor says how), or give --priority 0\n",
        wish.priority, std::strerror(grant.priority));
  }
  if (grant.memory != 0) {
    text += fmt::format(
        "memory is not locked ({}): a page that is missing delays the loop, by milliseconds if it is on a disk. Raise the "
        "limit 'memlock' (tactus doctor says how)\n",
        std::strerror(grant.memory));
  }
  if (grant.cpu != 0)
    text += fmt::format("there is no processor {} that this program may use ({}); online are {}: give another --cpu\n",
                        wish.cpu, std::strerror(grant.cpu), OnlineProcessors());
  return text;
}

void PrintServeReport(const ServeSummary& run) {
  const LoopCounts& counts = run.loop->counts();
  const hal::ThreadCounters& kernel = run.loop->kernel_counts();
  fmt::print("\n  Tactus: served {} at {:g} kHz on {}\n\n", run.device, 1e3 / run.options.period_us, run.address);
  fmt::print("  periods           {}, {} overrun, {} missed\n", counts.periods.load(), counts.overruns.load(),
             counts.missed.load());
  fmt::print("  sessions          {}, {} faults, {} hosts, {} sent away, {} hung, {} without the token\n",
             counts.sessions.load(), counts.faults.load(), run.server.hosts, run.server.busy, run.server.hung,
             run.server.turned_away);
  fmt::print("  kernel            {} page faults in the loop, preempted {} times\n",
             kernel.minor_faults + kernel.major_faults, kernel.preemptions);
  if (!run.why.empty()) fmt::print("  last failure      {}\n", run.why);
  if (const hal::TimedDevice* const device = run.loop->device(); device != nullptr && device->buttons().any())
    fmt::print("  buttons           {}\n", ButtonText(device->buttons()));
  fmt::print("  the last zeros    {}\n\n", run.loop->zeros_written() ? "written" : "NOT taken by the device");
  fmt::print("  {:<18}{:>10}{:>10}{:>10}{:>10}\n", "µs", "  p50", "p99", "p99.9", "max");
  for (const NamedHistogram& row : Histograms(*run.loop)) fmt::print("{}", Row(row));
}

void WriteServeJson(const ServeSummary& run, const std::string& path) {
  const LoopCounts& counts = run.loop->counts();
  const hal::ThreadCounters& kernel = run.loop->kernel_counts();
  ordered_json json = {{"format", "tactus.serve/1"},
                       {"device", run.device},
                       {"listen", run.address},
                       {"period_us", run.options.period_us},
                       {"stopped_by_signal", run.stopped_by},
                       {"last_failure", run.why},
                       {"zeros_written", run.loop->zeros_written()}};
  json["realtime"] = {{"priority", run.options.wish.priority},
                      {"priority_result", run.options.wish.priority > 0 ? Error(run.grant.priority) : "not asked for"},
                      {"memory_result", Error(run.grant.memory)},
                      {"cpu", run.options.wish.cpu},
                      {"cpu_result", run.options.wish.cpu >= 0 ? Error(run.grant.cpu) : "not asked for"}};
  json["loop"] = {{"periods", counts.periods.load()},         {"overruns", counts.overruns.load()},
                  {"missed", counts.missed.load()},           {"sessions", counts.sessions.load()},
                  {"faults", counts.faults.load()},           {"minor_page_faults", kernel.minor_faults},
                  {"major_page_faults", kernel.major_faults}, {"waits", kernel.waits},
                  {"preemptions", kernel.preemptions}};
  json["hosts"] = {{"came", run.server.hosts},
                   {"sent_away", run.server.busy},
                   {"hung", run.server.hung},
                   {"without_token", run.server.turned_away}};
  if (const hal::TimedDevice* const device = run.loop->device(); device != nullptr)
    json["button_presses"] = device->buttons().presses;
  json["link"] = {{"received_bytes", run.link.received_bytes},
                  {"sent_bytes", run.link.sent_bytes},
                  {"refused_frames", run.link.refused_frames}};
  for (const NamedHistogram& row : Histograms(*run.loop)) json["histograms"][row.key] = ToJson(*row.histogram);
  WriteText(path, json.dump(1) + '\n');
}

}  // namespace tactus::host
