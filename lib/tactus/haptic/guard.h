#pragma once
#include <cstdint>

#include "tactus/core/frames.h"
#include "tactus/core/scalar.h"
#include "tactus/core/spatial.h"
#include "tactus/haptic/config.h"
#include "tactus/haptic/guard_state.h"
#include "tactus/haptic/telemetry.h"

namespace tactus {

/// What the checks of one sample say.
template <class Scalar>
struct SampleCheck {
  Status status = Status::kOk;  ///< kOk: use the sample. kNotFinite, kOutOfRange, kStale: do not
  Fault cause = Fault::kNone;   ///< what latches if no good sample comes before the force has faded
  Fault fault = Fault::kNone;   ///< what latches at once
  std::uint32_t bits = 0;       ///< for Telemetry::status
  /// Since the last good sample: by the sequence number, but no more than the loop saw pass (and one).
  int periods = 1;
  Vec<Scalar, 3> p_WH_m = Vec<Scalar, 3>::Zero();
  Quaternion<Scalar> q_WH = IdentityQuaternion<Scalar>();
  Vec<Scalar, 6> step_W = Vec<Scalar, 6>::Zero();  ///< the sample's way since the last good one [m, rad]
};

/// Checks a sample against nature and against the last good one: finite, unit quaternion, fresh, inside the workspace, no
/// jump. Changes nothing.
///
/// A sample that is late or garbled may be the link's fault and the next one good: the force is held, then fades. A handle
/// that is somewhere impossible means that the device cannot be trusted: the fault latches at once.
///
/// A pose that never changes is no fault: a still hand on a wall gives the same bits for ever, and so does a dead encoder.
/// What bounds the force then: docs/servo_loop.md.
template <class Scalar>
SampleCheck<Scalar> CheckSample(const SensorFrame& sample, const GuardConfig<Scalar>& config,
                                const GuardState& guard) noexcept;

/// Keeps what the next check needs. Call once a tick with the result of CheckSample.
template <class Scalar>
void RememberSample(const SensorFrame& sample, const SampleCheck<Scalar>& check, GuardState* guard) noexcept;

/// Mean twist of the samples themselves over the last kSpeedSteps: what the speed fault looks at. No estimate stands between
/// the sensor and this check, and one step alone would take a sample's jitter in time for speed.
template <class Scalar>
class RecentWay {
 public:
  static constexpr int kSpeedSteps = 4;

  RecentWay() {
    for (Vec<Scalar, 6>& step_W : steps_W_) step_W.setZero();
  }

  /// Takes the way since the last good sample, `periods` ≥ 1 ago.
  void Push(const Vec<Scalar, 6>& step_W, int periods) noexcept {
    newest_ = (newest_ + 1) % kSpeedSteps;
    steps_W_[newest_] = step_W;
    periods_[newest_] = periods;
  }
  /// [m/s, rad/s]; zero before the first step.
  Vec<Scalar, 6> MeanTwist(Scalar period_s) const noexcept {
    Vec<Scalar, 6> way_W = Vec<Scalar, 6>::Zero();
    int periods = 0;
    for (int i = 0; i < kSpeedSteps; ++i) {
      way_W += steps_W_[i];
      periods += periods_[i];
    }
    if (periods == 0) return way_W;
    return way_W / (static_cast<Scalar>(periods) * period_s);
  }

 private:
  Vec<Scalar, 6> steps_W_[kSpeedSteps];
  int periods_[kSpeedSteps] = {};
  int newest_ = 0;
};

}  // namespace tactus

#include "tactus/haptic/guard.inl"
