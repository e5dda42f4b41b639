#include "host_tools/hil/rig_checks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "firmware/servo/config_from_wire.h"
#include "host_tools/devices/play_hands.h"
#include "host_tools/devices/simulated.h"
#include "host_tools/hil/rig_controller.h"
#include "host_tools/hil/rig_device.h"
#include "host_tools/hil/rig_stops.h"
#include "host_tools/link/host_error.h"
#include "host_tools/link/local_board.h"
#include "host_tools/link/stop_signal.h"
#include "host_tools/scene/scene_file.h"
#include "host_tools/session/finish.h"
#include "host_tools/session/play.h"
#include "host_tools/session/servo_config.h"

namespace tactus::host {
namespace {

constexpr const char* kAxes[] = {"x", "y", "z"};

class Runner {
 public:
  explicit Runner(const RigFile& rig) : rig_(rig) {
    if (!rig.scene.empty()) scene_ = LoadScene(rig.scene);
  }

  RigResult Run() {
    SelfTestOf();
    IdentifyOf();
    StopsOf();
    SceneOf();
    result_.stopped_by = StopSignal::Raised();
    return std::move(result_);
  }

 private:
  void Say(const std::string& group, const std::string& name, Verdict verdict, const std::string& what) {
    result_.checks.push_back({group, name, verdict, what});
  }
  /// Why nothing is moved or armed any more; "": it may be.
  std::string Stopped() const {
    if (StopSignal::Raised() != 0) return "a signal came";
    return unsafe_ ? "the selftest failed" : "";
  }

  /// A ceiling that the device cannot have is the file's.
  template <class Make>
  Ceilings InFile(Make make) const {
    try {
      return make();
    } catch (const HostError& error) {
      throw HostError(fmt::format("{}: limits: {}", rig_.path, error.what()), kExitFailed);
    }
  }

  void SelfTestOf() {
    if (!rig_.selftest) return Say("selftest", "all", Verdict::kNotRun, "checks.selftest = false");
    RigChoice choice = rig_.device;
    const double lift_m = rig_.lift_m.value_or(DeclaredLift_m(rig_));
    constexpr double kSpeed_mps = 0.3;  // as tactus selftest has it
    const double usual_m = SelfTestReach_m(lift_m);
    choice.reach_m = rig_.gives_reach ? std::min(usual_m, rig_.device.reach_m) : usual_m;
    choice.speed_mps = rig_.gives_speed ? std::min(kSpeed_mps, rig_.device.speed_mps) : kSpeed_mps;
    RigDevice open(rig_);
    const Ceilings ceilings = InFile([&] { return choice.SmallCeilingsFor(open.device().capabilities()); });
    const SelfTest test = RunSelfTest(open.device(), ceilings, std::min(lift_m, choice.reach_m), RigChoice::kPeriod_us);
    for (const SelfTestLine& line : test.lines) Say("selftest", line.name, line.verdict, line.why);
    unsafe_ = test.failed();
  }

  void IdentifyOf() {
    if (rig_.numbers.empty()) return Say("identify", "all", Verdict::kNotRun, "no [[numbers]] to compare with");
    if (!Stopped().empty()) return Say("identify", "all", Verdict::kNotRun, Stopped());
    RigDevice open(rig_);
    const hal::DeviceCapabilities& can = open.device().capabilities();
    const Ceilings ceilings = InFile([&] { return rig_.device.CeilingsFor(can); });
    GuardedDevice guarded(open.device(), ceilings, RigChoice::kPeriod_us);
    const Identification found = Identify(guarded, OptionsFor(can, ceilings, rig_.seconds));
    if (!found.fault.empty()) Say("identify", "runs to its end", Verdict::kFail, found.fault);
    for (const RigNumber& number : rig_.numbers) Compare(number, found);
  }

  void Compare(const RigNumber& number, const Identification& found) {
    const IdentifiedAxis& axis = found.axis[static_cast<std::size_t>(number.axis)];
    const std::string name = fmt::format("{}: {}", kAxes[number.axis], number.quantity);
    if (!found.fault.empty()) return Say("identify", name, Verdict::kNotRun, "it was stopped");
    if (!axis.refusal.empty()) return Say("identify", name, Verdict::kFail, axis.refusal);
    const Estimated& is = *FindQuantity(axis, number.quantity);
    if (is.half < 0 || !(is.value > is.half)) return Say("identify", name, Verdict::kFail, "not seen");
    const double off = is.value / number.value - 1;
    Say("identify", name, std::abs(off) <= number.within ? Verdict::kPass : Verdict::kFail,
        fmt::format("{:.4g} ± {:.2g}; {:g} declared: off {:+.1f} %, {:g} % allowed", is.value, is.half, number.value,
                    100 * off, 100 * number.within));
  }

