#pragma once
#include <string>
#include <vector>

#include "host_tools/rig/guarded_device.h"

namespace tactus::host {

enum class Verdict { kPass, kFail, kNotRun };

struct SelfTestLine {
  std::string name;
  Verdict verdict = Verdict::kNotRun;
  std::string why;  ///< what was seen; of kFail and kNotRun: why
};

struct SelfTest {
  std::vector<SelfTestLine> lines;
  double farthest_m = 0, largest_N = 0;
  bool failed() const;
};

/// Looks at a device before anything is armed on it, with pushes that end as soon as the handle has moved by 0.3 mm.
///
/// Order   samples, with the drives off: they come, are new, are numbers, do not jump, the e-stop's input is closed;
///         zeros, with the drives on: nothing moves; for each driven axis a push to both sides: the handle moves, with the
///         push, along it; behind the push zeros: it slows down. Then the controller, in this process: its e-stop and a
///         device that falls silent end with zeros and the drives off. The first failure ends the pushes: the rest is not
///         run
/// Bound   ceilings.reach_m at which it stops, and what the handle coasts from ceilings.speed_mps; a device that is not
///         stopped by zeros is stopped by drives off
///
/// @param[in] lift_m  how far the handle may go when the drives come on: a driver that holds up its links lifts it
SelfTest RunSelfTest(hal::Device& device, const Ceilings& ceilings, double lift_m, std::uint32_t period_us);

/// The ceiling of the way where nobody says one: 5 mm, and behind a lift 5 mm more.
double SelfTestReach_m(double lift_m);

/// "pass", "FAIL", "not run".
const char* Name(Verdict verdict);
std::string SelfTestText(const std::string& device, const SelfTest& test);
std::string SelfTestJson(const std::string& device, const SelfTest& test);

}  // namespace tactus::host
