#pragma once
#include <array>
#include <cmath>

#include "tests/stm32/g4_dma_model.h"

namespace tactus::hal::stm32::model {

/// What OPAMP1 to 3 make of their inputs VINP0, RM0440 25: of gain 16 with the foot of the ladder on VINM0, as ST wires it
/// on a B-G431B-ESC1; in any other mode nothing.
class AmplifierModel : public Holding<g4::AmplifierRegisters> {
 public:
  explicit AmplifierModel(Machine& machine, g4::AmplifierRegisters<ModelRegister>* place = nullptr)
      : Holding(machine, "OPAMP", place) {
    for (auto& csr : regs().csr) csr.bits = kTrimmed;
  }
  /// As a loader leaves them: followers, calibrated by hand.
  void LeaveUsed() {
    for (auto& csr : regs().csr) csr.bits = kTrimmed | 0x000434FEu;
  }

  bool locked = false;  ///< LOCK: until the next reset nothing is taken

  /// [V] of the supply of 3.3 V.
  double Output_V(int number, double input_V) const {
    constexpr std::uint32_t kWord = 0x0002C041u;  // OPAEN; VP_SEL 0: VINP0; VM_SEL 2: the ladder; PGA_GAIN 01011
    const bool is_set_up = has_clock() && (regs().csr[number].bits & ~kTrim) == kWord;
    return is_set_up ? std::fmin(std::fmax(16 * input_V, 0), 3.3) : 0;
  }

  void Write(std::size_t, std::uint32_t value, std::uint32_t& bits) override {
    if (((value ^ bits) & kTrim) != 0) Violate("the factory's trimming was overwritten");
    if (!locked) bits = value;
  }

 private:
  static constexpr std::uint32_t kTrim = 0x1FF80000u, kTrimmed = 0x0F780000u;  // TRIMOFFSETN, TRIMOFFSETP
};

/// A shunt of 3 mohm below a half-bridge of the B-G431B-ESC1, and the resistors before its amplifier: 1.5 kohm from the
/// shunt, 2.2 kohm to ground, 22 kohm to 3.3 V; with the gain of 16 that is 64/7. @returns [V] at VINP0
inline double ShuntInput_V(double to_ground_A) {
  return (to_ground_A * 0.003 / 1500 + 3.3 / 22'000) / (1 / 1500.0 + 1 / 2200.0 + 1 / 22'000.0);
}

/// One converter of the STM32G4, RM0440 21: from its deep power down by regulator and calibration to ready, each in its own
/// time; a sequence of one channel at each edge of the trigger that was chosen, oversampled; DMA requests, and an overrun
/// that stops them until it is cleared. An access to a register takes four clocks of the core at the least.
class G4AdcModel : public Holding<g4::AdcRegisters> {
 public:
  struct Parts {
    G4DmaModel& dma;
    std::uint32_t request;
    const Holding<g4::AdcCommonRegisters>& common;
    const ModelRegister& reset;  ///< RCC_AHB2RSTR
  };

  G4AdcModel(Machine& machine, std::string name, const Parts& parts, g4::AdcRegisters<ModelRegister>* place = nullptr)
      : Holding(machine, std::move(name), place), parts_(parts) {
    Reset();
  }

  std::array<double, 19> input{};  ///< of each channel [counts]
  bool stalled = false, never_calibrates = false, never_ready = false, never_stops = false;
  bool quiet = false;                                       ///< no noise in the last bit
  std::function<double()> clock_Hz = [] { return 170e6; };  ///< what comes in, before the prescaler
  static constexpr std::uint32_t kTim8Trgo = 7;             // EXTSEL, RM0440 table 163

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
    if (Adc_Hz() > 26e6) Violate("the converter's clock is above 26 MHz");  // DS12589: all converters at work
    if (SamplingUs() < 0.4) Violate("the sampling is too short for an amplifier's output");  // DS12589, OPAMP
    if ((word & ~0x0FE3u) != kNoQueue || (regs().cfgr2.bits & ~0x1Du) != 0) Violate("a mode that nobody has modelled");
    Convert();
  }
  /// From the trigger on to the last of the samples [us].
  double ScanUs() const { return Samples() * (SamplingClocks() + 12.5) / Adc_Hz() * 1e6; }

  void Step() override {
    if ((parts_.reset.bits >> 13 & 1u) != 0) return Reset();  // ADC12RST
    ++age_;
    std::uint32_t& control = regs().cr.bits;
    if ((control & kCalibrate) != 0 && age_ >= kCalibrationTakes && !never_calibrates)
      control &= ~kCalibrate, is_calibrated_ = true, age_ = 0;
    else if ((control & kOn) != 0 && age_ == kReadyTakes && !never_ready)
      regs().isr.bits |= 1u;  // ADRDY
    if ((control & kStop) != 0 && ++stopping_ > 3 && !never_stops) control &= ~(kStop | kStart), stopping_ = 0;
  }
  void Write(std::size_t offset, std::uint32_t value, std::uint32_t& bits) override {
    if ((parts_.reset.bits >> 13 & 1u) != 0) return;
    if (offset == TACTUS_AT(g4::AdcRegisters, isr)) return void(bits &= ~value);
    if (offset == TACTUS_AT(g4::AdcRegisters, cr)) return WriteControl(value, bits);
    if ((regs().cr.bits & kStart) != 0) Violate("set up while it converts");  // RM0440 21.4.10
    bits = value;
  }

