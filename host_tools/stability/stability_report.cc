// With 1 - exp(-jθ) = 2j sin(θ/2) exp(-jθ/2) and 1 - cos θ = 2 sin²(θ/2) the general condition of passivity, θ = ω T, is
//
//     b > (T/2) max Re{ j exp(-jθ(1/2 + d)) H(exp(jθ)) } / sin(θ/2)
//
// which has no cancellation at small θ. For H = K + B (1 - z⁻¹)/T and d = 0 the fraction is K - (2 B/T) cos θ, largest at
// θ = π: b > K T/2 + B.
#include "host_tools/stability/stability_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "host_tools/report/limit_cycle.h"

namespace tactus::host {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// A free tool and handle drift together: two eigenvalues at 1, and rounding takes a double one off by its square root.
constexpr double kDrift = 1e-5, kEdge = 1e-9;
// K is searched on a ladder in units of m/T², where a sampled mass on a spring ends; then between two rungs.
constexpr double kLowest = 1e-6, kHighest = 8, kRung = 1.12;
constexpr int kBisections = 30;
constexpr int kFrequencies = 400;  // a ratio of 1.02 from 1e-3 to π: the peaks of these loops are ten times wider
constexpr double kMargin = 2;      // of the gain: half of what would oscillate

struct Range {
  const char* name;
  double value, lowest, highest;
};

/// @returns what is wrong, or "". NaN is below every bound.
std::string Refusal(const AxisDevice& device, const AxisLoop& loop, const AxisCoupling& coupling) {
  const Range ranges[] = {{"mass_kg", device.mass_kg, 1e-9, 1e3},
                          {"damping_Ns_per_m", device.damping_Ns_per_m, 0, 1e4},
                          {"coulomb_N", device.coulomb_N.value_or(0), 0, 1e3},
                          {"resolution_m", device.resolution_m, 0, 1},
                          {"period_s", loop.period_s, 1e-5, 0.1},
                          {"delay_ticks", loop.delay_ticks, 0, 20},
                          {"declared_delay_ticks", static_cast<double>(loop.declared_delay_ticks), 0, 20},
                          {"window", static_cast<double>(loop.window), 1, 60},
                          {"cut_off_Hz", loop.cut_off_Hz, 1e-3, 1e6},
                          {"declared_mass", loop.declared_mass, 0, 1e3},
                          {"tool_mass_kg", loop.tool_mass_kg, 1e-9, 1e3},
                          {"coupling.stiffness", coupling.stiffness_N_per_m, 0, 1e7},
                          {"coupling.damping", coupling.damping_Ns_per_m, 0, 1e4}};
  for (const Range& range : ranges) {
    if (!(range.value >= range.lowest))
      return fmt::format("{} must be at least {}, is {:.3g}", range.name, range.lowest, range.value);
    if (!(range.value <= range.highest))
      return fmt::format("{} must be at most {}, is {:.3g}", range.name, range.highest, range.value);
  }
  return "";
}

/// The largest K of a ladder that begins at `lowest` up to which `holds`, refined. 0: not even the first rung.
template <class Holds>
double LargestThatHolds(double lowest, double highest, const Holds& holds) {
  double good = 0, bad = lowest;
  while (holds(bad)) {
    good = bad;
    if (bad >= highest) return good;
    bad = std::min(kRung * bad, highest);
  }
  if (good == 0) return 0;
  for (int i = 0; i < kBisections; ++i) {
    const double middle = std::sqrt(good * bad);
    (holds(middle) ? good : bad) = middle;
  }
  return good;
}

double Unit(const AxisDevice& device, const AxisLoop& loop) { return device.mass_kg / (loop.period_s * loop.period_s); }

/// Largest |z|, less what a free drift may be off.
double Growth(const AxisDevice& device, const AxisLoop& loop, const AxisCoupling& coupling, Regime regime, int substeps) {
  const double slack = regime == Regime::kFree ? kDrift : kEdge;
  return SpectralRadius(ClosedLoop(DevicePlant(device, loop, substeps), CouplingFilter(device, loop, coupling, regime))) -
         slack;
}

double Friction_N_per_m(const AxisDevice& device) {
  if (device.resolution_m == 0) return kInfinity;
  if (!device.coulomb_N) return std::numeric_limits<double>::quiet_NaN();
  return 2 * *device.coulomb_N / device.resolution_m;
}

double LargestGrowth(const AxisDevice& device, const AxisLoop& loop, const AxisCoupling& coupling) {
  double growth = 0;
  for (const Regime regime : {Regime::kMoving, Regime::kCalm, Regime::kFree}) {
    if (loop.estimate != Estimate::kShipped && regime != Regime::kMoving) continue;  // the others are plain walls
    if (regime == Regime::kCalm && coupling.stiffness_N_per_m <= Friction_N_per_m(device)) continue;  // NaN: it counts
    growth = std::max(growth, Growth(device, loop, coupling, regime, 0));
  }
  return growth;
}

double LargestPassive_N_per_m(const AxisDevice& device, const AxisLoop& loop, double damping_Ns_per_m) {
  const double unit = Unit(device, loop);
  return LargestThatHolds(kLowest * unit, kHighest * unit, [&](double k) {
    const DiscreteFilter H =
        CouplingFilter(device, loop, {.stiffness_N_per_m = k, .damping_Ns_per_m = damping_Ns_per_m}, Regime::kMoving);
    return NeededDamping_Ns_per_m(H, loop.period_s, loop.delay_ticks) < device.damping_Ns_per_m;
  });
}

template <class Of>
double Least(const std::vector<AxisDevice>& axes, const Of& of) {
  double least = kInfinity;
  for (const AxisDevice& axis : axes) least = std::min(least, of(axis));
  return least;
}

LargestStiffness Smallest(std::initializer_list<LargestStiffness> all) {
  return *std::min_element(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.N_per_m < b.N_per_m; });
}

