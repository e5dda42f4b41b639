#include <array>
#include <cstdint>

#include TACTUS_BOARD_HEADER
#include "firmware/servo/board_work.h"
#include "firmware/servo/servo_tick.h"
#include "firmware/servo/tick_markers.h"
#include "hal/cortex_m/semihosting.h"
#include "tests/support/hostile_ticks.h"
#include "tests/target/print.h"

// Hostile ticks on the board, counted by toolchain/tick_counter; hostile_ticks.py runs it and reads the counts.
//
//     -append "ticks=N seed=S [solves] [work=W] [contacts=C]"
//
// work, contacts: what a tick may spend, and have; without them as the board's image has them.
// Counted is each Tick(), or with `solves` the solve in it: of a second solver that is given the same problems. For each
// comes a line `rung work`, in hexadecimal.

namespace tactus::target {
namespace {

using Scalar = TACTUS_BOARD_SCALAR;
using State = tactus::State<Scalar>;

constexpr WorkBudget kWork = servo::WorkOf<board::Board>(1000);

struct Options {
  std::uint32_t ticks = 0, seed = 0;
  WorkBudget work = kWork;
  bool solves = false;
};

/// Whether `line` goes on with `word`.
bool StartsWith(const char* line, const char* word) {
  while (*word != '\0' && *line == *word) ++line, ++word;
  return *word == '\0';
}

/// The number after the first `key`; 0 where there is none.
std::uint32_t NumberAfter(const char* line, const char* key, int key_length) {
  while (*line != '\0' && !StartsWith(line, key)) ++line;
  if (*line == '\0') return 0;
  std::uint32_t number = 0;
  for (line += key_length; '0' <= *line && *line <= '9'; ++line)
    number = 10 * number + static_cast<std::uint32_t>(*line - '0');
  return number;
}

Options ReadOptions() {
  std::array<char, 256> line{};
  Options options;
  if (!hal::cortex_m::semihosting::CommandLine(line)) return options;
  options.ticks = NumberAfter(line.data(), "ticks=", 6);
  options.seed = NumberAfter(line.data(), "seed=", 5);
  if (const auto work = static_cast<int>(NumberAfter(line.data(), "work=", 5)); work > 0) options.work.alone = work;
  if (const auto most = static_cast<int>(NumberAfter(line.data(), "contacts=", 9)); most > 0) options.work.contacts = most;
  for (const char* at = line.data(); *at != '\0'; ++at) options.solves = options.solves || StartsWith(at, "solves");
  return options;
}

void PrintLine(Rung rung, std::uint32_t work) {
  constexpr const char* kDigits = "0123456789abcdef";
  char text[] = "0 00000000\n";
  text[0] = kDigits[static_cast<int>(rung)];
  for (int i = 0; i < 8; ++i) text[2 + i] = kDigits[work >> (28 - 4 * i) & 15u];
  Print(text);
}

/// A tick between the markers.
void CountTick(test::HostileTicks<Scalar>* ticks, State* state, Telemetry<Scalar>* telemetry) {
  CommandFrame command;
  tactus_tick_begin();
  (void)Tick(ticks->sample(), ticks->config(), state, &command, telemetry);
  tactus_tick_end();
}

/// The problem that the tick has solved once more, by a solver that has seen the same ones before. The table of friction
/// directions, which is made once for a configuration, is no part of a solve's work.
void CountSolve(const State& state, const Config<Scalar>& config, bool is_new, ContactSolver<Scalar, kServoCapacity>* solver,
                ContactSolution<Scalar, kServoCapacity>* solution) {
  SolverOptions<Scalar> options;
  options.max_push_out_mps = config.scene.max_push_out_mps;
  options.work_budget = config.work.alone;
  options.cone = kServoCone;
  if (is_new) {
    solver->Solve(state.problem, options, solution);
    solver->Reset();
  }
  tactus_tick_begin();
  solver->Solve(state.problem, options, solution);
  tactus_tick_end();
}

int Run() {
  static State state;
  static ContactSolver<Scalar, kServoCapacity> solver;
  static ContactSolution<Scalar, kServoCapacity> solution;
  const Options options = ReadOptions();
  test::HostileTicks<Scalar> ticks(options.seed, options.work);
  Telemetry<Scalar> telemetry;
  bool is_new = true;  // configuration, since the last solve
  for (std::uint32_t i = 0; i < options.ticks; ++i) {
    ticks.Prepare(&state);
    if (!options.solves) {
      CountTick(&ticks, &state, &telemetry);
      PrintLine(telemetry.rung, telemetry.work);
      continue;
    }
    CommandFrame command;
    (void)Tick(ticks.sample(), ticks.config(), &state, &command, &telemetry);
    is_new = is_new || ticks.is_new();
    if (telemetry.rung == Rung::kNone) continue;  // nothing was solved
    CountSolve(state, ticks.config(), is_new, &solver, &solution);
    is_new = false;
    PrintLine(solution.rung, static_cast<std::uint32_t>(solution.work));
  }
  return options.ticks > 0 ? 0 : 1;
}

}  // namespace

void Print(const char* text) { hal::cortex_m::semihosting::Print(text); }

}  // namespace tactus::target

extern "C" void TickHandler() {}  // the clock is not started

extern "C" void ZeroOutputs() { tactus::target::Print("outputs zero\n"); }

int main() { tactus::hal::cortex_m::semihosting::Exit(tactus::target::Run()); }
