#pragma once
#include "hal/stm32/uart_link_base.h"

namespace tactus::hal::stm32 {

/// What a link that moves its bytes by interrupts does with each, whatever its USART's registers are called.
///
/// @tparam Access  In(block) and Out(block), the registers of a byte; State(block); kRoom in the state; kRoomInterrupt in
/// cr1
template <class Registers, class Core, class Access>
class InterruptLinkBase : public UartLinkBase<Registers, Core> {
 public:
  bool idle() const { return !this->sending_; }

 protected:
  using UartLinkBase<Registers, Core>::UartLinkBase;

  /// The end of a frame asks for a tick.
  void TakeByte() {
    const auto byte = static_cast<std::uint8_t>(static_cast<std::uint32_t>(Access::In(this->block_)));
    ++this->counters_.received_bytes;
    if (!received_.Push(byte)) ++this->counters_.receive_overruns;
    if (byte == 0) Core::PendTick();
  }

  bool has_room() const { return (Access::State(this->block_) & Access::kRoom) != 0; }

  void SendNext() {
    std::uint8_t byte = 0;
    if (this->to_be_sent_.Pop(std::span(&byte, 1)) == 1) {
      Access::Out(this->block_) = byte;
      return;
    }
    this->sending_ = false;
    this->block_.cr1 = this->block_.cr1 & ~Access::kRoomInterrupt;
  }

 private:
  Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept override {
    *count = received_.Pop(room);
    return Status::kOk;
  }
  Status DoWrite(std::span<const std::uint8_t> frame, Lane lane) noexcept override {
    const typename Core::Guard guard;
    const Status status = this->Queue(frame, lane);
    if (status != Status::kOk || this->sending_) return status;
    this->sending_ = true;
    this->block_.cr1 = this->block_.cr1 | Access::kRoomInterrupt;
    // What there is room for at once: some bytes on a chip. The emulator has always room, and no interrupt for it.
    for (std::size_t i = 0; i <= kSendBytes && this->sending_ && has_room(); ++i) SendNext();
    return status;
  }

  ByteRing<kReceiveBytes> received_;
};

}  // namespace tactus::hal::stm32
