// A recording holds the inputs of every tick and its outputs. With the device at the host, ticks are done in the order of
// the Commands; what the controller acknowledged before a Command acted before that tick. A fault that was raised outside
// the tick is reported behind the Command of the tick that met it, so a first reading finds these ticks. Commands without a
// tick, of zeros, are passed over. A fault that stands before the Command of its tick acts where it stands; kOutputWrong
// acts behind its tick.
//
// With a device of the controller's own, ticks are done in the order of Telemetry, which may come late: what acted waits for
// the tick that its message names.
//
// The count of ticks is recomputed too. Where the recording's count leaves it, that is a difference once: from there on the
// recording's numbers are followed, so that what comes after is still compared.
#include "host_tools/replay/replay.h"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "firmware/servo/config_from_wire.h"
#include "host_tools/link/host_error.h"
#include "host_tools/replay/replayer.h"
#include "host_tools/session/log_file.h"

namespace tactus::host {
namespace {

/// Whether the supervisor raised it. What the controller says of its own failure is no deed on the tick.
bool IsRaisedOutside(const wire::Fault& fault) {
  return fault.external() != wire::ExternalCause::kNone && fault.external() != wire::ExternalCause::kControllerFault;
}

/// Where a reading of a recording stands.
struct Place {
  std::uint64_t commands = 0;    ///< of ticks, so far
  std::uint32_t ticks_done = 0;  ///< as the recording counts

  void Pass(const wire::Frame& frame) {
    wire::Command command;
    wire::Ack ack;
    if (wire::ReadMessage(frame, &ack) == Status::kOk) ticks_done = ack.tick();  // a Config or kReset begins a count
    if (wire::ReadMessage(frame, &command) != Status::kOk || command.tick() == 0) return;
    ++commands;
    ticks_done = command.tick();
  }
  /// Whether the Command of the fault's tick stands before it.
  bool IsBehindItsTick(const wire::Fault& fault) const { return fault.tick() <= ticks_done; }
};

/// Which Commands, counted from 1 through the recording, met a fault from outside that stands behind them.
using MetFaults = std::multimap<std::uint64_t, Cause>;

MetFaults FindExternalFaults(const std::string& log_path) {
  MetFaults met;
  Place place;
  // Its damage is told by the second reading.
  static_cast<void>(ReadLog(log_path, [&](wire::LogDirection, const wire::Frame& frame) {
    wire::Fault fault;
    place.Pass(frame);
    if (wire::ReadMessage(frame, &fault) == Status::kOk && IsRaisedOutside(fault) && place.IsBehindItsTick(fault))
      met.emplace(place.commands, static_cast<Cause>(fault.external()));
  }));
  return met;
}

WorkBudget WorkOf(const wire::Hello& hello) {
  const auto budget = [](std::uint32_t told) {
    return static_cast<int>(std::min<std::uint32_t>(told, std::numeric_limits<int>::max()));
  };
  return {.alone = budget(hello.work_budget()),
          .of_many = budget(hello.work_budget_of_many()),
          .contacts = std::clamp<int>(hello.max_contacts(), 1, kServoCapacity.contacts)};
}

/// Something that acted on the tick's state from outside.
struct Deed {
  std::uint32_t ticks_done = 0;  ///< ticks that were done before it
  bool renews = false;           ///< it starts the count of ticks again
  std::function<void()> act;
};

/// Follows the conversation and tells the replayer what acted, and when.
class Conversation {
 public:
  Conversation(MetFaults external_faults, TickWatcher watch)
      : external_faults_(std::move(external_faults)), watch_(std::move(watch)) {}

  void On(wire::LogDirection direction, const wire::Frame& frame) {
    direction == wire::LogDirection::kToController ? OnSent(frame) : OnReceived(frame);
  }

  const Replayer& replayer() const {
    if (!replayer_)
      throw HostError("the recording has no Hello: it does not tell which numbers the board computes with", kExitFailed);
    return *replayer_;
  }

 private:
  void OnSent(const wire::Frame& frame) {
    wire::Sample sample;
    wire::Config config;
    wire::Control control;
    wire::Tune tune;
    wire::ScenePart part;
    wire::StreamOpen open;
    wire::ContactSet set;
    wire::Workspace workspace;
    if (wire::ReadMessage(frame, &workspace) == Status::kOk) Remember(&workspaces_, frame.sequence, workspace);
    if (wire::ReadMessage(frame, &open) == Status::kOk) Remember(&streams_, frame.sequence, open);
    if (wire::ReadMessage(frame, &set) == Status::kOk) Remember(&sets_, frame.sequence, set);
    if (wire::ReadMessage(frame, &part) == Status::kOk) Remember(&parts_, frame.sequence, part);
    if (wire::ReadMessage(frame, &tune) == Status::kOk) Remember(&tunes_, frame.sequence, tune);
    wire::CountedSample counted;
    wire::SampleOfTwo of_two;
    if (wire::ReadMessage(frame, &sample) == Status::kOk) OnSample({.sample = sample});
    if (wire::ReadMessage(frame, &counted) == Status::kOk)
      OnSample({.sample = servo::WithoutCounts(counted), .counts = servo::CountsFromWire(counted)});
    if (wire::ReadMessage(frame, &of_two) == Status::kOk) {
      OnSample({.sample = servo::FirstOf(of_two)});
      Remember(&second_samples_, of_two.sequence(), servo::SecondOf(of_two));
    }
    if (wire::ReadMessage(frame, &config) == Status::kOk) Remember(&configs_, frame.sequence, config);
    if (wire::ReadMessage(frame, &control) == Status::kOk) Remember(&controls_, frame.sequence, control);
  }

