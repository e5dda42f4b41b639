#include "host_tools/rig/selftest.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "host_tools/rig/controller_checks.h"

namespace tactus::host {
namespace {

using Eigen::Vector3d;

constexpr const char* kAxes[] = {"x", "y", "z"};
constexpr double kMoved_m = 0.0003;   // a push ends here: several counts of any device
constexpr double kStands_m = 0.0003;  // in the last 0.2 s under zeros
constexpr double kJump_m = 0.002;     // between two samples: 2 m/s
constexpr double kMostTurned = 0.5;   // cosine of push and motion: an arm's mass is not the same in all directions
constexpr double kRamp_s = 0.4, kZeros_s = 0.2, kLift_s = 1;

class Tester {
 public:
  Tester(hal::Device& device, const Ceilings& ceilings, double lift_m, std::uint32_t period_us)
      : device_(device), guarded_(device, ceilings, period_us), lift_m_(lift_m), period_us_(period_us) {}

  SelfTest Run() {
    bool well = Samples();
    well = well ? Zeros() : (NotRun("zeros hold it"), false);
    for (int axis = 0; axis < 3; ++axis) {
      const std::string name = fmt::format("{}: moves with the push", kAxes[axis]);
      if (!device_.capabilities().actuated[axis]) {
        Say(name, Verdict::kNotRun, "not driven");
      } else if (well) {
        well = Push(axis, name);
      } else {
        NotRun(name);
      }
    }
    if (well) Say("zeros end a push", Verdict::kPass, "the handle slowed down behind every one");
    guarded_.Release();
    if (!well) {
      NotRun("the controller's e-stop");
      NotRun("time-out of samples");
    } else {
      for (SelfTestLine& line : CheckController(device_, guarded_.now_us(), period_us_))
        test_.lines.push_back(std::move(line));
    }
    Say("time-out of a silent host", Verdict::kNotRun,
        "the controller in this process lives on the host's frames; tests/hil has it");
    test_.farthest_m = guarded_.farthest_m();
    return std::move(test_);
  }

 private:
  void Say(const std::string& name, Verdict verdict, const std::string& why) { test_.lines.push_back({name, verdict, why}); }
  bool Fail(const std::string& name, const std::string& why) {
    guarded_.Release();
    Say(name, Verdict::kFail, why);
    return false;
  }
  void NotRun(const std::string& name) { Say(name, Verdict::kNotRun, "a check before it failed"); }

  bool Tick(const Vector3d& force_N) {
    const Vector3d before_m = guarded_.p_m();
    const bool ok = guarded_.Tick(force_N);
    test_.largest_N = std::max(test_.largest_N, guarded_.force_N().norm());
    jump_m_ = std::max(jump_m_, (guarded_.p_m() - before_m).norm());
    return ok;
  }

  /// Drives off; zeros.
  bool Samples() {
    constexpr int kPeriods = 100;
    const std::string name = "samples come";
    int fresh = 0;
    bool open = false, numbers = true;
    Vector3d last_m = Vector3d::Zero();
    double jump_m = 0;
    for (int i = 0; i < kPeriods; ++i) {
      const hal::DeviceReading r = guarded_.Look();
      const Vector3d p_m(static_cast<double>(r.sample.p_WH_m[0]), static_cast<double>(r.sample.p_WH_m[1]),
                         static_cast<double>(r.sample.p_WH_m[2]));
      numbers = numbers && (!r.valid || p_m.allFinite());
      if (r.valid && r.is_new && fresh++ > 0) jump_m = std::max(jump_m, (p_m - last_m).norm());
      if (r.valid) last_m = p_m;
      open = open || r.e_stop;
    }
    if (!numbers) return Fail(name, "a position is no number");
    if (fresh < kPeriods / 2) return Fail(name, fmt::format("{} new ones in {} periods", fresh, kPeriods));
    Say(name, Verdict::kPass, fmt::format("{} new ones in {} periods", fresh, kPeriods));
    if (!(jump_m < kJump_m)) return Fail("encoders do not jump", fmt::format("{:.2g} mm between two samples", 1e3 * jump_m));
    Say("encoders do not jump", Verdict::kPass, fmt::format("at most {:.2g} mm between two samples", 1e3 * jump_m));
    if (open) return Fail("the e-stop's input is closed", "it is open");
    Say("the e-stop's input is closed", Verdict::kPass, "that it opens must be tried by hand");
    return true;
  }

  /// Drives on, zeros.
  bool Zeros() {
    const std::string name = "zeros hold it";
    if (!guarded_.Arm()) return Fail(name, guarded_.why());
    Vector3d from_m = Vector3d::Zero();
    double sway_m = 0;
    for (double t = 0; t < kLift_s + kZeros_s; t += guarded_.period_s()) {
      if (!Tick(Vector3d::Zero())) return Fail(name, guarded_.why());
      if (t < kLift_s) from_m = guarded_.p_m();
      sway_m = std::max(sway_m, t < kLift_s ? 0.0 : (guarded_.p_m() - from_m).norm());
      if (guarded_.p_m().norm() > lift_m_ || (guarded_.p_m() - from_m).norm() > kStands_m)
        return Fail(name, fmt::format("it went {:.2g} mm; a driver that holds up its links may: --lift",
                                      1e3 * std::max(guarded_.p_m().norm(), (guarded_.p_m() - from_m).norm())));
    }
    // It would pass for the answer to a push.
    if (sway_m > kMoved_m / 2)
      return Fail(name, fmt::format("it sways by {:.2g} mm without a force: a hand moves it; let it go", 1e3 * sway_m));
    Say(name, Verdict::kPass, fmt::format("it went {:.2g} mm", 1e3 * guarded_.p_m().norm()));
    return true;
  }

