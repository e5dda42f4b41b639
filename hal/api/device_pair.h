#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "hal/api/device.h"

namespace tactus::hal {

/// Two devices as one, for a scene with two tools: each holds a tool, and what is true of both is true of the pair.
///
///     p_WH = p_WD + p_DH     of each, where its own frame D stands in W; the axes are W's
///
/// A sample is new when both have given one since the last that was new; it is valid when both are. One that fails, or an
/// open e-stop input of one, is the pair's: the force goes from both hands. Both get a command in every period: a scene of
/// one tool leaves the second at zero.
class DevicePair final : public Device {
 public:
  using Place = std::array<float, 3>;  ///< p_WD [m]

  /// Both outlive it. @param first_m, second_m  where their frames stand in W
  DevicePair(Device& first, Device& second, const Place& first_m = {}, const Place& second_m = {})
      : first_{first, first_m},
        second_{second, second_m},
        capabilities_(Both(first.capabilities(), second.capabilities())) {}

  /// Whether both sense and move the same axes: one Config tells the loop of both.
  bool are_alike() const {
    const DeviceCapabilities &a = first_.device.capabilities(), &b = second_.device.capabilities();
    return std::ranges::equal(a.sensed, b.sensed) && std::ranges::equal(a.actuated, b.actuated);
  }

 private:
  struct Member {
    Device& device;
    Place place_m;
    DeviceReading reading = {};
    bool waits_for_other = false;  // it has given a new sample, the other has not

    void Read(std::uint32_t now_us) {
      reading = device.Read(now_us);
      for (std::size_t i = 0; i < 3; ++i) reading.sample.p_WH_m[i] += place_m[i];
      waits_for_other |= reading.is_new;
    }
  };

  static float Narrower(float a, float b) { return a > 0 && b > 0 ? std::min(a, b) : std::max(a, b); }

  /// What both can do. 0 is unknown.
  static DeviceCapabilities Both(const DeviceCapabilities& a, const DeviceCapabilities& b) {
    DeviceCapabilities both = a;
    both.resolution_m = std::max(a.resolution_m, b.resolution_m);
    both.resolution_rad = std::max(a.resolution_rad, b.resolution_rad);
    both.workspace_radius_m = Narrower(a.workspace_radius_m, b.workspace_radius_m);
    both.peak_force_N = Narrower(a.peak_force_N, b.peak_force_N);
    both.continuous_force_N = Narrower(a.continuous_force_N, b.continuous_force_N);
    both.peak_torque_Nm = Narrower(a.peak_torque_Nm, b.peak_torque_Nm);
    both.continuous_torque_Nm = Narrower(a.continuous_torque_Nm, b.continuous_torque_Nm);
    both.effector_mass_kg = Narrower(a.effector_mass_kg, b.effector_mass_kg);
    both.effector_inertia_kgm2 = Narrower(a.effector_inertia_kgm2, b.effector_inertia_kgm2);
    both.command_delay_ticks = std::max(a.command_delay_ticks, b.command_delay_ticks);
    return both;
  }

  /// The one that has failed, or else the one that is less far.
  static const DeviceReading& Behind(const DeviceReading& a, const DeviceReading& b) {
    if (a.state == DeviceState::kFaulted || b.state == DeviceState::kFaulted) {
      return a.state == DeviceState::kFaulted ? a : b;
    }
    return b.state < a.state ? b : a;
  }

  const DeviceCapabilities& DoCapabilities() const noexcept override { return capabilities_; }
  int DoHands() const noexcept override { return 2; }

  DeviceReading DoReadSample(std::uint32_t now_us) noexcept override {
    first_.Read(now_us);
    second_.Read(now_us);
    const bool is_new = first_.waits_for_other && second_.waits_for_other;
    if (is_new) first_.waits_for_other = second_.waits_for_other = false;
    const DeviceReading &a = first_.reading, &b = second_.reading, &behind = Behind(a, b);
    constexpr unsigned kOfFirst = 4;  // buttons
    return {.sample = a.sample,
            .second = b.sample,
            .has_second = true,
            .valid = a.valid && b.valid,
            .is_new = is_new,
            .e_stop = a.e_stop || b.e_stop,
            .buttons = static_cast<std::uint8_t>((a.buttons & ((1u << kOfFirst) - 1)) | (b.buttons << kOfFirst)),
            .state = behind.state,
            .cause = behind.cause};
  }

  Status DoWriteSecond(const CommandFrame& command, const CommandNote&) noexcept override {
    of_second_ = command;
    return Status::kOk;
  }

  /// @returns the worse of both: a device that is gone is no excuse for one that has not taken its command yet
  Status DoWriteCommand(const CommandFrame& command, const CommandNote& note) noexcept override {
    const Status second = second_.device.Write(of_second_, note), first = first_.device.Write(command, note);
    of_second_ = CommandFrame{.sequence = of_second_.sequence};
    if (first == Status::kWouldBlock || second == Status::kWouldBlock) return Status::kWouldBlock;
    return first != Status::kOk ? first : second;
  }

  void DoEnable() noexcept override {
    first_.device.Enable();
    second_.device.Enable();
  }
  void DoDisable() noexcept override {
    first_.device.Disable();
    second_.device.Disable();
  }
  /// Both, each held in its own pose. Where one has none the other homes all the same, and the answer says no.
  Status DoHome() noexcept override {
    const Status second = second_.device.Home(), first = first_.device.Home();
    return first != Status::kOk ? first : second;
  }
  const char* DoWhy() const noexcept override {
    const char* const why = first_.device.why();
    const bool has_none = *why == '\0' || std::string_view(why) == "none";
    return has_none ? second_.device.why() : why;
  }

  Member first_, second_;
  const DeviceCapabilities capabilities_;
  CommandFrame of_second_;  // of the next Write
};

}  // namespace tactus::hal
