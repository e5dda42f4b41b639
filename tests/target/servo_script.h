#pragma once
#include <array>

#include "hal/api/byte_link.h"
#include "hal/api/byte_ring.h"
#include "hal/api/clock.h"
#include "tactus/wire/frame.h"

namespace tactus::target {

/// A link whose other side is a script: the frame to be read next is put there beforehand, what is written is collected.
class ScriptLink final : public hal::ByteLink {
 public:
  void SetNext(std::span<const std::uint8_t> frame) { next_ = frame; }
  hal::ByteRing<4096>& written() { return written_; }

 private:
  Status DoRead(std::span<std::uint8_t> room, std::size_t* count) noexcept override;
  Status DoWrite(std::span<const std::uint8_t> frame, hal::Lane lane) noexcept override;
  bool DoFramePerTick() const noexcept override { return true; }
  hal::LinkCounters DoCounters() const noexcept override { return {}; }

  std::span<const std::uint8_t> next_;
  hal::ByteRing<4096> written_;
};

/// Time that passes when it is told to.
class ScriptClock final : public hal::Clock {
 public:
  void NextEdge() { ++edges_; }

 private:
  std::uint32_t DoEdges() const noexcept override { return edges_; }
  std::uint32_t DoNowUs() const noexcept override { return edges_ * DoPeriodUs(); }
  std::uint32_t DoPeriodUs() const noexcept override { return 1000; }

  std::uint32_t edges_ = 0;
};

/// What the host of a script says. Frames are made here and nowhere else; those of one edge stand one behind the other.
class ScriptHost {
 public:
  static constexpr int kFramesBefore = 3;  ///< of the demo: hello, configuration, arm

  ScriptHost& Begin();  ///< of an edge: forgets what was said at the one before
  ScriptHost& Hello();
  ScriptHost& Configure();       ///< all defaults
  ScriptHost& ConfigureBadly();  ///< one of the last fields that are checked is out of range
  ScriptHost& Tune(int step);    ///< stiffness and friction up and down
  ScriptHost& Order(wire::Action action);
  ScriptHost& Arm();             ///< with the nonce of the last answer, for the Config of all defaults
  ScriptHost& Sample(int tick);  ///< of the demo's motion
  ScriptHost& Jump(int tick);    ///< the same, but somewhere else
  ScriptHost& Noise();           ///< what one call of the servo reads is filled up with bytes that are no frame

  /// What was said since Begin; valid until the next call.
  std::span<const std::uint8_t> bytes() const { return std::span(bytes_).first(size_); }

  /// Reads the nonce of the next Arm from an answer.
  void Learn(const wire::Frame& answer);

  /// The frame of edge `step` of the demo: hello, configuration, arm, then the motion, one sample a tick.
  std::span<const std::uint8_t> Frame(int step);

 private:
  template <wire::Message M>
  ScriptHost& Say(const M& message);

  wire::FrameWriter writer_;
  std::uint32_t arm_nonce_ = 0;
  std::array<std::uint8_t, 2048> bytes_{};
  std::size_t size_ = 0;
};

}  // namespace tactus::target
