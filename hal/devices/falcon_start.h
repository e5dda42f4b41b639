#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "hal/devices/falcon_codec.h"

namespace tactus::hal::falcon {

/// What shall be done with the line next.
struct LineOrder {
  enum class What : std::uint8_t {
    kWait,     ///< nothing now: hear what comes, and ask again within a millisecond or a few
    kRate,     ///< value: baud
    kDtr,      ///< value: 0 low, 1 high
    kRts,      ///< value: as kDtr
    kLatency,  ///< value: ms
    kPurge,    ///< both ways; what was heard before is forgotten
    kWrite,    ///< `bytes`, all of them
    kRuns,     ///< the program runs: the end
    kFailed,   ///< the end; fault() says why
  };
  What what = What::kWait;
  std::uint32_t value = 0;
  std::span<const std::uint8_t> bytes = {};
};

/// Why a Falcon's program does not run. Of an attempt that another one follows, and at the end of the last.
enum class StartFault : std::uint8_t {
  kNone,
  kClosed,         ///< the line is gone
  kLineRefuses,    ///< the line does not take an order
  kNoProgram,      ///< none runs, and none was given to load
  kNoLoader,       ///< the loader does not answer
  kNoPace,         ///< the loader does not answer at the rate of the load
  kEchoStops,      ///< a byte of the program did not come back in time
  kEchoDiffers,    ///< another byte came back, or one too many
  kProgramSilent,  ///< it is loaded, and does not answer
};

constexpr const char* Name(StartFault fault) {
  switch (fault) {
    case StartFault::kNone: return "none";
    case StartFault::kClosed: return "the line is gone";
    case StartFault::kLineRefuses: return "the line takes no orders";
    case StartFault::kNoProgram: return "its program does not run, and none was given";
    case StartFault::kNoLoader: return "its loader does not answer";
    case StartFault::kNoPace: return "its loader does not find the rate";
    case StartFault::kEchoStops: return "its loader has stopped to echo";
    case StartFault::kEchoDiffers: return "its loader echoes other bytes";
    case StartFault::kProgramSilent: return "the program is loaded and does not answer";
  }
  return "unknown";
}

/// Gets a Falcon's program to run: bytes in, orders out. Neither reads a clock nor touches a line; no motor command but
/// zeros.
///
/// Steps    ask a program that may run already;  then, kAttempts times at most: 9600 Bd, DTR low and high, the loader's
/// question
///          and answer, DTR low, 143 kBd, 'A' and its echo, the program in pieces of 62 bytes, each compared with its echo;
///          1.5 MBd, one packet and its answer                                                          (docs/devices.md, 3)
/// Bounds   0.15 s for a program that runs; an attempt 2.1 s without a loader, with one 1.2 s behind its last good byte
class Start {
 public:
  /// @param program  CheckProgram() == kNone, or empty: only looks whether one runs. Outlives this.
  explicit Start(std::span<const std::uint8_t> program) : program_(program) {}

  /// What to do now. Until kWait, kRuns or kFailed comes, call it again at once.
  LineOrder Next(std::uint32_t now_us) noexcept;
  /// What has come, in any pieces.
  void Hear(std::span<const std::uint8_t> bytes) noexcept;
  /// An order could not be done: the end.
  void GiveUp(StartFault fault) noexcept;

  /// Why the last attempt that failed did so. It is kept when a later attempt succeeds.
  StartFault fault() const { return fault_; }
  bool ran_already() const { return attempts_ == 0; }  ///< of a program that runs
  int attempts() const { return attempts_; }
  std::size_t echoed_B() const { return echoed_; }  ///< of the program, in the last attempt

  static constexpr int kAttempts = 10;
  static constexpr std::size_t kPiece_B = 62;  // fills a packet of its chip: the echo comes without the chip's delay
  static constexpr std::uint32_t kLoaderRate = 9'600, kLoadRate = 142'857, kRunRate = 1'500'000;

 private:
  enum class Phase : std::uint8_t { kProbe, kKnock, kQuiet, kPace, kLoad, kCheck, kRuns, kFailed };

  void Enter(Phase phase);
  void FailAttempt(StartFault fault);
  LineOrder Ask(std::uint32_t now_us);
  LineOrder Knock(std::uint32_t now_us);
  LineOrder Quiet(std::uint32_t now_us);
  LineOrder Pace(std::uint32_t now_us);
  LineOrder Load(std::uint32_t now_us);
  LineOrder Say(std::span<const std::uint8_t> bytes, std::uint32_t now_us);
  bool Passed(std::uint32_t now_us, std::uint32_t time_us) const { return now_us - since_us_ >= time_us; }
  void HearByte(std::uint8_t byte);

  std::span<const std::uint8_t> program_;
  Phase phase_ = Phase::kProbe;
  StartFault fault_ = StartFault::kNone;
  int attempts_ = 0;
  std::size_t orders_ = 0;        // of this phase, done
  int said_ = 0;                  // messages of this phase
  std::uint32_t since_us_ = 0;    // the last message, or the last byte
  std::uint32_t entered_us_ = 0;  // kQuiet
  std::size_t sent_ = 0, echoed_ = 0;
  std::uint32_t heard_ = 0;  // the last four bytes
  bool news_ = false, answered_ = false, differs_ = false;
  std::array<std::uint8_t, kPacketSize> packet_ = falcon::Write(Request{});
  PacketFinder finder_;
};

}  // namespace tactus::hal::falcon