  void OnSample(const ToldSample& told) {
    Remember(&samples_, told.sample.sequence(), told);
    second_samples_.erase(told.sample.sequence());
  }

  void OnReceived(const wire::Frame& frame) {
    wire::Hello hello;
    place_.Pass(frame);
    if (wire::ReadMessage(frame, &hello) == Status::kOk) OnHello(hello);
    if (!replayer_) return;
    wire::Ack ack;
    wire::Command command;
    wire::SecondCommand of_second;
    wire::Telemetry telemetry;
    wire::Fault fault;
    wire::Stopped last_word;
    wire::ConfigHighest highest;
    if (wire::ReadMessage(frame, &highest) == Status::kOk) replayer_->set_limits(servo::LimitsFromWire(highest));
    if (wire::ReadMessage(frame, &ack) == Status::kOk) {
      if (ack.code() == wire::AckCode::kAccepted) OnAccepted(ack);
      if (!local_) replayer_->CheckTicksDone("Ack", ack.tick());
    }
    if (wire::ReadMessage(frame, &last_word) == Status::kOk) replayer_->CheckTicksDone("Stopped", last_word.ticks());
    if (wire::ReadMessage(frame, &of_second) == Status::kOk) second_command_ = of_second;
    if (wire::ReadMessage(frame, &command) == Status::kOk && command.tick() != 0) OnCommand(command);
    wire::SecondTelemetry second;
    wire::SampleCounts counts;
    if (wire::ReadMessage(frame, &second) == Status::kOk) second_telemetry_ = second;
    if (wire::ReadMessage(frame, &counts) == Status::kOk) counts_ = counts;
    if (wire::ReadMessage(frame, &telemetry) == Status::kOk) OnTelemetry(telemetry);
    if (wire::ReadMessage(frame, &fault) == Status::kOk && IsRaisedOutside(fault)) OnFault(fault);
  }

  void OnFault(const wire::Fault& fault) {
    const auto cause = static_cast<Cause>(fault.external());
    if (local_) deeds_.push_back({fault.tick() - 1, false, [this, cause] { replayer_->RaiseFault(cause); }});
    if (!local_ && !place_.IsBehindItsTick(fault)) replayer_->RaiseFault(cause);
  }

  void OnHello(const wire::Hello& hello) {
    if (!replayer_) {
      local_ = hello.device() == wire::DeviceKind::kLocal;
      if (hello.scalar_bits() == 32) replayer_ = std::make_unique<ScalarReplayer<float>>(hello.tick_period_us());
      if (hello.scalar_bits() == 64) replayer_ = std::make_unique<ScalarReplayer<double>>(hello.tick_period_us());
      if (replayer_) replayer_->set_watch(watch_);
    }
    if (replayer_) replayer_->set_work(WorkOf(hello));
    if (replayer_ && !local_) replayer_->CheckTicksDone("Hello", hello.tick());
  }

  void OnCommand(const wire::Command& command) {
    const auto [first, end] = external_faults_.equal_range(place_.commands);
    for (auto fault = first; fault != end; ++fault) replayer_->RaiseFault(fault->second);
    const auto second = second_samples_.find(command.sample_sequence());
    if (second != second_samples_.end()) replayer_->TellSecond(second->second, second_command_);
    replayer_->Check(command, samples_[command.sample_sequence()]);
  }

  /// What came between the last Telemetry and this one belongs to it, if it is of the same tick.
  template <class Message>
  static std::optional<Message> TakeOf(const wire::Telemetry& telemetry, std::optional<Message>* before) {
    const std::optional<Message> taken = std::exchange(*before, std::nullopt);
    return taken && taken->tick() == telemetry.tick() ? taken : std::nullopt;
  }

  void OnTelemetry(const wire::Telemetry& telemetry) {
    const auto of_second = TakeOf(telemetry, &second_telemetry_);
    const auto counts = TakeOf(telemetry, &counts_);
    const wire::SecondTelemetry* const second = of_second ? &*of_second : nullptr;
    if (local_) {
      PassEndedCount(telemetry.tick());
      while (!deeds_.empty() && HasActed(deeds_.front(), telemetry.tick())) Act();
      replayer_->RunAndCheck(telemetry, counts ? servo::CountsFromWire(*counts) : CountSteps{}, second);
    } else {
      replayer_->Check(telemetry);
    }
    replayer_->CheckSecond(telemetry.tick(), second);
  }

