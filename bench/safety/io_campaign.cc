#include "bench/safety/io_campaign.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "bench/safety/parts.h"
#include "firmware/io/io_app.h"
#include "hal/sim/faulty_motor_io.h"

namespace tactus::bench::safety {
namespace {

using wire::IoAnswer;
using wire::IoFault;

/// Six motors of 2 A that measure what they are told, and stand where they are put.
class StandingMotors final : public hal::MotorIo {
 public:
  std::int32_t count[hal::kMaxMotors] = {};
  float flowing_A[hal::kMaxMotors] = {};
  bool enabled = false;

  bool off() const {
    return std::all_of(std::begin(flowing_A), std::end(flowing_A), [](float x) { return x == 0; });
  }

 private:
  const hal::MotorTraits& DoTraits() const noexcept override { return traits_; }
  hal::MotorReading DoRead() noexcept override {
    hal::MotorReading reading;
    std::copy(std::begin(count), std::end(count), reading.count);
    std::copy(std::begin(flowing_A), std::end(flowing_A), reading.current_A);
    return reading;
  }
  Status DoWrite(const float (&current_A)[hal::kMaxMotors]) noexcept override {
    std::copy(std::begin(current_A), std::end(current_A), flowing_A);
    return Status::kOk;
  }
  Status DoZero() noexcept override {
    std::fill(std::begin(flowing_A), std::end(flowing_A), 0.0f);
    return Status::kOk;
  }
  void DoSetEnable(bool on) noexcept override { enabled = on; }

  const hal::MotorTraits traits_{
      .motors = 6, .max_current_A = {2, 2, 2, 2, 2, 2}, .max_step_counts = 200, .senses_current = true};
};

/// The I/O firmware, its motors, and the host's end of its line.
class IoRig {
 public:
  explicit IoRig(Random* random) : random_(random) {
    for (int i = 0; i < hal::kMaxMotors; ++i)
      motors.count[i] = (i % 2 == 0 ? 1 : -1) * random->Integer(500 + 1000 * i, 1000 + 1000 * i);
    Reset();
  }

  MemoryLink link;
  HandClock clock;
  StandingMotors motors;
  hal::FaultyMotorIo faulty{motors};
  bool sends = true;                  ///< the host sends a command in each period
  std::vector<std::uint8_t> instead;  ///< of the next command
  float current_A = 0;
  IoAnswer refusal = IoAnswer::kNothing;  ///< the first one
  wire::IoState last;

