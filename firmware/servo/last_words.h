#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "tactus/wire/frame.h"

namespace tactus::servo {

/// What a controller sends when it fails itself: the end of the frame that stood on the line, a Command of zero force, and
/// the Fault kExternal / kControllerFault. Made while all is well, so that the fault handler only copies bytes.
class LastWords {
 public:
  void Prepare() noexcept;
  std::span<const std::uint8_t> bytes() const noexcept { return std::span(bytes_).first(size_); }

 private:
  std::array<std::uint8_t, 1 + wire::kEncodedSize<wire::Command> + wire::kEncodedSize<wire::Fault>> bytes_{};
  std::size_t size_ = 0;
};

}  // namespace tactus::servo
