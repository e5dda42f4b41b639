#include "bench/safety/io_campaign.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "bench/safety/io_rig.h"
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

/// The I/O firmware with motors of no hardware.
class PlainRig final : public IoRig {
 public:
  explicit PlainRig(Random* random) : IoRig(random) {
    for (int i = 0; i < hal::kMaxMotors; ++i)
      motors_.count[i] = (i % 2 == 0 ? 1 : -1) * random->Integer(500 + 1000 * i, 1000 + 1000 * i);
    Reset();
  }

  hal::FaultyMotorIo& wires() { return faulty_; }
  /// The board is called, and no time has passed.
  void CallWithoutTime() { app_->OnTick(); }
  /// It starts anew.
  void Reset() {
    (void)static_cast<hal::MotorIo&>(motors_).Zero();
    static_cast<hal::MotorIo&>(motors_).SetEnable(false);
    app_.emplace(io::Identity{.board = "campaign", .boot_seed = ++boots_}, link_, clock_, watchdog_, faulty_);
  }
  bool IsZero() const override { return motors_.off(); }
  bool IsOff() const override { return !motors_.enabled; }

 private:
  int motors() const override { return hal::kMaxMotors; }
  double most_A() const override { return 2; }
  void Put(const std::vector<std::uint8_t>& bytes) override {
    link_.incoming.insert(link_.incoming.end(), bytes.begin(), bytes.end());
  }
  std::vector<std::uint8_t> Take() override {
    std::vector<std::uint8_t> all;
    for (const auto& frame : std::exchange(link_.sent, {})) all.insert(all.end(), frame.begin(), frame.end());
    return all;
  }
  void RunBoard() override {
    ++clock_.edge_count;
    app_->OnTick();
  }
  void Mend() override {
    faulty_.faults = {};
    clock_.us_in_period = 0;
  }
  bool Flows() const override { return motors_.enabled && motors_.flowing_A[0] == current_A; }

  MemoryLink link_;
  HandClock clock_;
  CountingWatchdog watchdog_;
  StandingMotors motors_;
  hal::FaultyMotorIo faulty_{motors_};
  std::optional<io::IoApp> app_;
  std::uint32_t boots_ = 0;
};

/// What goes wrong, and what must come of it.
struct IoCase {
  const char* name;
  int most_ticks;                                ///< to zeros
  int (*inject)(PlainRig* rig, Random* random);  ///< @returns periods that have passed with it
  IoFault fault = IoFault::kCommandTimeout;      ///< kNone: the board has forgotten everything
  IoAnswer refusal = IoAnswer::kNothing;
};

