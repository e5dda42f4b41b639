#pragma once
#include <cmath>
#include <deque>

#include "tests/stm32/dma_model.h"

namespace tactus::hal::stm32::model {

/// Of the line's other end, and how far the divider may be off: a receiver bears 3.75 % (RM0090 30.3.5), of which both
/// oscillators and the other end's divider want their part.
inline constexpr double kLineBaud = 921'600, kMostBaudError = 0.005;

/// Which of the chip's USARTs it is, and what it has of its DMA: RM0090 tables 42 and 43.
struct UsartPlace {
  std::string name = "USART1";
  unsigned receive = 2, send = 7, channel = 4;
  double baud = kLineBaud;  ///< of the line's other end
};

/// A USART as RM0090 30 has it: one byte of room to receive, an overrun that loses the byte behind it, a line that falls
/// idle, flags that SR-then-DR clears; with DMA on its streams. At another baud rate, with parity or nine
/// bits, bytes arrive as others, and without their stop bit.
class UsartModel : public Holding<f4::UsartRegisters> {
 public:
  UsartModel(Machine& machine, DmaModel* dma, double bus_Hz, f4::UsartRegisters<ModelRegister>* place = nullptr,
             const UsartPlace& at = {})
      : Holding(machine, at.name, place), dma_(dma), at_(at), bus_Hz_(bus_Hz) {
    regs().sr.bits = kRoom | kDone;
  }

  /// As the loader in the chip's ROM leaves it (AN2606): on, with even parity, at its host's baud rate.
  void LeaveUsed() { regs().cr1.bits = 0x340C, regs().cr3.bits = 0x00C0, regs().brr.bits = 0x1234; }

  /// A byte comes in over the line.
  void Receive(std::uint8_t byte) {
    constexpr std::uint32_t kReceives = kOn | 1u << 2;
    if (!has_clock() || (regs().cr1.bits & kReceives) != kReceives) return;
    if (!IsOfTheLine()) byte ^= 0x55u, regs().sr.bits |= kFraming;
    if (dma_ != nullptr && (regs().cr3.bits & kDmaReceives) != 0 &&
        dma_->FromPeripheral(at_.receive, at_.channel, regs().dr, byte))
      return;
    if ((regs().sr.bits & kReceived) != 0) return void(regs().sr.bits |= kOverrun);
    regs().dr.bits = byte;
    regs().sr.bits |= kReceived;
  }
  /// The line goes low and stays there, as a host does without power: one byte of zeros without a stop bit.
  void Break() {
    Receive(0);
    regs().sr.bits |= kFraming;
  }
  void Disturb() { regs().sr.bits |= kNoise; }
  void GoIdle() { regs().sr.bits |= kIdle; }

  /// The shift register takes what there is, at most so many bytes.
  void Send(int most) {
    constexpr std::uint32_t kSends = kOn | 1u << 3;
    for (int i = 0; i < most && has_clock() && (regs().cr1.bits & kSends) == kSends; ++i) {
      std::uint32_t byte = 0;
      if (pending_) {
        byte = held_;
        pending_ = false;
        regs().sr.bits |= kRoom;
      } else if (dma_ == nullptr || (regs().cr3.bits & 1u << 7) == 0 ||
                 !dma_->ToPeripheral(at_.send, at_.channel, regs().dr, &byte)) {
        return;
      }
      sent.push_back(static_cast<std::uint8_t>(IsOfTheLine() ? byte : byte ^ 0x55u));
    }
  }
  /// Bytes leave while the program waits: one in so many accesses.
  int accesses_a_byte = 0;
  void Step() override {
    if (accesses_a_byte > 0 && ++steps_ % accesses_a_byte == 0) Send(1);
  }

  /// What the interrupt controller sees, RM0090 30.4: EIE is for reception by DMA.
  bool interrupts() const {
    const std::uint32_t on = regs().cr1.bits, is = regs().sr.bits, errors = is & (kFraming | kNoise | kOverrun);
    if ((on & kOn) == 0) return false;
    return ((on & 1u << 5) != 0 && (is & (kReceived | kOverrun)) != 0) || ((on & 1u << 4) != 0 && (is & kIdle) != 0) ||
           ((on & 1u << 7) != 0 && (is & kRoom) != 0) ||
           ((regs().cr3.bits & 1u) != 0 && (regs().cr3.bits & kDmaReceives) != 0 && errors != 0);
  }

  std::uint32_t Read(std::size_t offset, std::uint32_t& bits) override {
    if (offset == TACTUS_AT(f4::UsartRegisters, sr)) seen_ = bits;
    if (offset == TACTUS_AT(f4::UsartRegisters, dr)) {
      regs().sr.bits &= ~(kReceived | (seen_ & (kFraming | kNoise | kOverrun | kIdle)));
      seen_ = 0;
    }
    return bits;
  }
  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
    if (offset != TACTUS_AT(f4::UsartRegisters, dr)) return void(bits = value);
    if (pending_) return Violate("a byte was written where there was no room");
    pending_ = true;
    held_ = static_cast<std::uint8_t>(value);
    regs().sr.bits &= ~kRoom;
  }

  std::vector<std::uint8_t> sent;

 private:
  static constexpr std::uint32_t kFraming = 1u << 1, kNoise = 1u << 2, kOverrun = 1u << 3, kIdle = 1u << 4,
                                 kReceived = 1u << 5, kDone = 1u << 6, kRoom = 1u << 7;  // SR
  static constexpr std::uint32_t kOn = 1u << 13;                                         // CR1
  static constexpr std::uint32_t kDmaReceives = 1u << 6;                                 // CR3

  /// Eight bits, no parity, sixteen samples a bit, at the line's rate.
  bool IsOfTheLine() const {
    constexpr std::uint32_t kOtherwise = 1u << 15 | 1u << 12 | 1u << 10;  // OVER8, M, PCE
    const double baud = bus_Hz_ / regs().brr.bits;
    return (regs().cr1.bits & kOtherwise) == 0 && std::abs(baud / at_.baud - 1) < kMostBaudError;
  }

  DmaModel* dma_;
  UsartPlace at_;
  double bus_Hz_;
  std::uint32_t seen_ = 0;  // flags that a read of SR has shown
  bool pending_ = false;
  std::uint8_t held_ = 0;
  int steps_ = 0;
};

}  // namespace tactus::hal::stm32::model
