#include "host_tools/devices/device_file.h"

#include <fmt/core.h>

#include <cmath>

#include "host_tools/link/host_error.h"
#include "host_tools/scene/out_of_range.h"
#include "host_tools/scene/parse_toml.h"
#include "tactus/device/geometry_check.h"

namespace tactus::host {
namespace {

constexpr double kRad_per_deg = 0.017453292519943295;
constexpr std::uintmax_t kMostBytes = 1'000'000;

/// +1 or -1; a whole number, so that it fits its type.
int Sign(TomlTable& table, const char* key, int otherwise) {
  const double sign = table.Number(key, otherwise);
  if (sign != 1 && sign != -1) table.Fail(key, "is neither 1 nor -1");
  return sign > 0 ? 1 : -1;
}

std::int32_t Count(TomlTable& table, const char* key, std::int32_t otherwise) {
  constexpr double kMost = 1 << 30;
  const double count = table.Number(key, otherwise);
  if (!(count >= -kMost && count <= kMost)) table.Fail(key, OutOfRange(count, -kMost, kMost));
  if (count != std::floor(count)) table.Fail(key, fmt::format("{:g} is no whole number of counts", count));
  return static_cast<std::int32_t>(count);
}

/// A number, with its range; that of a default is looked at too, for a bound may be another of the file's numbers.
template <class T>
void Read(TomlTable& table, const char* key, double low, double high, T* value) {
  const double x = table.Number(key, static_cast<double>(*value));
  if (!(x >= low && x <= high)) table.Fail(key, OutOfRange(x, low, high));
  *value = static_cast<T>(x);
}

// The ranges are those of Validate in lib/tactus/device, which looks once more, at the period of the loop too.
void ReadMotor(TomlTable& table, MotorCalibration<double>* motor) {
  constexpr double kMost_deg = kMostAngle_rad / kRad_per_deg, kLeastThermal_s = 2e-3;
  Read(table, "counts_per_turn", 1, 1e7, &motor->counts_per_turn);
  Read(table, "turns_per_joint_turn", 0.01, 1e4, &motor->turns_per_joint_turn);
  motor->encoder_sign = Sign(table, "encoder_sign", motor->encoder_sign);
  motor->torque_sign = Sign(table, "torque_sign", motor->torque_sign);
  double offset_deg = motor->offset_rad / kRad_per_deg;
  Read(table, "offset_deg", -kMost_deg, kMost_deg, &offset_deg);
  motor->offset_rad = offset_deg * kRad_per_deg;
  motor->zero_count = Count(table, "zero_count", motor->zero_count);
  Read(table, "torque_constant_Nm_per_A", 1e-6, 1e3, &motor->torque_constant_Nm_per_A);
  Read(table, "max_current_A", 1e-4, 1e5, &motor->max_current_A);
  const bool lowers_max = table.Has("max_current_A") && !table.Has("continuous_current_A");
  if (lowers_max && motor->max_current_A < motor->continuous_current_A) {
    table.Fail("max_current_A", fmt::format("{:g} is below continuous_current_A, {:g} where it is left out",
                                            motor->max_current_A, motor->continuous_current_A));
  }
  Read(table, "continuous_current_A", 1e-4, motor->max_current_A, &motor->continuous_current_A);
  Read(table, "thermal_time_s", kLeastThermal_s, 1e4, &motor->thermal_time_s);
  table.Finish();
}

/// Both soft limits are needed: without them a wall would stand in the middle.
void ReadWall(TomlTable& table, JointWall<double>* wall) {
  constexpr double kMost_deg = kMostAngle_rad / kRad_per_deg;
  for (const char* const key : {"low_deg", "high_deg"}) {
    if (!table.Has(key)) table.Fail(key, "is missing: where the wall of this joint begins");
  }
  double low_deg = 0, high_deg = 0;
  Read(table, "low_deg", -kMost_deg, kMost_deg, &low_deg);
  Read(table, "high_deg", low_deg, kMost_deg, &high_deg);
  wall->low_rad = low_deg * kRad_per_deg;
  wall->high_rad = high_deg * kRad_per_deg;
  Read(table, "stiffness_Nm_per_rad", 0, 1e4, &wall->stiffness_Nm_per_rad);
  Read(table, "damping_Nms_per_rad", 0, 1e3, &wall->damping_Nms_per_rad);
  Read(table, "max_torque_Nm", 0, 1e3, &wall->max_torque_Nm);
  table.Finish();
}

/// The speed is looked at by Validate, which knows the counts and the period.
void ReadFriction(TomlTable& table, JointFriction<double>* friction) {
  Read(table, "share", 0, kMostShare, &friction->share);
  Read(table, "coulomb_Nm", 0, 1e3, &friction->coulomb_Nm);
  Read(table, "viscous_Nms_per_rad", 0, 1e3, &friction->viscous_Nms_per_rad);
  Read(table, "full_speed_radps", 0, kMostSpeed_radps, &friction->full_speed_radps);
  table.Finish();
}

void ReadVector(TomlTable& table, const char* key, double most, Vec<double, 3>* v) {
  const Vector3 read = table.Vector(key, {(*v)(0), (*v)(1), (*v)(2)});
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(std::abs(read[i]) <= most))
      table.Fail(key, fmt::format("its item {}, {:g}, is out of range: {:g} to {:g}", i, read[i], -most, most));
    (*v)(static_cast<int>(i)) = read[i];
  }
}

void ReadLength(TomlTable& table, const char* key, double* x) {
  Read(table, key, DeviceCheck::kLeastLink_m, DeviceCheck::kMostLink_m, x);
}
void ReadPlace(TomlTable& table, const char* key, double* x) {
  Read(table, key, -DeviceCheck::kMostLink_m, DeviceCheck::kMostLink_m, x);
}
void ReadMass(TomlTable& table, const char* key, double* x) { Read(table, key, 0, DeviceCheck::kMostMass_kg, x); }

