#include "firmware/servo/link_device.h"

#include <limits>
#include <utility>

#include "firmware/servo/messages.h"

namespace tactus::servo {
namespace {

/// Nothing is known of what the host has at its end.
constexpr hal::DeviceCapabilities kCapabilities{.name = "at the host"};

/// a + b, or the largest number: an age that wrapped around would look fresh.
std::uint32_t SaturatingSum(std::uint32_t a, std::uint32_t b) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
  return b > kMost - a ? kMost : a + b;
}

}  // namespace

void LinkDevice::Take(const wire::Sample& sample, std::uint32_t now_us) noexcept {
  sample_ = sample;
  counts_ = {};
  taken_at_us_ = now_us;
  has_sample_ = is_new_ = true;
  has_second_ = false;
}

void LinkDevice::Take(const wire::CountedSample& sample, std::uint32_t now_us) noexcept {
  Take(WithoutCounts(sample), now_us);
  counts_ = CountsFromWire(sample);
}

void LinkDevice::Take(const wire::SampleOfTwo& samples, std::uint32_t now_us) noexcept {
  Take(FirstOf(samples), now_us);
  second_ = SecondOf(samples);
  has_second_ = true;
}

const hal::DeviceCapabilities& LinkDevice::DoCapabilities() const noexcept { return kCapabilities; }

hal::DeviceReading LinkDevice::DoReadSample(std::uint32_t now_us) noexcept {
  const std::uint32_t age_us = SaturatingSum(sample_.age_us(), now_us - taken_at_us_);
  return {.sample = SampleFromWire(sample_, age_us, counts_),
          .second = has_second_ ? SampleFromWire(second_, age_us) : SensorFrame{},
          .has_second = has_second_,
          .valid = has_sample_,
          .is_new = std::exchange(is_new_, false),
          .state = has_sample_ ? hal::DeviceState::kEnabled : hal::DeviceState::kUninitialised};
}

Status LinkDevice::DoWriteSecond(const CommandFrame& command, const hal::CommandNote& note) noexcept {
  return sender_.Send(SecondToWire(command, note.tick));
}

Status LinkDevice::DoWriteCommand(const CommandFrame& command, const hal::CommandNote& note) noexcept {
  return sender_.Send(CommandToWire(command, note));
}

}  // namespace tactus::servo
