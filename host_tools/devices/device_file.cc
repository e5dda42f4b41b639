#include "host_tools/devices/device_file.h"

#include <fmt/core.h>

#include <filesystem>

#include "host_tools/link/host_error.h"

namespace tactus::host {
namespace {

constexpr double kRad_per_deg = 0.017453292519943295;
constexpr std::uintmax_t kMostBytes = 1 << 20;

toml::table Parse(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) throw HostError(fmt::format("cannot read '{}': {}", path, error.message()));
  if (size > kMostBytes) throw HostError(fmt::format("{} is larger than 1 MB: no set of numbers is", path), kExitFailed);
  try {
    return toml::parse_file(path);
  } catch (const toml::parse_error& wrong) {
    throw HostError(fmt::format("{}:{}: {}", path, wrong.source().begin.line, wrong.description()), kExitFailed);
  }
}

/// +1 or -1; a whole number, so that it fits its type.
int Sign(TomlTable& table, const char* key, int otherwise) {
  const double sign = table.Number(key, otherwise);
  if (sign != 1 && sign != -1) table.Fail(key, "is neither 1 nor -1");
  return sign > 0 ? 1 : -1;
}

std::int32_t Count(TomlTable& table, const char* key, std::int32_t otherwise) {
  constexpr double kMost = 1 << 30;
  const double count = table.Number(key, otherwise);
  if (!(count >= -kMost && count <= kMost)) table.Fail(key, "is no count");
  return static_cast<std::int32_t>(count);
}

void ReadMotor(TomlTable& table, MotorCalibration<double>* motor) {
  motor->counts_per_turn = table.Number("counts_per_turn", motor->counts_per_turn);
  motor->turns_per_joint_turn = table.Number("turns_per_joint_turn", motor->turns_per_joint_turn);
  motor->encoder_sign = Sign(table, "encoder_sign", motor->encoder_sign);
  motor->torque_sign = Sign(table, "torque_sign", motor->torque_sign);
  motor->offset_rad = table.Number("offset_deg", motor->offset_rad / kRad_per_deg) * kRad_per_deg;
  motor->zero_count = Count(table, "zero_count", motor->zero_count);
  motor->torque_constant_Nm_per_A = table.Number("torque_constant_Nm_per_A", motor->torque_constant_Nm_per_A);
  motor->max_current_A = table.Number("max_current_A", motor->max_current_A);
  motor->continuous_current_A = table.Number("continuous_current_A", motor->continuous_current_A);
  motor->thermal_time_s = table.Number("thermal_time_s", motor->thermal_time_s);
  table.Finish();
}

void ReadVector(TomlTable& table, const char* key, Vec<double, 3>* v) {
  const Vector3 read = table.Vector(key, {(*v)(0), (*v)(1), (*v)(2)});
  for (std::size_t i = 0; i < 3; ++i) (*v)(static_cast<int>(i)) = static_cast<double>(read[i]);
}

}  // namespace

DeviceFile::DeviceFile(const std::string& path) : table_(Parse(path)), root_(table_, path, "") {}

void DeviceFile::Motors(std::span<MotorCalibration<double>> motors) {
  std::vector<TomlTable> tables = root_.Tables("motors");
  if (tables.size() > motors.size()) root_.Fail("motors", fmt::format("the device has {}", motors.size()));
  for (std::size_t i = 0; i < tables.size(); ++i) ReadMotor(tables[i], &motors[i]);
}

void DeviceFile::Mechanism(LinkArm<double>* arm) {
  TomlTable table = root_.Table("mechanism");
  arm->base_m = table.Number("base_m", arm->base_m);
  arm->upper_m = table.Number("upper_m", arm->upper_m);
  arm->fore_m = table.Number("fore_m", arm->fore_m);
  arm->upper_mass_kg = table.Number("upper_mass_kg", arm->upper_mass_kg);
  arm->fore_mass_kg = table.Number("fore_mass_kg", arm->fore_mass_kg);
  arm->wrist_mass_kg = table.Number("wrist_mass_kg", arm->wrist_mass_kg);
  arm->upper_centre_m = table.Number("upper_centre_m", arm->upper_centre_m);
  arm->fore_centre_m = table.Number("fore_centre_m", arm->fore_centre_m);
  ReadVector(table, "origin_m", &arm->origin_D_m);
  ReadVector(table, "low_rad", &arm->limits.low_rad);
  ReadVector(table, "high_rad", &arm->limits.high_rad);
  table.Finish();
}

void DeviceFile::Mechanism(FiveBar<double>* bars) {
  TomlTable table = root_.Table("mechanism");
  bars->crank_m = table.Number("crank_m", bars->crank_m);
  bars->outer_m = table.Number("outer_m", bars->outer_m);
  bars->base_m = table.Number("base_m", bars->base_m);
  bars->elbow_mass_kg = table.Number("elbow_mass_kg", bars->elbow_mass_kg);
  bars->handle_mass_kg = table.Number("handle_mass_kg", bars->handle_mass_kg);
  table.Finish();
}

void DeviceFile::Mechanism(StamperDelta<double>* delta) {
  TomlTable table = root_.Table("mechanism");
  delta->crank_m = table.Number("crank_m", delta->crank_m);
  delta->shin_m = table.Number("shin_m", delta->shin_m);
  delta->hinge_m = table.Number("hinge_m", delta->hinge_m);
  delta->platform_out_m = table.Number("platform_out_m", delta->platform_out_m);
  delta->platform_side_m = table.Number("platform_side_m", delta->platform_side_m);
  delta->base_out_m = table.Number("base_out_m", delta->base_out_m);
  delta->base_side_m = table.Number("base_side_m", delta->base_side_m);
  delta->crank_mass_kg = table.Number("crank_mass_kg", delta->crank_mass_kg);
  delta->platform_mass_kg = table.Number("platform_mass_kg", delta->platform_mass_kg);
  table.Finish();
}

bool IsDeviceFile(const std::string& set) { return set.find('/') != std::string::npos || set.ends_with(".toml"); }

}  // namespace tactus::host
