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

}  // namespace tactus::host
