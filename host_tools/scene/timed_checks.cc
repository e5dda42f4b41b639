// A tick has the time of its sample: then the bodies are where it finds them, before its step, and its force goes out. A
// check at a time looks at the last tick that begins at or before it. A mean is that of the ticks in [from, to].
#include "host_tools/scene/timed_checks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "host_tools/report/length.h"
#include "host_tools/scene/direction.h"
#include "host_tools/scene/out_of_range.h"

namespace tactus::host {
namespace {

constexpr double kDegree_rad = std::numbers::pi / 180;
constexpr double kLatest_s = 1e4;
constexpr double kRounding_s = 1e-5;  // of a tick's time: a tenth of the shortest period

/// A number of a check, with its range.
double Read(TomlTable* table, const char* key, double otherwise, double low, double high) {
  if (!table->Has(key)) return otherwise;
  const double x = table->Number(key, otherwise);
  if (!(x >= low && x <= high)) table->Fail(key, OutOfRange(x, low, high));
  return x;
}

void NeedOneOf(TomlTable* table, std::initializer_list<const char*> keys) {
  std::string names;
  for (const char* const key : keys) {
    if (table->Has(key)) return;
    names += (names.empty() ? "" : ", ") + std::string(key);
  }
  table->Fail("", fmt::format("asserts nothing; give one of: {}", names));
}
void Need(TomlTable* table, const char* key) {
  if (!table->Has(key)) table->Fail(key, "is missing");
}
void NeedTogether(TomlTable* table, const char* key, const char* other) {
  if (table->Has(key) && !table->Has(other)) table->Fail(key, fmt::format("needs {} too", other));
}

/// Whether a check is of the second hand, which has to be there.
bool ReadSecondHand(TomlTable* table, const std::vector<std::string>& bodies) {
  const bool is_second = table->Flag("second_hand", false);
  if (is_second && std::find(bodies.begin(), bodies.end(), "second_tool") == bodies.end())
    table->Fail("second_hand", "is true, and the scene has no [second_tool]");
  return is_second;
}

ForceCheck ReadForce(TomlTable table, std::size_t number, const std::vector<std::string>& bodies) {
  ForceCheck check;
  check.name = "force_at " + table.Name("name", fmt::format("{}", number));
  check.is_of_second = ReadSecondHand(&table, bodies);
  Need(&table, "from_s");
  Need(&table, "to_s");
  check.from_s = Read(&table, "from_s", 0, 0, kLatest_s);
  check.to_s = Read(&table, "to_s", 0, check.from_s, kLatest_s);
  const Vector3 along = table.Has("along") ? ReadAxis(&table, "along", {}) : Vector3{};
  const double length = std::hypot(along[0], along[1], along[2]);
  for (std::size_t i = 0; i < 3; ++i) check.along[i] = length > 0 ? along[i] / length : 0;
  NeedOneOf(&table, {"min_N", "max_N", "mean_N"});
  NeedTogether(&table, "mean_N", "within_N");
  NeedTogether(&table, "within_N", "mean_N");
  check.min_N = Read(&table, "min_N", check.min_N, -1000, 1000);
  check.max_N = Read(&table, "max_N", check.max_N, -1000, 1000);
  check.mean_N = Read(&table, "mean_N", 0, -1000, 1000);
  check.within_N = Read(&table, "within_N", check.within_N, 0, 1000);
  table.Finish();
  return check;
}

PoseCheck ReadPose(TomlTable table, std::size_t number, const std::vector<std::string>& bodies) {
  PoseCheck check;
  check.body = table.Choice("body", bodies, -1);
  check.name = "body_at " + table.Name("name", fmt::format("{} ({})", number, bodies[static_cast<std::size_t>(check.body)]));
  Need(&table, "at_s");
  check.at_s = Read(&table, "at_s", 0, 0, kLatest_s);
  NeedOneOf(&table, {"position_m", "turned_deg"});
  NeedTogether(&table, "position_m", "within_m");
  NeedTogether(&table, "within_m", "position_m");
  NeedTogether(&table, "turned_deg", "within_deg");
  NeedTogether(&table, "within_deg", "turned_deg");
  const Vector3 position_m = table.Vector("position_m", {});
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(std::abs(position_m[i]) <= 100)) table.Fail("position_m", OutOfRange(position_m[i], -100, 100));
    check.position_m[i] = position_m[i];
  }
  check.within_m = Read(&table, "within_m", check.within_m, 0, 100);
  check.turned_rad = Read(&table, "turned_deg", 0, 0, 180) * kDegree_rad;
  check.within_rad = Read(&table, "within_deg", check.within_rad, 0, 180) * kDegree_rad;
  table.Finish();
  return check;
}

