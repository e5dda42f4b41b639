#pragma once
#include <cstdint>
#include <span>

namespace tactus::hal {

/// What a controller whose actuators are at the other end of a link sends when it fails itself. The program supplies it, as
/// a constant whose bytes lie in read-only memory; a program without a link: empty.
///
/// For the servo: the end of the frame that stood on the line, a Command of zero force, the Fault kExternal /
/// kControllerFault. See firmware/servo/last_words.cc.
extern const std::span<const std::uint8_t> kLastWords;

}  // namespace tactus::hal
