#pragma once
#include <array>

#include "hal/stm32/f4/dma_stream.h"
#include "hal/stm32/interrupt_link_base.h"

namespace tactus::hal::stm32::f4 {

struct UsartAccess {
  static constexpr std::uint32_t kRoom = usart::kRoom, kRoomInterrupt = usart::kRoomInterrupt;
  static auto& In(auto& block) { return block.dr; }
  static auto& Out(auto& block) { return block.dr; }
  static std::uint32_t State(const auto& block) { return block.sr; }
};

/// A link by an interrupt for each byte: for the emulator, which has no DMA, and for USARTs that have no stream to spare.
template <class R, class Core>
class InterruptUartLink final : public InterruptLinkBase<UsartRegisters<R>, Core, UsartAccess> {
  using Base = InterruptLinkBase<UsartRegisters<R>, Core, UsartAccess>;

 public:
  InterruptUartLink(UsartRegisters<R>& block, const UsartClock& clock) : Base(block, clock) {}

  void Start() {
    this->block_.brr = this->baud_word_;
    this->block_.cr3 = 0;  // no DMA
    this->block_.cr1 = usart::kEnable | usart::kReceive | usart::kTransmit | usart::kReceivedInterrupt;
  }

  /// Reading SR and then DR clears an overrun; the byte in DR is good, the one behind it is lost (RM0090 30.3.3).
  void OnInterrupt() {
    const std::uint32_t state = this->block_.sr;
    if ((state & usart::kOverrun) != 0) ++this->counters_.receive_overruns;
    if ((state & usart::kReceived) != 0) {
      this->TakeByte();
    } else if ((state & usart::kErrors) != 0) {
      (void)static_cast<std::uint32_t>(this->block_.dr);
    }
    if (this->sending_ && (state & usart::kRoom) != 0) this->SendNext();
  }
};

/// The streams of USART1: receiving DMA2 stream 2, sending stream 7, both on channel 4 (RM0090 table 43).
struct Usart1Streams {
  static constexpr unsigned kReceive = 2, kSend = 7, kChannel = 4;
};

/// The last words of a failed program: past all queues, and whatever the USART and its sending stream were set to.
template <class Streams, class R>
void SendPastQueues(UsartRegisters<R>& block, DmaRegisters<R>& dma_block, std::span<const std::uint8_t> words) {
  constexpr int kTries = 100'000;  // reads of the state for each byte: 10 bits at 921 600 baud are 1 800 core clocks
  dma_block.stream[Streams::kSend].cr = 0;
  block.cr3 = 0;
  block.cr1 = usart::kEnable | usart::kTransmit;
  for (const std::uint8_t byte : words) {
    for (int i = 0; i < kTries && (block.sr & usart::kRoom) == 0; ++i) {
    }
    block.dr = byte;
  }
}

/// A link by DMA. Received bytes go round a ring in memory without software; the line falling idle behind a burst, and the
/// ring half full, interrupt. Bytes to be sent leave in runs as long as the ring has them in one piece.
template <class R, class Core, class Streams>
class DmaUartLink final : public UartLinkBase<UsartRegisters<R>, Core> {
  using Base = UartLinkBase<UsartRegisters<R>, Core>;

 public:
  DmaUartLink(UsartRegisters<R>& block, const UsartClock& clock, DmaRegisters<R>& dma_block)
      : Base(block, clock), in_(dma_block, Streams::kReceive), out_(dma_block, Streams::kSend) {}

  void Start() {
    StartReceiving();
    this->block_.brr = this->baud_word_;
    this->block_.cr3 = usart::kErrorInterrupt | usart::kDmaReceive | usart::kDmaTransmit;
    this->block_.cr1 = usart::kEnable | usart::kReceive | usart::kTransmit | usart::kIdleInterrupt;
  }
  bool idle() const { return !this->sending_; }

  /// USART: the line is idle, bytes were lost, or a byte was none (a break, noise, another baud rate). Reading SR and then
  /// DR clears all of them (RM0090 30.6.1); one that is left interrupts again at once, for ever.
  void OnUartInterrupt() {
    const std::uint32_t state = this->block_.sr;
    if ((state & (usart::kIdle | usart::kErrors)) == 0) return;
    (void)static_cast<std::uint32_t>(this->block_.dr);
    if ((state & usart::kOverrun) != 0) ++this->counters_.receive_overruns;
    TakeReceived();
    Core::PendTick();
  }