EventCheck ReadEvent(TomlTable table, std::size_t number, const std::vector<std::string>& bodies) {
  EventCheck check;
  check.name = "events " + table.Name("name", fmt::format("{}", number));
  check.is_of_second = ReadSecondHand(&table, bodies);
  if (table.Has("body")) check.body = table.Choice("body", bodies, -1);
  const std::initializer_list<const char*> of_body = {"moved_above_m", "moved_below_m", "turned_above_deg",
                                                      "turned_below_deg"};
  NeedOneOf(&table,
            {"force_above_N", "force_below_N", "moved_above_m", "moved_below_m", "turned_above_deg", "turned_below_deg"});
  for (const char* const key : of_body) NeedTogether(&table, key, "body");
  check.by_s = Read(&table, "by_s", check.by_s, 0, kLatest_s);
  check.force_above_N = Read(&table, "force_above_N", check.force_above_N, 0, 1000);
  check.force_below_N = Read(&table, "force_below_N", check.force_below_N, 0, 1000);
  check.moved_above_m = Read(&table, "moved_above_m", check.moved_above_m, 0, 100);
  check.moved_below_m = Read(&table, "moved_below_m", check.moved_below_m, 0, 100);
  check.turned_above_rad = table.Has("turned_above_deg") ? Read(&table, "turned_above_deg", 0, 0, 180) * kDegree_rad : -1;
  if (table.Has("turned_below_deg")) check.turned_below_rad = Read(&table, "turned_below_deg", 0, 0, 180) * kDegree_rad;
  table.Finish();
  return check;
}

const double (&ForceOf(const ReplayedTick& tick, bool second))[3] { return second ? tick.second_force_N : tick.force_N; }

double Size(const double (&v)[3]) { return Length(v[0], v[1], v[2]); }

double Distance_m(const BodyPose& pose, const double (&from_m)[3]) {
  return Length(pose.p_WB_m[0] - from_m[0], pose.p_WB_m[1] - from_m[1], pose.p_WB_m[2] - from_m[2]);
}

/// The angle between two orientations, 0 to π.
double Turn_rad(const BodyPose& a, const BodyPose& b) {
  // The vector part of a* b has the sine of half the angle: exact for small ones, where the cosine is not.
  const auto& p = a.q_WB;
  const auto& q = b.q_WB;
  const double w = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
  const double x = p[0] * q[1] - p[1] * q[0] - p[2] * q[3] + p[3] * q[2];
  const double y = p[0] * q[2] - p[2] * q[0] - p[3] * q[1] + p[1] * q[3];
  const double z = p[0] * q[3] - p[3] * q[0] - p[1] * q[2] + p[2] * q[1];
  return 2 * std::atan2(Length(x, y, z), std::abs(w));
}

std::string End(const SceneTimeline& run) { return fmt::format("the run has ended at {:.3f} s", run.end_s); }

/// Where the bodies are first seen: they start there. Empty: never.
const std::vector<BodyPose>& StartOf(const SceneTimeline& run) {
  const auto placed = std::find_if(run.ticks.begin(), run.ticks.end(),
                                   [](const SceneTimeline::Tick& tick) { return !tick.seen.bodies.empty(); });
  return placed == run.ticks.end() ? run.end : placed->seen.bodies;
}

/// Where they are at a time. Empty: they are not placed yet, or the run has ended.
const std::vector<BodyPose>& PosesAt(const SceneTimeline& run, double at_s) {
  static const std::vector<BodyPose> kNone;
  const auto after = std::find_if(run.ticks.begin(), run.ticks.end(),
                                  [&](const SceneTimeline::Tick& tick) { return tick.time_s > at_s + kRounding_s; });
  if (after == run.ticks.begin() || at_s > run.end_s + kRounding_s) return kNone;
  return at_s >= run.end_s - kRounding_s ? run.end : std::prev(after)->seen.bodies;
}

CheckResult Check(const ForceCheck& check, const SceneTimeline& run) {
  double sum_N = 0, least_N = std::numeric_limits<double>::infinity(), most_N = -least_N;
  int ticks = 0;
  for (const auto& [time_s, seen] : run.ticks) {
    if (time_s < check.from_s - kRounding_s || time_s > check.to_s + kRounding_s) continue;
    const auto& f = ForceOf(seen, check.is_of_second);
    const double component_N = f[0] * check.along[0] + f[1] * check.along[1] + f[2] * check.along[2];
    const double force_N = Size(check.along) > 0 ? component_N : Size(f);
    sum_N += force_N;
    least_N = std::min(least_N, force_N);
    most_N = std::max(most_N, force_N);
    ++ticks;
  }
  if (run.end_s < check.to_s - kRounding_s || ticks == 0)
    return {check.name, false, fmt::format("its time ends at {:g} s, but {}", check.to_s, End(run))};
  const double mean_N = sum_N / ticks;
  const bool passed = least_N >= check.min_N && most_N <= check.max_N && std::abs(mean_N - check.mean_N) <= check.within_N;
  std::string bounds;
  if (std::isfinite(check.min_N)) bounds += fmt::format(", at least {:g}", check.min_N);
  if (std::isfinite(check.max_N)) bounds += fmt::format(", at most {:g}", check.max_N);
  if (std::isfinite(check.within_N)) bounds += fmt::format(", in the mean {:g} within {:g}", check.mean_N, check.within_N);
  return {check.name, passed,
          fmt::format("{:.4g} to {:.4g} N, in the mean {:.5g} N; its bounds are{}", least_N, most_N, mean_N,
                      bounds.substr(bounds.empty() ? 0 : 1))};
}

