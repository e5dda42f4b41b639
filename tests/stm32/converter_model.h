#pragma once
#include <array>
#include <cmath>

#include "hal/stm32/converter.h"
#include "tests/stm32/dma_requests.h"

namespace tactus::hal::stm32::model {

/// What the converters of G4 and H7 have each of their own. Times are in accesses to registers, of four clocks of the core.
struct ConverterFamily {
  unsigned reset_bit;  ///< in RCC's register
  int regulator_takes, calibration_takes, behind_calibration, ready_takes;
  std::uint32_t regulator_flag, boost;    ///< of ISR: LDORDY; of CR
  std::array<double, 8> sampling_clocks;  ///< SMPR
  double conversion_clocks;               ///< behind the sampling
  double full_scale;                      ///< [counts]
  std::uint32_t known_cfgr2;
  bool needs_preselection;  ///< PCSEL
  double most_Hz, least_sampling_us;
};

/// One converter of the STM32G4 or H7, RM0440 21, RM0433 25: from its deep power down by regulator and calibration to ready,
/// each in its own time; a sequence of channels at each edge of the trigger that was chosen; DMA requests, and an overrun
/// that stops them until it is cleared.
class ConverterModel : public Holding<ConverterRegisters> {
 public:
  struct Parts {
    DmaRequests& dma;
    std::uint32_t request;
    const Holding<ConverterCommonRegisters>& common;
    const ModelRegister& reset;  ///< RCC's
  };

  ConverterModel(Machine& machine, std::string name, const ConverterFamily& family, const Parts& parts,
                 ConverterRegisters<ModelRegister>* place)
      : Holding(machine, std::move(name), place), family_(family), parts_(parts) {
    Reset();
  }

  std::array<double, 20> input{};  ///< of each channel [counts]
  bool stalled = false, never_regulates = false, never_calibrates = false, never_ready = false, never_stops = false;
  bool quiet = false;                                                         ///< no noise in the last bit
  std::function<double()> clock_Hz = [] { return 170e6; };                    ///< what comes in, before the prescaler
  std::function<bool(double us)> edge_within = [](double) { return false; };  ///< of the power stage
  static constexpr std::uint32_t kTim8Trgo = 7;                               // EXTSEL, RM0440 table 163, RM0433 table 205

  /// As a loader leaves it: on, converting another channel by another trigger, six bits, left-aligned.
  void LeaveUsed() {
    auto& r = regs();
    r.isr.bits = 0x0F, r.cr.bits = 0x1000000Du, r.cfgr.bits = 0x00008518u, r.cfgr2.bits = 0x3FFu;
    r.smpr1.bits = r.smpr2.bits = 0, r.sqr[0].bits = 0x0101'0441u;
  }

  /// An edge of the trigger with this number in EXTSEL.
  void Trigger(std::uint32_t number) {
    const std::uint32_t word = regs().cfgr.bits;
    const bool chosen = (word >> 5 & 31u) == number && (word >> 10 & 3u) == 1;  // EXTEN: its rising edge
    if (stalled || !has_clock() || (regs().cr.bits & kStart) == 0 || !chosen) return;
    if (Adc_Hz() > family_.most_Hz) Violate("the converter's clock is too fast");
    CheckBoost(regs().cr.bits);
    for (unsigned place = 0; place < Count(); ++place)
      if (SamplingUs(Channel(place)) < family_.least_sampling_us) Violate("the sampling is too short");
    if ((word & ~0x0FE3u) != kNoQueue || (regs().cfgr2.bits & ~family_.known_cfgr2) != 0)
      Violate("a mode that nobody has modelled");
    if (edge_within(ScanUs())) Violate("a scan over an edge of the PWM");
    for (unsigned place = 0; place < Count(); ++place) Convert(Channel(place));
  }
  /// From the trigger on to the last of the samples [us].
  double ScanUs() const {
    double clocks = 0;
    for (unsigned place = 0; place < Count(); ++place)
      clocks += Samples() * (SamplingClocks(Channel(place)) + family_.conversion_clocks);
    return clocks / Adc_Hz() * 1e6;
  }

  void Step() override {
    if ((parts_.reset.bits >> family_.reset_bit & 1u) != 0) return Reset();
    ++age_;
    std::uint32_t& control = regs().cr.bits;
    if ((control & kRegulator) != 0 && age_ >= family_.regulator_takes && !never_regulates)
      is_regulated_ = true, regs().isr.bits |= family_.regulator_flag;
    if ((control & kCalibrate) != 0 && age_ >= family_.calibration_takes && !never_calibrates)
      control &= ~kCalibrate, is_calibrated_ = true, age_ = 0;
    else if ((control & kOn) != 0 && age_ == family_.ready_takes && !never_ready)
      regs().isr.bits |= 1u;  // ADRDY
    if ((control & kStop) != 0 && ++stopping_ > 3 && !never_stops) control &= ~(kStop | kStart), stopping_ = 0;
  }
  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
    if ((parts_.reset.bits >> family_.reset_bit & 1u) != 0) return;
    if (offset == TACTUS_AT(ConverterRegisters, isr)) return void(bits &= ~value | family_.regulator_flag);
    if (offset == TACTUS_AT(ConverterRegisters, cr)) return WriteControl(value, bits);
    if ((regs().cr.bits & kStart) != 0) Violate("set up while it converts");  // RM0440 21.4.10, RM0433 25.4.10
    bits = value;
  }

 protected:
  /// Of the converter, behind all dividers.
  virtual double Adc_Hz() const = 0;
  std::uint32_t common_word() const { return parts_.common.regs().ccr.bits; }