  /// The receiving stream: the ring is half full, or full; or the stream has failed and is started again.
  void OnReceiveInterrupt() {
    const std::uint32_t flags = in_.Flags();
    in_.ClearFlags();
    TakeReceived();
    if ((flags & dma::kFlagError) != 0) {
      ++this->counters_.receive_overruns;
      StartReceiving();
    }
    Core::PendTick();
  }

  /// The sending stream has sent its run, or has failed: then the run is lost, and the next goes on.
  void OnSendInterrupt() {
    const std::uint32_t flags = out_.Flags();
    if ((flags & (dma::kFlagDone | dma::kFlagError)) == 0) return;
    out_.ClearFlags();
    if ((flags & dma::kFlagError) != 0) ++send_errors_;
    SendRun();
  }

  std::uint32_t send_errors() const { return send_errors_; }
  volatile std::uint8_t* ring() { return ring_.data(); }
  std::uint8_t* run() { return run_.data(); }

 private:
  static constexpr std::uint32_t kReceiveWord = dma::Channel(Streams::kChannel) | dma::kIncrementMemory | dma::kCircular |
                                                dma::kHalfInterrupt | dma::kDoneInterrupt | dma::kErrorInterrupt;
  static constexpr std::uint32_t kSendWord = dma::Channel(Streams::kChannel) | dma::kIncrementMemory | dma::kToPeripheral |
                                             dma::kDoneInterrupt | dma::kErrorInterrupt;

  /// From the ring's begin; what is unread is lost with what the line had. A stream that does not let go receives nothing
  /// more: the host falls silent, and the application takes the force away.
  void StartReceiving() {
    (void)in_.Start({DmaAddress(&this->block_.dr), DmaAddress(ring_.data()), kReceiveBytes, kReceiveWord});
    written_ = (written_ + kReceiveBytes - 1u) / kReceiveBytes * kReceiveBytes;
    read_ = written_;
  }

  /// Counts what the DMA has written since the last look; there is one at least each half ring.
  void TakeReceived() {
    const std::uint32_t head = (kReceiveBytes - in_.left()) % kReceiveBytes;
    const std::uint32_t more = (head - written_) % kReceiveBytes;
    written_ = written_ + more;
    this->counters_.received_bytes += more;
  }

  Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept override {
    const typename Core::Guard guard;
    TakeReceived();
    if (written_ - read_ > kReceiveBytes) {  // the oldest have been written over
      this->counters_.receive_overruns += written_ - read_ - kReceiveBytes;
      read_ = written_ - kReceiveBytes;
    }
    const std::uint32_t available = written_ - read_;
    *count = available < room.size() ? available : room.size();
    for (std::size_t i = 0; i < *count; ++i) room[i] = ring_[(read_ + i) % kReceiveBytes];
    read_ += static_cast<std::uint32_t>(*count);
    return Status::kOk;
  }

  Status DoWrite(std::span<const std::uint8_t> frame, Lane lane) noexcept override {
    const typename Core::Guard guard;
    const Status status = this->Queue(frame, lane);
    if (status == Status::kOk && !this->sending_) SendRun();
    return status;
  }

  void SendRun() {
    const std::size_t size = this->to_be_sent_.Pop(run_);
    this->sending_ = size > 0;
    if (size == 0) return;
    const auto count = static_cast<std::uint32_t>(size);
    if (out_.Start({DmaAddress(&this->block_.dr), DmaAddress(run_.data()), count, kSendWord})) return;
    ++send_errors_;
    this->sending_ = false;
  }

  DmaStream<R> in_, out_;
  std::array<volatile std::uint8_t, kReceiveBytes> ring_{};
  std::array<std::uint8_t, 256> run_{};
  std::uint32_t written_ = 0, read_ = 0;  // bytes, modulo 2^32
  std::uint32_t send_errors_ = 0;
};

}  // namespace tactus::hal::stm32::f4
