#pragma once
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>

namespace tactus::hal {

/// How long something took, counted into buckets: no allocation, a few instructions a value, every value counted.
///
/// A bucket is a sixteenth of an octave wide: an upper bound is at most 6.25 % above what was measured; the largest value is
/// kept exactly. From 0 to 4.29 s; what is longer counts as the longest.
/// One thread records. Others may read at any time; they see counts of about now.
class Histogram {
 public:
  static constexpr std::uint32_t kPerOctave = 16;
  static constexpr std::size_t kBuckets = kPerOctave * (32 - 3);  // below 16 ns a bucket a value

  /// @param[in] value_ns  below 0 counts as 0
  void Record(std::int64_t value_ns) noexcept {
    const std::uint32_t ns = value_ns < 0 ? 0 : value_ns > UINT32_MAX ? UINT32_MAX : static_cast<std::uint32_t>(value_ns);
    Increment(buckets_[BucketOf(ns)]);
    Increment(count_);
    if (ns > max_ns_.load(std::memory_order_relaxed)) max_ns_.store(ns, std::memory_order_relaxed);
  }

  std::uint64_t count() const noexcept { return count_.load(std::memory_order_relaxed); }
  std::uint32_t max_ns() const noexcept { return max_ns_.load(std::memory_order_relaxed); }
  std::uint64_t bucket(std::size_t index) const noexcept { return buckets_[index].load(std::memory_order_relaxed); }

  /// The least bound, in ns, below which a share of the values lies: the upper end of their last bucket, at most max_ns().
  /// @param[in] share  0 to 1
  std::uint32_t Quantile(double share) const noexcept {
    const double wanted = share * static_cast<double>(count());
    double seen = 0;
    for (std::size_t i = 0; i < kBuckets; ++i) {
      seen += static_cast<double>(bucket(i));
      if (seen >= wanted && seen > 0) return UpperEnd_ns(i) < max_ns() ? UpperEnd_ns(i) : max_ns();
    }
    return max_ns();
  }

  static constexpr std::size_t BucketOf(std::uint32_t ns) noexcept {
    if (ns < kPerOctave) return ns;
    const int octave = static_cast<int>(std::bit_width(ns)) - 5;  // 0: 16 to 31
    return kPerOctave * (static_cast<std::size_t>(octave) + 1) + ((ns >> octave) & (kPerOctave - 1));
  }

  /// The largest value that counts into the bucket.
  static constexpr std::uint32_t UpperEnd_ns(std::size_t index) noexcept {
    if (index < kPerOctave) return static_cast<std::uint32_t>(index);
    const std::uint64_t octave = index / kPerOctave - 1, step = index % kPerOctave;
    return static_cast<std::uint32_t>(((kPerOctave + step + 1) << octave) - 1);
  }

 private:
  static void Increment(std::atomic<std::uint64_t>& number) noexcept {
    number.store(number.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  std::array<std::atomic<std::uint64_t>, kBuckets> buckets_{};
  std::atomic<std::uint64_t> count_{0};
  std::atomic<std::uint32_t> max_ns_{0};
};

}  // namespace tactus::hal
