#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "firmware/servo/config_from_wire.h"
#include "firmware/servo/messages.h"
#include "firmware/servo/scene_loader.h"
#include "firmware/servo/servo_tick.h"
#include "firmware/servo/stream_inbox.h"
#include "host_tools/link/host_error.h"
#include "host_tools/replay/compare.h"
#include "host_tools/replay/jam_watch.h"
#include "host_tools/replay/replay.h"
#include "host_tools/replay/replayed_bodies.h"
#include "host_tools/replay/replayed_contacts.h"
#include "tactus/haptic/contact_watch.h"
#include "tactus/haptic/tune.h"
#include "tactus/scene/joint_drift.h"
#include "tactus/supervise/phase.h"

namespace tactus::host {

/// How far samples and telemetry may stand from their command in the recording, in frames.
constexpr std::size_t kReach = 4096;

template <class Value>
void Remember(std::map<std::uint32_t, Value>* values, std::uint32_t key, const Value& value) {
  (*values)[key] = value;
  if (values->size() > kReach) values->erase(values->begin());
}

/// A sample that the host has sent.
struct ToldSample {
  wire::Sample sample;
  CountSteps counts = {};  ///< that its position is from
};

/// What drove the ticks of the recording, so far as the tick sees it.
class Replayer {
 public:
  virtual ~Replayer() = default;
  virtual void Configure(const wire::Config& config) = 0;
  /// A piece of a scene that the board took; the last one makes the tick anew.
  virtual void TakeScene(const wire::ScenePart& part) = 0;
  /// The stream that begins or ends, and makes the tick anew.
  virtual void OpenStream(const wire::StreamOpen& open) = 0;
  /// A piece of a set that the board took; the last one puts the set in force.
  virtual void TakeContacts(const wire::ContactSet& piece) = 0;
  /// The map of the workspace. `anew`: it makes the tick anew; false: the clutch holds.
  virtual void TakeWorkspace(const wire::Workspace& workspace, bool anew) = 0;
  virtual void Arm() = 0;
  virtual void Tune(const wire::Tune& message) = 0;
  virtual void Control(wire::Action action) = 0;
  virtual void RaiseFault(Cause cause) = 0;
  /// Checks the number of ticks done that a message tells between two ticks.
  virtual void CheckTicksDone(const char* message, std::uint32_t recorded) = 0;
  /// The sample of the second hand that belongs to the next Check, and what that hand was commanded.
  virtual void TellSecond(const wire::Sample& sample, const wire::SecondCommand& recorded) = 0;
  virtual void Check(const wire::Command& recorded, const ToldSample& told) = 0;
  virtual void Check(const wire::Telemetry& recorded) = 0;
  /// What the second hand did in this tick. @param recorded  nullptr: the recording has nothing of it
  virtual void CheckSecond(std::uint32_t tick, const wire::SecondTelemetry* recorded) = 0;
  /// Runs the tick that this Telemetry tells of, with the sample in it.
  /// @param counts  that the sample's position is from
  /// @param second  of the same tick; nullptr: it has no second hand
  virtual void RunAndCheck(const wire::Telemetry& recorded, const CountSteps& counts,
                           const wire::SecondTelemetry* second) = 0;
  virtual std::uint32_t ticks_done() const = 0;

  void set_watch(TickWatcher watch) { watch_ = std::move(watch); }
  /// What the board's Configs may be, as it has told.
  void set_limits(const DeviceLimits& limits) { limits_ = limits; }
  /// What work a tick of the board may take, as it has told.
  void set_work(const WorkBudget& work) { work_ = work; }

  const ReplayResult& result() const { return result_; }

 protected:
  ReplayResult result_;
  DeviceLimits limits_;
  WorkBudget work_;
  TickWatcher watch_;
};

template <class Scalar>
class ScalarReplayer final : public Replayer {
 public:
  explicit ScalarReplayer(std::uint32_t period_us) : period_us_(period_us) {}

  void Configure(const wire::Config& message) override {
    workspace_.reset();
    Apply(message);
  }

  void TakeWorkspace(const wire::Workspace& workspace, bool anew) override {
    if (!config_) return;
    WorkspaceConfig<Scalar> wanted;
    if (servo::WorkspaceFromWire(workspace, &wanted))
      throw HostError("the recording says that the board accepted a workspace which this library refuses", kExitFailed);
    workspace_ = workspace;
    // The board accepted it; if this state does not, the next tick differs and is reported.
    anew ? Apply(message_) : static_cast<void>(ChangeWorkspace(wanted, &*config_, *state_));
  }