/// All that depends on B alone.
void FindLimits(const AxisDevice& device, const AxisLoop& loop, double damping_Ns_per_m, StabilityReport* report) {
  const bool shipped = loop.estimate == Estimate::kShipped;
  report->stable_moving_N_per_m = LargestStable_N_per_m(device, loop, damping_Ns_per_m, Regime::kMoving);
  report->stable_calm_N_per_m =
      shipped ? LargestStable_N_per_m(device, loop, damping_Ns_per_m, Regime::kCalm) : report->stable_moving_N_per_m;
  report->stable_free_N_per_m =
      shipped ? LargestStable_N_per_m(device, loop, damping_Ns_per_m, Regime::kFree) : report->stable_moving_N_per_m;
  report->friction_N_per_m = Friction_N_per_m(device);
  const double calm_N_per_m =
      device.coulomb_N ? std::max(report->stable_calm_N_per_m, report->friction_N_per_m) : report->stable_calm_N_per_m;
  report->stable = Smallest({{report->stable_moving_N_per_m, StabilityLimit::kMovingPole},
                             {calm_N_per_m, StabilityLimit::kCalmPole},
                             {report->stable_free_N_per_m, StabilityLimit::kFreePole}});
  if (report->stable.N_per_m >= kHighest * Unit(device, loop)) report->stable.by = StabilityLimit::kNone;
  const LargestStiffness by_device = {LargestPassive_N_per_m(device, loop, damping_Ns_per_m), StabilityLimit::kDevice};
  report->passive = report->friction_N_per_m < by_device.N_per_m
                        ? LargestStiffness{report->friction_N_per_m, StabilityLimit::kFriction}
                        : by_device;
  const double hold_s = (0.5 + loop.delay_ticks) * loop.period_s, ahead_s = shipped ? loop.period_s : 0;
  report->stable_closed_form_N_per_m =
      hold_s > ahead_s ? (device.damping_Ns_per_m + damping_Ns_per_m) / (hold_s - ahead_s) : kInfinity;
  report->passive_closed_form_N_per_m = std::max(0.0, device.damping_Ns_per_m - damping_Ns_per_m) / (hold_s + ahead_s);
}

