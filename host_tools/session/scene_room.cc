#include "host_tools/session/scene_room.h"

#include <fmt/core.h>

#include <memory>

#include "tactus/scene/scene_image.h"
#include "tactus/scene/validate.h"

namespace tactus::host {
namespace {

/// Rows that the scene's joints take of the solver, with their motors and friction.
int JointRows(const Scene<>& scene) {
  int rows = 0;
  for (const SceneJoint& joint : scene.joints) rows += internal::RowsOf(joint.kind) + internal::DriveRowsOf(joint);
  return rows;
}

}  // namespace

std::string WhatExceeds(const Scene<>& scene, const SceneCapacity& capacity) {
  const struct {
    const char* list;
    int count, room;
  } lists[] = {{"bodies", scene.bodies.size(), capacity.bodies},
               {"hands", HandsOf(scene), capacity.hands},
               {"shapes", scene.shapes.size(), capacity.shapes},
               {"hulls", scene.hulls.size(), capacity.hulls},
               {"pairs of materials", scene.laws.size(), capacity.laws},
               {"joints", scene.joints.size(), capacity.joints},
               {"rows of joints", JointRows(scene), capacity.joint_rows},
               {"fields", scene.fields.size(), capacity.fields},
               {"paths", scene.paths.size(), capacity.paths},
               {"grids", scene.grids.size(), capacity.grids}};
  std::string what;
  for (const auto& [list, count, room] : lists) {
    if (count > room) what += fmt::format("{}{}: {}, the controller takes {}", what.empty() ? "" : "; ", list, count, room);
  }
  return what;
}

std::string WhatExceeds(std::span<const std::uint8_t> image, const wire::Hello& hello) {
  const auto scene = std::make_unique<Scene<>>();
  if (image.empty() || ReadScene(image, scene.get())) return "";
  SceneCapacity capacity = CapacityOf(hello.scene_bodies(), hello.scene_shapes());
  capacity.bodies = hello.scene_bodies();
  capacity.shapes = hello.scene_shapes();
  return WhatExceeds(*scene, capacity);
}

int WorkWithoutClock(const Scene<>& scene) {
  constexpr int kEnough = 1'000'000'000;  // as much as a budget can be
  return WhatExceeds(scene, kGridBoardScene).empty() ? 0 : kEnough;
}

}  // namespace tactus::host
