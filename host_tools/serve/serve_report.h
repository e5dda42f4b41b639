#pragma once
#include <string>

#include "host_tools/serve/link_server.h"
#include "host_tools/serve/servo_loop.h"

namespace tactus::host {

/// What a run of `tactus serve` was.
struct ServeSummary {
  std::string device, address;
  LoopOptions options;
  std::string why;                  ///< the device's last failure in its own words; of two, with their names
  const ServoLoop* loop = nullptr;  ///< done
  ServerCounts server;
  hal::LinkCounters link;
  hal::RealtimeGrant grant;
  int stopped_by = 0;  ///< the signal; 0: the ticks were over
};

/// The summary for people, on standard output.
void PrintServeReport(const ServeSummary& run);

/// The same and the histograms as JSON, `tactus.serve/1`. @throws HostError: cannot be written.
void WriteServeJson(const ServeSummary& run, const std::string& path);

/// What real time was not granted, and what to do: one sentence a line; empty: all was.
std::string Refusals(const hal::RealtimeWish& wish, const hal::RealtimeGrant& grant);

}  // namespace tactus::host
