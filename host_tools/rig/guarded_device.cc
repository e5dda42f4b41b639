#include "host_tools/rig/guarded_device.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "host_tools/link/stop_signal.h"

namespace tactus::host {

GuardedDevice::GuardedDevice(hal::Device& device, const Ceilings& ceilings, std::uint32_t period_us)
    : device_(device), ceilings_(ceilings), period_us_(period_us) {}

hal::DeviceReading GuardedDevice::Look() {
  (void)device_.Write({}, {});
  now_us_ += period_us_;
  return device_.Read(now_us_);
}

bool GuardedDevice::Arm() {
  constexpr int kPatience = 500;  // periods
  bool valid = false;
  for (int i = 0; i < kPatience && !valid; ++i) {
    now_us_ += period_us_;
    const hal::DeviceReading reading = device_.Read(now_us_);
    valid = reading.valid && reading.state == hal::DeviceState::kReady && !reading.e_stop;
    for (int k = 0; k < 3; ++k) origin_m_(k) = static_cast<double>(reading.sample.p_WH_m[k]);
    if (device_.Write({}, {}) == Status::kClosed) break;
  }
  if (!valid || !origin_m_.allFinite()) return Stop("it does not measure, or its e-stop is open");
  device_.Enable();
  armed_ = true;
  return Tick(Eigen::Vector3d::Zero());
}

bool GuardedDevice::Tick(const Eigen::Vector3d& force_N) {
  if (!why_.empty() || !armed_) {
    force_N_.setZero();
    (void)device_.Write({}, {});
    return false;
  }
  if (StopSignal::Raised() != 0) return Stop("a signal came");
  if (!force_N.allFinite()) return Stop("a force that is no number was asked for");
  force_N_ = force_N * std::min(1.0, ceilings_.force_N / std::max(force_N.norm(), 1e-12));
  CommandFrame command;
  for (int k = 0; k < 3; ++k) {
    command.force_N[k] = static_cast<float>(force_N_(k));
    force_N_(k) = static_cast<double>(command.force_N[k]);
  }
  command.sequence = last_sequence_;
  if (device_.Write(command, {.tick = now_us_ / period_us_}) == Status::kClosed) return Stop("it takes no commands");
  return Read();
}

bool GuardedDevice::Read() {
  constexpr int kMostStale = 20;  // periods
  now_us_ += period_us_;
  const hal::DeviceReading reading = device_.Read(now_us_);
  Eigen::Vector3d p_m;
  for (int k = 0; k < 3; ++k) p_m(k) = static_cast<double>(reading.sample.p_WH_m[k]) - origin_m_(k);
  if (reading.e_stop) return Stop("its e-stop is open");
  if (reading.state == hal::DeviceState::kFaulted)
    return Stop(fmt::format("it has failed: {} ({})", Name(reading.cause), device_.why()));
  if (!reading.valid || !p_m.allFinite()) return Stop("its sample is not valid");
  stale_ = reading.sample.sequence == last_sequence_ ? stale_ + 1 : 0;
  last_sequence_ = reading.sample.sequence;
  if (stale_ > kMostStale) return Stop("its samples do not come");
  Eigen::Vector3d& before_m = past_m_[read_ % kHistory];
  if (read_++ >= kHistory) fastest_mps_ = std::max(fastest_mps_, (p_m - before_m).norm() / (kHistory * period_s()));
  before_m = p_m_ = p_m;
  farthest_m_ = std::max(farthest_m_, p_m.norm());
  if (farthest_m_ > ceilings_.reach_m)
    return Stop(fmt::format("the handle went {:.1f} mm, farther than {:.1f}", 1e3 * farthest_m_, 1e3 * ceilings_.reach_m));
  if (fastest_mps_ > ceilings_.speed_mps)
    return Stop(fmt::format("the handle went {:.2f} m/s, faster than {:.2f}", fastest_mps_, ceilings_.speed_mps));
  return true;
}

bool GuardedDevice::Stop(std::string why) {
  if (why_.empty()) why_ = std::move(why);
  Release();
  return false;
}

void GuardedDevice::Release() noexcept {
  constexpr int kTimes = 5;  // one may be lost on a line
  if (!armed_) return;
  armed_ = false;
  force_N_.setZero();
  for (int i = 0; i < kTimes; ++i) {
    (void)device_.Write({}, {});
    now_us_ += period_us_;
    (void)device_.Read(now_us_);
  }
  device_.Disable();
  (void)device_.Write({}, {});
}

}  // namespace tactus::host
