// A blow of speed v makes a swing of v/ω with ω² = K/m; its force is K v/ω = v √(K m). So v = press/4 / √(K m).
#include "bench/feel/z_width.h"

#include <algorithm>
#include <cmath>

#include "host_tools/stability/device_model.h"
#include "host_tools/stability/stability_report.h"

namespace tactus::bench::feel {
namespace {

constexpr double kX_m = 0.045, kY_m = 0.005;  // on the plate, away from the hole
constexpr double kSpring_m = 5;               // a spring so long pulls with a constant force
constexpr double kMove_s = 0.5, kRest_s = 0.2;
constexpr double kShare = 0.25;   // of the press
constexpr double kAtRest = 0.25;  // of a count, rms: friction has stopped it; a limit cycle of one count has 0.35 and more

double Spread_m(const std::vector<double>& z_m, std::size_t from, std::size_t count) {
  double mean = 0, square = 0;
  for (std::size_t i = from; i < from + count; ++i) mean += z_m[i] / static_cast<double>(count);
  for (std::size_t i = from; i < from + count; ++i) square += (z_m[i] - mean) * (z_m[i] - mean);
  return std::sqrt(square / static_cast<double>(count));
}

}  // namespace

bool SwingDecays(Loop* loop, double period_s, const Swing& swing, const std::function<void()>& kick) {
  std::vector<double> z_m;
  const auto pass = [&](double duration_s) {
    for (int i = 0; i < Ticks(duration_s, period_s); ++i) {
      const Period period = loop->Step();
      if (period.answer.faulted) return false;
      z_m.push_back(period.p_WH_m.z());
    }
    return true;
  };
  if (!pass(swing.wait_s)) return false;
  const auto window = static_cast<std::size_t>(Ticks(swing.window_s, period_s));
  const double before_m = Spread_m(z_m, z_m.size() - window, window);
  kick();
  z_m.clear();
  if (!pass(swing.watched_s) || before_m > swing.size_m) return false;
  const double late_m = Spread_m(z_m, z_m.size() - window, window);
  return late_m < Spread_m(z_m, window / 5, window) || late_m < swing.at_rest_m;
}

double LargestThatDecays(const std::function<bool(double)>& decays, double low_N_per_m, double high_N_per_m) {
  if (!decays(low_N_per_m)) return 0;
  if (decays(high_N_per_m)) return high_N_per_m;
  while (high_N_per_m > 1.005 * low_N_per_m) {
    const double middle = std::sqrt(low_N_per_m * high_N_per_m);
    (decays(middle) ? low_N_per_m : high_N_per_m) = middle;
  }
  return low_N_per_m;
}

bool Decays(const Blow& blow) {
  const double K = blow.setup.stiffness_N_per_m, m = blow.setup.device.mass_kg;
  hal::HandParameters hand = hal::NoHand();
  hand.stiffness_N_per_m.value = blow.press_N / kSpring_m;
  const Vec3 start_m(kX_m, kY_m, RestHeight_m());
  SimHandle handle(blow.setup.device, hand, {start_m, start_m - Vec3(0, 0, kSpring_m), kMove_s}, 1, blow.setup.period_us);
  Config<double> config = ConfigFor(blow.setup);
  config.coupling.damping_Ns_per_m = blow.damping_Ns_per_m;
  config.passivity.enabled = blow.controller;
  TickController controller(config);
  Loop loop(&handle, &controller, blow.setup.late_ticks);
  const Swing swing{.size_m = kShare * blow.press_N / K,
                    .at_rest_m = kAtRest * blow.setup.device.resolution_m,
                    .wait_s = SimHandle::kWait_s + kMove_s + kRest_s};
  return SwingDecays(&loop, blow.setup.period_s(), swing,
                     [&] { handle.Kick(Vec3(0, 0, kShare * blow.press_N / std::sqrt(K * m))); });
}

double MeasuredLimit_N_per_m(Blow blow, double low_N_per_m, double high_N_per_m) {
  const auto decays = [&](double K) {
    blow.setup.stiffness_N_per_m = K;
    return Decays(blow);
  };
  return LargestThatDecays(decays, low_N_per_m, high_N_per_m);
}

double PredictedLimit::Outside_percent(double measured_N_per_m) const {
  return 100 * (measured_N_per_m / std::clamp(measured_N_per_m, low_N_per_m, high_N_per_m) - 1);
}

PredictedLimit PredictLimit(const Blow& blow, bool exact) {
  const host::DeviceModel device = host::ModelOf("", blow.setup.device);
  const host::AxisLoop loop = host::LoopOf(ConfigFor(blow.setup), device, false);
  const auto limit = [&](host::Regime regime) {
    return host::LargestStable_N_per_m(device.linear, loop, blow.damping_Ns_per_m, regime,
                                       exact ? 0 : hal::SimDevice::kSubsteps);
  };
  const double moving = limit(host::Regime::kMoving), calm = limit(host::Regime::kCalm);
  return {.low_N_per_m = std::min(moving, calm), .high_N_per_m = std::max(moving, calm)};
}

}  // namespace tactus::bench::feel
