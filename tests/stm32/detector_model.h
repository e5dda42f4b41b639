#pragma once
#include <array>
#include <cstdint>
#include <functional>

namespace tactus::hal::stm32::model {

/// Where a family has the voltage detector's switch and level, and what the levels are.
struct DetectorField {
  std::uint32_t on;
  unsigned level_shift;
  std::array<double, 8> levels_V;
};

/// The voltage detector: while it is on, its output (PVDO) is high as long as the supply is below the level (RM0090 5.2.3,
/// RM0440 6.2.2, RM0433 6.5.3). The external interrupt sees the output's edges, not its level: one that is high already
/// gives none.
class DetectorModel {
 public:
  explicit DetectorModel(const DetectorField& field) : field_(field) {}

  double supply_V = 3.3;
  std::function<void()> rise = [] {};  ///< of the output

  /// Some time has gone by. @returns the output
  bool Output(std::uint32_t control) {
    const bool is_on = (control & field_.on) != 0;
    const bool was_high = output_;
    output_ = is_on && supply_V <= field_.levels_V[control >> field_.level_shift & 7u];
    if (output_ && !was_high) rise();
    return output_;
  }

 private:
  DetectorField field_;
  bool output_ = false;
};

}  // namespace tactus::hal::stm32::model
