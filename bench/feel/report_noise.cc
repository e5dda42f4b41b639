#include <fmt/format.h>

#include <algorithm>

#include "bench/feel/noise.h"
#include "bench/feel/rooms.h"
#include "bench/feel/spectrum.h"
#include "bench/measure/statistics.h"

namespace tactus::bench::feel {
namespace {

// Issue, section 5.
constexpr double kMostNoise_mN = 5, kLargestStep_N = 0.12, kLargestAddedStep_N = 0.05;

struct Scene {
  std::string name;
  Motion motion;         // none: a press
  double coulomb_N = 0;  // of a press
};

std::vector<Scene> Scenes() {
  return {{"free circle, 20 mm, 1 Hz", FreeCircle()}, {"free line, 1 mm/s", FreeLine(0.001)},
          {"free line, 5 mm/s", FreeLine(0.005)},     {"free line, 15 mm/s", FreeLine(0.015)},
          {"press and hold, f_c 0.05 N", {}, 0.05},   {"press and hold, f_c 0.3 N", {}, 0.3}};
}

/// The worst of the runs, and the median of their noise.
struct Worst {
  Noise noise;
  std::vector<double> bands_N;
  std::size_t faults = 0;

  void Add(const Noise& run) {
    noise.band_N = std::max(noise.band_N, run.band_N);
    noise.lower_N = std::max(noise.lower_N, run.lower_N);
    noise.step_N = std::max(noise.step_N, run.step_N);
    noise.active = std::max(noise.active, run.active);
    noise.added_N = std::max(noise.added_N, run.added_N);
    bands_N.push_back(run.band_N);
    faults += run.faulted ? 1 : 0;
  }
};

std::vector<Period> RunPress(const Scene& scene, LoopSetup setup, std::uint64_t seed) {
  setup.device.coulomb_N.value = scene.coulomb_N;
  return Hold(setup, seed, kPressSettle_s + kPressMeasured_s);
}

Worst Measure(const Scene& scene, const LoopSetup& setup, int places, std::uint64_t seed) {
  Worst worst;
  if (scene.motion) {
    worst.Add(MeasureNoise(Lead(setup, scene.motion, kFreeSettle_s + kFreeMeasured_s), kFreeSettle_s));
    return worst;
  }
  for (int i = 0; i < places; ++i) {
    const std::uint64_t place = 1'000'000 * seed + static_cast<std::uint64_t>(i);
    worst.Add(MeasureNoise(RunPress(scene, setup, place), kPressSettle_s));
  }
  return worst;
}

void AddRow(const Scene& scene, const LoopSetup& setup, const Worst& worst, Table* table) {
  table->AddRow({scene.name, setup.stiffness_N_per_m, 1e6 * setup.device.resolution_m, worst.bands_N.size(),
                 1e3 * Median(worst.bands_N), 1e3 * worst.noise.band_N, 1e3 * worst.noise.lower_N, worst.noise.step_N,
                 100 * worst.noise.active, worst.noise.added_N, worst.faults});
}

void AddChecks(const Scene& scene, const Worst& worst, Report* report) {
  report->Add(AtMost(kMostNoise_mN, scene.name + ": force noise, worst", 1e3 * worst.noise.band_N, "mN"));
  report->Add(AtMost(kLargestStep_N, scene.name + ": largest step", worst.noise.step_N, "N"));
  report->Add(AtMost(0, scene.name + ": controller active", 100 * worst.noise.active, "%"));
  report->Add(AtMost(kLargestAddedStep_N, scene.name + ": largest step by the controller", worst.noise.added_N, "N"));
  if (!scene.motion) report->Add(AtMost(0, scene.name + ": faults", static_cast<double>(worst.faults), ""));
}

/// Half a second of the force's change from its mean, each axis where it moves most, and its spectrum.
void AddPictures(std::uint64_t seed, Report* report) {
  Plot force("Force over time", {"time [s]"}, {"force, its mean taken off [N]"});
  Plot spectrum("Spectrum of the force", {"frequency [Hz]"}, {"amplitude density [N/√Hz]", true});
  const std::vector<Scene> scenes = Scenes();
  for (const std::size_t i : {std::size_t{0}, std::size_t{3}, std::size_t{4}, std::size_t{5}}) {
    const Scene& scene = scenes[i];
    const int axis = scene.motion ? 0 : 2;
    const std::vector<Period> periods =
        scene.motion ? Lead({}, scene.motion, kFreeSettle_s + kFreeMeasured_s) : RunPress(scene, {}, 1'000'000 * seed);
    const std::vector<Vec3> forces_N = Forces(periods, scene.motion ? kFreeSettle_s : kPressSettle_s);
    Series line{scene.name, {}, true, false};
    double mean_N = 0;
    for (const Vec3& force_N : forces_N) mean_N += force_N(axis) / static_cast<double>(forces_N.size());
    for (std::size_t k = 0; k < std::min<std::size_t>(500, forces_N.size()); ++k) {
      line.points.emplace_back(static_cast<double>(k) * kPeriod_s, forces_N[k](axis) - mean_N);
    }
    force.Add(std::move(line));
    spectrum.Add({scene.name, Spectrum(forces_N).Density(), true, false});
  }
  report->AddPlot("force", force);
  report->AddPlot("spectrum", spectrum);
}

LoopSetup With(double stiffness_N_per_m, double resolution_m) {
  LoopSetup setup;
  setup.stiffness_N_per_m = stiffness_N_per_m;
  setup.device.resolution_m.value = resolution_m;
  return setup;
}

}  // namespace

void ReportNoise(const BenchOptions& options, Report* report) {
  Table& table = report->AddTable("noise", "Noise of the force where nothing moves it",
                                  {{"scene"},
                                   {"K", "N/m"},
                                   {"q", "um"},
                                   {"runs"},
                                   {"100-500 Hz, median", "mN"},
                                   {"worst", "mN"},
                                   {"20-100 Hz, worst", "mN"},
                                   {"largest step", "N"},
                                   {"controller active", "%"},
                                   {"largest step by it", "N"},
                                   {"faults"}});
  const int places = options.quick ? 5 : 100, stated_places = options.quick ? 1 : 20;
  for (const Scene& scene : Scenes()) {
    report->Progress(scene.name);
    const Worst worst = Measure(scene, {}, places, options.seed);
    AddRow(scene, {}, worst, &table);
    AddChecks(scene, worst, report);
  }
  for (const LoopSetup& setup : {With(3000, 38e-6), With(1500, 10e-6), With(1500, 100e-6)}) {
    report->Progress(fmt::format("K {:g} N/m, q {:g} um", setup.stiffness_N_per_m, 1e6 * setup.device.resolution_m));
    for (const Scene& scene : Scenes()) {
      const Worst worst = Measure(scene, setup, stated_places, options.seed);
      AddRow(scene, setup, worst, &table);
      report->Add(Stated(fmt::format("{}: force noise, worst, K {:g} N/m, q {:g} um", scene.name, setup.stiffness_N_per_m,
                                     1e6 * setup.device.resolution_m),
                         1e3 * worst.noise.band_N, "mN"));
    }
  }
  AddPictures(options.seed, report);
}

}  // namespace tactus::bench::feel
