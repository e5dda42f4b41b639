#pragma once
#include <array>
#include <cmath>

#include "hal/stm32/g4/registers.h"
#include "tests/stm32/converter_model.h"

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

/// 20 us of the regulator, 116 clocks of 21.25 MHz for a calibration, 4 behind it; 26 MHz with all converters at work, and
/// an amplifier's output wants 0.4 us (DS12589, ADC and OPAMP characteristics).
inline constexpr ConverterFamily kG4Converter{.reset_bit = 13,
                                              .regulator_takes = 850,
                                              .calibration_takes = 232,
                                              .behind_calibration = 8,
                                              .ready_takes = 40,
                                              .regulator_flag = 0,
                                              .boost = 0,
                                              .sampling_clocks = {2.5, 6.5, 12.5, 24.5, 47.5, 92.5, 247.5, 640.5},
                                              .conversion_clocks = 12.5,
                                              .full_scale = 4095,
                                              .known_cfgr2 = 0x1D,  // oversampling
                                              .needs_preselection = false,
                                              .most_Hz = 26e6,
                                              .least_sampling_us = 0.4};

class G4AdcModel : public ConverterModel {
 public:
  G4AdcModel(Machine& machine, std::string name, const Parts& parts, ConverterRegisters<ModelRegister>* place = nullptr)
      : ConverterModel(machine, std::move(name), kG4Converter, parts, place) {}

 private:
  double Adc_Hz() const override {
    constexpr std::array<double, 12> kDivider{1, 2, 4, 6, 8, 10, 12, 16, 32, 64, 128, 256};  // PRESC
    const std::uint32_t word = common_word();
    if ((word & 0xFFFFu) != 0 || (word >> 16 & 3u) != 0) return 1e9;  // dual, or by the bus: nobody has modelled that
    return clock_Hz() / kDivider[(word >> 18 & 15u) % 12];
  }
};

}  // namespace tactus::hal::stm32::model
