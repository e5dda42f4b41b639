#pragma once
#include <array>

#include "hal/stm32/registers.h"
#include "tests/stm32/machine.h"

namespace tactus::hal::stm32::model {

/// A port as RM0090 8, RM0433 11 and RM0440 9 have it: BSRR sets and clears what an output shows, a pin is an input, an
/// output, a function's, or analog. What each pin has shown is kept.
class GpioModel : public Holding<GpioRegisters> {
 public:
  using Holding::Holding;

  static constexpr std::uint32_t kInput = 0, kOutput = 1, kAlternate = 2, kAnalog = 3;
  std::uint32_t mode(unsigned pin) const { return regs().moder.bits >> 2 * pin & 3u; }
  std::uint32_t pull(unsigned pin) const { return regs().pupdr.bits >> 2 * pin & 3u; }  // 1: up, 2: down
  std::uint32_t function(unsigned pin) const { return regs().afr[pin / 8].bits >> 4 * (pin % 8) & 15u; }
  bool is_high(unsigned pin) const { return mode(pin) == kOutput && (regs().odr.bits >> pin & 1u) != 0; }

  /// Whether the pin has ever been an output that is high.
  bool was_high(unsigned pin) const { return was_high_[pin]; }
  /// The functions that the pin has ever had, one bit each.
  std::uint32_t functions_seen(unsigned pin) const { return functions_seen_[pin]; }

  /// What is outside drives the pin.
  void Drive(unsigned pin, bool high) { regs().idr.bits = (regs().idr.bits & ~(1u << pin)) | (high ? 1u << pin : 0u); }

  std::uint32_t Read(std::size_t offset, std::uint32_t& bits) override {
    return offset == TACTUS_AT(GpioRegisters, bsrr) ? 0u : bits;  // write only
  }
  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
    if (offset == TACTUS_AT(GpioRegisters, bsrr)) {  // set has priority, RM0090 8.4.7
      regs().odr.bits = (regs().odr.bits & ~(value >> 16)) | (value & 0xFFFFu);
    } else if (offset != TACTUS_AT(GpioRegisters, idr)) {
      bits = value;
    }
    for (unsigned pin = 0; pin < 16; ++pin) {
      was_high_[pin] = was_high_[pin] || is_high(pin);
      if (mode(pin) == kAlternate) functions_seen_[pin] |= 1u << function(pin);
    }
  }

 private:
  std::array<bool, 16> was_high_{};
  std::array<std::uint32_t, 16> functions_seen_{};
};

}  // namespace tactus::hal::stm32::model
