#include "tests/target/scenarios.h"

namespace tactus::target {
namespace {

constexpr int kMotionEdges = ScriptHost::kFramesBefore + 2000;  // the demo's motion
constexpr int kPressing = 600;                                  // from this tick on the peg presses on the floor of the hole
constexpr int kCycle = 100;

int TickOf(int edge) { return edge - ScriptHost::kFramesBefore; }

/// Hello, configuration, arm. @returns whether it is time for them.
bool SayOpening(int edge, ScriptHost* host) {
  if (edge < ScriptHost::kFramesBefore) (void)host->Frame(edge);
  return edge < ScriptHost::kFramesBefore;
}

void SayDemo(int edge, ScriptHost* host) { (void)host->Frame(edge); }

void SayIdle(int edge, ScriptHost* host) {
  if (edge != ScriptHost::kFramesBefore - 1) return SayDemo(edge, host);  // all but the order to arm
}

/// The handle jumps once, then the motion goes on.
void SayFaulted(int edge, ScriptHost* host) {
  if (SayOpening(edge, host)) return;
  TickOf(edge) == kPressing ? host->Jump(TickOf(edge)) : host->Sample(TickOf(edge));
}

/// Disarmed and armed again, over and over.
void SayFading(int edge, ScriptHost* host) {
  if (SayOpening(edge, host)) return;
  const int tick = TickOf(edge);
  if (tick % kCycle == 0) host->Arm();
  if (tick % kCycle == 3 * kCycle / 4) host->Order(wire::Action::kDisarm);
  host->Sample(tick);
}

/// The link is silent for ten periods in a hundred: longer than a sample may be old, shorter than what latches a fault.
void SayHeld(int edge, ScriptHost* host) {
  if (SayOpening(edge, host)) return;
  if (TickOf(edge) % kCycle < kCycle - 10) host->Sample(TickOf(edge));
}

/// One Config an edge, every other one refused for one of its last fields.
void SayConfig(int edge, ScriptHost* host) {
  if (edge == 0) {
    host->Hello();
  } else {
    edge % 2 == 1 ? host->Configure() : host->ConfigureBadly();
  }
}

/// A Tune with every sample.
void SayTune(int edge, ScriptHost* host) {
  if (SayOpening(edge, host)) return;
  host->Sample(TickOf(edge)).Tune(TickOf(edge));
}

/// With each sample as much as one call reads: frames that are answered, Configs that come at the wrong time, noise.
void SayFlood(int edge, ScriptHost* host) {
  if (SayOpening(edge, host)) return;
  host->Sample(TickOf(edge));
  switch (edge % 3) {
    case 0: host->Hello().Hello().Hello().Hello().Hello().Hello().Hello(); break;
    case 1: host->Configure(); break;
    default: host->Noise(); break;
  }
}

bool IsIn(wire::State state, const Answer& answer) { return answer.has_telemetry && answer.telemetry.state() == state; }

bool IsArmed(const Answer& answer) { return IsIn(wire::State::kArmed, answer); }
bool IsIdle(const Answer& answer) { return IsIn(wire::State::kIdle, answer); }
bool IsFaulted(const Answer& answer) { return IsIn(wire::State::kFaulted, answer); }
bool IsFading(const Answer& answer) { return IsIn(wire::State::kFading, answer); }
bool IsHeld(const Answer& answer) {
  return IsArmed(answer) &&
         (answer.telemetry.mode() == wire::Mode::kHolding || answer.telemetry.mode() == wire::Mode::kFading);
}
bool IsAcknowledged(const Answer& answer) { return answer.acks > 0; }

constexpr Scenario kScenarios[] = {
    {"demo", kMotionEdges, SayDemo, IsArmed},         {"idle", kMotionEdges, SayIdle, IsIdle},
    {"faulted", kMotionEdges, SayFaulted, IsFaulted}, {"fading", kMotionEdges, SayFading, IsFading},
    {"held", kMotionEdges, SayHeld, IsHeld},          {"config", 200, SayConfig, IsAcknowledged},
    {"tune", kMotionEdges, SayTune, IsArmed},         {"flood", kMotionEdges, SayFlood, IsArmed},
};

}  // namespace

std::span<const Scenario> AllScenarios() { return kScenarios; }

}  // namespace tactus::target
