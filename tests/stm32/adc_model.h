#pragma once
#include <array>

#include "tests/stm32/dma_model.h"
#include "tests/stm32/timer_model.h"

namespace tactus::hal::stm32::model {

/// ADC1 as RM0090 13 has it: a scan at each trigger, DMA requests that stop behind a whole transfer unless DDS is set, an
/// overrun that stops them until it is cleared and the DMA is set up anew.
class AdcModel : public Holding<f4::AdcRegisters> {
 public:
  AdcModel(Machine& machine, DmaModel& dma) : Holding(machine, "ADC1"), dma_(dma) {}

  std::array<std::uint16_t, 19> input{};  ///< of each channel [counts]
  std::array<std::uint16_t, 19> noise{};  ///< its last bits
  bool stalled = false;

  /// The trigger's edge.
  void Trigger() {
    constexpr std::uint32_t kWanted = f4::adc::kOn | f4::adc::kTriggerTim8 | f4::adc::kRisingEdge;
    const std::uint32_t word = regs().cr2.bits;
    if (stalled || (word & (f4::adc::kOn | 15u << 24 | 3u << 28)) != kWanted) return;
    const std::uint32_t count = (regs().cr1.bits & f4::adc::kScan) != 0 ? (regs().sqr1.bits >> 20 & 15u) + 1 : 1;
    for (std::uint32_t i = 0; i < count; ++i) Convert(regs().sqr3.bits >> (5 * i) & 31u);
  }

  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
    if (offset == TACTUS_AT(f4::AdcRegisters, sr)) return void(bits &= value);
    if (offset != 0 && offset != TACTUS_AT(f4::AdcRegisters, cr2) && (regs().cr2.bits & f4::adc::kOn) != 0)
      Violate("set up while it is on");
    bits = value;
  }

 private:
  void Convert(std::uint32_t channel) {
    if ((regs().sr.bits & f4::adc::kOverrun) != 0) return;
    noise[channel] ^= 1u;
    regs().dr.bits = input[channel] ^ noise[channel];
    const bool wants = (regs().cr2.bits & f4::adc::kDma) != 0;
    if (!wants || !dma_.FromPeripheral(0, 0, regs().dr, regs().dr.bits)) regs().sr.bits |= f4::adc::kOverrun;
  }

  DmaModel& dma_;
};

}  // namespace tactus::hal::stm32::model
