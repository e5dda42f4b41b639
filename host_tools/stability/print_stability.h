#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "host_tools/stability/device_model.h"

namespace tactus::host {

/// One axis, its loop and what was found out.
struct AnalysedAxis {
  const char* name;         ///< "translation"
  const char* force_unit;   ///< "N" or "N·m"
  const char* length_unit;  ///< "m" or "rad"
  const char* mass_unit;
  std::vector<AxisDevice> axes;       ///< that the report is of
  std::vector<Direction> directions;  ///< of `axes`; empty: one stands for all
  AxisLoop loop;
  AxisCoupling coupling;
  StabilityReport report;
  Recommendation recommended;

  /// The first to end as K grows.
  const AxisDevice& device() const { return axes[static_cast<std::size_t>(report.first)]; }
};

/// A dozen lines for a person.
std::string StabilityText(const AnalysedAxis& axis);
/// The same for a program; what is not finite is null.
nlohmann::ordered_json StabilityJson(const AnalysedAxis& axis);

}  // namespace tactus::host
