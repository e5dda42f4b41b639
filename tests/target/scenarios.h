#pragma once
#include <span>

#include "tactus/wire/message.h"
#include "tests/target/servo_script.h"

namespace tactus::target {

/// What the controller answered at one edge.
struct Answer {
  int frames = 0;
  int acks = 0;
  bool has_telemetry = false;
  wire::Telemetry telemetry;  ///< the last one
};

/// A situation of the servo loop whose ticks have a budget of their own.
struct Scenario {
  const char* name;
  int edges;
  void (*say)(int edge, ScriptHost* host);  ///< what the host sends before this edge
  bool (*shows)(const Answer& answer);      ///< whether this was a tick of the situation: only such are counted
};

/// Every scenario: the demo itself, and what happens beside it. A new one is a new entry.
std::span<const Scenario> AllScenarios();

}  // namespace tactus::target
