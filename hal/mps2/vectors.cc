#include "hal/cortex_m/start_up.h"
#include "hal/mps2/registers.h"

namespace tactus::hal::mps2 {

using cortex_m::FaultHandler;
using cortex_m::Handler;

extern "C" void Uart0RxHandler();
extern "C" void Uart0TxHandler();
extern "C" void ClockGuardHandler();

namespace {

struct Vectors {
  cortex_m::SystemVectors system;
  Handler interrupts[kInterrupts];
};

constexpr Vectors MakeVectors() {
  Vectors vectors{cortex_m::MakeSystemVectors(cortex_m::stack_top_symbol), {}};
  for (Handler& handler : vectors.interrupts) handler = FaultHandler;
  vectors.interrupts[kUart0RxInterrupt] = Uart0RxHandler;
  vectors.interrupts[kUart0TxInterrupt] = Uart0TxHandler;
  vectors.interrupts[kTimer0Interrupt] = ClockGuardHandler;
  return vectors;
}

}  // namespace

extern "C" {
[[gnu::section(".vectors"), gnu::used]] constinit const Vectors vector_table = MakeVectors();
}

}  // namespace tactus::hal::mps2
