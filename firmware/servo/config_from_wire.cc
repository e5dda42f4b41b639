#include "firmware/servo/config_from_wire.h"

#include <cstring>

#include "tactus/core/check.h"
#include "tactus/core/scalar.h"
#include "tactus/haptic/validate.h"

namespace tactus::servo {
namespace {

using wire::AckCode;

constexpr double kMostPacing = static_cast<double>(wire::Pacing::kSample);

/// Copies a number out of, or into, the message at `offset`: a double, an i32 or a byte.
template <class Number, class Message>
Number Get(const Message& message, std::size_t offset) {
  Number number{};
  std::memcpy(&number, reinterpret_cast<const std::uint8_t*>(&message) + offset, sizeof(number));
  return number;
}
template <class Number>
void Put(Number number, std::size_t offset, wire::Config* message) {
  std::memcpy(reinterpret_cast<std::uint8_t*>(message) + offset, &number, sizeof(number));
}

/// Offset of a field that every message has: the lists of ceilings.h and of the schema name the same ones.
std::uint16_t OffsetOf(const ConfigField& field, wire::FieldFinder<wire::Config>* finder) {
  const std::uint16_t offset = finder->Offset(field.name);
  TACTUS_CHECK(offset != wire::kNoField);
  return offset;
}

/// Sets each field that it is shown, and that the message has, to the message's, and keeps the first that has no value. A
/// Config has all of them, a Tune some.
template <class Scalar, wire::Message M>
class FieldReader {
 public:
  explicit FieldReader(const M& message) : message_(message) {}

  void operator()(const ConfigField& field, Scalar& x) {
    if (const std::uint16_t offset = finder_.Offset(field.name); offset != wire::kNoField) x = Read(field, offset, 0);
  }
  template <int kRows>
  void operator()(const ConfigField& field, Vec<Scalar, kRows>& x) {
    const std::uint16_t offset = finder_.Offset(field.name);
    if (offset == wire::kNoField) return;
    for (int i = 0; i < kRows; ++i) x(i) = Read(field, offset, static_cast<std::size_t>(i));
  }
  void operator()(const ConfigField& field, int& x) {
    if (const std::uint16_t offset = finder_.Offset(field.name); offset != wire::kNoField)
      x = Get<std::int32_t>(message_, offset);
  }
  void operator()(const ConfigField& field, bool& x) {
    const std::uint16_t offset = finder_.Offset(field.name);
    if (offset == wire::kNoField) return;
    const std::uint8_t byte = Get<std::uint8_t>(message_, offset);
    if (byte > 1) Refuse({AckCode::kOutOfRange, offset, field.highest});
    x = byte != 0;
  }
  const ConfigRefusal& refusal() const { return refusal_; }

 private:
  Scalar Read(const ConfigField& field, std::uint16_t offset, std::size_t entry) {
    const double value = Get<double>(message_, offset + sizeof(double) * entry);
    if (!IsFinite(value)) Refuse({AckCode::kNotFinite, offset, value > 0 ? field.highest : field.lowest});
    return static_cast<Scalar>(value);
  }
  void Refuse(const ConfigRefusal& refusal) {
    if (!refusal_) refusal_ = refusal;
  }

  const M& message_;
  wire::FieldFinder<M> finder_;
  ConfigRefusal refusal_;
};

/// Writes each field that it is shown into a message.
class FieldWriter {
 public:
  explicit FieldWriter(wire::Config* message) : message_(message) {}

  void operator()(const ConfigField& field, double x) { Put(x, OffsetOf(field, &finder_), message_); }
  template <int kRows>
  void operator()(const ConfigField& field, const Vec<double, kRows>& x) {
    const std::size_t offset = OffsetOf(field, &finder_);
    for (int i = 0; i < kRows; ++i) Put(x(i), offset + sizeof(double) * static_cast<std::size_t>(i), message_);
  }
  void operator()(const ConfigField& field, int x) { Put(std::int32_t{x}, OffsetOf(field, &finder_), message_); }
  void operator()(const ConfigField& field, bool x) { Put(std::uint8_t{x}, OffsetOf(field, &finder_), message_); }

 private:
  wire::Config* message_;
  wire::FieldFinder<wire::Config> finder_;
};

/// Sets each field that it is shown to one of its bounds.
class BoundFiller {
 public:
  explicit BoundFiller(double ConfigField::*bound) : bound_(bound) {}

