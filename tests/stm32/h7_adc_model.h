#pragma once
#include "tests/stm32/converter_model.h"

namespace tactus::hal::stm32::model {

/// 10 us of the regulator, 1280 clocks of 30 MHz for a calibration, 4 behind it, at a core of 480 MHz; 50 MHz at the most
/// (DS12110, ADC characteristics). Half a microsecond is what the F405's board gives its amplifiers.
inline constexpr ConverterFamily kH7Converter{.reset_bit = 5,
                                              .regulator_takes = 1200,
                                              .calibration_takes = 5120,
                                              .behind_calibration = 16,
                                              .ready_takes = 120,
                                              .regulator_flag = 1u << 12,
                                              .boost = 3u << 8,
                                              .sampling_clocks = {1.5, 2.5, 8.5, 16.5, 32.5, 64.5, 387.5, 810.5},
                                              .conversion_clocks = 8.5,  // of 16 bits
                                              .full_scale = 65535,
                                              .known_cfgr2 = 0,
                                              .needs_preselection = true,
                                              .most_Hz = 50e6,
                                              .least_sampling_us = 0.7};

/// ADC1 of the STM32H743, clocked by its bus (RM0433 25.4.3), which revision V halves.
class H7AdcModel : public ConverterModel {
 public:
  H7AdcModel(Machine& machine, const Parts& parts, ConverterRegisters<ModelRegister>* place = nullptr)
      : ConverterModel(machine, "ADC1", kH7Converter, parts, place) {
    clock_Hz = [] { return 240e6; };
  }

 private:
  double Adc_Hz() const override {
    const std::uint32_t word = common_word(), mode = word >> 16 & 3u;  // CKMODE
    if ((word & ~(3u << 16)) != 0 || mode == 0) return 1e9;            // dual, or asynchronous: nobody has modelled that
    return clock_Hz() / (1u << (mode - 1)) / 2;
  }
};

}  // namespace tactus::hal::stm32::model
