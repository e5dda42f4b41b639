#pragma once
#include <cstdint>

#include "firmware/servo/servo_tick.h"
#include "tests/support/random.h"

namespace tactus::test {

/// What an episode of hostile ticks is bent on.
enum class Hostility : std::uint8_t {
  kJam,          ///< the tool sits inside walls on both sides
  kNeedle,       ///< thin or flat tools, moments of inertia decades apart
  kAlternating,  ///< the hand pulls one way and the other, so that each tick needs another basis
  kFull,         ///< every point is a contact: as many as there is room for
  kGarbage,      ///< the tool is elsewhere in each tick: the remembered basis has nothing to do with the problem
  kExtreme,      ///< accepted numbers at the ends of their ranges
  kRough,        ///< a hand that jumps and turns in each tick by nearly as much as the guard lets pass
};
inline constexpr int kHostilityCount = 7;

/// Inputs of Tick() that do their worst and are accepted: configurations that pass Validate(), samples that pass the guard,
/// tools put anywhere. The same for a seed on every machine; nothing in it is measured or tuned to what the solver does.
///
///     HostileTicks<double> ticks(seed);
///     for (;;) {
///       ticks.Prepare(&state);
///       Tick(ticks.sample(), ticks.config(), &state, &command, &telemetry);
///     }
template <class Scalar>
class HostileTicks {
 public:
  static constexpr int kEpisode_ticks = 50;

  /// @param work  of each tick
  explicit HostileTicks(std::uint64_t seed, const WorkBudget& work = {}) : work_(work), random_(seed) {}

  /// The next tick. At the start of an episode another config(), a state made anew; then the sample, and the tool where this
  /// kind of episode wants it.
  void Prepare(State<Scalar>* state);

  const Config<Scalar>& config() const { return config_; }
  const SensorFrame& sample() const { return sample_; }
  Hostility hostility() const { return hostility_; }
  bool is_new() const { return tick_ % kEpisode_ticks == 1; }  ///< the first tick of an episode

 private:
  using Vec3 = Vec<Scalar, 3>;

  Scalar Uniform(double low, double high) { return static_cast<Scalar>(random_.Uniform(low, high)); }
  Scalar Decades(double low, int decades);
  Vec3 Vector(Scalar size);
  template <class... Choices>
  Scalar OneOf(Choices... choices);

  void Begin(State<Scalar>* state);
  void DrawConfig();
  void DrawTool();
  void DrawScene();
  void DrawHand();
  void DrawPose(Vec3* p_m, Vec3* rotation_rad);
  void PutTool(State<Scalar>* state);
  void MoveHand();

  const WorkBudget work_;
  Random random_;
  Hostility hostility_ = Hostility::kJam;
  Config<Scalar> config_;
  int tick_ = 0;
  Vec3 home_m_, home_rad_, pull_m_, turn_rad_;  // where the hand pulls to: home ± pull, home ± turn
  Vec3 hand_m_, hand_rad_;
  SensorFrame sample_;
};

extern template class HostileTicks<double>;
extern template class HostileTicks<float>;

}  // namespace tactus::test