/// In every regime, whatever friction holds: what is recommended does not hunt either.
double Calm_N_per_m(const AxisDevice& device, const AxisLoop& loop, double damping_Ns_per_m) {
  double stable = kInfinity;
  for (const Regime regime : {Regime::kMoving, Regime::kCalm, Regime::kFree}) {
    if (loop.estimate != Estimate::kShipped && regime != Regime::kMoving) continue;
    stable = std::min(stable, LargestStable_N_per_m(device, loop, damping_Ns_per_m, regime));
  }
  return stable;
}

StabilityReport AnalyseOne(const AxisDevice& device, const AxisLoop& loop, const AxisCoupling& coupling) {
  StabilityReport report;
  report.refusal = Refusal(device, loop, coupling);
  if (!report.refusal.empty()) return report;
  FindLimits(device, loop, coupling.damping_Ns_per_m, &report);
  report.growth = LargestGrowth(device, loop, coupling);
  report.is_stable = report.growth < 1;
  const DiscreteFilter H = CouplingFilter(device, loop, coupling, Regime::kMoving);
  report.needed_damping_Ns_per_m = NeededDamping_Ns_per_m(H, loop.period_s, loop.delay_ticks);
  report.is_passive =
      report.needed_damping_Ns_per_m < device.damping_Ns_per_m && !(coupling.stiffness_N_per_m > report.friction_N_per_m);
  report.hunts =
      device.coulomb_N && FindLimitCycle(coupling.stiffness_N_per_m, device.resolution_m, *device.coulomb_N).appears();
  return report;
}

/// What holds on both. An unknown friction is unknown on all.
void TakeWorse(const StabilityReport& other, StabilityReport* worst) {
  const auto lower = [](double x, double* least) { *least = std::min(*least, x); };
  worst->stable = Smallest({worst->stable, other.stable});
  lower(other.stable_moving_N_per_m, &worst->stable_moving_N_per_m);
  lower(other.stable_calm_N_per_m, &worst->stable_calm_N_per_m);
  lower(other.stable_free_N_per_m, &worst->stable_free_N_per_m);
  worst->growth = std::max(worst->growth, other.growth);
  worst->passive = Smallest({worst->passive, other.passive});
  worst->needed_damping_Ns_per_m = std::max(worst->needed_damping_Ns_per_m, other.needed_damping_Ns_per_m);
  lower(other.stable_closed_form_N_per_m, &worst->stable_closed_form_N_per_m);
  lower(other.passive_closed_form_N_per_m, &worst->passive_closed_form_N_per_m);
  lower(other.friction_N_per_m, &worst->friction_N_per_m);
  worst->is_stable = worst->is_stable && other.is_stable;
  worst->is_passive = worst->is_passive && other.is_passive;
  worst->hunts = worst->hunts || other.hunts;
}

}  // namespace

const char* Name(StabilityLimit limit) {
  switch (limit) {
    case StabilityLimit::kNone: return "nothing that was searched";
    case StabilityLimit::kMovingPole: return "the loop against a wall";
    case StabilityLimit::kCalmPole: return "the loop against a wall, within a count";
    case StabilityLimit::kFreePole: return "the loop with the tool free";
    case StabilityLimit::kDevice: return "the device's damping";
    case StabilityLimit::kFriction: return "Coulomb friction against a count";
  }
  return "";
}

double LargestStable_N_per_m(const AxisDevice& device, const AxisLoop& loop, double damping_Ns_per_m, Regime regime,
                             int substeps) {
  const double unit = Unit(device, loop);
  return LargestThatHolds(kLowest * unit, kHighest * unit, [&](double k) {
    const AxisCoupling coupling{.stiffness_N_per_m = k, .damping_Ns_per_m = damping_Ns_per_m};
    return Growth(device, loop, coupling, regime, substeps) < 1;
  });
}

