#include "host_tools/rig/device_numbers.h"

#include <fmt/core.h>

#include <algorithm>

#include "host_tools/link/host_error.h"
#include "host_tools/scene/parse_toml.h"
#include "host_tools/scene/toml_table.h"

namespace tactus::host {
namespace {

constexpr const char* kFormat = "tactus.device_numbers/1";
constexpr std::uintmax_t kMostBytes = 64'000;

bool IsSeen(const Estimated& e) { return e.half >= 0 && e.value > e.half; }

}  // namespace

DeviceNumbers NumbersOf(const std::string& name, const Identification& found) {
  DeviceNumbers numbers{.name = name, .damping_Ns_per_m = 1e9, .coulomb_N = 1e9, .max_force_N = found.declared_N};
  int moving = 0;
  for (const IdentifiedAxis& axis : found.axis) {
    if (!axis.refusal.empty()) continue;
    ++moving;
    numbers.mass_kg += axis.fit.mass_kg.value;
    numbers.damping_Ns_per_m =
        std::min(numbers.damping_Ns_per_m, IsSeen(axis.fit.damping_Ns_per_m) ? axis.fit.damping_Ns_per_m.value : 0.0);
    if (!IsSeen(axis.fit.coulomb_N)) numbers.coulomb_N.reset();
    if (numbers.coulomb_N) numbers.coulomb_N = std::min(*numbers.coulomb_N, axis.fit.coulomb_N.value);
    if (IsSeen(axis.resolution_m)) numbers.resolution_m = std::max(numbers.resolution_m, axis.resolution_m.value);
    numbers.delay_s = std::max(numbers.delay_s, axis.fit.delay_s.value);
  }
  numbers.mass_kg /= std::max(moving, 1);
  return numbers;
}

std::string DeviceNumbersToml(const DeviceNumbers& numbers) {
  std::string text =
      "# Measured by tactus identify, at the handle: mean mass, smallest damping and friction, largest count and delay.\n";
  text += fmt::format("format = \"{}\"\nname = \"{}\"\nmass_kg = {:.6g}\ndamping_Ns_per_m = {:.6g}\n", kFormat, numbers.name,
                      numbers.mass_kg, numbers.damping_Ns_per_m);
  if (numbers.coulomb_N) text += fmt::format("coulomb_N = {:.6g}\n", *numbers.coulomb_N);
  text += fmt::format("resolution_m = {:.6g}\ndelay_s = {:.6g}\n", numbers.resolution_m, numbers.delay_s);
  if (numbers.max_force_N > 0) text += fmt::format("max_force_N = {:.6g}\n", numbers.max_force_N);
  return text;
}

DeviceNumbers ReadDeviceNumbers(const std::string& path) {
  const toml::table table = ParseToml(path, kMostBytes, "a set of numbers");
  TomlTable root(table, path, "");
  if (root.Text("format", "") != kFormat) root.Fail("format", fmt::format("must be \"{}\"", kFormat));
  const auto number = [&](const char* key, double low, double high) {
    if (!root.Has(key)) root.Fail(key, "is missing");
    const double x = root.Number(key, 0);
    if (!(x >= low && x <= high)) root.Fail(key, fmt::format("must be {:g} to {:g}", low, high));
    return x;
  };
  DeviceNumbers numbers{.name = root.Text("name", path),
                        .mass_kg = number("mass_kg", 1e-4, 100),
                        .damping_Ns_per_m = number("damping_Ns_per_m", 0, 1e4),
                        .coulomb_N = {},
                        .resolution_m = number("resolution_m", 0, 0.1),
                        .delay_s = number("delay_s", 0, 0.1)};
  if (root.Has("coulomb_N")) numbers.coulomb_N = number("coulomb_N", 0, 1e3);
  if (root.Has("max_force_N")) numbers.max_force_N = number("max_force_N", 0.01, 1e3);
  root.Finish();
  return numbers;
}

}  // namespace tactus::host
