#include <array>

#include "hal/api/last_words.h"
#include "hal/cortex_m/semihosting.h"
#include "hal/cortex_m/systick_clock.h"
#include "tests/target/bit_cases.h"
#include "tests/target/fault_cases.h"
#include "tests/target/print.h"
#include "tests/target/servo_room.h"
#include "tests/target/servo_script.h"
#include TACTUS_BOARD_HEADER

// Tests that run on the board. One image; the command line says which case: -append "case=servo". Exit code 0:
// passed, 1: failed, 64 and up: the fault that ended it, which is what some cases are for.

namespace tactus::target {
namespace {

namespace cortex_m = hal::cortex_m;
using board::Board;

/// The run that the instruction budget is measured on. It must be what it is meant to be: in contact, without a fault.
int Servo() {
  const ServoRun run = RunServo<TACTUS_BOARD_SCALAR>();
  PrintHash("commands", run.commands);
  PrintHash("telemetry", run.telemetry);
  PrintHash("contact_ticks", run.contact_ticks);
  PrintHash("unsolved_ticks", run.unsolved_ticks);
  return Verdict(run.commands == kServoTicks && run.contact_ticks > kServoTicks / 2 && !run.faulted);
}

// Time and rings
// ----------------------------------------------------------------------------------------------------------------

int WatchdogIsFed() {
  Board::Watchdog watchdog;
  cortex_m::SysTickClock clock(Board::kCore_Hz);
  clock.Start();
  watchdog.Start(2000);
  while (clock.edges() < 20) watchdog.Feed();
  return 0;
}

/// As many core clocks as the board says are 1000 µs, edges come, and microseconds never run backwards.
int ClockRuns() {
  cortex_m::SysTickClock clock(Board::kCore_Hz);
  clock.Start();
  std::uint32_t last_us = clock.now_us();
  bool forwards = true;
  while (clock.edges() < 50) {
    const std::uint32_t now_us = clock.now_us();
    forwards = forwards && now_us - last_us < 1000;
    last_us = now_us;
  }
  return Verdict(forwards && last_us >= 49'000 && last_us <= 51'000);
}

/// A link on which sending some of the frames takes longer than a period.
class SlowLink final : public hal::ByteLink {
 public:
  explicit SlowLink(const hal::Clock& clock) : clock_(clock) {}
  void SetNext(std::span<const std::uint8_t> frame) { script_.SetNext(frame); }
  static constexpr int kFirstSlow = 10, kSlow = 5;

 private:
  Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept override { return script_.Read(room, count); }
  Status DoWrite(std::span<const std::uint8_t>, hal::Lane) noexcept override {
    const std::uint32_t begin = clock_.edges();
    const bool slow = kFirstSlow <= written_ && written_ < kFirstSlow + kSlow;
    ++written_;
    while (slow && clock_.edges() - begin < 2) {
    }
    return Status::kOk;
  }
  hal::LinkCounters DoCounters() const noexcept override { return {}; }

  const hal::Clock& clock_;
  ScriptLink script_;
  int written_ = 0;
};

servo::ServoApp<TACTUS_BOARD_SCALAR>* ticking_app = nullptr;
volatile std::uint32_t ticks_taken = 0;

/// Ticks that end after the next edge of the board's own clock are counted, and so are the edges that had no tick meanwhile:
/// a slow link takes until the second edge, so two for each. The others are not.
int OverrunIsCounted() {
  static cortex_m::SysTickClock clock(Board::kCore_Hz);
  static SlowLink link(clock);
  static ScriptHost host;
  static hal::NoWatchdog watchdog;
  servo::ServoApp<TACTUS_BOARD_SCALAR>& app = MakeServo<TACTUS_BOARD_SCALAR>({}, link, clock, watchdog);
  ticking_app = &app;
  clock.Start();
  for (int step = 0; step < 40; ++step) {
    asm volatile("cpsid i");
    link.SetNext(host.Frame(step));
    const std::uint32_t before = ticks_taken;
    asm volatile("cpsie i");
    while (ticks_taken == before) {
    }
  }
  const std::uint32_t missed = app.missed_deadlines();
  PrintHash("missed", missed);
  return Verdict(missed == 2 * SlowLink::kSlow);
}

int RingRefusesWhatDoesNotFit() {
  static hal::ByteRing<16> ring;
  const std::array<std::uint8_t, 10> ten{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  std::array<std::uint8_t, 16> out{};
  bool good = ring.Push(ten) && !ring.Push(ten) && ring.size() == 10 && ring.Pop(std::span(out).first(8)) == 8;
  good = good && ring.Push(ten) && ring.size() == 12 && ring.Pop(out) == 12 && out[0] == 9 && out[2] == 1 && out[11] == 10;
  return Verdict(good && ring.Pop(out) == 0);
}

constexpr Case kCases[] = {
    {"servo", Servo},
    {"watchdog_is_fed", WatchdogIsFed},
    {"clock_runs", ClockRuns},
    {"overrun_is_counted", OverrunIsCounted},
    {"ring_refuses", RingRefusesWhatDoesNotFit},
};

/// Whether `line` has the word case=`name`.
bool Selects(const char* line, const char* name) {
  constexpr const char* kKey = "case=";
  for (; *line != '\0'; ++line) {
    const char* at = line;
    const char* key = kKey;
    while (*key != '\0' && *at == *key) ++at, ++key;
    if (*key != '\0') continue;
    const char* word = name;
    while (*word != '\0' && *at == *word) ++at, ++word;
    if (*word == '\0' && (*at == '\0' || *at == ' ')) return true;
  }
  return false;
}

int RunSelected() {
  std::array<char, 512> line{};
  if (!cortex_m::semihosting::CommandLine(line)) return 2;
  for (const std::span<const Case> cases : {std::span<const Case>(kCases), FaultCases(), WatchdogCases()}) {
    for (const Case& test : cases) {
      if (Selects(line.data(), test.name)) return test.run();
    }
  }
  Print("no such case\n");
  return 2;
}

}  // namespace

void Print(const char* text) { cortex_m::semihosting::Print(text); }

}  // namespace tactus::target

extern "C" void TickHandler() {
  if (tactus::target::ticking_app != nullptr) tactus::target::ticking_app->OnTick();
  tactus::target::ticks_taken = tactus::target::ticks_taken + 1;
}

namespace tactus::hal {
namespace {
// In place of frames, so that what a fault prints shows when the outputs went off.
constexpr std::array<std::uint8_t, 13> kWords{'o', 'u', 't', 'p', 'u', 't', 's', ' ', 'z', 'e', 'r', 'o', '\n'};
}  // namespace
constinit const std::span<const std::uint8_t> kLastWords = kWords;
}  // namespace tactus::hal

int main() {
  namespace semihosting = tactus::hal::cortex_m::semihosting;
  tactus::board::Board::SetUp();
  tactus::board::Board::SetFaultFifo(semihosting::Open(":tt", true));
  semihosting::Exit(tactus::target::RunSelected());
}