 private:
  static constexpr std::uint32_t kOn = 1u, kStart = 1u << 2, kStop = 1u << 4, kRegulator = 1u << 28, kDeep = 1u << 29,
                                 kCalibrate = 1u << 31;  // CR
  static constexpr std::uint32_t kSetOnly = kOn | kStart | kStop | kCalibrate, kNoQueue = 1u << 31;
  static constexpr std::uint32_t kUnread = 1u << 2, kOverrun = 1u << 4;  // ISR: EOC, OVR
  // Accesses: 116 clocks of 21.25 MHz for a calibration, 4 behind it, 20 us of the regulator at 170 MHz.
  static constexpr int kCalibrationTakes = 232, kBehindCalibration = 8, kReadyTakes = 40, kRegulatorTakes = 850;

  void Reset() {
    auto& r = regs();
    for (ModelRegister* one : {&r.isr, &r.ier, &r.cfgr2, &r.smpr1, &r.smpr2, &r.sqr[0], &r.dr}) one->bits = 0;
    r.cr.bits = kDeep, r.cfgr.bits = kNoQueue;
    is_calibrated_ = no_requests_ = false;
  }
  /// RM0440 21.4.6 to 21.4.11, 21.7.3: what starts something is set by software and cleared by hardware.
  void WriteControl(std::uint32_t value, std::uint32_t& bits) {
    const std::uint32_t sets = value & kSetOnly & ~bits;
    if ((value & kRegulator) != 0 && (bits & kDeep) != 0) Violate("regulator on in the deep power down");
    if ((value & kRegulator) != 0 && (bits & kRegulator) == 0) age_ = 0;
    if ((value & ~(kSetOnly | kRegulator | kDeep)) != 0) Violate("a mode that nobody has modelled");
    if ((value & kRegulator) == 0 && (bits & kOn) != 0) Violate("its regulator was switched off while it was on");
    const bool is_on = (bits & kOn) != 0, is_calibrating = (bits & kCalibrate) != 0;
    if ((sets & kCalibrate) != 0 && (is_on || age_ < kRegulatorTakes)) Violate("calibrated too early, or while it is on");
    if ((sets & kOn) != 0 && (!is_calibrated_ || is_calibrating || age_ < kBehindCalibration))
      Violate("on without a calibration, or too early behind it");
    if ((sets & kStart) != 0 && (regs().isr.bits & 1u) == 0) Violate("started before it is ready");
    if ((sets & (kCalibrate | kOn)) != 0) age_ = 0;
    if ((sets & kStart) != 0) no_requests_ = false;
    bits = (bits & kSetOnly) | sets | (value & (kRegulator | kDeep));
    if ((bits & kRegulator) == 0) bits = bits & kDeep;  // without its supply it is off
  }

  double Adc_Hz() const {
    constexpr std::array<double, 12> kDivider{1, 2, 4, 6, 8, 10, 12, 16, 32, 64, 128, 256};  // PRESC
    const std::uint32_t word = parts_.common.regs().ccr.bits;
    if ((word & 0xFFFFu) != 0 || (word >> 16 & 3u) != 0) return 1e9;  // dual, or by the bus: nobody has modelled that
    return clock_Hz() / kDivider[(word >> 18 & 15u) % 12];
  }
  std::uint32_t Channel() const { return regs().sqr[0].bits >> 6 & 31u; }
  double SamplingClocks() const {
    constexpr std::array<double, 8> kClocks{2.5, 6.5, 12.5, 24.5, 47.5, 92.5, 247.5, 640.5};  // RM0440 21.7.6
    return kClocks[Channel() < 10 ? regs().smpr1.bits >> 3 * Channel() & 7u : 0];
  }
  double SamplingUs() const { return SamplingClocks() / Adc_Hz() * 1e6; }
  int Samples() const { return (regs().cfgr2.bits & 1u) != 0 ? 2 << (regs().cfgr2.bits >> 2 & 7u) : 1; }

  /// RM0440 21.4.26, 21.4.27: a number that nobody has read when the next one comes is an overrun; the old one stays.
  void Convert() {
    if ((regs().isr.bits & kOverrun) != 0) return;
    if ((regs().isr.bits & kUnread) != 0) return void(regs().isr.bits |= kOverrun);
    noise_ ^= quiet ? 0u : 1u;
    regs().dr.bits = static_cast<std::uint32_t>(std::lround(input[Channel() % 19] * Samples())) ^ noise_;
    const bool asks = (regs().cfgr.bits & 1u) != 0 && !no_requests_;
    if (!asks || !parts_.dma.FromPeripheral(parts_.request, regs().dr, regs().dr.bits)) regs().isr.bits |= kUnread;
    no_requests_ = no_requests_ || (regs().cfgr.bits & 2u) == 0;  // DMACFG: one shot
  }

  Parts parts_;
  int age_ = 0, stopping_ = 0;
  std::uint32_t noise_ = 0;
  bool is_calibrated_ = false;
  bool no_requests_ = false;  // behind the last of a transfer, without DMACFG, until it is started again
};

}  // namespace tactus::hal::stm32::model