CheckResult Check(const PoseCheck& check, const SceneTimeline& run) {
  const auto body = static_cast<std::size_t>(check.body);
  const std::vector<BodyPose>& poses = PosesAt(run, check.at_s);
  if (poses.empty()) return {check.name, false, fmt::format("its time is {:g} s, but {}", check.at_s, End(run))};
  const BodyPose &start = StartOf(run)[body], &pose = poses[body];
  const double off_m = Distance_m(pose, check.position_m), turned_rad = Turn_rad(start, pose);
  // A pose that is no number is within nothing, be it without a bound.
  const bool passed = off_m <= check.within_m && std::abs(turned_rad - check.turned_rad) <= check.within_rad;
  std::string what = fmt::format("at [{:.6g}, {:.6g}, {:.6g}] m, turned by {:.4g} degrees", pose.p_WB_m[0], pose.p_WB_m[1],
                                 pose.p_WB_m[2], turned_rad / kDegree_rad);
  if (std::isfinite(check.within_m)) what += fmt::format("; {:.3g} m off, its bound is {:.3g}", off_m, check.within_m);
  if (std::isfinite(check.within_rad))
    what += fmt::format("; its turn is {:g} within {:g}", check.turned_rad / kDegree_rad, check.within_rad / kDegree_rad);
  return {check.name, passed, what};
}

bool Happens(const EventCheck& event, const std::vector<BodyPose>& start, const ReplayedTick& tick) {
  const double force_N = Size(ForceOf(tick, event.is_of_second));
  if (!(force_N > event.force_above_N && force_N < event.force_below_N)) return false;
  if (event.body < 0) return true;
  if (tick.bodies.empty()) return false;  // not placed yet
  const auto body = static_cast<std::size_t>(event.body);
  const BodyPose &from = start[body], &to = tick.bodies[body];
  const double moved_m = Distance_m(to, from.p_WB_m), turned_rad = Turn_rad(from, to);
  return moved_m > event.moved_above_m && moved_m < event.moved_below_m && turned_rad > event.turned_above_rad &&
         turned_rad < event.turned_below_rad;
}

/// Each from the tick of the one before it on. After one that does not happen none is looked for.
void CheckEvents(const std::vector<EventCheck>& events, const SceneTimeline& run, std::vector<CheckResult>* results) {
  const std::vector<BodyPose>& start = StartOf(run);
  auto tick = run.ticks.begin();
  std::string after = "the start";
  for (const EventCheck& event : events) {
    tick =
        std::find_if(tick, run.ticks.end(), [&](const SceneTimeline::Tick& at) { return Happens(event, start, at.seen); });
    if (tick == run.ticks.end()) {
      results->push_back({event.name, false, fmt::format("has not happened after {}; {}", after, End(run))});
      return;
    }
    results->push_back(
        {event.name, tick->time_s <= event.by_s, fmt::format("at {:.3f} s, its bound is {:g} s", tick->time_s, event.by_s)});
    after = fmt::format("\"{}\" at {:.3f} s", event.name, tick->time_s);
  }
}

}  // namespace

void ReadTimedChecks(TomlTable* checks, const std::vector<std::string>& bodies, TimedChecks* timed) {
  for (const TomlTable& table : checks->Tables("force_at"))
    timed->forces.push_back(ReadForce(table, timed->forces.size(), bodies));
  for (const TomlTable& table : checks->Tables("body_at"))
    timed->poses.push_back(ReadPose(table, timed->poses.size(), bodies));
  for (const TomlTable& table : checks->Tables("events"))
    timed->events.push_back(ReadEvent(table, timed->events.size(), bodies));
}

std::vector<CheckResult> Check(const TimedChecks& checks, const SceneTimeline& run) {
  std::vector<CheckResult> results;
  for (const ForceCheck& check : checks.forces) results.push_back(Check(check, run));
  for (const PoseCheck& check : checks.poses) results.push_back(Check(check, run));
  CheckEvents(checks.events, run, &results);
  return results;
}

}  // namespace tactus::host
