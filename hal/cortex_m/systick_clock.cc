#include "hal/cortex_m/systick_clock.h"

#include "hal/cortex_m/fault.h"
#include "hal/cortex_m/interrupts.h"
#include "hal/cortex_m/registers.h"
#include "hal/cortex_m/start_up.h"

namespace tactus::hal::cortex_m {
namespace {

volatile std::uint32_t edge_count = 0;  // written by TimerHandler only

// CheckClockAdvances only.
std::uint32_t edge_count_at_last_check = 0;
int checks_without_edge = 0;

constexpr std::uint32_t kEnableWithInterruptFromCore = 7u;

}  // namespace

extern "C" void TimerHandler() {
  edge_count = edge_count + 1;
  PendTick();
}

void SysTickClock::Start() {
  SysTick().rvr = counts_per_us_ * period_us_ - 1u;
  SysTick().cvr = 0;
  SysTick().csr = kEnableWithInterruptFromCore;
}

std::uint32_t SysTickClock::DoEdges() const noexcept { return edge_count; }

std::uint32_t SysTickClock::DoNowUs() const noexcept {
  // The counter runs down. If an edge comes between the two readings, read both again: the next edge is a period away.
  std::uint32_t edges = edge_count;
  std::uint32_t left = SysTick().cvr;
  if (edges != edge_count) {
    edges = edge_count;
    left = SysTick().cvr;
  }
  return edges * period_us_ + (period_us_ - 1u - left / counts_per_us_);
}

void CheckClockAdvances() noexcept {
  const std::uint32_t edges = edge_count;
  checks_without_edge = edges != edge_count_at_last_check ? 0 : checks_without_edge + 1;
  if (checks_without_edge >= kChecksWithoutEdge) ReportFault(FaultCause::kClockLost, edges);
  edge_count_at_last_check = edges;
}

}  // namespace tactus::hal::cortex_m