  void Act() {
    deeds_.front().act();
    deeds_.pop_front();
  }

  /// A deed that waited for a tick of a count that has ended without it: what ended that count acted behind it.
  void PassEndedCount(std::uint32_t tick) {
    const auto renews = std::find_if(deeds_.begin(), deeds_.end(), [](const Deed& deed) { return deed.renews; });
    if (renews == deeds_.end() || tick > replayer_->ticks_done()) return;
    for (auto left = renews - deeds_.begin(); left > 0; --left) Act();
  }

  /// Whether a deed came before this tick. A new count shows by its first tick.
  bool HasActed(const Deed& deed, std::uint32_t tick) const {
    if (deed.renews) return tick <= replayer_->ticks_done() || replayer_->ticks_done() == 0;
    return deed.ticks_done < tick;
  }

  void OnAccepted(const wire::Ack& ack) {
    const auto config = configs_.find(ack.of_sequence());
    const auto control = controls_.find(ack.of_sequence());
    Deed deed;
    deed.ticks_done = ack.tick();
    const auto tune = tunes_.find(ack.of_sequence());
    if (ack.of_type() == wire::MessageType::kTune && tune != tunes_.end()) {
      deed.act = [this, message = tune->second] { replayer_->Tune(message); };
    }
    const auto part = parts_.find(ack.of_sequence());
    if (ack.of_type() == wire::MessageType::kScenePart && part != parts_.end()) {
      deed.renews = replayer_->ticks_done() > 0 && IsLast(part->second);
      deed.act = [this, message = part->second] { replayer_->TakeScene(message); };
    }
    const auto open = streams_.find(ack.of_sequence());
    if (ack.of_type() == wire::MessageType::kStreamOpen && open != streams_.end()) {
      deed.renews = replayer_->ticks_done() > 0;
      deed.act = [this, message = open->second] { replayer_->OpenStream(message); };
    }
    const auto set = sets_.find(ack.of_sequence());
    if (ack.of_type() == wire::MessageType::kContactSet && set != sets_.end()) {
      deed.act = [this, message = set->second] { replayer_->TakeContacts(message); };
    }
    const auto workspace = workspaces_.find(ack.of_sequence());
    if (ack.of_type() == wire::MessageType::kWorkspace && workspace != workspaces_.end()) {
      const bool anew = ack.state() == wire::State::kIdle;
      deed.renews = anew && replayer_->ticks_done() > 0;
      deed.act = [this, message = workspace->second, anew] { replayer_->TakeWorkspace(message, anew); };
    }
    if (ack.of_type() == wire::MessageType::kArm) deed.act = [this] { replayer_->Arm(); };
    if (ack.of_type() == wire::MessageType::kConfig && config != configs_.end()) {
      deed.renews = true;
      deed.act = [this, message = config->second] { replayer_->Configure(message); };
    }
    if (ack.of_type() == wire::MessageType::kControl && control != controls_.end()) {
      const wire::Action action = control->second.action();
      deed.renews = action == wire::Action::kReset;
      deed.act = [this, action] { replayer_->Control(action); };
    }
    if (!deed.act) return;
    local_ ? deeds_.push_back(std::move(deed)) : deed.act();
  }

  /// Whether a piece completes an image.
  static bool IsLast(const wire::ScenePart& part) { return part.offset() + part.size() == part.total(); }

  MetFaults external_faults_;
  TickWatcher watch_;
  Place place_;
  std::unique_ptr<Replayer> replayer_;
  bool local_ = false;  // the controller has a device of its own
  std::deque<Deed> deeds_;
  std::map<std::uint32_t, ToldSample> samples_;
  std::map<std::uint32_t, wire::Sample> second_samples_;
  wire::SecondCommand second_command_;  // that came last
  std::optional<wire::SecondTelemetry> second_telemetry_;
  std::optional<wire::SampleCounts> counts_;
  std::map<std::uint32_t, wire::Config> configs_;        // by the frame's sequence
  std::map<std::uint32_t, wire::Control> controls_;      // by the frame's sequence
  std::map<std::uint32_t, wire::ScenePart> parts_;       // by the frame's sequence
  std::map<std::uint32_t, wire::Tune> tunes_;            // by the frame's sequence
  std::map<std::uint32_t, wire::StreamOpen> streams_;    // by the frame's sequence
  std::map<std::uint32_t, wire::ContactSet> sets_;       // by the frame's sequence
  std::map<std::uint32_t, wire::Workspace> workspaces_;  // by the frame's sequence
};

}  // namespace

ReplayResult Replay(const std::string& log_path, const TickWatcher& watch) {
  Conversation conversation(FindExternalFaults(log_path), watch);
  const std::string damage =
      ReadLog(log_path, [&](wire::LogDirection direction, const wire::Frame& frame) { conversation.On(direction, frame); });
  ReplayResult result = conversation.replayer().result();
  result.damage = damage;
  return result;
}

}  // namespace tactus::host
