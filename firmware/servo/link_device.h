#pragma once
#include "firmware/servo/frame_sender.h"
#include "hal/api/device.h"
#include "tactus/scene/scene.h"

namespace tactus::servo {

/// The device at the host's end of the link: its samples come as Sample, CountedSample or SampleOfTwo messages, its commands
/// go as Command messages, those of a second hand as SecondCommand before them.
class LinkDevice final : public hal::Device {
 public:
  explicit LinkDevice(FrameSender& sender) : sender_(sender) {}

  /// A Sample has arrived at `now_us`.
  void Take(const wire::Sample& sample, std::uint32_t now_us) noexcept;

  /// A CountedSample has arrived at `now_us`.
  void Take(const wire::CountedSample& sample, std::uint32_t now_us) noexcept;

  /// A SampleOfTwo has arrived at `now_us`.
  void Take(const wire::SampleOfTwo& samples, std::uint32_t now_us) noexcept;

  /// After a Config: samples from before it do not count.
  void Forget() noexcept { has_sample_ = has_second_ = is_new_ = false; }

  bool has_new_sample() const noexcept { return is_new_; }

 private:
  const hal::DeviceCapabilities& DoCapabilities() const noexcept override;
  hal::DeviceReading DoReadSample(std::uint32_t now_us) noexcept override;
  Status DoWriteCommand(const CommandFrame& command, const hal::CommandNote& note) noexcept override;
  int DoHands() const noexcept override { return kServoScene.hands; }
  Status DoWriteSecond(const CommandFrame& command, const hal::CommandNote& note) noexcept override;

  FrameSender& sender_;
  wire::Sample sample_, second_;
  CountSteps counts_;  // of the first
  std::uint32_t taken_at_us_ = 0;
  bool has_sample_ = false, has_second_ = false, is_new_ = false;
};

}  // namespace tactus::servo
