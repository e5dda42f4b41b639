#pragma once
#include <deque>

#include "hal/stm32/fifo_usart.h"
#include "tests/stm32/dma_requests.h"
#include "tests/stm32/usart_model.h"

namespace tactus::hal::stm32::model {

/// A USART of H7 and G4: RM0433 48.5, RM0440 37.5. FIFOs of eight bytes, an overrun that loses the newest, flags that ICR
/// clears; baud rate, FIFO and format are fixed while it is on. With DMA it asks while there is a byte, or room for one; a
/// byte with an error is not asked for, and with DDRE nothing is behind it.
class FifoUsartModel : public Holding<FifoUsartRegisters> {
 public:
  /// Its DMA, and the numbers of its requests.
  struct Dma {
    DmaRequests* requests;
    std::uint32_t receives, sends;
  };
  FifoUsartModel(Machine& machine, std::string name, double bus_Hz, FifoUsartRegisters<ModelRegister>* place, const Dma& dma)
      : Holding(machine, std::move(name), place), bus_Hz_(bus_Hz), dma_(dma) {}

  /// As the loader in the chip's ROM leaves it (AN2606): on, with even parity, at its host's baud rate, overruns unseen.
  void LeaveUsed() { regs().cr1.bits = 0x140D, regs().cr3.bits = 0x30C0, regs().brr.bits = 0x1234; }

  void Receive(std::uint8_t byte) {
    if (!has_clock() || (regs().cr1.bits & 5u) != 5u) return;
    TakeRequests();
    const bool is_damaged = !IsOfTheLine();
    if (is_damaged) errors_ |= kFraming;
    if (Asks(kDmaReceives) && is_damaged) return;
    if (in_.size() < Places())
      in_.push_back(is_damaged ? static_cast<std::uint8_t>(byte ^ 0x55u) : byte);
    else if ((regs().cr3.bits & kOverrunOff) == 0)
      errors_ |= kOverrun;
    TakeRequests();
  }
  /// The line goes low and stays there: one byte of zeros without a stop bit.
  void Break() {
    if (!Asks(kDmaReceives)) Receive(0);
    errors_ |= kFraming;
  }
  void Disturb() { errors_ |= kNoise; }
  void GoIdle() { errors_ |= kIdle; }
  /// Bytes leave, so many at most.
  void Send(int most) {
    for (int i = 0; i < most; ++i) Send();
  }
  void Send() {
    TakeRequests();
    if (!has_clock() || out_.empty() || (regs().cr1.bits & 9u) != 9u) return;
    sent.push_back(IsOfTheLine() ? out_.front() : static_cast<std::uint8_t>(out_.front() ^ 0x55u));
    out_.pop_front();
    TakeRequests();
  }
  /// Bytes leave while the program waits: one in so many accesses.
  int accesses_a_byte = 0;
  void Step() override {
    if (accesses_a_byte > 0 && ++steps_ % accesses_a_byte == 0) Send();
  }

  std::uint32_t State() const { return errors_ | (in_.empty() ? 0u : kReceived) | (out_.size() < Places() ? kRoom : 0u); }
  /// What the interrupt controller sees, RM0433 48.6.
  bool interrupts() const {
    const std::uint32_t on = regs().cr1.bits, is = State();
    if ((on & 1u) == 0) return false;
    return (on & is & (kReceived | kIdle | kRoom)) != 0 || ((on & kReceived) != 0 && (is & kOverrun) != 0) ||
           ((regs().cr3.bits & 1u) != 0 && (is & (kFraming | kNoise | kOverrun)) != 0);
  }

  std::uint32_t Read(std::size_t offset, std::uint32_t& bits) override {
    if (offset == 0x1C) return State();
    if (offset != 0x24) return bits;  // RDR
    if (in_.empty()) return Violate("read where there was nothing"), bits;
    const std::uint8_t byte = in_.front();
    in_.pop_front();
    return byte;
  }
  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
    const bool on = (regs().cr1.bits & 1u) != 0;
    switch (offset) {
      case 0x00: bits = Kept(kFifo | kFormat, "FIFO or format", on && (value & 1u) != 0, bits, value); break;
      case 0x08: bits = Kept(kOverrunOff | kStopsOnError, "OVRDIS or DDRE", on, bits, value); break;
      case 0x0C: bits = Kept(~0u, "BRR", on, bits, value); break;  // RM0433 48.7.4
      case 0x20: errors_ &= ~value; break;                         // ICR
      case 0x28: Put(value); break;                                // TDR
      default: bits = value;
    }
  }
  std::vector<std::uint8_t> sent;

 private:
  static constexpr std::uint32_t kFraming = 1u << 1, kNoise = 1u << 2, kOverrun = 1u << 3, kIdle = 1u << 4,
                                 kReceived = 1u << 5, kRoom = 1u << 7;                                   // ISR
  static constexpr std::uint32_t kFifo = 1u << 29, kFormat = 1u << 28 | 1u << 15 | 1u << 12 | 1u << 10;  // CR1
  static constexpr std::uint32_t kDmaReceives = 1u << 6, kDmaSends = 1u << 7, kOverrunOff = 1u << 12,
                                 kStopsOnError = 1u << 13;  // CR3: DMAR, DMAT, OVRDIS, DDRE

  bool Asks(std::uint32_t way) const { return dma_.requests != nullptr && (regs().cr3.bits & way) != 0; }
  /// What the DMA does without software.
  void TakeRequests() {
    if (!has_clock() || (regs().cr1.bits & 1u) == 0) return;
    const bool is_held = (regs().cr3.bits & kStopsOnError) != 0 && (errors_ & (kFraming | kNoise | kOverrun)) != 0;
    while (Asks(kDmaReceives) && !is_held && !in_.empty() &&
           dma_.requests->FromPeripheral(dma_.receives, regs().rdr, in_.front()))
      in_.pop_front();
    for (std::uint32_t byte = 0; Asks(kDmaSends) && (regs().cr1.bits & 8u) != 0 && out_.size() < Places() &&
                                 dma_.requests->ToPeripheral(dma_.sends, regs().tdr, &byte);)
      out_.push_back(static_cast<std::uint8_t>(byte));
  }

  std::size_t Places() const { return (regs().cr1.bits & kFifo) != 0 ? 8 : 1; }
  bool IsOfTheLine() const {
    const double baud = bus_Hz_ / regs().brr.bits;
    return (regs().cr1.bits & kFormat) == 0 && std::abs(baud / kLineBaud - 1) < kMostBaudError;
  }
  std::uint32_t Kept(std::uint32_t mask, const char* what, bool on, std::uint32_t bits, std::uint32_t value) {
    if (!on || ((bits ^ value) & mask) == 0) return value;
    Violate(std::string(what) + " written while enabled");
    return (bits & mask) | (value & ~mask);
  }
  void Put(std::uint32_t value) {
    if (out_.size() >= Places()) return Violate("written where there was no room");
    out_.push_back(static_cast<std::uint8_t>(value));
  }

  double bus_Hz_;
  Dma dma_;
  std::deque<std::uint8_t> in_, out_;
  std::uint32_t errors_ = 0;
  int steps_ = 0;
};

}  // namespace tactus::hal::stm32::model