double NeededDamping_Ns_per_m(const DiscreteFilter& H, double period_s, double delay_ticks) {
  if (!(SpectralRadius(H.A) < 1)) return kInfinity;
  constexpr double kSlowest_rad = 1e-3;
  double most = -kInfinity;
  for (int i = 0; i <= kFrequencies; ++i) {
    const double theta = kSlowest_rad * std::pow(std::numbers::pi / kSlowest_rad, static_cast<double>(i) / kFrequencies);
    const std::complex<double> held = std::complex<double>(0, 1) * std::polar(1.0, -theta * (0.5 + delay_ticks));
    most = std::max(most, (held * Response(H, theta)).real() / std::sin(theta / 2));
  }
  return period_s / 2 * most;
}

// B: the smallest of a ladder that gives 95 % of the best K, for the damper multiplies the estimate's noise.
Recommendation Recommend(const std::vector<AxisDevice>& axes, const AxisLoop& loop, double highest_N_per_m) {
  constexpr double kEnough = 0.95;
  const double unit_Ns_per_m = Least(axes, [](const AxisDevice& axis) { return axis.mass_kg; }) / loop.period_s;
  const double friction_N_per_m = Least(axes, Friction_N_per_m);
  const double most = std::min(highest_N_per_m, friction_N_per_m);
  AxisLoop one_late = loop;
  one_late.delay_ticks += 1;
  std::vector<AxisCoupling> ladder;
  for (double beta = 1e-3; beta < 1; beta *= 1.25) {
    const double B = beta * unit_Ns_per_m;
    const double half = Least(axes, [&](const AxisDevice& axis) { return Calm_N_per_m(axis, loop, B); }) / kMargin;
    const double late =
        Least(axes, [&](const AxisDevice& axis) { return LargestStable_N_per_m(axis, one_late, B, Regime::kMoving); });
    ladder.push_back({.stiffness_N_per_m = std::min({half, late, most}), .damping_Ns_per_m = B});
  }
  double best = 0;
  for (const AxisCoupling& rung : ladder) best = std::max(best, rung.stiffness_N_per_m);
  for (const AxisCoupling& rung : ladder) {
    if (rung.stiffness_N_per_m < kEnough * best) continue;
    const char* const why = rung.stiffness_N_per_m < most ? "half of the largest stable K, and stable one period late"
                            : most == friction_N_per_m    ? "more hunts at the edge of a count, K = 2 f_c/q"
                                                          : "the most that a Config takes";
    return {.coupling = rung, .why = fmt::format("{}; the least damping that allows it", why)};
  }
  return {.coupling = {}, .why = "no stiffness is stable"};
}

bool IsStable(const std::vector<AxisDevice>& axes, const AxisLoop& loop, const AxisCoupling& coupling) {
  return std::ranges::all_of(axes, [&](const AxisDevice& axis) {
    return Refusal(axis, loop, coupling).empty() && LargestGrowth(axis, loop, coupling) < 1;
  });
}

StabilityReport Analyse(const std::vector<AxisDevice>& axes, const AxisLoop& loop, const AxisCoupling& coupling) {
  StabilityReport worst;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const StabilityReport report = AnalyseOne(axes[i], loop, coupling);
    if (!report.refusal.empty()) return report;
    if (i == 0) {
      worst = report;
      continue;
    }
    if (report.stable.N_per_m < worst.stable.N_per_m) worst.first = static_cast<int>(i);
    TakeWorse(report, &worst);
  }
  return worst;
}

std::vector<ZWidthPoint> ZWidth(const std::vector<AxisDevice>& axes, const AxisLoop& loop, double largest_damping_Ns_per_m,
                                int points) {
  std::vector<ZWidthPoint> width;
  for (int i = 0; i < points; ++i) {
    ZWidthPoint point{.damping_Ns_per_m = largest_damping_Ns_per_m * i / (points - 1),
                      .stable_N_per_m = kInfinity,
                      .passive_N_per_m = kInfinity};
    for (const AxisDevice& axis : axes) {
      StabilityReport report;
      FindLimits(axis, loop, point.damping_Ns_per_m, &report);
      point.stable_N_per_m = std::min(point.stable_N_per_m, report.stable.N_per_m);
      point.passive_N_per_m = std::min(point.passive_N_per_m, report.passive.N_per_m);
    }
    width.push_back(point);
  }
  return width;
}

}  // namespace tactus::host
