// Any bytes as a Config, a Tune and a Workspace: refused with field and bound, or accepted; and under what is accepted,
// ticks with any samples command finite forces within the device's ceilings.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "firmware/servo/config_from_wire.h"
#include "firmware/servo/servo_tick.h"
#include "tests/fuzz/fuzz.h"

using namespace tactus;

namespace {

constexpr int kTicks = 8;

/// A default message with some of its fields written over: one that is all random is refused by its first field.
template <class Message>
void WriteOver(fuzz::Numbers& numbers, Message* message) {
  auto* const bytes = reinterpret_cast<std::uint8_t*>(message);
  constexpr double kTricky[] = {0,   -0.0, 1,     -1,     1e-3,   1e-6,     1e-12, 1e3,
                                1e6, 1e12, 1e300, -1e300, 5e-324, INFINITY, NAN,   0.5};
  for (std::uint32_t count = numbers.Below(16); count > 0; --count) {
    const std::size_t word = numbers.Below(sizeof(Message) / 8);
    const std::uint32_t kind = numbers.Byte();
    double value = 0;
    std::memcpy(&value, bytes + 8 * word, 8);
    if (kind < 128)
      value *= numbers.Decade(-2, 5);
    else if (kind < 144)
      value = kTricky[kind - 128];
    else if (kind < 160)
      std::memcpy(&value, bytes + 8 * numbers.Below(sizeof(Message) / 8), 8);
    std::memcpy(bytes + 8 * word, &value, 8);
    if (kind >= 160) numbers.Take(bytes + 8 * word, 8);
  }
}

template <class Refusal>
void CheckRefusal(const Refusal& refusal) {
  const bool has_field = refusal.code == wire::AckCode::kNotFinite || refusal.code == wire::AckCode::kOutOfRange ||
                         refusal.code == wire::AckCode::kOverCapacity;
  FUZZ_EXPECT(has_field && refusal.field != wire::kNoField);
}

SensorFrame DrawSample(fuzz::Numbers& numbers, std::uint32_t sequence) {
  SensorFrame sample;
  sample.sequence = sequence;
  const std::uint32_t kind = numbers.Below(8);
  const double reach_m = kind == 0 ? 10 : 0.05;
  for (float& x : sample.p_WH_m) x = static_cast<float>(numbers.Between(-reach_m, reach_m));
  double length = 0, q[4];
  for (double& x : q) x = numbers.Between(-1, 1), length += x * x;
  for (int i = 0; i < 4; ++i)
    sample.q_WH[i] = kind == 1 || length == 0 ? static_cast<float>(q[i]) : static_cast<float>(q[i] / std::sqrt(length));
  if (kind == 2) numbers.Take(reinterpret_cast<std::uint8_t*>(sample.p_WH_m), sizeof(sample.p_WH_m));
  if (kind == 3) sample.age_us = numbers.Byte() * 1000;
  return sample;
}

template <class Scalar>
void Run(fuzz::Numbers& numbers, const wire::Config& message, const wire::Tune& tune_message) {
  static const auto config = std::make_unique<Config<Scalar>>();
  static const auto state = std::make_unique<State<Scalar>>();
  *config = {};
  const servo::ConfigRefusal refusal = servo::ConfigFromWire(message, 1000, config.get());
  if (refusal) return CheckRefusal(refusal);
  TuneConfig<Scalar> tune;
  const servo::ConfigRefusal tune_refusal = servo::TuneFromWire(tune_message, *config, &tune);
  if (tune_refusal) CheckRefusal(tune_refusal);

  const DeviceLimits limits;
  *state = {};
  (void)Arm(state.get());
  for (int i = 0; i < 2 * kTicks; ++i) {
    if (i == kTicks) {  // the same in another map, with a clutch
      wire::Workspace map = servo::WorkspaceToWire(WorkspaceConfig<double>{});
      WriteOver(numbers, &map);
      const servo::ConfigRefusal map_refusal = servo::WorkspaceFromWire(map, &config->workspace);
      if (map_refusal) return CheckRefusal(map_refusal);
      *state = {};
      (void)Arm(state.get());
    }
    if (i >= kTicks) PressClutch(numbers.Below(4) == 0, state.get());
    if (!tune_refusal && i >= kTicks / 2) (void)Tune(tune, config.get(), state.get());
    CommandFrame command;
    Telemetry<Scalar> telemetry;
    (void)Tick(DrawSample(numbers, static_cast<std::uint32_t>(i + 1)), *config, state.get(), &command, &telemetry);
    const float force_N = std::hypot(command.force_N[0], command.force_N[1], command.force_N[2]);
    const float torque_Nm = std::hypot(command.torque_Nm[0], command.torque_Nm[1], command.torque_Nm[2]);
    FUZZ_EXPECT(static_cast<double>(force_N) <= limits.force_N * (1 + 1e-5));
    FUZZ_EXPECT(static_cast<double>(torque_Nm) <= limits.torque_Nm * (1 + 1e-5));
    FUZZ_EXPECT(telemetry.fault != Fault::kSolverInvalid && telemetry.fault != Fault::kForceNotFinite);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Numbers numbers(data, size);
  wire::Config message = servo::ConfigToWire(Config<double>{});
  wire::Tune tune = servo::TuneToWire(Config<double>{});
  const bool in_double = numbers.Below(2) == 0;
  WriteOver(numbers, &message);
  WriteOver(numbers, &tune);
  in_double ? Run<double>(numbers, message, tune) : Run<float>(numbers, message, tune);
  return 0;
}
