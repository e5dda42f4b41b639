#include "host_tools/rig/print_identification.h"

#include <fmt/core.h>

#include <cmath>

#include <nlohmann/json.hpp>
#include <vector>

namespace tactus::host {
namespace {

constexpr const char* kAxes[] = {"x", "y", "z"};

struct Line {
  const char *key, *what, *unit;
  double scale;
  Estimated found;
  double known;
};

std::vector<Line> LinesOf(const IdentifiedAxis& axis, const KnownAxis& known) {
  return {{"mass_kg", "mass", "kg", 1, axis.fit.mass_kg, known.mass_kg},
          {"damping_Ns_per_m", "damping", "N s/m", 1, axis.fit.damping_Ns_per_m, known.damping_Ns_per_m},
          {"coulomb_N", "friction", "N", 1, axis.fit.coulomb_N, known.coulomb_N},
          {"resolution_m", "count", "um", 1e6, axis.resolution_m, known.resolution_m},
          {"delay_s", "delay", "ms", 1e3, axis.fit.delay_s, known.delay_s},
          {"stiffness_N_per_m", "spring", "N/m", 1, axis.fit.stiffness_N_per_m, known.stiffness_N_per_m}};
}

bool IsTold(const Line& line) { return line.found.half >= 0 && line.found.value > line.found.half; }

/// A number is said only where its interval leaves zero out; of what may be zero, the bound. None of them is negative: one
/// that was found below zero is off by as much, and its interval too small.
std::string ValueText(const Line& line) {
  if (line.found.half < 0) return "not seen: it did not move by counts";
  const double value = line.found.value * line.scale, half = line.found.half * line.scale;
  if (IsTold(line)) return fmt::format("{:9.4g} +- {:.2g} {}", value, half, line.unit);
  return fmt::format("not seen: below {:.2g} {}", std::abs(value) + half, line.unit);
}

}  // namespace

std::string IdentificationText(const std::string& device, const Identification& found,
                               const std::optional<std::array<KnownAxis, 3>>& known) {
  std::string text = fmt::format("{}, at the handle where it was armed; 95 % intervals; docs/identify.md\n", device);
  for (std::size_t i = 0; i < 3; ++i) {
    const IdentifiedAxis& axis = found.axis[i];
    if (!axis.refusal.empty()) {
      text += fmt::format("{}  {}\n", kAxes[i], axis.refusal);
      continue;
    }
    const KnownAxis should = known ? (*known)[i] : KnownAxis{};
    for (const Line& line : LinesOf(axis, should)) {
      text += fmt::format("{}  {:<9}{:<32}", kAxes[i], line.what, ValueText(line));
      if (known && line.known > 0 && !IsTold(line)) text += fmt::format(" simulated {:.4g}", line.known * line.scale);
      if (known && line.known > 0 && IsTold(line))
        text += fmt::format(" simulated {:.4g}, off {:+.1f} %", line.known * line.scale,
                            100 * (line.found.value / line.known - 1));
      while (text.back() == ' ') text.pop_back();
      text += "\n";
    }
    text += fmt::format("{}  moved by {:.1f} mm with {:.2g} Hz, at most {:.1f} mm across\n", kAxes[i],
                        1e3 * axis.excitation.amplitude_m, axis.excitation.main_Hz, 1e3 * axis.across_m);
  }
  text += fmt::format("went {:.1f} mm at most, {:.2f} m/s, {:.2f} N\n", 1e3 * found.farthest_m, found.fastest_mps,
                      found.largest_N);
  if (!found.fault.empty()) text += fmt::format("STOPPED: {}\n", found.fault);
  return text;
}

std::string IdentificationJson(const std::string& device, const Identification& found,
                               const std::optional<std::array<KnownAxis, 3>>& known) {
  nlohmann::ordered_json json = {{"format", "tactus.identification/1"}, {"device", device}, {"fault", found.fault}};
  for (std::size_t i = 0; i < 3; ++i) {
    const IdentifiedAxis& axis = found.axis[i];
    nlohmann::ordered_json one = {{"axis", kAxes[i]}};
    if (!axis.refusal.empty()) {
      one["refusal"] = axis.refusal;
    } else {
      for (const Line& line : LinesOf(axis, known ? (*known)[i] : KnownAxis{})) {
        if (line.found.half < 0) continue;
        one[line.key] = {{"value", line.found.value}, {"half_95", line.found.half}};
        if (known) one[line.key]["simulated"] = line.known;
      }
      one["residual_N"] = axis.fit.residual_N;
      one["main_Hz"] = axis.excitation.main_Hz;
      one["across_m"] = axis.across_m;
      one["amplitude_m"] = axis.excitation.amplitude_m;
    }
    json["axes"].push_back(one);
  }
  json["farthest_m"] = found.farthest_m;
  json["fastest_mps"] = found.fastest_mps;
  json["largest_N"] = found.largest_N;
  return json.dump(1);
}

}  // namespace tactus::host
