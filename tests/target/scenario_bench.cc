#include <array>
#include <optional>

#include "firmware/servo/servo_app.h"
#include "hal/api/last_words.h"
#include "hal/cortex_m/semihosting.h"
#include "tests/target/print.h"
#include "tests/target/scenarios.h"

// What a call of the servo costs in each scenario: toolchain/gates/instruction_budget.py runs it and counts the instructions
// between the two markers. Printed is one line a scenario, `scenario NAME MARKS`, with a mark for each call: # counts, - is
// another situation.

extern "C" {
// As in firmware/servo/tick_markers.cc, but around every call, also those in which no tick is due.
[[gnu::noinline]] void tactus_call_begin() { asm volatile("" ::: "memory"); }
[[gnu::noinline]] void tactus_call_end() { asm volatile("nop" ::: "memory"); }

void TickHandler() {}  // the clock is not started
}

constinit const std::span<const std::uint8_t> tactus::hal::kLastWords{};

namespace tactus::target {
namespace {

using App = servo::ServoApp<TACTUS_BOARD_SCALAR>;

constexpr int kMostEdges = 4000;

Answer Read(hal::ByteRing<4096>* written, wire::FrameDecoder* decoder, ScriptHost* host) {
  Answer answer;
  std::uint8_t byte = 0;
  while (written->Pop(std::span(&byte, 1)) == 1) {
    if (decoder->Push(byte) != Status::kOk) continue;
    ++answer.frames;
    host->Learn(decoder->frame());
    if (decoder->frame().type == wire::MessageType::kAck) ++answer.acks;
    if (wire::ReadMessage(decoder->frame(), &answer.telemetry) == Status::kOk) answer.has_telemetry = true;
  }
  return answer;
}

void Run(const Scenario& scenario) {
  static std::optional<App> app;
  static std::optional<ScriptLink> the_link;
  static std::optional<ScriptHost> the_host;
  static std::array<char, kMostEdges + 1> marks;
  static hal::NoWatchdog watchdog;
  ScriptLink& link = the_link.emplace();
  ScriptHost& host = the_host.emplace();
  ScriptClock clock;
  app.emplace(servo::Identity{.board = "any", .build = "any"}, link, clock, watchdog);
  wire::FrameDecoder decoder;
  marks.fill('\0');
  for (int edge = 0; edge < scenario.edges && edge < kMostEdges; ++edge) {
    scenario.say(edge, &host.Begin());
    link.SetNext(host.bytes());
    clock.NextEdge();
    tactus_call_begin();
    app->OnTick();
    tactus_call_end();
    app->DrainTelemetry();
    marks[static_cast<std::size_t>(edge)] = scenario.shows(Read(&link.written(), &decoder, &host)) ? '#' : '-';
  }
  Print("scenario ");
  Print(scenario.name);
  Print(" ");
  Print(marks.data());
  Print("\n");
}

}  // namespace

void Print(const char* text) { hal::cortex_m::semihosting::Print(text); }

}  // namespace tactus::target

int main() {
  for (const tactus::target::Scenario& scenario : tactus::target::AllScenarios()) tactus::target::Run(scenario);
  tactus::hal::cortex_m::semihosting::Exit(0);
}
