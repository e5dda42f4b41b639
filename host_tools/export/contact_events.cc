#include "host_tools/export/contact_events.h"

#include <algorithm>

namespace tactus::host {

using Kind = ContactEvent::Kind;

const char* Name(Kind kind) {
  switch (kind) {
    case Kind::kBegins: return "begins";
    case Kind::kEnds: return "ends";
    case Kind::kSlips: return "slips";
    case Kind::kSticks: return "sticks";
  }
  return "unknown";
}

/// What all contacts of two bodies carry in one tick.
struct ContactEvents::Load {
  double impulse_Ns = 0, moment[3] = {0, 0, 0}, slip_mps = 0;

  void Add(const ReplayedContact& contact, double period_s) {
    const double theta_Ns = contact.normal_N * period_s;
    impulse_Ns += theta_Ns;
    for (int i = 0; i < 3; ++i) moment[i] += theta_Ns * contact.point_m[i];
    slip_mps = std::max(slip_mps, contact.slip_mps);
  }
};

std::vector<ContactEvent> ContactEvents::Take(const ReplayedTick& tick) {
  constexpr double kPause_s = 0.005, kSlips_mps = 1e-3, kSticks_mps = 5e-4;
  const double now_s = tick.tick * tick.period_s;
  std::map<std::pair<int, int>, Load> loads;
  for (const ReplayedContact& contact : tick.contacts) {
    if (contact.normal_N > 0) loads[{contact.a, contact.b}].Add(contact, tick.period_s);
  }
  std::vector<ContactEvent> events;
  for (const auto& [bodies, load] : loads) {
    const bool begins = touches_.count(bodies) == 0;
    Touch& touch = touches_[bodies];
    touch.last_s = now_s;
    touch.last = {.tick = tick.tick, .time_s = now_s, .a = bodies.first, .b = bodies.second, .impulse_Ns = load.impulse_Ns};
    for (int i = 0; i < 3; ++i) touch.last.point_m[i] = load.moment[i] / load.impulse_Ns;
    const auto tell = [&](Kind kind) {
      events.push_back(touch.last);
      events.back().kind = kind;
    };
    if (begins) tell(Kind::kBegins);
    if (!touch.slips && load.slip_mps > kSlips_mps) tell(Kind::kSlips);
    if (touch.slips && load.slip_mps < kSticks_mps) tell(Kind::kSticks);
    touch.slips = load.slip_mps > (touch.slips ? kSticks_mps : kSlips_mps);
  }
  for (auto touch = touches_.begin(); touch != touches_.end();) {
    if (now_s - touch->second.last_s <= kPause_s + tick.period_s / 2) {
      ++touch;
      continue;
    }
    events.push_back(touch->second.last);
    events.back().kind = Kind::kEnds;
    touch = touches_.erase(touch);
  }
  return events;
}

}  // namespace tactus::host
