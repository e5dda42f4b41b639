#include "host_tools/stability/print_stability.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace tactus::host {
namespace {

std::string Row(const char* what, const std::string& text) { return fmt::format("  {:<16}{}\n", what, text); }

std::string Stable(const AnalysedAxis& axis) {
  const StabilityReport& r = axis.report;
  if (r.stable.N_per_m == 0) return fmt::format("NO, at no K with this B: {}", Name(r.stable.by));
  const std::string limit =
      fmt::format("K {} {:.4g}, by {} (no hand)", r.stable.by == StabilityLimit::kNone ? "up to at least" : "below",
                  r.stable.N_per_m, Name(r.stable.by));
  return r.is_stable ? "yes; " + limit : fmt::format("NO, it grows by {:.2g} % a tick; {}", 100 * (r.growth - 1), limit);
}

double LeastDamping_Ns_per_m(const AnalysedAxis& axis) {
  return std::ranges::min(axis.axes, {}, &AxisDevice::damping_Ns_per_m).damping_Ns_per_m;
}

std::string Passive(const AnalysedAxis& axis) {
  const StabilityReport& r = axis.report;
  const std::string needs =
      std::isfinite(r.needed_damping_Ns_per_m)
          ? fmt::format("b of {:.3g} is needed, {:.3g} is there", r.needed_damping_Ns_per_m, LeastDamping_Ns_per_m(axis))
          : "H(z) itself grows";
  const std::string limit = r.passive.N_per_m > 0
                                ? fmt::format("K up to {:.4g}, by {}", r.passive.N_per_m, Name(r.passive.by))
                                : "at no K with this B";
  return fmt::format("{}: {}; {}", r.is_passive ? "yes" : "no", needs, limit);
}

std::string Hunting(const AnalysedAxis& axis) {
  if (axis.device().resolution_m == 0) return "no: no counts";
  const double edge_N = axis.coupling.stiffness_N_per_m * axis.device().resolution_m / 2;
  if (!axis.device().coulomb_N)
    return fmt::format("yes, if Coulomb friction is below K q/2 = {:.3g}; it is not known", edge_N);
  return fmt::format("{}: f_c {:.3g}, K q/2 {:.3g}; none for K up to 2 f_c/q = {:.4g}", axis.report.hunts ? "YES" : "no",
                     *axis.device().coulomb_N, edge_N, axis.report.friction_N_per_m);
}

std::string EstimateText(const AnalysedAxis& axis) {
  const AxisLoop& loop = axis.loop;
  switch (loop.estimate) {
    case Estimate::kShipped: break;
    case Estimate::kLastStep: return "the last step";
    case Estimate::kWindow: return fmt::format("mean of {} steps", loop.window);
    case Estimate::kLowPass: return fmt::format("the last step behind {:.4g} Hz", loop.cut_off_Hz);
  }
  return axis.device().resolution_m < axis.device().ideal_m ? "the loop's own: the last step, for the encoder is fine"
                                                            : "the loop's own: the observer";
}

/// Which of several directions the device's row is of.
std::string DirectionText(const AnalysedAxis& axis) {
  std::string masses;
  for (const Direction& direction : axis.directions)
    masses += fmt::format("{}{:.3g}", masses.empty() ? "" : ", ", direction.mass_kg);
  const Vec<double, 3>& e = axis.directions[static_cast<std::size_t>(axis.report.first)].along;
  return fmt::format("along ({:.2f}, {:.2f}, {:.2f}), the first to end; m {} {}: the worst of all", e.x(), e.y(), e.z(),
                     masses, axis.mass_unit);
}

nlohmann::ordered_json DirectionsJson(const AnalysedAxis& axis) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Direction& direction : axis.directions) {
    all.push_back({{"along", {direction.along.x(), direction.along.y(), direction.along.z()}},
                   {"mass", direction.mass_kg},
                   {"damping", direction.damping_Ns_per_m}});
  }
  return all;
}

nlohmann::ordered_json Number(double x) {
  return std::isfinite(x) ? nlohmann::ordered_json(x) : nlohmann::ordered_json(nullptr);
}

}  // namespace

