#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace tactus::hal::stm32 {

enum class CurrentFault : std::uint8_t {
  kNone,
  kNoSamples,  ///< neither conversions nor transfers come: the trigger, a converter or the DMA stands
  kSaturated,  ///< at an end of the range: more current than can be measured, or a broken shunt
  kStuck,      ///< the same number over and over: noise alone moves the last bits of a converter that works
  kOffset,     ///< far from the middle with the outputs off
};

/// What a raw number means: I = (raw - offset) amperes_per_count.
template <std::size_t kPlaces>
struct CurrentOptions {
  std::array<std::uint8_t, kPlaces> channels;  ///< of the converter, or of each converter
  float amperes_per_count;
  std::uint16_t middle = 2048, most_offset = 200;    ///< [counts]
  std::uint16_t lowest = 8, highest = 4087;          ///< [counts] beyond: saturated
  std::uint16_t stuck_after = 256, stale_after = 3;  ///< [samples]
  std::uint16_t offset_samples = 64;
};

/// Where a DMA puts the newest sample: where it reaches and no cache is in between.
template <std::size_t kPlaces>
using SampleBuffer = std::array<volatile std::uint16_t, kPlaces>;

/// What the current senses of all parts have alike: numbers that a DMA brings are checked, offsets are learned with the
/// outputs off, and the first fault stays. A driver adds the converter, its trigger and its DMA.
template <std::size_t kPlaces>
class CurrentWatch {
 public:
  static constexpr bool kMeasures = true;

  CurrentWatch(const CurrentOptions<kPlaces>& options, SampleBuffer<kPlaces>& buffer) : options_(options), buffer_(buffer) {}

  /// Latched until Start or Recover of the driver. The one who asks switches the outputs off.
  CurrentFault fault() const { return fault_; }
  bool failed() const { return fault_ != CurrentFault::kNone; }
  bool calibrated() const { return calibrated_; }
  std::uint32_t restarts() const { return restarts_; }  ///< after an overrun or an error of the DMA

  volatile std::uint16_t* buffer() { return buffer_.data(); }

 protected:
  const CurrentOptions<kPlaces>& options() const { return options_; }

  /// As before the first sample.
  void Forget() {
    sums_.fill(0);
    summed_ = 0;
    calibrated_ = false;
    fault_ = CurrentFault::kNone;
    stale_ = 0;
    stuck_.fill(0);
  }

  /// No sample has come.
  void Miss() {
    if (++stale_ >= options_.stale_after) Latch(CurrentFault::kNoSamples);
  }

  /// No sample has come, and the driver begins anew.
  void Interrupt() {
    ++restarts_;
    Miss();
  }

  /// The newest sample stands in the buffer. With the outputs off it teaches the offsets.
  void Take(bool outputs_on) {
    stale_ = 0;
    Raw raw{};
    for (std::size_t i = 0; i < kPlaces; ++i) raw[i] = buffer_[i];
    Judge(raw);
    if (!outputs_on && !calibrated_) Learn(raw);
    last_ = raw;
  }

  /// [A]; 0 before the offsets are known.
  float MeasuredAt(std::size_t place) const {
    if (!calibrated_) return 0;
    return static_cast<float>(static_cast<int>(last_[place]) - static_cast<int>(offsets_[place])) *
           options_.amperes_per_count;
  }

  void Latch(CurrentFault fault) {
    if (fault_ == CurrentFault::kNone) fault_ = fault;
  }

 private:
  using Raw = std::array<std::uint16_t, kPlaces>;

  void Judge(const Raw& raw) {
    for (std::size_t i = 0; i < kPlaces; ++i) {
      if (raw[i] < options_.lowest || raw[i] > options_.highest) Latch(CurrentFault::kSaturated);
      stuck_[i] = static_cast<std::uint16_t>(raw[i] == last_[i] ? stuck_[i] + 1 : 0);
      if (stuck_[i] >= options_.stuck_after) Latch(CurrentFault::kStuck);
    }
  }

  void Learn(const Raw& raw) {
    for (std::size_t i = 0; i < kPlaces; ++i) sums_[i] += raw[i];
    if (++summed_ < options_.offset_samples) return;
    for (std::size_t i = 0; i < kPlaces; ++i) {
      offsets_[i] = static_cast<std::uint16_t>(sums_[i] / summed_);
      const int off = static_cast<int>(offsets_[i]) - options_.middle;
      if (off > options_.most_offset || off < -static_cast<int>(options_.most_offset)) Latch(CurrentFault::kOffset);
    }
    calibrated_ = true;
  }

  CurrentOptions<kPlaces> options_;
  SampleBuffer<kPlaces>& buffer_;
  Raw last_{}, offsets_{}, stuck_{};
  std::array<std::uint32_t, kPlaces> sums_{};
  std::uint16_t summed_ = 0, stale_ = 0;
  std::uint32_t restarts_ = 0;
  bool calibrated_ = false;
  CurrentFault fault_ = CurrentFault::kNone;
};

}  // namespace tactus::hal::stm32