  void StopsOf() {
    if (!rig_.stops) return Say("stops", "all", Verdict::kNotRun, "checks.stops = false");
    if (rig_.kind != RigKind::kSimulated)
      return Say("stops", "over the link", Verdict::kNotRun,
                 "the device is driven from this process: the selftest has them");
    if (!Stopped().empty()) return Say("stops", "all", Verdict::kNotRun, Stopped());
    for (RigCheck& check : CheckStops(rig_, scene_ ? &*scene_ : nullptr)) result_.checks.push_back(std::move(check));
    Say("stops", "time-out of a silent host", Verdict::kNotRun,
        rig_.link.empty() ? "the controller in this process lives on the host's frames; tests/hil has it"
                          : "on a link whose board has its own clock it is the time-out of samples");
  }

  void SceneOf() {
    if (!scene_) return Say("scene", "all", Verdict::kNotRun, "no mounted.scene");
    if (rig_.kind == RigKind::kLine)
      return Say("scene", scene_->title, Verdict::kNotRun,
                 "this process has no real-time loop for hardware: tactus serve has one, and tactus hil --link watches it");
    if (!Stopped().empty()) return Say("scene", scene_->title, Verdict::kNotRun, Stopped());
    const LogPlace place(RunOutputs{});
    RunSummary run;
    {
      LogFile log(place.path());
      PlayScene(&log, &run);
      log.Close();
    }
    result_.board = run.board;
    for (const std::string& fault : run.faults) Say("scene", "no fault", Verdict::kFail, fault);
    for (const std::string& problem : run.problems) Say("scene", "no problem", Verdict::kFail, problem);
    if (run.stopped_by != 0) return Say("scene", scene_->title, Verdict::kNotRun, "a signal came");
    for (const CheckResult& check : Check(scene_->checks, run, place.path()))
      Say("scene", check.name, check.passed ? Verdict::kPass : Verdict::kFail, check.what);
    if (!rig_.wall) return;
    result_.wall = WallPoints(*rig_.wall, place.path());
    result_.checks.push_back(CheckWall(*rig_.wall, result_.wall));
  }

  void PlayScene(LogFile* log, RunSummary* run) {
    const auto script_ticks = static_cast<std::uint32_t>(std::ceil(scene_->Hand().duration_s() * 1000));
    PlayOptions play{.ticks = rig_.ticks > 0 ? rig_.ticks : std::max(script_ticks, 1000u),
                     .config = {},
                     .quiet = true,
                     .period_us = RigChoice::kPeriod_us,
                     .scene = scene_->Image(),
                     .workspace = scene_->Map()};
    if (rig_.kind == RigKind::kEmulated) {
      const std::string name = rig_.device.device.substr(0, rig_.device.device.rfind("-emulator"));
      EmulatedRun emulated(name, scene_->path, rig_.device.seed, {}, RigChoice::kPeriod_us);
      play.config = servo::ConfigToWire(ConfigOf(emulated.device().capabilities()));
      scene_->Tell(&play.config);
      constexpr int kScalarBits = 64;
      const std::unique_ptr<Transport> transport = MakeLocalBoardWith(kScalarBits, emulated.device(), RigChoice::kPeriod_us);
      BoardClient board(*transport, log);
      return Watch(board, play, run);
    }
    const SimulatedChoice choice{.device = rig_.device.device, .hand = rig_.scene_hand};
    play.config = servo::ConfigToWire(choice.ConfigOf(RigChoice::kPeriod_us));
    scene_->Tell(&play.config);
    if (rig_.sample_paced) BePatient(&play.config);
    RigController controller(rig_);
    BoardClient board(controller.transport(), log);
    PlayHands(board, choice, scene_->Hand(), scene_->SecondHand(), rig_.device.seed, play, run);
  }

  const RigFile& rig_;
  std::optional<SceneFile> scene_;
  RigResult result_;
  bool unsafe_ = false;
};

}  // namespace

int RigResult::Count(Verdict verdict) const {
  return static_cast<int>(
      std::count_if(checks.begin(), checks.end(), [&](const RigCheck& c) { return c.verdict == verdict; }));
}

RigResult RunRig(const RigFile& rig) { return Runner(rig).Run(); }

}  // namespace tactus::host