// The host goes on with nothing else than this frame.
int SendLast(PlainRig* rig, std::vector<std::uint8_t> frame) {
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
int Burst(PlainRig* rig, int commands) {
  for (int i = 0; i < commands; ++i) rig->Insert(rig->Command(rig->current_A));
  return rig->sends = false, 0;
}

std::vector<IoCase> IoCases() {
  return {
      {"I/O host silent", kTimeout, [](PlainRig* rig, Random*) { return rig->sends = false, 0; }},
      {"I/O line cut in a frame", kTimeout,
       [](PlainRig* rig, Random* random) {
         std::vector<std::uint8_t> frame = rig->Frame(rig->Command(rig->current_A));
         frame.resize(static_cast<std::size_t>(random->Integer(0, static_cast<int>(frame.size()) - 1)));
         return SendLast(rig, frame);
       }},
      {"I/O commands written ahead", kTimeout, [](PlainRig* rig, Random*) { return Burst(rig, kRing); }},
      {"I/O e-stop order among commands written ahead", 1,
       [](PlainRig* rig, Random* random) {
         const int before = random->Integer(0, kRing - 1);
         Burst(rig, before);
         wire::Control control;
         control.mutate_action(wire::Action::kEStop);
         rig->Insert(control);
         return Burst(rig, kRing - 1 - before);
       },
       IoFault::kEStop},
      {"I/O more than a board looks at", 1, [](PlainRig* rig, Random*) { return Burst(rig, kTooMany); }},
      {"I/O USB reset: the host asks for a session anew", kTimeout,
       [](PlainRig* rig, Random*) { return rig->Insert(wire::HelloRequest(wire::kProtocolVersion, 4711)), 0; },
       IoFault::kNone, IoAnswer::kWrongSession},
      {"I/O clock stands", kStanding,
       [](PlainRig* rig, Random*) {
         for (int i = 0; i < kStanding; ++i) rig->CallWithoutTime();
         return kStanding;
       },
       IoFault::kClockLost},
      {"I/O replayed command", kTimeout, [](PlainRig* rig, Random*) { return SendLast(rig, rig->last_frame); },
       IoFault::kCommandTimeout, IoAnswer::kNotNewer},
      {"I/O command of another session", kTimeout,
       [](PlainRig* rig, Random*) {
         wire::IoCommand command = rig->Command(1);
         command.mutate_session(~command.session());
         return SendLast(rig, rig->Frame(command));
       },
       IoFault::kCommandTimeout, IoAnswer::kWrongSession},
      {"I/O command not finite", 1,
       [](PlainRig* rig, Random*) {
         return SendLast(rig, rig->Frame(rig->Command(std::numeric_limits<float>::quiet_NaN())));
       },
       IoFault::kCommandNotFinite, IoAnswer::kNotFinite},
      {"I/O command above the ceiling", 1,
       [](PlainRig* rig, Random* random) {
         return SendLast(rig, rig->Frame(rig->Command(static_cast<float>(random->LogUniform(2.01, 1e30)))));
       },
       IoFault::kCommandTooLarge, IoAnswer::kTooLarge},
      {"I/O e-stop, its wire open", 1, [](PlainRig* rig, Random*) { return rig->wires().faults.e_stop = true, 0; },
       IoFault::kEStop},
      {"I/O e-stop that bounces", 1,
       [](PlainRig* rig, Random* random) {
         rig->wires().faults.e_stop = true;
         rig->Period();
         for (int i = random->Integer(0, 20); i > 0; --i) {  // a wire that swings: in no order, and at last it is closed
           rig->wires().faults.e_stop = random->Integer(0, 1) == 1;
           rig->Period();
           if (!rig->IsZero()) return kNever;
         }
         rig->wires().faults.e_stop = false;
         return 1;
       },
       IoFault::kEStop},
      {"I/O drive fault", 1, [](PlainRig* rig, Random*) { return rig->wires().faults.drive_fault = true, 0; },
       IoFault::kDriveFault},
      {"I/O brown-out", 1, [](PlainRig* rig, Random*) { return rig->wires().faults.brown_out = true, 0; },
       IoFault::kBrownOut},
      {"I/O encoder frozen, and says so", 1,
       [](PlainRig* rig, Random*) { return rig->wires().faults.encoder_fault = true, 0; }, IoFault::kEncoderFault},
      {"I/O encoder jumps", 1,
       [](PlainRig* rig, Random* random) { return rig->wires().faults.jumping_motor = random->Integer(0, 5), 0; },
       IoFault::kEncoderJump},
      {"I/O encoder inverted", 1,
       [](PlainRig* rig, Random* random) { return rig->wires().faults.inverted_motor = random->Integer(0, 5), 0; },
       IoFault::kEncoderJump},
      {"I/O encoders swapped", 1,
       [](PlainRig* rig, Random* random) {
         rig->wires().faults.swapped[0] = random->Integer(0, 2);
         rig->wires().faults.swapped[1] = random->Integer(3, 5);
         return 0;
       },
       IoFault::kEncoderJump},
      {"I/O current sense saturated", kSense,
       [](PlainRig* rig, Random*) { return rig->wires().faults.current_saturated = true, 0; }, IoFault::kCurrentSense},
      {"I/O current sense stuck", kSense + 1,
       [](PlainRig* rig, Random*) {
         rig->wires().faults.current_stuck = true;
         rig->current_A = rig->current_A > 1 ? rig->current_A - 0.9f : rig->current_A + 0.9f;
         return 0;
       },
       IoFault::kCurrentSense},
      {"I/O drives take nothing", 1, [](PlainRig* rig, Random*) { return rig->wires().faults.refuses_writes = true, 0; },
       IoFault::kLatePeriods},
      {"I/O board starts anew", 1, [](PlainRig* rig, Random*) { return rig->Reset(), 0; }, IoFault::kNone,
       IoAnswer::kWrongSession},
  };
}

/// Injects it once. @returns ticks to zeros; beyond the bound: it was not safe
int InjectOnce(const IoCase& wrong, PlainRig* rig, Random* random) {
  rig->refusal = IoAnswer::kNothing;
  const int passed = wrong.inject(rig, random);
  return PeriodsToZero(rig, std::max(passed, 1), rig->IsZero() || passed >= kNever);
}

FaultCount CountIo(const IoCase& wrong, const Campaign& campaign) {
  // A period is the least there is: a share of it is none.
  const int most_ticks = static_cast<int>(wrong.most_ticks * campaign.bound_share);
  FaultCount count{.name = wrong.name, .most_ticks = most_ticks};
  Random random(campaign.seed);
  for (int i = 0; i < 2 * campaign.injections; ++i) {
    PlainRig rig(&random);
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
