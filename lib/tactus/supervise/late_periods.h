#pragma once
#include <bit>
#include <cstdint>

namespace tactus {

/// Which of the last 64 periods had no command in time: the tick ended after the next clock edge, it never began, or the
/// device did not take its command.
class LatePeriods {
 public:
  static constexpr int kWindow = 64;
  /// More late periods than this among the last kWindow are a fault. A hand does not feel four missed milliseconds of 64; a
  /// processor that is too slow by 8 % is over the limit within one window.
  static constexpr int kMost = 4;

  /// The clock has moved on by `edges` ≥ 1 since the last call: all but the last had no tick.
  constexpr void Advance(std::uint32_t edges) noexcept {
    const std::uint32_t skipped = edges - 1;
    bits_ = edges >= kWindow ? 0 : bits_ << edges;
    bits_ |= skipped >= kWindow ? ~std::uint64_t{1} : ((std::uint64_t{1} << skipped) - 1) << 1;
  }

  /// The tick of this period ended after the next edge, or its command was lost.
  constexpr void AddLate() noexcept { bits_ |= 1; }

  constexpr int count() const noexcept { return std::popcount(bits_); }
  constexpr bool TooMany() const noexcept { return count() > kMost; }
  constexpr void Clear() noexcept { bits_ = 0; }

  /// Bit k: the period k ago.
  constexpr std::uint64_t bits() const noexcept { return bits_; }

 private:
  std::uint64_t bits_ = 0;
};

}  // namespace tactus
