#include "bench/feel/handle.h"

#include <cmath>

namespace tactus::bench::feel {
namespace {

constexpr double kForEver_s = 1e6;  // in the first ten seconds of such a movement a hand goes 1e-14 of the way

hal::HandMove MoveTo(const Vec3& p_m, double duration_s) {
  return {.name = "", .duration_s = duration_s, .p_m = {p_m.x(), p_m.y(), p_m.z()}};
}

}  // namespace

SensorFrame LedHandle::Sample() const {
  SensorFrame frame;
  frame.sequence = tick_ + 1;
  const Vec3 p_m = p_WH_m();
  for (int i = 0; i < 3; ++i) {
    const double counted = resolution_m_ > 0 ? resolution_m_ * std::floor(p_m(i) / resolution_m_ + 0.5) : p_m(i);
    frame.p_WH_m[i] = static_cast<float>(counted);
  }
  return frame;
}

Vec3 LedHandle::v_WH_mps() const {
  if (tick_ == 0) return Vec3::Zero();
  return (motion_(Time_s(tick_)) - motion_(Time_s(tick_ - 1))) / hal::SimDevice::kTick_s;
}

double LedHandle::Advance(const CommandFrame& command) {
  const Vec3 before_m = p_WH_m();
  ++tick_;
  return Vec3(command.force_N[0], command.force_N[1], command.force_N[2]).dot(p_WH_m() - before_m);
}

// A script is repeated for ever and begins where its last movement ends: at the start, after more time than any run takes.
// (A first movement of no duration from the target to the start would kick the handle through the hand's damper.)
SimHandle::SimHandle(const hal::DeviceParameters& device, const hal::HandParameters& hand, const Pull& pull,
                     std::uint64_t seed, std::uint32_t period_us)
    : moves_{MoveTo(pull.start_m, kWait_s), MoveTo(pull.target_m, pull.move_s), MoveTo(pull.start_m, kForEver_s)},
      device_(device, hand, {moves_.data(), static_cast<int>(moves_.size())}, seed, period_us) {}

void SimHandle::Kick(const Vec3& v_mps) {
  hal::HandleState state = device_.state();
  state.v_WH_mps += v_mps;
  device_.set_state(state);
}

double SimHandle::Advance(const CommandFrame& command) {
  const double before_J = device_.given_J() - device_.taken_J();
  device_.Advance(command);
  return device_.given_J() - device_.taken_J() - before_J;
}

}  // namespace tactus::bench::feel