  void TakeScene(const wire::ScenePart& part) override {
    const servo::SceneAnswer answer = scene_loader_->Take(part);
    if (answer.code != wire::AckCode::kAccepted) {
      throw HostError("the recording says that the board accepted a scene which this library refuses", kExitFailed);
    }
    if (answer.complete && config_) Apply(message_);
  }

  void OpenStream(const wire::StreamOpen& open) override {
    stream_open_ = open;
    stream_inbox_.Open(open.session());
    if (config_) Apply(message_);
  }

  void TakeContacts(const wire::ContactSet& piece) override {
    if (!state_) return;
    const servo::StreamAnswer answer = stream_inbox_.Take(piece, state_->tick);
    if (answer.code != wire::AckCode::kAccepted) {
      throw HostError("the recording says that the board accepted contacts which this library refuses", kExitFailed);
    }
    if (answer.complete) PutInForce(stream_inbox_.set(), *config_, state_.get());
  }

  // The board accepted it, so it was ready; if this state is not, the next tick differs and is reported.
  void Arm() override {
    if (state_) static_cast<void>(tactus::Arm(state_.get()));
  }

  void Tune(const wire::Tune& message) override {
    if (!config_ || !servo::TuneFromWire(message, *config_, &tune_, limits_)) {
      tuning_ = config_.has_value();
      return;
    }
    throw HostError("the recording says that the board accepted a tune which this library refuses", kExitFailed);
  }

  void Control(wire::Action action) override {
    if (!state_) return;
    switch (action) {
      case wire::Action::kDisarm:
      case wire::Action::kStop: return Disarm(state_.get());
      case wire::Action::kEStop: return CutForce(state_.get());
      case wire::Action::kClearFault:
        if (state_->fault != Fault::kNone) ClearFault(state_.get());  // accepted in kIdle too, where it does nothing
        return;
      case wire::Action::kReset: return Reset();
      case wire::Action::kPressClutch: return PressClutch(true, state_.get());
      case wire::Action::kReleaseClutch: return PressClutch(false, state_.get());
      case wire::Action::kHome:  // its samples are recorded
      case wire::Action::kNone: return;
    }
  }

  void RaiseFault(Cause cause) override {
    if (!state_) return;
    cuts_output_ |= cause == Cause::kOutputWrong;  // found when the tick was over
    if (cause == Cause::kOutputWrong) return;
    CutsForce(cause) ? CutForce(state_.get()) : tactus::RaiseFault(state_.get());
  }

  void CheckTicksDone(const char* message, std::uint32_t recorded) override {
    if (!state_) return;
    const std::uint32_t done = state_->tick + lead_;
    if (recorded != done) Report(done, message, fmt::format("tick: {} and {}", recorded, done));
  }

  void TellSecond(const wire::Sample& sample, const wire::SecondCommand& recorded) override {
    second_ = Second{sample, recorded};
  }

  void Check(const wire::Command& recorded, const ToldSample& told) override {
    CommandFrame command;
    Telemetry<Scalar> telemetry;
    const SensorFrame frame = servo::SampleFromWire(told.sample, recorded.sample_age_us(), told.counts);
    const auto second = std::exchange(second_, std::nullopt);
    if (second && state_) TellSecondHand(servo::SampleFromWire(second->sample, recorded.sample_age_us()), state_.get());
    Run(frame, &command, &telemetry);
    hal::CommandNote note = servo::NoteOf(telemetry, frame);
    note.tick += lead_;
    note.state = static_cast<std::uint8_t>(recorded.state());  // the supervisor's, which does not run here
    std::string difference = FirstDifference(recorded, servo::CommandToWire(command, note));
    if (second && difference.empty() && HasSecondHand(*config_))
      difference = FirstDifference(second->recorded, servo::SecondToWire(SecondCommand(*state_), note.tick));
    ++result_.ticks;
    if (difference.empty()) ++result_.identical;
    if (!difference.empty()) Report(note.tick, "Command", difference);
    lead_ = recorded.tick() - telemetry.tick;
    Keep(telemetry, frame, recorded.tick(), difference.empty());
  }

  void RunAndCheck(const wire::Telemetry& recorded, const CountSteps& counts, const wire::SecondTelemetry* second) override {
    CommandFrame command;
    Telemetry<Scalar> telemetry;
    SensorFrame frame = servo::SampleFromWire(recorded);
    frame.counts = counts;
    if (state_) TellButtons(recorded.buttons(), *config_, state_.get());
    if (second != nullptr && state_) TellSecondHand(servo::SampleFromWire(*second), state_.get());
    Run(frame, &command, &telemetry);
    ++result_.ticks;
    ++result_.identical;
    if (recorded.tick() != telemetry.tick + lead_) {
      Report(telemetry.tick + lead_, "Telemetry", fmt::format("tick: {} and {}", recorded.tick(), telemetry.tick + lead_));
    }
    lead_ = recorded.tick() - telemetry.tick;
    Keep(telemetry, frame, recorded.tick(), true);
    Check(recorded);
  }

