#include "host_tools/hil/rig_stops.h"

#include <fmt/core.h>

#include <cmath>
#include <memory>

#include "firmware/servo/config_from_wire.h"
#include "hal/sim/peg_in_hole_script.h"
#include "host_tools/devices/simulated.h"
#include "host_tools/hil/rig_controller.h"
#include "host_tools/link/host_error.h"
#include "host_tools/report/length.h"
#include "host_tools/session/board_client.h"
#include "host_tools/session/messages.h"

namespace tactus::host {
namespace {

constexpr double kPressing_N = 0.2;  // above the force of a count; every shipped scene that is touched goes beyond it
constexpr int kLongestPress = 3000;  // ticks until then

double ForceOf(const wire::Command& command) {
  const auto& f = *command.force_N();
  return Length(double{f.Get(0)}, double{f.Get(1)}, double{f.Get(2)});
}

/// A controller, armed, with the simulated device at this end.
class Trial {
 public:
  Trial(const RigFile& rig, const SceneFile* scene) : controller_(rig), client_(controller_.transport(), nullptr) {
    const SimulatedChoice choice{.device = rig.device.device, .hand = rig.scene_hand};
    device_ = choice.Make(scene != nullptr ? scene->Hand() : hal::PegInHoleScript(), rig.device.seed, RigChoice::kPeriod_us);
    config_ = choice.ConfigOf(RigChoice::kPeriod_us);
    wire::Config message = servo::ConfigToWire(config_);
    client_.set_listener([this](const wire::Frame& frame) { Hear(frame); });
    client_.Hello();
    if (scene != nullptr) {
      scene->Tell(&message);
      client_.SendScene(scene->Image());
    }
    client_.Configure(message);
    if (scene != nullptr && scene->Map()) client_.SendWorkspace(*scene->Map());
    client_.Arm();
  }

  const Config<double>& config() const { return config_; }
  BoardClient& client() { return client_; }
  double force_N() const { return ForceOf(last_); }
  bool lets_out() const {
    return force_N() != 0 || last_.state() == wire::State::kArmed || last_.state() == wire::State::kFading;
  }
  int faults() const { return faults_; }

  void Press() {
    for (int tick = 0; tick < kLongestPress && force_N() < kPressing_N; ++tick) {
      Tick();
    }
  }

  void Tick() {
    const std::uint64_t before = commands_;
    SendSample(device_->Sample(), client_);
    client_.ReceiveUntil([&] { return commands_ > before; }, "a sample", BoardClient::Time::kStandsStill);
    device_->Advance(ToFrame(last_));
  }

  void SilentTick() {
    constexpr std::uint8_t kEmptyFrame[] = {0};
    const std::uint64_t before = commands_;
    if (client_.frame_per_tick()) client_.SendRaw(kEmptyFrame);
    client_.ReceiveUntil([&] { return commands_ > before; }, "a tick");
    device_->Advance(ToFrame(last_));
  }

 private:
  void Hear(const wire::Frame& frame) {
    wire::Command command;
    wire::Fault fault;
    if (wire::ReadMessage(frame, &command) == Status::kOk) {
      last_ = command;
      ++commands_;
    }
    if (wire::ReadMessage(frame, &fault) == Status::kOk) ++faults_;
  }

  RigController controller_;
  BoardClient client_;
  std::unique_ptr<hal::HeldDevice> device_;
  Config<double> config_;
  wire::Command last_;
  std::uint64_t commands_ = 0;
  int faults_ = 0;
};

RigCheck EStop(const RigFile& rig, const SceneFile* scene) {
  RigCheck check{.group = "stops", .name = "e-stop over the link", .verdict = Verdict::kFail};
  Trial trial(rig, scene);
  trial.Press();
  const double before_N = trial.force_N();
  trial.client().Control(wire::Action::kEStop);
  int ticks = 0;
  constexpr int kMost = 2;  // the tick that is under way, and the one after it
  do {
    trial.Tick();
    ++ticks;
  } while (trial.lets_out() && ticks < kMost);
  if (trial.lets_out()) {
    check.what = fmt::format("{:.2f} N before it, {:.2f} N {} ticks after it", before_N, trial.force_N(), ticks);
    return check;
  }
  try {
    trial.client().Arm();
    check.what = "it can be armed again without clearing the fault";
  } catch (const HostError& refused) {
    if (refused.code() != kExitFailed) throw;
    check.verdict = Verdict::kPass;
    check.what = fmt::format("{:.2f} N before it, zeros within {} ticks, and arming is refused", before_N, ticks);
  }
  return check;
}

RigCheck Silence(const RigFile& rig, const SceneFile* scene) {
  RigCheck check{.group = "stops", .name = "time-out of samples over the link", .verdict = Verdict::kFail};
  Trial trial(rig, scene);
  trial.Press();
  const double before_N = trial.force_N();
  const auto& guard = trial.config().guard;
  const int most = guard.hold_ticks + static_cast<int>(std::ceil(guard.ramp_down_s * 1e6 / RigChoice::kPeriod_us)) + 2;
  int ticks = 0;
  do {
    trial.SilentTick();
    ++ticks;
  } while (trial.lets_out() && ticks < most);
  trial.SilentTick();  // the Fault is told behind the Command of its tick
  if (trial.lets_out() || trial.faults() == 0) {
    check.what = fmt::format("{:.2f} N before it, {:.2f} N after {} ticks of silence, {} faults told", before_N,
                             trial.force_N(), ticks, trial.faults());
    return check;
  }
  check.verdict = Verdict::kPass;
  check.what = fmt::format("{:.2f} N before it, zeros and a fault within {} ticks of {} allowed", before_N, ticks, most);
  return check;
}

}  // namespace

std::vector<RigCheck> CheckStops(const RigFile& rig, const SceneFile* scene) {
  return {EStop(rig, scene), Silence(rig, scene)};
}

}  // namespace tactus::host
