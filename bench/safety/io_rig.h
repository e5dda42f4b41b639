#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bench/scenes/random.h"
#include "tactus/wire/frame_decoder.h"

namespace tactus::bench::safety {

/// An I/O board in a campaign, and the host at the other end of its line, which sends a command in each period. What the
/// board is made of says who derives from it.
class IoRig {
 public:
  explicit IoRig(Random* random) : random_(random) {}
  virtual ~IoRig() = default;
  IoRig(const IoRig&) = delete;
  IoRig& operator=(const IoRig&) = delete;

  bool sends = true;                                  ///< the host sends a command in each period
  std::vector<std::uint8_t> instead;                  ///< of the next command
  std::vector<std::uint8_t> last_frame;               ///< the last command
  float current_A = 0;                                ///< in each motor, every second one the other way
  wire::IoAnswer refusal = wire::IoAnswer::kNothing;  ///< the first one
  wire::IoState last;                                 ///< that was heard

  wire::IoCommand Command(float amperes) {
    wire::IoCommand command;
    command.mutate_session(session_);
    command.mutate_sequence(++sequence_);
    command.mutate_outputs(wire::IoOutputs::kOn);
    for (std::uint16_t i = 0; i < motors(); ++i) command.mutable_current_A()->Mutate(i, i % 2 == 0 ? amperes : -amperes);
    return command;
  }
  template <wire::Message M>
  std::vector<std::uint8_t> Frame(const M& message) {
    const std::span<const std::uint8_t> frame = writer_.Write(message);
    return {frame.begin(), frame.end()};
  }
  /// A frame that comes besides the host's command of the period.
  template <wire::Message M>
  void Insert(const M& message) {
    Put(Frame(message));
  }
  void Period() {
    if (sends) Put(instead.empty() ? last_frame = Frame(Command(current_A)) : std::exchange(instead, {}));
    RunBoard();
    Hear(Take());
  }
  /// Whatever has happened: a session, the end of the fault, kOff, kOn, and past the soft start. @returns whether current
  /// flows
  bool Drive() {
    Mend();
    sends = false;
    for (int i = 0; i < 4; ++i) Period();
    Put(Frame(wire::HelloRequest(wire::kProtocolVersion, static_cast<std::uint32_t>(random_->Integer(1, 1 << 30)))));
    Period();
    wire::Control control;
    control.mutate_action(wire::Action::kClearFault);
    Put(Frame(control));
    Period();
    current_A = static_cast<float>(random_->Uniform(0.1, most_A()));
    wire::IoCommand off = Command(0);
    off.mutate_outputs(wire::IoOutputs::kOff);
    Put(Frame(off));
    Period();
    sends = true;
    for (int i = random_->Integer(20, 60); i > 0; --i) Period();
    return Flows() && last.fault() == wire::IoFault::kNone;
  }

  /// No current in any motor.
  virtual bool IsZero() const = 0;
  /// The drives are switched off too.
  virtual bool IsOff() const = 0;

 protected:
  Random& random() { return *random_; }

 private:
  virtual int motors() const = 0;
  virtual double most_A() const = 0;
  /// Bytes to the board, and what it has said since.
  virtual void Put(const std::vector<std::uint8_t>& bytes) = 0;
  virtual std::vector<std::uint8_t> Take() = 0;
  /// A period of it.
  virtual void RunBoard() = 0;
  /// What has gone wrong is well again.
  virtual void Mend() = 0;
  /// current_A is what is in the motors.
  virtual bool Flows() const = 0;

  void Hear(std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
      std::size_t used = 0;
      const bool whole = decoder_.Push(bytes, &used) == Status::kOk;
      bytes = bytes.subspan(used);
      if (!whole) continue;
      wire::IoHello hello;
      if (wire::ReadMessage(decoder_.frame(), &hello) == Status::kOk) session_ = hello.session(), sequence_ = 0;
      if (wire::ReadMessage(decoder_.frame(), &last) != Status::kOk) continue;
      if (last.answer() > wire::IoAnswer::kAccepted && refusal == wire::IoAnswer::kNothing) refusal = last.answer();
    }
  }

  Random* random_;
  wire::FrameWriter writer_;
  wire::FrameDecoder decoder_;
  std::uint32_t session_ = 0, sequence_ = 0;
};

inline constexpr int kWatched = 40;  ///< periods after an injection

/// Watches what was injected, `passed` periods ago. @returns periods to zeros; kWatched: it was not zero to the end, or the
/// drives are on
inline int PeriodsToZero(IoRig* rig, int passed, bool was_zero) {
  int zero_after = was_zero ? passed : kWatched;
  for (int i = 1; i <= kWatched; ++i) {
    rig->Period();
    if (!rig->IsZero())
      zero_after = kWatched;
    else if (zero_after == kWatched)
      zero_after = i;
  }
  return rig->IsOff() ? zero_after : kWatched;
}

}  // namespace tactus::bench::safety
