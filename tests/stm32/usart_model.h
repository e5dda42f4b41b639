#pragma once
#include <deque>

#include "tests/stm32/dma_model.h"

namespace tactus::hal::stm32::model {

/// A USART as RM0090 30 has it: one byte of room to receive, an overrun that loses the byte behind it, a line that falls
/// idle, flags that SR-then-DR clears; with DMA on streams 2 and 7, channel 4.
class UsartModel : public Holding<f4::UsartRegisters> {
 public:
  UsartModel(Machine& machine, DmaModel* dma) : Holding(machine, "USART1"), dma_(dma) { regs().sr.bits = kRoomAndDone; }

  /// A byte comes in over the line.
  void Receive(std::uint8_t byte) {
    constexpr std::uint32_t kOn = f4::usart::kEnable | f4::usart::kReceive;
    if ((regs().cr1.bits & kOn) != kOn) return;
    if (dma_ != nullptr && (regs().cr3.bits & f4::usart::kDmaReceive) != 0 && dma_->FromPeripheral(2, 4, regs().dr, byte))
      return;
    if ((regs().sr.bits & f4::usart::kReceived) != 0) return void(regs().sr.bits |= f4::usart::kOverrun);
    regs().dr.bits = byte;
    regs().sr.bits |= f4::usart::kReceived;
  }
  /// The line goes low and stays there, as a host does without power: one byte of zeros without a stop bit.
  void Break() {
    Receive(0);
    regs().sr.bits |= f4::usart::kFraming;
  }
  void GoIdle() { regs().sr.bits |= f4::usart::kIdle; }

  /// The shift register takes what there is, at most so many bytes.
  void Send(int most) {
    for (int i = 0; i < most; ++i) {
      std::uint32_t byte = 0;
      if (pending_) {
        sent.push_back(held_);
        pending_ = false;
        regs().sr.bits |= f4::usart::kRoom;
      } else if (dma_ != nullptr && (regs().cr3.bits & f4::usart::kDmaTransmit) != 0 &&
                 dma_->ToPeripheral(7, 4, regs().dr, &byte)) {
        sent.push_back(static_cast<std::uint8_t>(byte));
      } else {
        return;
      }
    }
  }

  bool interrupts() const {
    const std::uint32_t on = regs().cr1.bits, is = regs().sr.bits;
    return ((on & f4::usart::kReceivedInterrupt) != 0 && (is & (f4::usart::kReceived | f4::usart::kOverrun)) != 0) ||
           ((on & f4::usart::kIdleInterrupt) != 0 && (is & f4::usart::kIdle) != 0) ||
           ((on & f4::usart::kRoomInterrupt) != 0 && (is & f4::usart::kRoom) != 0) ||
           ((regs().cr3.bits & f4::usart::kErrorInterrupt) != 0 && (is & f4::usart::kErrors) != 0);
  }
  double Baud(double bus_Hz) const { return bus_Hz / regs().brr.bits; }

  std::uint32_t Read(std::size_t offset, std::uint32_t& bits) override {
    if (offset == TACTUS_AT(f4::UsartRegisters, sr)) seen_ = bits;
    if (offset == TACTUS_AT(f4::UsartRegisters, dr)) {
      regs().sr.bits &= ~(f4::usart::kReceived | (seen_ & (f4::usart::kErrors | f4::usart::kIdle)));
      seen_ = 0;
    }
    return bits;
  }
  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
    if (offset != TACTUS_AT(f4::UsartRegisters, dr)) return void(bits = value);
    if (pending_) return Violate("a byte was written where there was no room");
    pending_ = true;
    held_ = static_cast<std::uint8_t>(value);
    regs().sr.bits &= ~f4::usart::kRoom;
  }

  std::vector<std::uint8_t> sent;

 private:
  static constexpr std::uint32_t kRoomAndDone = 0xC0;  // reset value

  DmaModel* dma_;
  std::uint32_t seen_ = 0;  // flags that a read of SR has shown
  bool pending_ = false;
  std::uint8_t held_ = 0;
};

}  // namespace tactus::hal::stm32::model
