#include "host_tools/scene/scene_command.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>

#include "host_tools/link/host_error.h"
#include "host_tools/mesh/bake_command.h"
#include "host_tools/report/text_file.h"
#include "host_tools/scene/read_command.h"
#include "host_tools/scene/scene_drawing.h"
#include "host_tools/scene/scene_file.h"
#include "host_tools/scene/scene_option.h"
#include "host_tools/scene/scene_places.h"
#include "host_tools/scene/start_check.h"
#include "host_tools/session/scene_room.h"

namespace tactus::host {
namespace {

const char* WhatItNeeds(const Scene<>& scene) {
  if (WhatExceeds(scene, kBoardScene).empty()) return "";
  return WhatExceeds(scene, kGridBoardScene).empty() ? " (for boards with more memory)" : " (not for boards)";
}

void List() {
  for (const std::string& path : ShippedScenes()) {
    const SceneFile file = LoadScene(path);
    fmt::print("{:<16} {}{}\n", std::filesystem::path(path).stem().string(), file.title, WhatItNeeds(file.scene));
  }
}

const char* NameOf(ShapeKind kind) {
  constexpr const char* kNames[] = {"half space", "sphere", "capsule", "box",  "hull",
                                    "cylinder",   "grid",   "torus",   "cone", "hole"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(ShapeKind::kHole) + 1);
  return kNames[static_cast<std::size_t>(kind)];
}

void Check(const std::string& place, const std::vector<std::string>& changes) {
  const SceneFile file = LoadScene(place, changes);
  const Scene<>& scene = file.scene;
  fmt::print("{}: {}\n", file.path, file.title);
  for (int i = 0; i < scene.bodies.size(); ++i) {
    const SceneBody& body = scene.bodies[i];
    fmt::print("  body {:<12} {:g} kg, moments {:.3g} {:.3g} {:.3g} kg m2\n", file.bodies[static_cast<std::size_t>(i)],
               body.mass_kg, body.inertia_kgm2[0], body.inertia_kgm2[1], body.inertia_kgm2[2]);
  }
  for (const SceneShape& shape : scene.shapes) {
    fmt::print("  {:<12} of {}, {}\n", NameOf(shape.kind), file.NameOf(shape.body), file.materials[shape.material]);
  }
  fmt::print("  {} paths, {} joints, {} pairs of materials, {} fields, {} moves of the hand, {} checks\n",
             scene.paths.size(), scene.joints.size(), scene.laws.size(), scene.fields.size(), file.moves.size(),
             file.checks.size());
  fmt::print("  {} bytes on the wire\n", file.Image().size());
  const std::string excess = WhatExceeds(scene, kGridBoardScene), of_small = WhatExceeds(scene, kBoardScene);
  if (!excess.empty()) fmt::print("  not for boards: {}\n", excess);
  if (excess.empty() && !of_small.empty()) fmt::print("  for boards with more memory only, as mps2-an500\n");
  for (const std::string& finding : LookAtStart(file)) fmt::print("  note: {}\n", finding);
}

void Show(const std::string& place) {
  std::ifstream text(LoadScene(place).path);
  std::ostringstream all;
  all << text.rdbuf();
  fmt::print("{}", all.str());
}

void Draw(const std::string& place, const std::vector<std::string>& changes, const std::string& out) {
  const std::string svg = DrawScene(LoadScene(place, changes));
  if (out.empty()) return fmt::print("{}", svg);
  WriteText(out, svg);
}

}  // namespace

void AddSceneCommand(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("scene", "Scenes: what there is, whether a file is right, how it looks");
  command->require_subcommand(1);
  command->add_subcommand("list", "the scenes that come with Tactus")->callback(List);
  const auto place = std::make_shared<std::string>(), out = std::make_shared<std::string>();
  const auto with_place = [&](const char* name, const char* help) {
    CLI::App* const sub = command->add_subcommand(name, help);
    sub->add_option("scene", *place, "a TOML file, or the name of a shipped scene")->required();
    return sub;
  };
  const auto changes = std::make_shared<std::vector<std::string>>();
  CLI::App* const check = with_place("check", "Is the file right? What is in it?");
  AddSetOption(check, changes.get());
  check->callback([place, changes] { Check(*place, *changes); });
  with_place("show", "prints the file")->callback([place] { Show(*place); });
  CLI::App* const draw = with_place("draw", "three views as SVG");
  draw->add_option("--out", *out, "file (default: standard output)");
  AddSetOption(draw, changes.get());
  draw->callback([place, changes, out] { Draw(*place, *changes, *out); });
  AddBakeCommand(*command);
  AddReadCommand(*command);
}

}  // namespace tactus::host