  std::uint32_t ticks_done() const override { return state_ ? state_->tick + lead_ : 0; }

  void Check(const wire::Telemetry& recorded) override {
    Computed* const computed = ComputedAt(recorded.tick(), "Telemetry");
    if (computed == nullptr) return;
    wire::Telemetry& message = computed->message;
    message.mutate_missed_deadlines(recorded.missed_deadlines());
    message.mutate_bad_frames(recorded.bad_frames());
    message.mutate_dropped_telemetry(recorded.dropped_telemetry());
    message.mutate_state(recorded.state());
    message.mutate_external(recorded.external());
    message.mutate_buttons(recorded.buttons());
    ++result_.telemetry;
    Compare(recorded, message, "Telemetry", computed);
  }

  void CheckSecond(std::uint32_t tick, const wire::SecondTelemetry* recorded) override {
    const auto found = computed_.find(tick);
    if (found == computed_.end()) return;  // that is told of its Telemetry
    Computed& computed = found->second;
    if (recorded != nullptr) return Compare(*recorded, computed.second, "SecondTelemetry", &computed);
    if (computed.has_second) Report(tick, "SecondTelemetry", "it has none in the recording");
  }

 private:
  /// The message as it is, with the scene, the stream and the workspace in force.
  void Apply(const wire::Config& message) {
    Config<Scalar> config;
    if (servo::ConfigFromWire(message, period_us_, &config, limits_)) {
      throw HostError("the recording says that the board accepted a configuration which this library refuses", kExitFailed);
    }
    config.work = work_;
    config_ = config;
    message_ = message;
    config_->stream = servo::StreamFromWire(stream_open_);
    if (scene_loader_->world() != nullptr && !config_->stream.open) UseScene(*scene_loader_->world(), &*config_);
    if (workspace_) {
      WorkspaceConfig<Scalar> workspace;
      static_cast<void>(servo::WorkspaceFromWire(*workspace_, &workspace));  // it has been checked
      UseWorkspace(workspace, &*config_);
    }
    tuning_ = false;
    Reset();
  }

  void Reset() {
    state_ = std::make_unique<State<Scalar>>();
    lead_ = 0;
    cuts_output_ = joined_ = false;
    contact_watch_.Reset();
    jam_watch_.Reset();
  }

  struct Second {
    wire::Sample sample;
    wire::SecondCommand recorded;
  };
  struct Computed {
    wire::Telemetry message;
    wire::SecondTelemetry second;
    bool has_second = false;
    bool identical = false;
  };

  /// @returns nullptr: there is none, which is reported
  Computed* ComputedAt(std::uint32_t tick, const char* message) {
    const auto found = computed_.find(tick);
    if (found == computed_.end()) Report(tick, message, "its tick has no Command in the recording");
    return found == computed_.end() ? nullptr : &found->second;
  }

  template <wire::Message M>
  void Compare(const M& recorded, const M& message, const char* name, Computed* computed) {
    const std::string difference = FirstDifference(recorded, message);
    if (difference.empty()) return;
    if (computed->identical) --result_.identical;
    computed->identical = false;
    Report(recorded.tick(), name, difference);
  }

  void Run(const SensorFrame& sample, CommandFrame* command, Telemetry<Scalar>* telemetry) {
    if (!state_) throw HostError("the recording has a command before any configuration", kExitFailed);
    if (HasWorld(*config_)) KeepBefore();
    if (tuning_) tuning_ = tactus::Tune(tune_, &*config_, state_.get()) == Status::kWouldBlock;
    const std::vector<BodyPose> before = watch_ ? PosesOf(*state_) : std::vector<BodyPose>();
    // What Tick returns is in the telemetry, and that is compared.
    static_cast<void>(Tick(sample, *config_, state_.get(), command, telemetry));
    jam_watch_.Look(*telemetry, *config_, *state_, *before_, 1e-6 * period_us_);
    result_.jam = jam_watch_.longest();
    if ((telemetry->status & status_bit::kToolPlaced) != 0) joined_ = false;
    if (std::exchange(cuts_output_, false)) CutOutput(command, telemetry);
    if (!watch_) return;
    ReplayedTick seen = Seen(sample, *telemetry);
    seen.bodies = (telemetry->status & status_bit::kToolPlaced) != 0 ? PlacedPosesOf(*config_, *state_) : before;
    watch_(seen);
  }

