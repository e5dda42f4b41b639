#include "hal/mps2/uart_link.h"

#include "hal/api/byte_ring.h"
#include "hal/cortex_m/interrupts.h"
#include "hal/mps2/registers.h"

namespace tactus::hal::mps2 {
namespace {

constexpr int kBytesPerInterrupt = 16;  // bound of the handlers' loops; the interrupt comes again for the rest

// The rings of the one UART0. Not members: an object with virtual functions is no zeros, so all of it would lie in .data.
constinit ByteRing<4096> received;    // a burst of some 60 samples while a tick runs
constinit ByteRing<8192> to_be_sent;  // 8 ms of commands and telemetry at 1 MB/s

}  // namespace

UartLink& UartLink::Instance() {
  static UartLink link;
  return link;
}

bool UartLink::idle() const { return to_be_sent.size() == 0 && !sending_; }

void UartLink::Start() {
  static_assert(kCore_Hz / kBaud >= 16, "the least that the UART can divide by");
  Uart0().baud_divider = kCore_Hz / kBaud;
  Uart0().control = UartRegisters::kTxEnable | UartRegisters::kRxEnable | UartRegisters::kTxInterruptEnable |
                    UartRegisters::kRxInterruptEnable;
  cortex_m::EnableInterrupt(kUart0RxInterrupt, cortex_m::kLinkPriority);
  cortex_m::EnableInterrupt(kUart0TxInterrupt, cortex_m::kLinkPriority);
}

void UartLink::OnReceiveInterrupt() {
  Uart0().interrupt_clear = UartRegisters::kRxInterrupt;
  for (int i = 0; i < kBytesPerInterrupt && (Uart0().state & UartRegisters::kRxFull) != 0; ++i) {
    if ((Uart0().state & UartRegisters::kRxOverrun) != 0) {
      Uart0().state = UartRegisters::kRxOverrun;
      ++counters_.receive_overruns;
    }
    const auto byte = static_cast<std::uint8_t>(Uart0().data);
    ++counters_.received_bytes;
    if (!received.Push(byte)) ++counters_.receive_overruns;
    if (byte == 0) cortex_m::PendTick();
  }
}

void UartLink::OnTransmitInterrupt() {
  Uart0().interrupt_clear = UartRegisters::kTxInterrupt;
  sending_ = false;
  for (int i = 0; i < kBytesPerInterrupt && (Uart0().state & UartRegisters::kTxFull) == 0; ++i) {
    std::uint8_t byte = 0;
    if (to_be_sent.Pop(std::span(&byte, 1)) == 0) return;
    sending_ = true;
    Uart0().data = byte;
  }
}

Status UartLink::DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept {
  *count = received.Pop(room);
  return Status::kOk;
}

Status UartLink::DoWrite(std::span<const std::uint8_t> frame, Lane lane) noexcept {
  const cortex_m::LinkLock lock;
  const std::size_t reserve = lane == Lane::kCommand ? 0 : kCommandReserve;
  if (to_be_sent.room() < frame.size() + reserve || !to_be_sent.Push(frame)) {
    ++counters_.refused_frames;
    return Status::kWouldBlock;
  }
  counters_.sent_bytes += static_cast<std::uint32_t>(frame.size());
  if (!sending_) OnTransmitInterrupt();
  return Status::kOk;
}

void UartLink::DoLock() noexcept { cortex_m::SetBasePriority(cortex_m::kTickPriority); }
void UartLink::DoUnlock() noexcept { cortex_m::SetBasePriority(0); }

extern "C" void Uart0RxHandler() { UartLink::Instance().OnReceiveInterrupt(); }
extern "C" void Uart0TxHandler() { UartLink::Instance().OnTransmitInterrupt(); }

}  // namespace tactus::hal::mps2