  void Reset() {
    (void)static_cast<hal::MotorIo&>(motors).Zero();
    static_cast<hal::MotorIo&>(motors).SetEnable(false);
    app_.emplace(io::Identity{.board = "campaign", .boot_seed = ++boots_}, link, clock, watchdog_, faulty);
  }
  wire::IoCommand Command(float amperes) {
    wire::IoCommand command;
    command.mutate_session(session_);
    command.mutate_sequence(++sequence_);
    command.mutate_outputs(wire::IoOutputs::kOn);
    for (std::uint16_t i = 0; i < hal::kMaxMotors; ++i)
      command.mutable_current_A()->Mutate(i, i % 2 == 0 ? amperes : -amperes);
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
  /// The board is called, and no time has passed.
  void CallWithoutTime() { app_->OnTick(); }
  void Period() {
    if (sends) Put(instead.empty() ? last_frame = Frame(Command(current_A)) : std::exchange(instead, {}));
    ++clock.edge_count;
    app_->OnTick();
    Hear();
  }
  /// Whatever has happened: a session, the end of the fault, kOff, kOn, and past the soft start. @returns whether current
  /// flows
  bool Drive() {
    faulty.faults = {};
    sends = false;
    clock.us_in_period = 0;
    for (int i = 0; i < 4; ++i) Period();
    Put(Frame(wire::HelloRequest(wire::kProtocolVersion, static_cast<std::uint32_t>(random_->Integer(1, 1 << 30)))));
    Period();
    wire::Control control;
    control.mutate_action(wire::Action::kClearFault);
    Put(Frame(control));
    Period();
    current_A = static_cast<float>(random_->Uniform(0.1, 2));
    wire::IoCommand off = Command(0);
    off.mutate_outputs(wire::IoOutputs::kOff);
    Put(Frame(off));
    Period();
    sends = true;
    for (int i = random_->Integer(15, 60); i > 0; --i) Period();
    return motors.enabled && motors.flowing_A[0] == current_A && last.fault() == IoFault::kNone;
  }

  std::vector<std::uint8_t> last_frame;

 private:
  void Put(const std::vector<std::uint8_t>& bytes) { link.incoming.insert(link.incoming.end(), bytes.begin(), bytes.end()); }
  void Hear() {
    for (const auto& frame : std::exchange(link.sent, {})) {
      std::size_t used = 0;
      if (decoder_.Push(frame, &used) != Status::kOk) continue;
      wire::IoHello hello;
      if (wire::ReadMessage(decoder_.frame(), &hello) == Status::kOk) session_ = hello.session(), sequence_ = 0;
      if (wire::ReadMessage(decoder_.frame(), &last) != Status::kOk) continue;
      if (last.answer() > IoAnswer::kAccepted && refusal == IoAnswer::kNothing) refusal = last.answer();
    }
  }

  Random* random_;
  CountingWatchdog watchdog_;
  std::optional<io::IoApp> app_;
  wire::FrameWriter writer_;
  wire::FrameDecoder decoder_;
  std::uint32_t session_ = 0, sequence_ = 0, boots_ = 0;
};

/// What goes wrong, and what must come of it.
struct IoCase {
  const char* name;
  int most_ticks;                             ///< to zeros
  int (*inject)(IoRig* rig, Random* random);  ///< @returns periods that have passed with it
  IoFault fault = IoFault::kCommandTimeout;   ///< kNone: the board has forgotten everything
  IoAnswer refusal = IoAnswer::kNothing;
};

// The host goes on with nothing else than this frame.
int SendLast(IoRig* rig, std::vector<std::uint8_t> frame) {
  rig->instead = std::move(frame);
  rig->Period();
  rig->sends = false;
  return 1;
}

constexpr int kTimeout = 3;  // ticks
constexpr int kSense = 2;
constexpr int kNever = 1000;              // beyond each bound
constexpr int kStanding = 17;             // calls in which time stands: IoApp, 16 and the one before them
constexpr int kRing = 44, kTooMany = 56;  // commands: io_burst_test.cc

/// Commands ahead in one piece, behind which the host is silent.
int Burst(IoRig* rig, int commands) {
  for (int i = 0; i < commands; ++i) rig->Insert(rig->Command(rig->current_A));
  return rig->sends = false, 0;
}

std::vector<IoCase> IoCases() {
  return {
      {"I/O host silent", kTimeout, [](IoRig* rig, Random*) { return rig->sends = false, 0; }},
      {"I/O line cut in a frame", kTimeout,
       [](IoRig* rig, Random* random) {
         std::vector<std::uint8_t> frame = rig->Frame(rig->Command(rig->current_A));
         frame.resize(static_cast<std::size_t>(random->Integer(0, static_cast<int>(frame.size()) - 1)));
         return SendLast(rig, frame);
       }},
      {"I/O commands written ahead", kTimeout, [](IoRig* rig, Random*) { return Burst(rig, kRing); }},
      {"I/O e-stop order among commands written ahead", 1,
       [](IoRig* rig, Random* random) {
         const int before = random->Integer(0, kRing - 1);
         Burst(rig, before);
         wire::Control control;
         control.mutate_action(wire::Action::kEStop);
         rig->Insert(control);
         return Burst(rig, kRing - 1 - before);
       },
       IoFault::kEStop},
      {"I/O more than a board looks at", 1, [](IoRig* rig, Random*) { return Burst(rig, kTooMany); }},
      {"I/O USB reset: the host asks for a session anew", kTimeout,
       [](IoRig* rig, Random*) { return rig->Insert(wire::HelloRequest(wire::kProtocolVersion, 4711)), 0; }, IoFault::kNone,
       IoAnswer::kWrongSession},
      {"I/O clock stands", kStanding,
       [](IoRig* rig, Random*) {
         for (int i = 0; i < kStanding; ++i) rig->CallWithoutTime();
         return kStanding;
       },
       IoFault::kClockLost},
      {"I/O replayed command", kTimeout, [](IoRig* rig, Random*) { return SendLast(rig, rig->last_frame); },
       IoFault::kCommandTimeout, IoAnswer::kNotNewer},
      {"I/O command of another session", kTimeout,
       [](IoRig* rig, Random*) {
         wire::IoCommand command = rig->Command(1);
         command.mutate_session(~command.session());
         return SendLast(rig, rig->Frame(command));
       },
       IoFault::kCommandTimeout, IoAnswer::kWrongSession},
      {"I/O command not finite", 1,
       [](IoRig* rig, Random*) { return SendLast(rig, rig->Frame(rig->Command(std::numeric_limits<float>::quiet_NaN()))); },
       IoFault::kCommandNotFinite, IoAnswer::kNotFinite},
      {"I/O command above the ceiling", 1,
       [](IoRig* rig, Random* random) {
         return SendLast(rig, rig->Frame(rig->Command(static_cast<float>(random->LogUniform(2.01, 1e30)))));
       },
       IoFault::kCommandTooLarge, IoAnswer::kTooLarge},
      {"I/O e-stop, its wire open", 1, [](IoRig* rig, Random*) { return rig->faulty.faults.e_stop = true, 0; },
       IoFault::kEStop},
      {"I/O e-stop that bounces", 1,
       [](IoRig* rig, Random* random) {
         rig->faulty.faults.e_stop = true;
         rig->Period();
         for (int i = random->Integer(0, 20); i > 0; --i) {  // a wire that swings: in no order, and at last it is closed
           rig->faulty.faults.e_stop = random->Integer(0, 1) == 1;
           rig->Period();
           if (!rig->motors.off()) return kNever;
         }
         rig->faulty.faults.e_stop = false;
         return 1;
       },
       IoFault::kEStop},
      {"I/O drive fault", 1, [](IoRig* rig, Random*) { return rig->faulty.faults.drive_fault = true, 0; },
       IoFault::kDriveFault},
      {"I/O brown-out", 1, [](IoRig* rig, Random*) { return rig->faulty.faults.brown_out = true, 0; }, IoFault::kBrownOut},
      {"I/O encoder frozen, and says so", 1, [](IoRig* rig, Random*) { return rig->faulty.faults.encoder_fault = true, 0; },
       IoFault::kEncoderFault},
      {"I/O encoder jumps", 1,
       [](IoRig* rig, Random* random) { return rig->faulty.faults.jumping_motor = random->Integer(0, 5), 0; },
       IoFault::kEncoderJump},
      {"I/O encoder inverted", 1,
       [](IoRig* rig, Random* random) { return rig->faulty.faults.inverted_motor = random->Integer(0, 5), 0; },
       IoFault::kEncoderJump},
      {"I/O encoders swapped", 1,
       [](IoRig* rig, Random* random) {
         rig->faulty.faults.swapped[0] = random->Integer(0, 2);
         rig->faulty.faults.swapped[1] = random->Integer(3, 5);
         return 0;
       },
       IoFault::kEncoderJump},
      {"I/O current sense saturated", kSense,
       [](IoRig* rig, Random*) { return rig->faulty.faults.current_saturated = true, 0; }, IoFault::kCurrentSense},
      {"I/O current sense stuck", kSense + 1,
       [](IoRig* rig, Random*) {
         rig->faulty.faults.current_stuck = true;
         rig->current_A = rig->current_A > 1 ? rig->current_A - 0.9f : rig->current_A + 0.9f;
         return 0;
       },
       IoFault::kCurrentSense},
      {"I/O drives take nothing", 1, [](IoRig* rig, Random*) { return rig->faulty.faults.refuses_writes = true, 0; },
       IoFault::kLatePeriods},
      {"I/O board starts anew", 1, [](IoRig* rig, Random*) { return rig->Reset(), 0; }, IoFault::kNone,
       IoAnswer::kWrongSession},
  };
}

/// Injects it once. @returns ticks to zeros; beyond the bound: it was not safe
int InjectOnce(const IoCase& wrong, IoRig* rig, Random* random) {
  rig->refusal = IoAnswer::kNothing;
  const int passed = wrong.inject(rig, random);
  constexpr int kWatched = 40;
  int zero_after = rig->motors.off() || passed >= kNever ? std::max(passed, 1) : kWatched;
  for (int i = 1; i <= kWatched; ++i) {
    rig->Period();
    if (!rig->motors.off())
      zero_after = kWatched;
    else if (zero_after == kWatched)
      zero_after = i;
  }
  return rig->motors.enabled ? kWatched : zero_after;
}

FaultCount CountIo(const IoCase& wrong, const Campaign& campaign) {
  // A period is the least there is: a share of it is none.
  const int most_ticks = static_cast<int>(wrong.most_ticks * campaign.bound_share);
  FaultCount count{.name = wrong.name, .most_ticks = most_ticks};
  Random random(campaign.seed);
  for (int i = 0; i < 2 * campaign.injections; ++i) {
    IoRig rig(&random);
    const bool drives = rig.Drive();
    const int ticks = drives ? InjectOnce(wrong, &rig, &random) : most_ticks + 1;
    const bool detected =
        drives && rig.last.fault() == wrong.fault && (wrong.refusal == IoAnswer::kNothing || rig.refusal == wrong.refusal);
    const bool safe = ticks <= most_ticks, recovered = rig.Drive();
    count.Add({.detected = detected, .safe = safe, .recovered = recovered, .ticks_to_zero = ticks});
  }
  return count;
}

}  // namespace

std::vector<FaultCount> CountIoFaults(const Campaign& campaign) {
  std::vector<FaultCount> counts;
  for (const IoCase& wrong : IoCases()) counts.push_back(CountIo(wrong, campaign));
  return counts;
}

}  // namespace tactus::bench::safety
