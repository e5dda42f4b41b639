#pragma once
#include <array>
#include <cmath>

#include "tests/stm32/dma_model.h"
#include "tests/stm32/timer_model.h"

namespace tactus::hal::stm32::model {

/// ADC1 as RM0090 13 has it: a scan at each edge of the trigger that was chosen, an input that needs its time to settle, DMA
/// requests that stop behind a whole transfer unless DDS is set, an overrun that stops them until it is cleared and both
/// sides are set up anew.
class AdcModel : public Holding<f4::AdcRegisters> {
 public:
  AdcModel(Machine& machine, DmaModel& dma, const Holding<f4::AdcCommonRegisters>& common,
           f4::AdcRegisters<ModelRegister>* place = nullptr)
      : Holding(machine, "ADC1", place), dma_(dma), common_(common) {}

  std::array<std::uint16_t, 19> input{};  ///< of each channel [counts]
  std::array<std::uint16_t, 19> noise{};  ///< its last bits
  bool stalled = false;
  std::function<bool(double us)> edge_within = [](double) { return false; };  ///< of the power stage

  static constexpr std::uint32_t kTim8Trgo = 14;  ///< EXTSEL, RM0090 table 69

  /// As a loader leaves it: on, six bits, left-aligned, one channel after the other, by another trigger.
  void LeaveUsed() {
    auto& r = regs();
    r.sr.bits = 0x3F, r.cr1.bits = 0x03000F00, r.cr2.bits = 0x1F000F03, r.smpr1.bits = r.smpr2.bits = 0x07FFFFFF;
    r.sqr1.bits = 0x00F00000, r.sqr3.bits = 0x3FFFFFFF;
  }

  /// An edge of the trigger with this number in EXTSEL.
  void Trigger(std::uint32_t number) {
    const std::uint32_t word = regs().cr2.bits;
    const bool chosen = (word >> 24 & 15u) == number && (word >> 28 & 3u) == 1;  // EXTEN: its rising edge
    if (stalled || !has_clock() || (word & 1u) == 0 || !chosen || lost_) return;
    if (Clock_Hz() > 36e6) Violate("the converter's clock is above 36 MHz");  // DS8626, ADC characteristics
    const std::uint32_t left_alone = regs().cr1.bits & ~kScan, modes = word & 0x407F0C02u;
    if (left_alone != 0 || modes != 0) Violate("a mode that nobody has modelled");
    if (edge_within(ScanUs())) Violate("a scan over an edge of the PWM");
    for (std::uint32_t i = 0; i < Count(); ++i) Convert(Channel(i));
  }

  /// How long a scan takes [us]: sampling, and 12 clocks a channel (RM0090 13.5).
  double ScanUs() const {
    double clocks = 0;
    for (std::uint32_t i = 0; i < Count(); ++i) clocks += SamplingClocks(Channel(i)) + 12;
    return clocks / Clock_Hz() * 1e6;
  }

  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
    if (offset == TACTUS_AT(f4::AdcRegisters, sr)) return void(bits &= value);
    if (offset == TACTUS_AT(f4::AdcRegisters, cr2)) {
      if ((value & kDma) == 0) no_requests_ = false, lost_ = lost_ && (regs().sr.bits & kOverrun) != 0;
      lost_ = lost_ && (value & kDma) != 0;
    } else if ((regs().cr2.bits & 1u) != 0) {
      Violate("set up while it is on");
    }
    bits = value;
  }

 private:
  static constexpr std::uint32_t kOverrun = 1u << 5, kScan = 1u << 8, kDma = 1u << 8, kGoesOn = 1u << 9;

  std::uint32_t Count() const { return (regs().cr1.bits & kScan) != 0 ? (regs().sqr1.bits >> 20 & 15u) + 1 : 1; }
  std::uint32_t Channel(std::uint32_t place) const { return (place < 6 ? regs().sqr3.bits >> (5 * place) : 0) & 31u; }
  double Clock_Hz() const { return 84e6 / (2 * ((common_.regs().ccr.bits >> 16 & 3u) + 1)); }
  double SamplingClocks(std::uint32_t channel) const {
    constexpr std::array<double, 8> kClocks{3, 15, 28, 56, 84, 112, 144, 480};  // RM0090 13.13.4
    const std::uint32_t word = channel < 10 ? regs().smpr2.bits : regs().smpr1.bits;
    return kClocks[word >> (3 * (channel % 10)) & 7u];
  }

  /// The sampling capacitor comes from the channel before: with 4 pF behind 20 kohm (DS8626, RAIN) it needs 0.7 us for 12
  /// bits.
  void Convert(std::uint32_t channel) {
    if ((regs().sr.bits & kOverrun) != 0) return;
    if (channel >= input.size()) return Violate("a channel that the converter does not have");
    constexpr double kSettling_us = 0.08;
    const double rest = std::exp(-SamplingClocks(channel) / Clock_Hz() * 1e6 / kSettling_us);
    noise[channel] ^= 1u;
    const double is = input[channel] ^ noise[channel];
    charge_ = is + (charge_ - is) * rest;
    regs().dr.bits = static_cast<std::uint32_t>(std::lround(charge_));
    if ((regs().cr2.bits & kDma) == 0) return void(regs().sr.bits |= kOverrun);
    if (no_requests_) return;
    const int before = dma_.transfers(0);
    if (!dma_.FromPeripheral(0, 0, regs().dr, regs().dr.bits)) {
      regs().sr.bits |= kOverrun;
      lost_ = true;
    }
    no_requests_ = dma_.transfers(0) != before && (regs().cr2.bits & kGoesOn) == 0;
  }

  DmaModel& dma_;
  const Holding<f4::AdcCommonRegisters>& common_;
  double charge_ = 0;
  bool no_requests_ = false;  // behind the last of a transfer, without DDS
  bool lost_ = false;         // behind an overrun, until the DMA bit is cleared (RM0090 13.8.1)
};

}  // namespace tactus::hal::stm32::model