  /// Where the scene's bodies are before a tick: its joints are read there, and how far they have drifted.
  void KeepBefore() {
    *before_ = state_->scene;
    if (before_->bodies.empty()) return;  // they are placed in this tick
    before_->bodies[kTool] = state_->tool;
    if (HasSecondHand(*config_)) before_->bodies[kSecondTool] = state_->second.tool;
    const double drift_m = static_cast<double>(JointDrift_m(*config_->world, *before_));
    constexpr double kJoined_m = 5e-4;  // where the hand has put the tool off its joint, that is no drift
    joined_ = joined_ || drift_m < kJoined_m;
    if (joined_) result_.joint_drift_m = std::max(result_.joint_drift_m, drift_m);
  }

  /// The supervisor let nothing out of what the tick wanted.
  void CutOutput(CommandFrame* command, Telemetry<Scalar>* telemetry) {
    CutForce(state_.get());
    ZeroCommand(state_.get());
    telemetry->command_wrench_W.setZero();
    *command = CommandFrame{.sequence = command->sequence};
  }

  ReplayedTick Seen(const SensorFrame& sample, const Telemetry<Scalar>& telemetry) {
    ReplayedTick seen;
    seen.tick = telemetry.tick + lead_;
    seen.period_s = 1e-6 * period_us_;
    seen.sample_sequence = sample.sequence;
    for (int i = 0; i < 3; ++i) seen.force_N[i] = static_cast<double>(telemetry.command_wrench_W(i));
    const CommandFrame second = SecondCommand(*state_);
    for (int i = 0; i < 3; ++i) seen.second_force_N[i] = static_cast<double>(second.force_N[i]);
    seen.bodies_after = PosesOf(*state_);
    if (telemetry.work > 0) {  // a problem was solved in this tick
      VisitSolved(*config_, *state_, [&](const auto& problem, const auto& solution) {
        seen.contacts = ContactsOf(problem, solution, config_->world);
        if (HasWorld(*config_) && before_->bodies.size() == config_->world->bodies.size())
          seen.joints = JointsOf(*config_->world, *before_, state_->scene, problem, solution);
      });
    }
    ContactEventList<Scalar> events;
    contact_watch_.Take(*config_, *state_, telemetry, &events);
    for (const ContactEvent<Scalar>& event : events) {
      seen.events.push_back(servo::EventToWire(event));
      seen.events.back().mutate_tick(event.tick + lead_);
    }
    return seen;
  }

  void Keep(const Telemetry<Scalar>& telemetry, const SensorFrame& sample, std::uint32_t tick, bool identical) {
    Computed computed{{}, servo::SecondTelemetryToWire(*state_), HasSecondHand(*config_), identical};
    servo::TelemetryToWire(telemetry, sample, 0, &computed.message);  // buttons: as recorded
    computed.message.mutate_tick(tick);
    computed.second.mutate_tick(tick);
    Remember(&computed_, tick, computed);
  }

  void Report(std::uint32_t tick, const char* message, const std::string& difference) {
    if (!result_.first_difference.empty()) return;
    result_.first_difference =
        fmt::format("first difference: tick {}, {}.{} (recorded and recomputed)", tick, message, difference);
  }

  std::uint32_t period_us_;
  std::uint32_t lead_ = 0;  ///< of the recording's count of ticks before ours, modulo 2^32; 0 unless it skips or repeats
  std::unique_ptr<servo::SceneLoader<Scalar>> scene_loader_ = std::make_unique<servo::SceneLoader<Scalar>>();
  servo::StreamInbox stream_inbox_;
  wire::StreamOpen stream_open_;
  std::optional<Second> second_;              ///< of the next tick
  std::optional<wire::Workspace> workspace_;  ///< in force; none: 1 : 1
  std::optional<Config<Scalar>> config_;
  wire::Config message_;     ///< that made it
  TuneConfig<Scalar> tune_;  ///< where config_ goes, one step before each tick
  bool tuning_ = false;
  bool cuts_output_ = false;  ///< of the next tick
  bool joined_ = false;       ///< its joints have been together since the tool was placed
  std::unique_ptr<State<Scalar>> state_;
  std::unique_ptr<SceneState<Scalar>> before_ = std::make_unique<SceneState<Scalar>>();
  ContactWatch<Scalar> contact_watch_;
  JamWatch jam_watch_;
  std::map<std::uint32_t, Computed> computed_;
};

}  // namespace tactus::host