  void operator()(const ConfigField& field, double& x) { x = field.*bound_; }
  template <int kRows>
  void operator()(const ConfigField& field, Vec<double, kRows>& x) {
    x.setConstant(field.*bound_);
  }
  void operator()(const ConfigField& field, int& x) { x = static_cast<int>(field.*bound_); }
  void operator()(const ConfigField& field, bool& x) { x = field.*bound_ > 0; }

 private:
  double ConfigField::*bound_;
};

/// What the haptic configuration does not know of.
template <wire::Message M>
ConfigRefusal CheckTelemetry(const M& message) {
  const std::int32_t every = message.telemetry_every_ticks();
  const std::uint16_t every_field = wire::FieldOffset<M>("telemetry_every_ticks");
  if (every < 0) return {AckCode::kOutOfRange, every_field, 0};
  if (every > kMostTelemetryEveryTicks) return {AckCode::kOutOfRange, every_field, kMostTelemetryEveryTicks};
  return {};
}

ConfigRefusal CheckLoopFields(const wire::Config& message) {
  if (const ConfigRefusal refusal = CheckTelemetry(message)) return refusal;
  if (message.pacing() <= wire::Pacing::kSample) return {};
  return {AckCode::kOutOfRange, wire::FieldOffset<wire::Config>("pacing"), kMostPacing};
}

wire::Config BoundToWire(const DeviceLimits& device, double ConfigField::*bound) {
  Config<double> config;
  ForEachField(device, config, BoundFiller(bound));
  return ConfigToWire(config);
}

}  // namespace

template <class Scalar>
ConfigRefusal ConfigFromWire(const wire::Config& message, std::uint32_t period_us, Config<Scalar>* config,
                             const DeviceLimits& device) noexcept {
  Config<Scalar> candidate;
  candidate.period_s = static_cast<Scalar>(period_us) / Scalar(1'000'000);
  FieldReader<Scalar, wire::Config> reader(message);
  ForEachField(device, candidate, reader);
  if (reader.refusal()) return reader.refusal();
  if (const ConfigRefusal refusal = CheckLoopFields(message)) return refusal;
  if (const ConfigFault fault = Validate(candidate, device)) {
    const bool no_room = candidate.directions > kServoCapacity.directions && wire::IsName(fault.field, "directions");
    return {no_room ? AckCode::kOverCapacity : AckCode::kOutOfRange, wire::FieldOffset<wire::Config>(fault.field),
            fault.limit};
  }
  *config = candidate;
  return {};
}

template <class Scalar>
ConfigRefusal TuneFromWire(const wire::Tune& message, const Config<Scalar>& config, TuneConfig<Scalar>* tune,
                           const DeviceLimits& device) noexcept {
  Config<Scalar> candidate = config;
  FieldReader<Scalar, wire::Tune> reader(message);
  ForEachField(device, candidate, reader);
  if (reader.refusal()) return reader.refusal();
  if (const ConfigRefusal refusal = CheckTelemetry(message)) return refusal;
  if (const ConfigFault fault = Validate(candidate, device)) {
    return {AckCode::kOutOfRange, wire::FieldOffset<wire::Tune>(fault.field), fault.limit};
  }
  *tune = TuneOf(candidate);
  return {};
}

template <class Scalar>
ConfigRefusal WorkspaceFromWire(const wire::Workspace& message, WorkspaceConfig<Scalar>* workspace) noexcept {
  const auto field = [](const char* name) { return wire::FieldOffset<wire::Workspace>(name); };
  bool finite = IsFinite(message.scale()) && IsFinite(message.force_scale());
  WorkspaceConfig<Scalar> wanted{.scale = static_cast<Scalar>(message.scale()),
                                 .force_scale = static_cast<Scalar>(message.force_scale())};
  if (!finite) return {AckCode::kNotFinite, field(IsFinite(message.scale()) ? "force_scale" : "scale")};
  for (std::uint16_t i = 0; i < 3; ++i) {
    finite = finite && IsFinite(message.offset_m()->Get(i));
    wanted.offset_m(i) = static_cast<Scalar>(message.offset_m()->Get(i));
  }
  if (!finite) return {AckCode::kNotFinite, field("offset_m")};
  for (std::uint16_t i = 0; i < 4; ++i) {
    finite = finite && IsFinite(message.orientation_wxyz()->Get(i));
    wanted.q_WD(i) = static_cast<Scalar>(message.orientation_wxyz()->Get(i));
  }
  if (!finite) return {AckCode::kNotFinite, field("orientation_wxyz")};
  if (message.index_turns() > 1) return {AckCode::kOutOfRange, field("index_turns"), 1};
  wanted.index_turns = message.index_turns() != 0;
  wanted.clutch_button = message.clutch_button();
  if (const ConfigFault fault = ValidateWorkspace(wanted)) return {AckCode::kOutOfRange, field(fault.field), fault.limit};
  *workspace = wanted;
  return {};
}

wire::Workspace WorkspaceToWire(const WorkspaceConfig<double>& workspace) noexcept {
  wire::Workspace message;
  message.mutate_scale(workspace.scale);
  message.mutate_force_scale(workspace.force_scale);
  for (std::uint16_t i = 0; i < 3; ++i) message.mutable_offset_m()->Mutate(i, workspace.offset_m(i));
  for (std::uint16_t i = 0; i < 4; ++i) message.mutable_orientation_wxyz()->Mutate(i, workspace.q_WD(i));
  message.mutate_clutch_button(static_cast<std::uint8_t>(workspace.clutch_button));
  message.mutate_index_turns(workspace.index_turns ? 1 : 0);
  return message;
}

wire::Tune TuneToWire(const Config<double>& config) noexcept {
  const wire::Config all = ConfigToWire(config);
  wire::Tune message;
  const flatbuffers::TypeTable& fields = *wire::Tune::MiniReflectTypeTable();
  for (std::size_t i = 0; i < fields.num_elems; ++i) {
    const std::uint16_t from = wire::FieldOffset<wire::Config>(fields.names[i]);
    if (from == wire::kNoField) continue;  // reserved
    const auto begin = static_cast<std::size_t>(fields.values[i]), end = static_cast<std::size_t>(fields.values[i + 1]);
    std::memcpy(reinterpret_cast<std::uint8_t*>(&message) + begin, reinterpret_cast<const std::uint8_t*>(&all) + from,
                end - begin);
  }
  return message;
}

wire::Config ConfigToWire(const Config<double>& config) noexcept {
  wire::Config message;
  ForEachField({}, config, FieldWriter(&message));
  message.mutate_telemetry_every_ticks(1);
  message.mutate_pacing(wire::Pacing::kClock);
  return message;
}

wire::ConfigLowest LowestToWire(const DeviceLimits& device) noexcept {
  wire::Config lowest = BoundToWire(device, &ConfigField::lowest);
  lowest.mutate_telemetry_every_ticks(0);
  return wire::ConfigLowest(lowest);
}

wire::ConfigHighest HighestToWire(const DeviceLimits& device) noexcept {
  wire::Config highest = BoundToWire(device, &ConfigField::highest);
  highest.mutate_telemetry_every_ticks(kMostTelemetryEveryTicks);
  highest.mutate_pacing(wire::Pacing::kSample);
  return wire::ConfigHighest(highest);
}

DeviceLimits LimitsFromWire(const wire::ConfigHighest& highest) noexcept {
  const wire::Config& h = highest.config();
  return {.force_N = h.limits_max_force_N(),
          .torque_Nm = h.limits_max_torque_Nm(),
          .stiffness_N_per_m = h.coupling_stiffness_N_per_m(),
          .angular_stiffness_Nm_per_rad = h.coupling_angular_stiffness_Nm_per_rad(),
          .speed_mps = h.guard_max_speed_mps(),
          .speed_radps = h.guard_max_speed_radps(),
          .workspace_radius_m = h.guard_workspace_radius_m()};
}

template ConfigRefusal ConfigFromWire(const wire::Config&, std::uint32_t, Config<double>*, const DeviceLimits&) noexcept;
template ConfigRefusal ConfigFromWire(const wire::Config&, std::uint32_t, Config<float>*, const DeviceLimits&) noexcept;
template ConfigRefusal TuneFromWire(const wire::Tune&, const Config<double>&, TuneConfig<double>*,
                                    const DeviceLimits&) noexcept;
template ConfigRefusal TuneFromWire(const wire::Tune&, const Config<float>&, TuneConfig<float>*,
                                    const DeviceLimits&) noexcept;
template ConfigRefusal WorkspaceFromWire(const wire::Workspace&, WorkspaceConfig<double>*) noexcept;
template ConfigRefusal WorkspaceFromWire(const wire::Workspace&, WorkspaceConfig<float>*) noexcept;

}  // namespace tactus::servo
