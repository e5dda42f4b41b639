#pragma once
#include <algorithm>
#include <cstdint>
#include <span>

#include "tactus/wire/message.h"

namespace tactus::host {

/// The piece of a scene's image that begins at `offset`; of an empty image the one that takes the scene away.
inline wire::ScenePart PieceOf(std::span<const std::uint8_t> image, std::size_t offset) {
  wire::ScenePart part;
  const std::size_t size = std::min<std::size_t>(part.bytes()->size(), image.size() - offset);
  part.mutate_total(static_cast<std::uint32_t>(image.size()));
  part.mutate_offset(static_cast<std::uint32_t>(offset));
  part.mutate_size(static_cast<std::uint32_t>(size));
  for (std::size_t i = 0; i < size; ++i)
    part.mutable_bytes()->Mutate(static_cast<flatbuffers::uoffset_t>(i), image[offset + i]);
  return part;
}

}  // namespace tactus::host
