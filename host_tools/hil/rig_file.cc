#include "host_tools/hil/rig_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "host_tools/devices/real_devices.h"
#include "host_tools/devices/simulated.h"
#include "host_tools/link/host_error.h"
#include "host_tools/scene/out_of_range.h"
#include "host_tools/scene/parse_toml.h"
#include "host_tools/scene/scene_places.h"
#include "host_tools/scene/toml_table.h"

namespace tactus::host {
namespace {

constexpr const char* kFormat = "tactus.rig/1";
constexpr double kLongest_s = 600;
constexpr std::uintmax_t kMostBytes = 1'000'000;

const std::vector<std::string> kAxes = {"x", "y", "z"};

double Within(TomlTable* table, const char* key, double otherwise, double low, double high) {
  const double x = table->Number(key, otherwise);
  if (!(x >= low && x <= high)) table->Fail(key, OutOfRange(x, low, high));
  return x;
}

std::uint64_t WholeWithin(TomlTable* table, const char* key, double otherwise, double low, double high) {
  const double x = Within(table, key, otherwise, low, high);
  if (x != std::floor(x)) table->Fail(key, fmt::format("{:g} is no whole number", x));
  return static_cast<std::uint64_t>(x);
}

double Needed(TomlTable* table, const char* key, double low, double high) {
  if (!table->Has(key)) table->Fail(key, "is missing");
  return Within(table, key, 0, low, high);
}

/// A text that is one of `names`, which the message lists.
std::string Named(TomlTable* table, const char* key, const std::string& otherwise, std::vector<std::string> names) {
  const std::string name = table->Text(key, otherwise);
  if (std::find(names.begin(), names.end(), otherwise) == names.end()) names.insert(names.begin(), otherwise);
  if (!table->Has(key)) return otherwise;
  return names[static_cast<std::size_t>(table->Choice(key, names, 0))];
}

std::vector<std::string> HandNames() {
  std::vector<std::string> names;
  for (const hal::Hand& hand : hal::Hands()) names.emplace_back(hand.name);
  return names;
}

void ReadDevice(TomlTable table, RigFile* rig) {
  rig->kind = static_cast<RigKind>(table.Choice("kind", {"simulated", "emulated", "line"}, -1));
  std::vector<std::string> names;
  if (rig->kind == RigKind::kSimulated) {
    names.emplace_back("host");
    for (const hal::DevicePreset& preset : hal::DevicePresets()) names.emplace_back(preset.name);
  } else {
    for (const RealDevice& real : RealDevices()) names.emplace_back(real.name);
    if (rig->kind == RigKind::kLine) names.emplace_back(kRigIoBoard);
  }
  rig->device.device = names[static_cast<std::size_t>(table.Choice("name", names, -1))];
  if (rig->kind == RigKind::kEmulated) rig->device.device += "-emulator";
  if (rig->kind == RigKind::kLine && !table.Has("line"))
    table.Fail("line", "is missing; a path, unix:PATH or can:INTERFACE");
  if (rig->kind != RigKind::kLine && table.Has("line")) table.Fail("line", "is for kind = \"line\"");
  rig->line = table.Text("line", "");
  if (rig->kind == RigKind::kLine && rig->line.empty()) table.Fail("line", "is empty");
  if (rig->kind != RigKind::kSimulated && table.Has("hand")) table.Fail("hand", "is for kind = \"simulated\"");
  rig->device.hand = Named(&table, "hand", "none", HandNames());
  rig->device.seed = WholeWithin(&table, "seed", 1, 0, 1e9);
  table.Finish();
}

void ReadLimits(TomlTable table, RigFile* rig) {
  if (table.Has("force_N")) rig->device.force_N = Needed(&table, "force_N", 1e-3, 100);
  rig->gives_speed = table.Has("speed_mps");
  rig->gives_reach = table.Has("reach_m");
  rig->device.speed_mps = Within(&table, "speed_mps", rig->device.speed_mps, 0.01, 2);
  rig->device.reach_m = Within(&table, "reach_m", rig->device.reach_m, 1e-4, 0.1);
  if (table.Has("lift_m")) rig->lift_m = Needed(&table, "lift_m", 1e-5, 0.1);
  table.Finish();
}

void ReadController(TomlTable table, RigFile* rig) {
  rig->link = table.Text("link", "");
  rig->image = table.Text("image", "");
  rig->token_file = table.Text("token_file", "");
  constexpr int kClock = 0, kSample = 1;
  rig->sample_paced = table.Choice("pacing", {"clock", "sample"}, kClock) == kSample;
  const bool is_known = rig->link.empty() || rig->link.starts_with("qemu:") || rig->link.starts_with("unix:") ||
                        rig->link.starts_with("tcp:") || rig->link.starts_with("serial:");
  if (!is_known)
    table.Fail("link",
               fmt::format("\"{}\" is none of: qemu:BOARD, unix:PATH, tcp:HOST:PORT, serial:/dev/ttyX[:BAUD]", rig->link));
  if (!rig->image.empty() && !rig->link.starts_with("qemu:")) table.Fail("image", "is for link = \"qemu:BOARD\"");
  if (!rig->link.empty() && rig->kind != RigKind::kSimulated)
    table.Fail("link", "needs kind = \"simulated\": the device's own line is driven from this process");
  table.Finish();
}

/// A file beside the rig's, a file from here, or the name of a shipped scene.
std::string SceneOf(TomlTable* table, const std::string& rig_path) {
  const std::string given = table->Text("scene", "");
  if (given.empty() && table->Has("scene")) table->Fail("scene", "is empty");
  if (given.empty()) return "";
  const std::filesystem::path beside = std::filesystem::path(rig_path).parent_path() / given;
  std::error_code error;
  if (std::filesystem::is_regular_file(beside, error)) return beside.string();
  try {
    return FindScene(given);
  } catch (const HostError& missing) {
    table->Fail("scene", missing.what());
  }
}

void ReadMounted(TomlTable table, RigFile* rig) {
  rig->scene = SceneOf(&table, rig->path);
  rig->scene_hand = Named(&table, "scene_hand", "relaxed", HandNames());
  if (rig->kind != RigKind::kSimulated && table.Has("scene_hand")) table.Fail("scene_hand", "is for kind = \"simulated\"");
  rig->ticks = static_cast<std::uint32_t>(WholeWithin(&table, "scene_ticks", 0, 0, 10'000'000));
  rig->tool_kg = Within(&table, "tool_kg", 0, 0, 10);
  if (table.HasTable("spring")) {
    TomlTable spring = table.Table("spring");
    RigNumber number{.axis = spring.Choice("axis", kAxes, -1), .quantity = "stiffness_N_per_m"};
    number.value = Needed(&spring, "stiffness_N_per_m", 1, 1e5);
    number.within = Within(&spring, "within", 0.1, 1e-6, 10);
    spring.Finish();
    rig->numbers.push_back(number);
  }
  table.Finish();
}

void ReadChecks(TomlTable table, RigFile* rig) {
  rig->selftest = table.Flag("selftest", true);
  rig->identify = table.Flag("identify", true);
  rig->stops = table.Flag("stops", true);
  rig->seconds = Within(&table, "identify_s", rig->seconds, 8, kLongest_s);
  table.Finish();
}

RigNumber ReadNumber(TomlTable table, double tool_kg) {
  RigNumber number;
  number.axis = table.Choice("axis", kAxes, -1);
  number.quantity = RigQuantities()[static_cast<std::size_t>(table.Choice("quantity", RigQuantities(), -1))];
  number.value = Needed(&table, "value", 1e-9, 1e5);
  number.within = Needed(&table, "within", 1e-6, 10);
  if (number.quantity == "mass_kg") number.value += tool_kg;
  table.Finish();
  return number;
}

RigWall ReadWall(TomlTable table) {
  RigWall wall;
  const Vector3 normal = table.Vector("normal", wall.normal);
  const double length = std::hypot(normal[0], normal[1], normal[2]);
  if (!(length > 1e-9 && length < 1e9)) table.Fail("normal", "has no direction");
  for (std::size_t i = 0; i < 3; ++i) wall.normal[i] = normal[i] / length;
  wall.surface_m = Needed(&table, "surface_m", -1, 1);
  wall.stiffness_N_per_m = Needed(&table, "stiffness_N_per_m", 1, 1e5);
  wall.within = Within(&table, "within", wall.within, 1e-6, 1);
  table.Finish();
  return wall;
}

}  // namespace

const std::vector<std::string>& RigQuantities() {
  static const std::vector<std::string> kNames = {"mass_kg",      "damping_Ns_per_m", "coulomb_N",
                                                  "resolution_m", "delay_s",          "stiffness_N_per_m"};
  return kNames;
}

const Estimated* FindQuantity(const IdentifiedAxis& axis, const std::string& name) {
  const std::array<const Estimated*, 6> found = {&axis.fit.mass_kg,   &axis.fit.damping_Ns_per_m,
                                                 &axis.fit.coulomb_N, &axis.resolution_m,
                                                 &axis.fit.delay_s,   &axis.fit.stiffness_N_per_m};
  for (std::size_t i = 0; i < found.size(); ++i)
    if (name == RigQuantities()[i]) return found[i];
  return nullptr;
}

RigFile LoadRig(const std::string& path) {
  const toml::table parsed = ParseToml(path, kMostBytes, "a rig");
  TomlTable root(parsed, path, "");
  RigFile rig;
  rig.path = path;
  if (root.Text("format", "") != kFormat) root.Fail("format", fmt::format("must be \"{}\"", kFormat));
  rig.title = root.Text("title", std::filesystem::path(path).stem().string());
  ReadDevice(root.Table("device"), &rig);
  ReadLimits(root.Table("limits"), &rig);
  ReadController(root.Table("controller"), &rig);
  ReadMounted(root.Table("mounted"), &rig);
  ReadChecks(root.Table("checks"), &rig);
  for (const TomlTable& table : root.Tables("numbers")) rig.numbers.push_back(ReadNumber(table, rig.tool_kg));
  if (root.Has("wall")) rig.wall = ReadWall(root.Table("wall"));
  root.Finish();
  if (!rig.numbers.empty() && !rig.identify) root.Fail("numbers", "need checks.identify = true");
  if (rig.wall && rig.scene.empty()) root.Fail("wall", "needs mounted.scene: a wall to press on");
  if (rig.numbers.empty() && rig.scene.empty() && !rig.selftest && !rig.stops) {
    root.Fail("", "asserts nothing: give [[numbers]], mounted.scene, checks.selftest = true or checks.stops = true");
  }
  return rig;
}

}  // namespace tactus::host