void ReadLimits(TomlTable& table, JointLimits<double, 3>* limits) {
  ReadVector(table, "low_rad", kMostAngle_rad, &limits->low_rad);
  ReadVector(table, "high_rad", kMostAngle_rad, &limits->high_rad);
  for (int i = 0; i < 3; ++i) {
    if (limits->low_rad(i) < limits->high_rad(i)) continue;
    table.Fail(
        table.Has("low_rad") ? "low_rad" : "high_rad",
        fmt::format("low_rad's item {}, {:g}, is not below high_rad's, {:g}", i, limits->low_rad(i), limits->high_rad(i)));
  }
}

}  // namespace

DeviceFile::DeviceFile(const std::string& path)
    : table_(ParseToml(path, kMostBytes, "a set of numbers")), root_(table_, path, "") {}

void DeviceFile::Motors(std::span<MotorCalibration<double>> motors) {
  std::vector<TomlTable> tables = root_.Tables("motors");
  if (tables.size() > motors.size()) root_.Fail("motors", fmt::format("the device has {}", motors.size()));
  for (std::size_t i = 0; i < tables.size(); ++i) ReadMotor(tables[i], &motors[i]);
}

void DeviceFile::Walls(std::span<JointWall<double>> walls) {
  std::vector<TomlTable> tables = root_.Tables("walls");
  if (tables.size() > walls.size()) root_.Fail("walls", fmt::format("the device has {} motors", walls.size()));
  for (std::size_t i = 0; i < tables.size(); ++i) ReadWall(tables[i], &walls[i]);
}

void DeviceFile::Friction(std::span<JointFriction<double>> friction) {
  std::vector<TomlTable> tables = root_.Tables("friction");
  if (tables.size() > friction.size()) root_.Fail("friction", fmt::format("the device has {} motors", friction.size()));
  for (std::size_t i = 0; i < tables.size(); ++i) ReadFriction(tables[i], &friction[i]);
}

void DeviceFile::Mechanism(LinkArm<double>* arm) {
  TomlTable table = root_.Table("mechanism");
  ReadPlace(table, "base_m", &arm->base_m);
  ReadLength(table, "upper_m", &arm->upper_m);
  ReadLength(table, "fore_m", &arm->fore_m);
  ReadMass(table, "upper_mass_kg", &arm->upper_mass_kg);
  ReadMass(table, "fore_mass_kg", &arm->fore_mass_kg);
  ReadMass(table, "wrist_mass_kg", &arm->wrist_mass_kg);
  ReadPlace(table, "upper_centre_m", &arm->upper_centre_m);
  ReadPlace(table, "fore_centre_m", &arm->fore_centre_m);
  ReadVector(table, "origin_m", DeviceCheck::kMostLink_m, &arm->origin_D_m);
  ReadLimits(table, &arm->limits);
  table.Finish();
}

void DeviceFile::Mechanism(FiveBar<double>* bars) {
  TomlTable table = root_.Table("mechanism");
  ReadLength(table, "crank_m", &bars->crank_m);
  ReadLength(table, "outer_m", &bars->outer_m);
  Read(table, "base_m", 0, DeviceCheck::kMostLink_m, &bars->base_m);
  ReadMass(table, "elbow_mass_kg", &bars->elbow_mass_kg);
  ReadMass(table, "handle_mass_kg", &bars->handle_mass_kg);
  table.Finish();
}

void DeviceFile::Mechanism(StamperDelta<double>* delta) {
  TomlTable table = root_.Table("mechanism");
  ReadLength(table, "crank_m", &delta->crank_m);
  ReadLength(table, "shin_m", &delta->shin_m);
  Read(table, "hinge_m", 0, 0.5 * delta->shin_m, &delta->hinge_m);
  ReadPlace(table, "platform_out_m", &delta->platform_out_m);
  ReadPlace(table, "platform_side_m", &delta->platform_side_m);
  ReadPlace(table, "base_out_m", &delta->base_out_m);
  ReadPlace(table, "base_side_m", &delta->base_side_m);
  ReadMass(table, "crank_mass_kg", &delta->crank_mass_kg);
  ReadMass(table, "platform_mass_kg", &delta->platform_mass_kg);
  table.Finish();
}

void DeviceFile::Mechanism(Hapkit<double>* paddle) {
  TomlTable table = root_.Table("mechanism");
  ReadLength(table, "handle_radius_m", &paddle->handle_radius_m);
  ReadMass(table, "mass_kg", &paddle->mass_kg);
  ReadPlace(table, "mass_radius_m", &paddle->mass_radius_m);
  Read(table, "low_rad", -kMostAngle_rad, kMostAngle_rad, &paddle->limits.low_rad(0));
  Read(table, "high_rad", paddle->limits.low_rad(0), kMostAngle_rad, &paddle->limits.high_rad(0));
  table.Finish();
}

std::string DeviceFile::Preset(const std::string& names) {
  if (!root_.Has("preset")) root_.Fail("preset", "is missing: whose numbers the file changes, one of " + names);
  return root_.Name("preset", "");
}

void DeviceFile::Handle(hal::DeviceCapabilities* can) {
  constexpr double kLeast = 1e-9, kMost = 1000;
  Read(root_, "peak_force_N", kLeast, kMost, &can->peak_force_N);
  Read(root_, "resolution_m", kLeast, kMost, &can->resolution_m);
  Read(root_, "effector_mass_kg", kLeast, kMost, &can->effector_mass_kg);
}

bool IsDeviceFile(const std::string& set) { return set.find('/') != std::string::npos || set.ends_with(".toml"); }

}  // namespace tactus::host
