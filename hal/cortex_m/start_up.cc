#include "hal/cortex_m/start_up.h"

#include "hal/cortex_m/fault.h"
#include "hal/cortex_m/interrupts.h"
#include "hal/cortex_m/memory_protection.h"
#include "hal/cortex_m/registers.h"

// From reset to main. The linker script gives the addresses; .noinit is left as the last run left it.

int main();

extern "C" {
extern std::uint32_t code_begin_symbol[], hot_begin_symbol[], hot_end_symbol[], hot_image_symbol[];
extern std::uint32_t data_begin_symbol[], data_end_symbol[], data_image_symbol[], bss_begin_symbol[], bss_end_symbol[];
extern std::uint32_t bulk_begin_symbol[], bulk_end_symbol[];
extern tactus::hal::cortex_m::Handler constructors_begin_symbol[], constructors_end_symbol[];
}

namespace tactus::hal::cortex_m {
namespace {

void SetUpMemory() {
  const std::uint32_t* hot = hot_image_symbol;
  if (hot != hot_begin_symbol) {
    for (std::uint32_t* word = hot_begin_symbol; word != hot_end_symbol; ++word) *word = *hot++;
  }
  const std::uint32_t* image = data_image_symbol;
  for (std::uint32_t* word = data_begin_symbol; word != data_end_symbol; ++word) *word = *image++;
  for (std::uint32_t* word = bss_begin_symbol; word != bss_end_symbol; ++word) *word = 0;
  for (std::uint32_t* word = bulk_begin_symbol; word != bulk_end_symbol; ++word) *word = 0;
}

/// A jump to the start is no reset: the drives may have current, and the host may hold a force.
void CheckForReset() {
  if ((Scb().shcsr & kShcsrFaultsEnabled) != 0) ReportFault(FaultCause::kNoReset, 0);
  asm volatile("msr psp, %0" : : "r"(0));  // no fault is being handled, see fault.cc
}

void SetUpCore() {
  Scb().vtor = reinterpret_cast<std::uint32_t>(code_begin_symbol);  // the vector table is the first thing in the image
  Scb().cpacr = Scb().cpacr | kCpacrFpuEnabled;
  asm volatile("dsb\n isb" ::: "memory");
  Scb().ccr = Scb().ccr | kCcrDivideByZeroTraps;
  Scb().shcsr = Scb().shcsr | kShcsrFaultsEnabled;
  SetExceptionPriority(14, kTickPriority);
  SetExceptionPriority(15, kTimerPriority);
}

}  // namespace

void ResetHandler() {
  CheckForReset();
  SetUpCore();
  SetUpMemory();
  ProtectMemory();
  for (Handler* constructor = constructors_begin_symbol; constructor != constructors_end_symbol; ++constructor)
    (*constructor)();
  ReportFault(FaultCause::kMainReturned, static_cast<std::uint32_t>(main()));
}

}  // namespace tactus::hal::cortex_m
