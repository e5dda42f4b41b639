#include <cstdint>

#include "firmware/servo/tick_markers.h"
#include "hal/api/last_words.h"
#include "hal/cortex_m/semihosting.h"
#include "tactus/haptic/config.h"
#include "tactus/solve/round/round_polish.h"
#include "tests/support/random.h"
#include "tests/target/print.h"

// What Newton's steps on the round cone cost on the board, against the work that they count (solve/work.h): one body, 1 to
// kServoCapacity.contacts contacts in random directions, of which up to eight carry, from random impulses.
// toolchain/tick_counter counts each call between the markers; hostile_ticks.py reads the counts and the lines `0 work`, in
// hexadecimal.

namespace tactus::target {
namespace {

using Scalar = TACTUS_BOARD_SCALAR;
using Problem = WhitenedProblem<Scalar, kServoCapacity>;
using Column = typename Problem::Column;

struct Bench {
  Problem problem;
  RoundPolish<Problem> polish;
};
Bench newton;

template <class Vector>
Vector Direction(test::Random* random) {
  Vector vector;
  for (int i = 0; i < vector.size(); ++i) vector(i) = static_cast<Scalar>(random->Uniform(-1, 1));
  return vector / Sqrt(Scalar(vector.squaredNorm()));
}

// Rows of unit length, tangents that need not be square to them: more of them are independent than of a real contact.
void Fill(int contacts, test::Random* random) {
  Problem& problem = newton.problem;
  problem.bodies = 1;
  problem.k = Scalar(0.01) * Direction<Column>(random);
  problem.contacts.resize(contacts);
  for (auto& contact : problem.contacts) {
    contact.tau.setZero();
    contact.N = Direction<Column>(random);
    contact.T.col(0) = Direction<Column>(random);
    contact.T.col(1) = Direction<Column>(random);
    contact.mu = static_cast<Scalar>(random->Uniform(0, 0.8));
    contact.b = static_cast<Scalar>(random->Uniform(-1e-3, 3e-3));
  }
}

void Load(test::Random* random) {
  auto& impulses = newton.polish.impulses();
  impulses = {};
  const int contacts = newton.problem.contacts.size(), carrying = random->Integer(1, 8);
  for (int c = 0; c < carrying; ++c) {
    const auto i = static_cast<std::size_t>(random->Integer(0, contacts - 1));
    impulses.theta[i] = static_cast<Scalar>(random->Uniform(0, 0.02));
    const Scalar most = newton.problem.contacts[static_cast<int>(i)].mu * impulses.theta[i];
    impulses.f[i] = most * static_cast<Scalar>(random->Uniform(0, 1)) * Direction<typename Problem::Tangential>(random);
  }
}

void PrintWork(std::uint64_t work) {
  char text[] = "0 00000000\n";
  for (int i = 0; i < 8; ++i) text[2 + i] = "0123456789abcdef"[work >> (28 - 4 * i) & 15u];
  Print(text);
}

}  // namespace

void Print(const char* text) { hal::cortex_m::semihosting::Print(text); }

}  // namespace tactus::target

extern "C" void TickHandler() {}  // the clock is not started

constinit const std::span<const std::uint8_t> tactus::hal::kLastWords{};

int main() {
  using namespace tactus;
  using namespace tactus::target;
  constexpr int kCalls = 600;
  test::Random random(1);
  for (int call = 0; call < kCalls; ++call) {
    Fill(1 + call % kServoCapacity.contacts, &random);
    Load(&random);
    Work work;
    tactus_tick_begin();
    (void)newton.polish.FromLastTick(newton.problem, &work);
    tactus_tick_end();
    PrintWork(static_cast<std::uint64_t>(work.done()));
  }
  hal::cortex_m::semihosting::Exit(0);
}
