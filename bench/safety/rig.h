#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "bench/safety/parts.h"
#include "tactus/supervise/supervisor.h"
#include "tactus/wire/frame_decoder.h"
#include "tactus/wire/message.h"

namespace tactus::bench::safety {

enum class Precision { kDouble, kFloat };
enum class DeviceAt { kHost, kBoard };

struct Setup {
  Precision precision = Precision::kDouble;
  wire::Pacing pacing = wire::Pacing::kClock;
  DeviceAt device = DeviceAt::kHost;
};

/// What the outputs got in one period.
struct Period {
  bool written = false;
  float force_N = 0;  ///< of the last command, also of one before this period
  float torque_Nm = 0;
  bool fault_told = false;  ///< a Fault came

  bool zero() const { return force_N == 0 && torque_Nm == 0; }
};

/// An answer, and the period that it came in: index into Rig::log.
struct Answer {
  wire::Ack ack;
  std::size_t period = 0;
};

/// The servo application of either precision.
class Application {
 public:
  virtual ~Application() = default;
  virtual void OnTick() = 0;
  virtual void DrainTelemetry() = 0;
  virtual bool stopped() const = 0;
  virtual const Supervisor& supervisor() const = 0;
};

/// The real servo application, its device or its link's other end, and a hand that presses the peg on the plate beside the
/// hole.
class Rig {
 public:
  explicit Rig(const Setup& setup);

  MemoryLink link;
  HandClock clock;
  CountingWatchdog watchdog;
  LocalDevice device;

  /// What the hand and its device do wrong, from the next period on.
  struct Disturbance {
    bool silent = false;        ///< no sample
    bool clock_stands = false;  ///< no edge, and time does not pass
    float offset_m[3] = {};     ///< added to the position: NaN, a jump
  };
  Disturbance disturbance;

  std::vector<Period> log;          ///< since Mark()
  std::vector<Answer> answers;      ///< since Mark()
  std::vector<wire::Fault> faults;  ///< since Mark()
  std::uint32_t bad_frames = 0;     ///< as the last Telemetry tells

  /// A new run of the application: connects, sends the Config. Another boot seed each time.
  void Start();

  /// Whatever has happened: undoes the disturbance, draws the hand back, clears the fault, arms. A run that has ended is
  /// started anew. @returns whether it is armed
  bool Recover();

  /// Presses, 10 µm a period, until `force_N` is commanded; then holds still. @returns whether it was reached
  bool PressTo(float force_N);

  /// Forgets the log, the answers and the faults. @returns force written last
  float Mark();

  void RunPeriod();
  void Run(int periods);

  template <wire::Message M>
  void Put(const M& message) {
    PutBytes(writer_.Write(message));
  }
  void PutBytes(std::span<const std::uint8_t> bytes) {
    link.incoming.insert(link.incoming.end(), bytes.begin(), bytes.end());
  }
  void PutOrder(wire::Action action);
  /// Sends it and runs one period. @returns the code; nothing: no answer to this type came in that period
  template <wire::Message M>
  std::optional<wire::AckCode> Tell(const M& message) {
    const std::size_t before = answers.size();
    Put(message);
    RunPeriod();
    for (std::size_t i = before; i < answers.size(); ++i) {
      if (answers[i].ack.of_type() == wire::kTypeOf<M>) return answers[i].ack.code();
    }
    return std::nullopt;
  }
  std::optional<wire::AckCode> TellOrder(wire::Action action);

  wire::Config config() const;
  /// That would arm now.
  wire::Arm NextArm() const { return wire::Arm(nonce_, config_crc_); }
  /// That has armed last.
  const wire::Arm& used_arm() const { return used_arm_; }
  const Supervisor& supervisor() const { return application_->supervisor(); }
  bool stopped() const { return application_->stopped(); }

 private:
  void Connect();
  void PlaceHand();
  void Learn(const wire::Frame& frame);
  void Note(const wire::Command& command);
  void TakeFrames();
  void TakeDevice();

  const Setup setup_;
  std::unique_ptr<Application> application_;
  wire::FrameWriter writer_;
  wire::FrameDecoder decoder_;
  Period period_;
  wire::Arm used_arm_;
  float depth_m_ = 0;
  std::uint32_t boots_ = 0, samples_ = 0, nonce_ = 0, config_crc_ = 0;
};

}  // namespace tactus::bench::safety
