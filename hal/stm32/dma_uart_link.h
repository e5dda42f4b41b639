#pragma once
#include <array>

#include "hal/stm32/dma_transfer.h"
#include "hal/stm32/uart_link_base.h"

namespace tactus::hal::stm32 {

/// What the DMA of a link reads and writes. A board puts it where its DMA reaches and no cache is in between; what it holds
/// at the start does not matter.
struct LinkBuffers {
  std::array<volatile std::uint8_t, kReceiveBytes> ring;
  std::array<std::uint8_t, 256> run;
};

/// A link by DMA. Received bytes go round a ring in memory without software; the line falling idle behind a burst, and the
/// ring half full, interrupt. Bytes to be sent leave in runs as long as the ring has them in one piece.
///
/// @tparam Parts  what a family has of it:
///                Registers, the USART's;
///                Usart: Start(block, baud_word); Take(block), flags of which none interrupts again, 0 if there is nothing
///                to do; kOverrun; In(block) and Out(block), the registers of a byte; Stream: Start(DmaTransfer),
///                TakeEvents(), Flags(), left(); kReceiveWord, kSendWord; Core, as UartLinkBase has it, and Fence(): memory
///                that was written before is there before what follows, and none that is read behind it was read before
template <class Parts>
class DmaUartLinkBase : public UartLinkBase<typename Parts::Registers, typename Parts::Core> {
  using Base = UartLinkBase<typename Parts::Registers, typename Parts::Core>;
  using Core = typename Parts::Core;
  using Usart = typename Parts::Usart;
  using Stream = typename Parts::Stream;

 public:
  /// The stream first: a byte that comes without one would wait, and with it the request.
  void Start() {
    StartReceiving();
    Usart::Start(this->block_, this->baud_word_);
  }
  bool idle() const { return !this->sending_; }

  /// USART: the line is idle, bytes were lost, or a byte was none (a break, noise, another baud rate). All of them are
  /// cleared; one that is left interrupts again at once, for ever.
  void OnUartInterrupt() {
    const std::uint32_t state = Usart::Take(this->block_);
    if (state == 0) return;
    if ((state & Usart::kOverrun) != 0) ++this->counters_.receive_overruns;
    TakeReceived();
    Core::PendTick();
  }

  /// The receiving stream: the ring is half full, or full; or the stream has failed and is started again.
  void OnReceiveInterrupt() {
    const DmaEvents events = in_.TakeEvents();
    TakeReceived();
    if (events.failed) {
      ++this->counters_.receive_overruns;
      StartReceiving();
    }
    Core::PendTick();
  }

  /// The sending stream has sent its run, or has failed: then the run is lost, and the next goes on.
  void OnSendInterrupt() {
    const DmaEvents events = out_.TakeEvents();
    if (!events.done && !events.failed) return;
    if (events.failed) ++send_errors_;
    SendRun();
  }

  std::uint32_t send_errors() const { return send_errors_; }
  LinkBuffers& buffers() { return buffers_; }

 protected:
  DmaUartLinkBase(typename Parts::Registers& block, const UsartClock& clock, LinkBuffers& buffers, const Stream& in,
                  const Stream& out)
      : Base(block, clock), buffers_(buffers), in_(in), out_(out) {}

 private:
  /// From the ring's begin; what is unread is lost with what the line had. A stream that does not let go receives nothing
  /// more: the host falls silent, and the application takes the force away.
  void StartReceiving() {
    (void)in_.Start(
        {DmaAddress(&Usart::In(this->block_)), DmaAddress(buffers_.ring.data()), kReceiveBytes, Parts::kReceiveWord});
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
    Core::Fence();
    if (written_ - read_ > kReceiveBytes) {  // the oldest have been written over
      this->counters_.receive_overruns += written_ - read_ - kReceiveBytes;
      read_ = written_ - kReceiveBytes;
    }
    const std::uint32_t available = written_ - read_;
    *count = available < room.size() ? available : room.size();
    for (std::size_t i = 0; i < *count; ++i) room[i] = buffers_.ring[(read_ + i) % kReceiveBytes];
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
    const std::size_t size = this->to_be_sent_.Pop(buffers_.run);
    this->sending_ = size > 0;
    if (size == 0) return;
    Core::Fence();
    const auto count = static_cast<std::uint32_t>(size);
    if (out_.Start({DmaAddress(&Usart::Out(this->block_)), DmaAddress(buffers_.run.data()), count, Parts::kSendWord}))
      return;
    ++send_errors_;
    this->sending_ = false;
  }

  LinkBuffers& buffers_;
  const Stream in_, out_;
  std::uint32_t written_ = 0, read_ = 0;  // bytes, modulo 2^32
  std::uint32_t send_errors_ = 0;
};

}  // namespace tactus::hal::stm32
