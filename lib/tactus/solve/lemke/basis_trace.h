#pragma once
#include <cstdint>

#include "tactus/solve/lemke/basis.h"

namespace tactus::internal {

/// Whether a path has come back to a basis. Lemke's path never does; where rounding makes it, it goes round for ever, and
/// another covering vector is the remedy. By Brent's algorithm on a hash of the basis: a cycle of c pivots is found at the
/// latest c pivots after the next power of two. Two bases with one hash end a path too early, once in 2³² / pivots.
class BasisTrace {
 public:
  void Start() { *this = {}; }

  /// One variable takes the place of another.
  void Exchange(const Variable& enters, const Variable& leaves) { hash_ ^= Hash(enters) ^ Hash(leaves); }
  /// A contact gets its friction rows.
  void Expand(int contact) { hash_ ^= Hash({Pair::kCover, contact, -1, true}); }  // z0 itself has no contact

  /// After each pivot. @returns whether the basis is one that the path has had.
  bool IsBack() {
    if (hash_ == mark_) return true;
    if (++since_mark_ == next_mark_) {
      mark_ = hash_;
      since_mark_ = 0;
      next_mark_ *= 2;
    }
    return false;
  }

 private:
  // By two multiplications with odd numbers; z and w of a pair are two variables.
  static std::uint32_t Hash(const Variable& v) {
    std::uint32_t x = static_cast<std::uint32_t>(v.contact + 1) << 9 | static_cast<std::uint32_t>(v.direction + 1) << 3 |
                      static_cast<std::uint32_t>(v.pair);
    x = (v.is_z ? ~x : x) * 0x915f77f5u;
    x ^= x >> 16;
    x *= 0x93d765ddu;
    return x ^ x >> 15;
  }

  std::uint32_t hash_ = 0, mark_ = 0xffffffffu;
  std::uint32_t since_mark_ = 0, next_mark_ = 1;
};

}  // namespace tactus::internal
