// The numbers of the simulated devices. No maker publishes mass, damping or friction of the handle, and nothing here was
// measured on hardware: the mark and the source of each number say what it is worth.
#include "hal/sim/preset_numbers.h"

namespace tactus::hal {
namespace {

constexpr Sourced Vendor(double value, const char* source) { return {value, Provenance::kVendor, source}; }
constexpr Sourced Library(double value, const char* source) { return {value, Provenance::kLibrary, source}; }
constexpr Sourced Derived(double value, const char* source) { return {value, Provenance::kDerived, source}; }
constexpr Sourced Recalled(double value, const char* source) { return {value, Provenance::kRecalled, source}; }
constexpr Sourced Assumed(double value, const char* source = "a plausible value") {
  return {value, Provenance::kAssumed, source};
}

constexpr std::array<PresetJoint, 3> Alike(const PresetJoint& joint) { return {joint, joint, joint}; }

constexpr PresetJoint kFalconJoint{
    .counts_per_turn = Library(1280, "libnifalcon FalconGeometry.h: 320 slots x 4"),
    .turns_per_joint_turn = Library(110 / 14.25, "libnifalcon FalconGeometry.h: drum on shaft"),
    .torque_constant_Nm_per_A =
        Library(0.1 * 14.25 / 110, "libnifalcon; an ampere is 1000 motor counts; three sources differ by 4"),
    .max_current_A = Library(4.095, "libnifalcon: 4095 counts"),
    .continuous_current_A = Assumed(2.0475, "half of the largest"),
    .thermal_time_s = Assumed(30),
    .inertia_kgm2 = Assumed(9e-5, "a rotor of 1.5e-6 kg m² times N²"),
    .damping_Nms_per_rad = Derived(7.6e-4, "0.4 N s/m in and out: b = K T/2 of the 800 N/m that HAPI declares"),
    .coulomb_Nm = Assumed(7.5e-3, "0.3 N in and out"),
    .ripple = Assumed(0.02),
    .cogging_Nm = Assumed(1e-4),
    .waves_per_turn = Assumed(10),
};

constexpr PresetJoint kOmegaJoint{
    .counts_per_turn = Assumed(4000),
    .turns_per_joint_turn = Assumed(16),
    .torque_constant_Nm_per_A = Assumed(0.05),
    .max_current_A = Derived(1.13, "12 N with the assumed lengths"),
    .continuous_current_A = Assumed(0.7),
    .thermal_time_s = Assumed(60),
    .inertia_kgm2 = Assumed(3.5e-4),
    .damping_Nms_per_rad = Assumed(1.5e-3),
    .coulomb_Nm = Assumed(6e-3),
    .ripple = Assumed(0.01),
    .cogging_Nm = Assumed(0, "motors without iron"),
    .waves_per_turn = Assumed(14),
};

constexpr PresetJoint kTouchJoint{
    .counts_per_turn = Derived(2075, "0.055 mm (recalled) at the handle, with N"),
    .turns_per_joint_turn = Assumed(8),
    .torque_constant_Nm_per_A = Assumed(0.04),
    .max_current_A = Derived(1.4, "3.3 N at 133 mm, with N and the torque constant"),
    .continuous_current_A = Derived(0.37, "0.88 N (recalled) of 3.3 N"),
    .thermal_time_s = Assumed(30),
    .inertia_kgm2 = Assumed(3e-4),
    .damping_Nms_per_rad = Assumed(2e-3),
    .coulomb_Nm = Derived(0.016, "half of the 0.26 N (recalled: a bound) at 133 mm"),
    .ripple = Assumed(0.03),
    .cogging_Nm = Assumed(2e-4),
    .waves_per_turn = Assumed(10),
};

constexpr PresetJoint kInverseJoint{
    .counts_per_turn = Derived(16384, "0.01 mm (vendor) with the assumed lengths and N"),
    .turns_per_joint_turn = Assumed(6),
    .torque_constant_Nm_per_A = Assumed(0.06),
    .max_current_A = Derived(2.9, "10 N (vendor: peak) with the assumed lengths"),
    .continuous_current_A = Derived(1.16, "4 N (vendor) of 10 N"),
    .thermal_time_s = Assumed(30),
    .inertia_kgm2 = Assumed(5e-4),
    .damping_Nms_per_rad = Assumed(2e-3),
    .coulomb_Nm = Assumed(8e-3),
    .ripple = Assumed(0.01),
    .cogging_Nm = Assumed(2e-4),
    .waves_per_turn = Assumed(42),
};

constexpr PresetJoint kPantographJoint{
    .counts_per_turn = Library(13824, "Haply-API demo, at the arm; its origin is not known"),
    .turns_per_joint_turn = Library(1, "Haply-API: counts are of the arm"),
    .torque_constant_Nm_per_A = Library(1, "Haply-API: commands are torques; an ampere is 1 N m"),
    .max_current_A = Library(0.123, "Haply-API firmware, MAX_TORQUE"),
    .continuous_current_A = Assumed(0.06),
    .thermal_time_s = Assumed(30),
    .inertia_kgm2 = Assumed(2e-5),
    .damping_Nms_per_rad = Assumed(3e-4),
    .coulomb_Nm = Assumed(2e-3),
    .ripple = Assumed(0.03),
    .cogging_Nm = Assumed(5e-4),
    .waves_per_turn = Assumed(14),
};

constexpr PresetJoint kHapkitJoint{
    .counts_per_turn = Derived(2048, "10 bit over 180° of the shaft, KMA210"),
    .turns_per_joint_turn = Library(75 / 5.75, "Hapkit3.0: sector on pulley"),
    .torque_constant_Nm_per_A = Assumed(0.0146, "an ampere is the 0.0146 N m of duty 1"),
    .max_current_A = Library(1, "Hapkit3.0: duty 1"),
    .continuous_current_A = Assumed(0.5),
    .thermal_time_s = Assumed(30),
    .inertia_kgm2 = Assumed(1.6e-4, "a rotor of 9e-7 kg m² times N²"),
    .damping_Nms_per_rad = Assumed(1.5e-3),
    .coulomb_Nm = Assumed(0.012),
    .ripple = Assumed(0.03),
    .cogging_Nm = Assumed(1e-4),
    .waves_per_turn = Assumed(10),
};

constexpr PresetJoint Wooden(double turns, double inertia_kgm2) {
  return {
      .counts_per_turn = Library(2000, "CWoodenDevice, v2015"),
      .turns_per_joint_turn = Library(turns, "CWoodenDevice: drum on capstan"),
      .torque_constant_Nm_per_A = Library(0.0259, "CWoodenDevice, v2015"),
      .max_current_A = Library(3, "mbed and DAQ variants"),
      .continuous_current_A = Assumed(1.5),
      .thermal_time_s = Assumed(30),
      .inertia_kgm2 = Assumed(inertia_kgm2, "a rotor of 1.4e-6 kg m² times N², and the drum"),
      .damping_Nms_per_rad = Assumed(4e-3),
      .coulomb_Nm = Assumed(0.03, "0.15 N at 0.2 m"),
      .ripple = Assumed(0.02),
      .cogging_Nm = Assumed(0, "motors without iron"),
      .waves_per_turn = Assumed(13),
  };
}

constexpr DevicePreset kPresets[] = {
    {.name = "falcon",
     .what = "Novint Falcon: a delta of three motors",
     .motors = 3,
     .mechanism = "crank 60, shin 102.5, hinges 22.5 mm; legs at 105°, -15°, -135°",
     .geometry = Library(0, "libnifalcon FalconGeometry.h"),
     .joint = Alike(kFalconJoint),
     .link_kg = Assumed(0.015, "as at a crank's end"),
     .handle_kg = Assumed(0.15, "platform, grip, half of the shins"),
     .bandwidth_Hz = Assumed(300),
     .delay_us = Derived(1107, "16 bytes at 1.5 MBd, and the 1 ms timer of its FTDI chip"),
     .jitter_us = Recalled(125, "a microframe of USB"),
     .max_force_N = Library(8, "CHAI3D; the maker says 8.9")},
    {.name = "omega3",
     .what = "omega.3 class: a delta of three motors, stiff and fine",
     .motors = 3,
     .mechanism = "crank 100, shin 165, hinges 0 mm; base 55 mm; legs at 90°, -30°, -150°",
     .geometry = Assumed(0, "holds a cylinder of 160 by 110 mm (recalled)"),
     .joint = Alike(kOmegaJoint),
     .link_kg = Assumed(0.02),
     .handle_kg = Assumed(0.12),
     .bandwidth_Hz = Assumed(1000),
     .delay_us = Recalled(250, "one period of its 4 kHz"),
     .jitter_us = Assumed(20),
     .max_force_N = Library(12, "CHAI3D")},
    {.name = "touch",
     .what = "Touch class (Phantom Omni): an arm of three motors, its gimbal measured",
     .motors = 3,
     .turns = true,
     .mechanism = "links 133.35 and 133.35 mm",
     .geometry = Recalled(0, "data sheet"),
     .joint = Alike(kTouchJoint),
     .link_kg = Assumed(0.05, "upper link, its centre at 40 mm"),
     .fore_kg = Assumed(0.03, "forearm, its centre at 60 mm"),
     .handle_kg = Assumed(0.03, "gimbal and pen; about 45 g at the tip are recalled"),
     .gimbal_count_rad = Assumed(1.5e-3, "a potentiometer of 12 bit over 350°"),
     .bandwidth_Hz = Assumed(300),
     .delay_us = Assumed(500, "half a period of its 1 kHz"),
     .jitter_us = Recalled(125, "a microframe of USB"),
     .max_force_N = Library(3.3, "CHAI3D")},
    {.name = "inverse3",
     .what = "Inverse3 class: three arms from the table",
     .motors = 3,
     .mechanism = "as a delta: crank 140, shin 200, hinges 0 mm; base 50 mm; legs at 90°, -30°, -150°",
     .geometry = Assumed(0, "its mechanism is not published"),
     .joint = Alike(kInverseJoint),
     .link_kg = Assumed(0.03),
     .handle_kg = Assumed(0.08),
     .bandwidth_Hz = Assumed(1000),
     .delay_us = Derived(375, "one period of its 4000 Hz (vendor) and a microframe of USB"),
     .jitter_us = Recalled(125, "a microframe of USB"),
     .max_force_N = Vendor(4, "product page: 10 peak, 4 over 80 % of the workspace")},
    {.name = "pantograph",
     .what = "Haply pantograph: two motors, in W's x-z plane",
     .motors = 2,
     .mechanism = "cranks 50, outer links 70, base 20 mm",
     .geometry = Library(0, "Haply-API Pantograph.cpp"),
     .joint = Alike(kPantographJoint),
     .link_kg = Assumed(0.01, "as at each elbow"),
     .handle_kg = Assumed(0.04, "handle and half of the outer links"),
     .bandwidth_Hz = Assumed(500, "open loop, by its winding"),
     .delay_us = Assumed(500, "half a frame of full-speed USB"),
     .jitter_us = Assumed(200),
     .max_force_N = Derived(3, "3.4 N where it is weakest")},
    {.name = "hapkit",
     .what = "Hapkit: one motor, a paddle whose handle moves along W's z",
     .motors = 1,
     .mechanism = "handle at 70 mm, sector of 90°",
     .geometry = Library(0, "Hapkit3.0 hapkit3.h"),
     .joint = Alike(kHapkitJoint),
     .link_kg = Assumed(0.04, "the paddle, its centre at 35 mm"),
     .bandwidth_Hz = Assumed(500, "open loop, by its winding"),
     .delay_us = Assumed(50, "the loop runs beside the motor"),
     .jitter_us = Assumed(0),
     .max_force_N = Derived(2.7, "duty 1 through pulley and sector")},
    {.name = "woodenhaptics",
     .what = "WoodenHaptics, v2015: an arm of three motors",
     .motors = 3,
     .mechanism = "links 80, 205, 245 mm",
     .geometry = Library(0, "CWoodenDevice, default and v2015"),
     .joint = {Wooden(16, 1.5e-3), Wooden(12, 8e-4), Wooden(12, 8e-4)},
     .link_kg = Library(0.170, "CWoodenDevice: upper link, its centre at 51 mm"),
     .fore_kg = Library(0.110, "CWoodenDevice: forearm, its centre at 91 mm"),
     .handle_kg = Assumed(0.05, "gimbal and pen"),
     .bandwidth_Hz = Assumed(300),
     .delay_us = Derived(750, "half a frame of full-speed USB and a period of the 4 kHz PWM to its drives"),
     .jitter_us = Assumed(250, "a period of that PWM"),
     .max_force_N = Library(5, "CWoodenDevice, v2015")},
};

}  // namespace

std::span<const DevicePreset> DevicePresets() { return kPresets; }

const DevicePreset* FindPreset(std::string_view name) {
  for (const DevicePreset& preset : kPresets) {
    if (name == preset.name) return &preset;
  }
  return nullptr;
}

}  // namespace tactus::hal
