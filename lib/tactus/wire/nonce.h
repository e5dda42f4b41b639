#pragma once
#include <cstdint>

namespace tactus::wire {

/// Another number for whoever shall answer with it: nobody can know it who has not heard it from here. 32 bits against
/// accidents (an old frame in a buffer, a recording), not against an attacker. SplitMix's finaliser (Steele, Lea & Flood
/// 2014).
///
/// @param[in] boot_seed  differs from boot to boot where the board can make it so
/// @param[in] count      of the nonces so far, this one included
/// @param[in] salt       from the host
/// @param[in] before     the last one
/// @returns not `before`, not 0
constexpr std::uint32_t NextNonce(std::uint32_t boot_seed, std::uint32_t now_us, std::uint32_t count, std::uint32_t salt,
                                  std::uint32_t before) noexcept {
  std::uint64_t z = (std::uint64_t{boot_seed} << 32 | now_us) + count * 0x9E3779B97F4A7C15u + salt;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  const std::uint32_t nonce = static_cast<std::uint32_t>(z ^ (z >> 31));
  return nonce != 0 && nonce != before ? nonce : nonce + 1;
}

}  // namespace tactus::wire
