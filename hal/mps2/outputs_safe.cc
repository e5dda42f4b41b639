#include "hal/mps2/outputs_safe.h"

#include "hal/api/last_words.h"
#include "hal/cortex_m/outputs_safe.h"
#include "hal/cortex_m/semihosting.h"
#include "hal/mps2/registers.h"
#include "hal/mps2/uart_link.h"

namespace tactus::hal::mps2 {
namespace {

constexpr int kTries = 100'000;  // status reads per byte: 10 bits at 9600 baud are 26 000 core clocks

/// Past all queues, and whatever the UART was set to.
void WriteToUart(std::span<const std::uint8_t> bytes) {
  Uart0().baud_divider = kCore_Hz / UartLink::kBaud;
  Uart0().control = UartRegisters::kTxEnable;
  for (const std::uint8_t byte : bytes) {
    for (int i = 0; i < kTries && (Uart0().state & UartRegisters::kTxFull) != 0; ++i) {
    }
    Uart0().data = byte;
  }
}

/// Without an emulator there is no FIFO; before it is open, no handle.
void WriteToFifo(std::span<const std::uint8_t> bytes) {
  const auto handle = static_cast<int>(Timer1().reload);
  if (TACTUS_EMULATED && handle != 0) cortex_m::semihosting::Write(handle, bytes);
}

}  // namespace

void SetFaultFifo(int handle) { Timer1().reload = static_cast<std::uint32_t>(handle); }

}  // namespace tactus::hal::mps2

// Which link is in use stands in RAM, so both get the last words.
extern "C" void OutputsSafe() {
  namespace mps2 = tactus::hal::mps2;
  mps2::FpgaIo().led = 0;
  mps2::WriteToUart(tactus::hal::kLastWords);
  mps2::WriteToFifo(tactus::hal::kLastWords);
}
