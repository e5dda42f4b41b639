#pragma once
#include <Eigen/Core>
#include <string>

#include "hal/api/device.h"

namespace tactus::host {

/// What a device may do while it is excited. All around the place where it was when it was armed.
struct Ceilings {
  double force_N = 1;      ///< of each command's norm: more is scaled down, its direction kept
  double speed_mps = 0.8;  ///< of the handle, over 10 ms: more is a stop
  double reach_m = 0.02;   ///< from where it was armed: farther is a stop
};

/// A device that is excited without a controller: every command within a ceiling, every sample looked at.
///
/// Stop    a sample that is not finite, not valid, old (20 periods without a new one) or beyond reach or speed; an e-stop; a
///         signal; a device that faults or refuses: zeros are written, five times, the drives go off, and nothing but zeros
///         follows
/// Bound   after a stop the handle coasts: speed_mps² m/(2 f_c) without a hand, and what zeros cannot take back is its delay
class GuardedDevice final {
 public:
  GuardedDevice(hal::Device& device, const Ceilings& ceilings, std::uint32_t period_us);
  ~GuardedDevice() { Release(); }
  GuardedDevice(const GuardedDevice&) = delete;
  GuardedDevice& operator=(const GuardedDevice&) = delete;

  /// One period with the drives off: zeros, and what the device says.
  hal::DeviceReading Look();
  /// Waits for a sample, for 500 periods at most, and enables the drives behind zeros. @returns false: why() says it
  bool Arm();
  /// Writes a force and reads the sample after it. @returns false: stopped
  bool Tick(const Eigen::Vector3d& force_N);
  /// Zeros, five times, and drives off. At any time.
  void Release() noexcept;

  /// Of the newest sample, from where the handle was armed.
  const Eigen::Vector3d& p_m() const { return p_m_; }
  /// What the last Tick wrote: within the ceiling.
  const Eigen::Vector3d& force_N() const { return force_N_; }
  /// Why it stopped; "": it has not.
  const std::string& why() const { return why_; }
  double farthest_m() const { return farthest_m_; }
  double fastest_mps() const { return fastest_mps_; }
  const Ceilings& ceilings() const { return ceilings_; }
  std::uint32_t now_us() const { return now_us_; }
  double period_s() const { return period_us_ * 1e-6; }

 private:
  bool Read();
  bool Stop(std::string why);

  static constexpr int kHistory = 10;  // periods; the speed's window

  hal::Device& device_;
  const Ceilings ceilings_;
  const std::uint32_t period_us_;
  std::uint32_t now_us_ = 0, last_sequence_ = 0;
  int stale_ = 0, read_ = 0;
  bool armed_ = false;
  Eigen::Vector3d origin_m_ = Eigen::Vector3d::Zero(), p_m_ = Eigen::Vector3d::Zero(), force_N_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d past_m_[kHistory];
  double farthest_m_ = 0, fastest_mps_ = 0;
  std::string why_;
};

}  // namespace tactus::host