  bool Push(int axis, const std::string& name) {
    std::string seen;
    for (const double sign : {1.0, -1.0}) {
      const Vector3d along = sign * Vector3d::Unit(axis), from_m = guarded_.p_m();
      double force_N = 0;
      jump_m_ = 0;
      for (double t = 0; t < kRamp_s && (guarded_.p_m() - from_m).norm() < kMoved_m; t += guarded_.period_s()) {
        force_N = guarded_.ceilings().force_N * t / kRamp_s;
        if (!Tick(force_N * along)) return Fail(name, guarded_.why());
      }
      const Vector3d way_m = guarded_.p_m() - from_m;
      if (way_m.norm() < kMoved_m)
        return Fail(name, fmt::format("{:.2g} N moved it by {:.2g} mm: no torque, a stuck encoder, or it is held", force_N,
                                      1e3 * way_m.norm()));
      const double turned = way_m.dot(along) / way_m.norm();
      if (turned < -kMostTurned) return Fail(name, "moves against it: the sign of a torque or of an encoder is wrong");
      if (turned < kMostTurned)
        return Fail(name,
                    fmt::format("moves across it ({:.2f}, {:.2f}, {:.2f} mm): axes or motors are swapped, one is dead or "
                                "has a wrong sign",
                                1e3 * way_m(0), 1e3 * way_m(1), 1e3 * way_m(2)));
      if (!(jump_m_ < kJump_m)) return Fail(name, fmt::format("its samples jumped by {:.2g} mm", 1e3 * jump_m_));
      seen += fmt::format("{}{:.2g} N", seen.empty() ? "from " : " and -", force_N);
      if (!Rest(axis)) return false;
    }
    Say(name, Verdict::kPass, seen);
    return true;
  }

  /// Behind a push: zeros until it stands, within a bound that a hand's spring may pull it back over.
  bool Rest(int axis) {
    const std::string name = "zeros end a push";
    constexpr int kWindow = 20;
    Vector3d past_m = guarded_.p_m();
    double first_mps = -1, speed_mps = 0;
    const int ticks = static_cast<int>(kZeros_s / guarded_.period_s());
    for (int i = 1; i <= ticks; ++i) {
      if (!Tick(Vector3d::Zero())) return Fail(name, fmt::format("behind {}: {}", kAxes[axis], guarded_.why()));
      if (i % kWindow != 0) continue;
      speed_mps = (guarded_.p_m() - past_m).norm() / (kWindow * guarded_.period_s());
      past_m = guarded_.p_m();
      if (first_mps < 0) first_mps = speed_mps;
    }
    constexpr double kSlow_mps = 0.02;  // of a hand that takes it back
    if (speed_mps > std::max(1.2 * first_mps, kSlow_mps))
      return Fail(name, fmt::format("behind {} it went on, {:.3f} m/s, then {:.3f} m/s: zeros are ignored", kAxes[axis],
                                    first_mps, speed_mps));
    return true;
  }

  hal::Device& device_;
  GuardedDevice guarded_;
  const double lift_m_;
  const std::uint32_t period_us_;
  SelfTest test_;
  double jump_m_ = 0;
};

}  // namespace

const char* Name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass: return "pass";
    case Verdict::kFail: return "FAIL";
    case Verdict::kNotRun: return "not run";
  }
  return "unknown";
}

double SelfTestReach_m(double lift_m) {
  constexpr double kReach_m = 0.005, kStill_m = 0.001;
  return lift_m > kStill_m ? lift_m + kReach_m : kReach_m;
}

bool SelfTest::failed() const {
  return std::any_of(lines.begin(), lines.end(), [](const SelfTestLine& l) { return l.verdict == Verdict::kFail; });
}

SelfTest RunSelfTest(hal::Device& device, const Ceilings& ceilings, double lift_m, std::uint32_t period_us) {
  return Tester(device, ceilings, lift_m, period_us).Run();
}

std::string SelfTestText(const std::string& device, const SelfTest& test) {
  std::string text = fmt::format("{}; docs/identify.md\n", device);
  for (const SelfTestLine& line : test.lines)
    text += fmt::format("{:<8} {:<30} {}\n", Name(line.verdict), line.name, line.why);
  text += fmt::format("{}; went {:.2f} mm at most, {:.2f} N\n", test.failed() ? "FAILED: do not arm it" : "passed",
                      1e3 * test.farthest_m, test.largest_N);
  return text;
}

std::string SelfTestJson(const std::string& device, const SelfTest& test) {
  nlohmann::ordered_json json = {{"format", "tactus.selftest/1"}, {"device", device}, {"passed", !test.failed()}};
  json["checks"] = nlohmann::ordered_json::array();
  for (const SelfTestLine& line : test.lines)
    json["checks"].push_back({{"name", line.name}, {"verdict", Name(line.verdict)}, {"why", line.why}});
  json["farthest_m"] = test.farthest_m;
  json["largest_N"] = test.largest_N;
  return json.dump(1);
}

}  // namespace tactus::host