 private:
  static constexpr std::uint32_t kOn = 1u, kStart = 1u << 2, kStop = 1u << 4, kRegulator = 1u << 28, kDeep = 1u << 29,
                                 kCalibrate = 1u << 31;  // CR
  static constexpr std::uint32_t kSetOnly = kOn | kStart | kStop | kCalibrate, kNoQueue = 1u << 31;
  static constexpr std::uint32_t kUnread = 1u << 2, kOverrun = 1u << 4;  // ISR: EOC, OVR

  void Reset() {
    auto& r = regs();
    for (ModelRegister* one : {&r.isr, &r.ier, &r.cfgr2, &r.smpr1, &r.smpr2, &r.pcsel, &r.sqr[0], &r.dr}) one->bits = 0;
    r.cr.bits = kDeep, r.cfgr.bits = kNoQueue;
    is_regulated_ = is_calibrated_ = no_requests_ = false;
  }
  /// RM0440 21.4.6 to 21.4.11, 21.7.3: what starts something is set by software and cleared by hardware.
  void WriteControl(std::uint32_t value, std::uint32_t& bits) {
    const std::uint32_t sets = value & kSetOnly & ~bits;
    if ((value & kRegulator) != 0 && (bits & kDeep) != 0) Violate("regulator on in the deep power down");
    if ((value & kRegulator) != 0 && (bits & kRegulator) == 0) age_ = 0;
    if ((value & ~(kSetOnly | kRegulator | kDeep | family_.boost)) != 0) Violate("a mode that nobody has modelled");
    if ((value & kRegulator) == 0 && (bits & kOn) != 0) Violate("its regulator was switched off while it was on");
    if ((bits & kStart) != 0 && ((value ^ bits) & family_.boost) != 0) Violate("BOOST was changed while it converts");
    const bool is_on = (bits & kOn) != 0, is_calibrating = (bits & kCalibrate) != 0;
    if ((sets & (kCalibrate | kOn)) != 0) CheckBoost(value);
    if ((sets & kCalibrate) != 0 && (is_on || !is_regulated_)) Violate("calibrated too early, or while it is on");
    if ((sets & kOn) != 0 && (!is_calibrated_ || is_calibrating || age_ < family_.behind_calibration))
      Violate("on without a calibration, or too early behind it");
    if ((sets & kStart) != 0 && (regs().isr.bits & 1u) == 0) Violate("started before it is ready");
    if ((sets & (kCalibrate | kOn)) != 0) age_ = 0;
    if ((sets & kStart) != 0) no_requests_ = false;
    bits = (bits & kSetOnly) | sets | (value & (kRegulator | kDeep | family_.boost));
    if ((bits & kRegulator) == 0) bits = bits & kDeep, is_regulated_ = false;  // without its supply it is off
  }

  void CheckBoost(std::uint32_t control) {
    if (family_.boost != 0 && (control & family_.boost) >> 8 != Boost()) Violate("BOOST is not that of its clock");
  }
  /// RM0433 25.6.3, of revision V: to 6.25, 12.5, 25, 50 MHz.
  std::uint32_t Boost() const { return Adc_Hz() <= 6.25e6 ? 0 : Adc_Hz() <= 12.5e6 ? 1 : Adc_Hz() <= 25e6 ? 2 : 3; }
  unsigned Count() const { return (regs().sqr[0].bits & 15u) + 1; }
  std::uint32_t Channel(unsigned place) const { return regs().sqr[0].bits >> 6 * (place + 1) & 31u; }
  double SamplingClocks(std::uint32_t channel) const {
    const std::uint32_t word = channel < 10 ? regs().smpr1.bits : regs().smpr2.bits;
    return family_.sampling_clocks[word >> 3 * (channel % 10) & 7u];
  }
  double SamplingUs(std::uint32_t channel) const { return SamplingClocks(channel) / Adc_Hz() * 1e6; }
  int Samples() const { return (regs().cfgr2.bits & 1u) != 0 ? 2 << (regs().cfgr2.bits >> 2 & 7u) : 1; }
  double Input(std::uint32_t channel) const {
    const bool is_wired = !family_.needs_preselection || (regs().pcsel.bits >> channel & 1u) != 0;
    return channel < input.size() && is_wired ? std::fmin(std::fmax(input[channel], 0), family_.full_scale) : 0;
  }

  /// RM0440 21.4.26, 21.4.27, RM0433 25.4.26: a number that nobody has read when the next one comes is an overrun; the old
  /// one stays.
  void Convert(std::uint32_t channel) {
    if ((regs().isr.bits & kOverrun) != 0) return;
    if ((regs().isr.bits & kUnread) != 0) return void(regs().isr.bits |= kOverrun);
    noise_ ^= quiet ? 0u : 1u;
    regs().dr.bits = static_cast<std::uint32_t>(std::lround(Input(channel) * Samples())) ^ noise_;
    const bool asks = (regs().cfgr.bits & 1u) != 0 && !no_requests_;
    if (!asks || !parts_.dma.FromPeripheral(parts_.request, regs().dr, regs().dr.bits)) regs().isr.bits |= kUnread;
    no_requests_ = no_requests_ || (regs().cfgr.bits & 2u) == 0;  // DMACFG, DMNGT: one shot
  }

  const ConverterFamily& family_;
  Parts parts_;
  int age_ = 0, stopping_ = 0;
  std::uint32_t noise_ = 0;
  bool is_regulated_ = false, is_calibrated_ = false;
  bool no_requests_ = false;  // behind the last of a transfer, one shot, until it is started again
};

}  // namespace tactus::hal::stm32::model
