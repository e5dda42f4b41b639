#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "tactus/scene/scene.h"
#include "tactus/wire/message.h"

namespace tactus::host {

/// What of a scene is more than a controller takes: "bodies: 22, the controller takes 4". @returns "" if there is room
std::string WhatExceeds(const Scene<>& scene, const SceneCapacity& capacity);

/// The same for an image on its way to the controller that has said this Hello. An image that cannot be read here is left to
/// the controller.
std::string WhatExceeds(std::span<const std::uint8_t> image, const wire::Hello& hello);

/// Work that a tick of a scene may take where no clock waits for it, as in `tactus run` and `tactus test`: a scene that no
/// board takes may search for as long as it needs, 1 to 6 ms a tick for a pile of 21 disks (docs/scenes.md).
/// @returns 0: a computer's
int WorkWithoutClock(const Scene<>& scene);

}  // namespace tactus::host