std::string StabilityText(const AnalysedAxis& axis) {
  const AxisDevice& d = axis.device();
  const StabilityReport& r = axis.report;
  const std::string friction = d.coulomb_N ? fmt::format("{:.3g} {}", *d.coulomb_N, axis.force_unit) : "unknown";
  std::string text = fmt::format("{} [{}, {}, s]\n", axis.name, axis.force_unit, axis.length_unit);
  text += Row("device", fmt::format("m {:.4g} {}, b {:.3g}, f_c {}, q {:.3g}", d.mass_kg, axis.mass_unit, d.damping_Ns_per_m,
                                    friction, d.resolution_m));
  if (axis.directions.size() > 1) text += Row("", DirectionText(axis));
  text += Row("estimate", EstimateText(axis));
  text +=
      Row("coupling", fmt::format("K {:.4g}, B {:.4g}", axis.coupling.stiffness_N_per_m, axis.coupling.damping_Ns_per_m));
  text += Row("stable", Stable(axis));
  if (axis.loop.estimate == Estimate::kShipped) {
    text +=
        Row("", fmt::format("against a wall {:.4g}, tool free {:.4g}; within a count, if friction does not hold it, {:.4g}",
                            r.stable_moving_N_per_m, r.stable_free_N_per_m, r.stable_calm_N_per_m));
  }
  text += Row("passive", Passive(axis));
  text += Row("limit cycle", Hunting(axis));
  text += Row("closed forms",
              fmt::format("stable {:.4g}, passive {:.4g}", r.stable_closed_form_N_per_m, r.passive_closed_form_N_per_m));
  const AxisCoupling& good = axis.recommended.coupling;
  return text + Row("recommended", good.stiffness_N_per_m > 0 ? fmt::format("K {:.4g}, B {:.3g}: {}", good.stiffness_N_per_m,
                                                                            good.damping_Ns_per_m, axis.recommended.why)
                                                              : axis.recommended.why);
}

nlohmann::ordered_json StabilityJson(const AnalysedAxis& axis) {
  const StabilityReport& r = axis.report;
  return {{"axis", axis.name},
          {"units", {axis.force_unit, axis.length_unit, "s"}},
          {"mass", axis.device().mass_kg},
          {"damping", axis.device().damping_Ns_per_m},
          {"coulomb", axis.device().coulomb_N ? nlohmann::ordered_json(*axis.device().coulomb_N) : nullptr},
          {"resolution", axis.device().resolution_m},
          {"directions", DirectionsJson(axis)},
          {"period_s", axis.loop.period_s},
          {"delay_ticks", axis.loop.delay_ticks},
          {"estimate", EstimateText(axis)},
          {"stiffness", axis.coupling.stiffness_N_per_m},
          {"coupling_damping", axis.coupling.damping_Ns_per_m},
          {"is_stable", r.is_stable},
          {"growth", Number(r.growth)},
          {"stable_up_to", r.stable.N_per_m},
          {"stable_binds", Name(r.stable.by)},
          {"stable_wall", r.stable_moving_N_per_m},
          {"stable_within_a_count", r.stable_calm_N_per_m},
          {"stable_tool_free", r.stable_free_N_per_m},
          {"is_passive", r.is_passive},
          {"passive_up_to", Number(r.passive.N_per_m)},
          {"passive_binds", Name(r.passive.by)},
          {"needed_damping", Number(r.needed_damping_Ns_per_m)},
          {"friction_limit", Number(r.friction_N_per_m)},
          {"limit_cycle", axis.device().coulomb_N ? nlohmann::ordered_json(r.hunts) : nullptr},
          {"stable_closed_form", Number(r.stable_closed_form_N_per_m)},
          {"passive_closed_form", r.passive_closed_form_N_per_m},
          {"recommended_stiffness", axis.recommended.coupling.stiffness_N_per_m},
          {"recommended_damping", axis.recommended.coupling.damping_Ns_per_m},
          {"recommended_why", axis.recommended.why}};
}

}  // namespace tactus::host
