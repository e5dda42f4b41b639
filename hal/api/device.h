#pragma once
#include <cstdint>

#include "tactus/core/frames.h"
#include "tactus/core/status.h"

namespace tactus::hal {

/// What state a force-feedback device is in. Its outputs can be other than zero in kEnabled only.
enum class DeviceState : std::uint8_t {
  kUninitialised,  ///< not started, or no sample has come
  kHoming,         ///< looks for its reference; samples are not valid
  kReady,          ///< measures; the drives are off
  kEnabled,        ///< measures; the drives are on
  kFaulted,        ///< has failed; the drives are off
};

/// Why a device is in DeviceState::kFaulted.
enum class DeviceCause : std::uint8_t {
  kNone,
  kNoSignal,      ///< a sensor's signal is missing or impossible
  kHomingFailed,  ///< the reference was not found
  kDriveFault,    ///< a drive reports a fault
  kOverheated,    ///< a motor's thermal budget is used up
};

constexpr const char* Name(DeviceState state) {
  switch (state) {
    case DeviceState::kUninitialised: return "not started";
    case DeviceState::kHoming: return "homing";
    case DeviceState::kReady: return "ready";
    case DeviceState::kEnabled: return "enabled";
    case DeviceState::kFaulted: return "faulted";
  }
  return "unknown";
}

constexpr const char* Name(DeviceCause cause) {
  switch (cause) {
    case DeviceCause::kNone: return "none";
    case DeviceCause::kNoSignal: return "a sensor's signal is missing or impossible";
    case DeviceCause::kHomingFailed: return "the reference was not found";
    case DeviceCause::kDriveFault: return "a drive reports a fault";
    case DeviceCause::kOverheated: return "a motor is too hot";
  }
  return "unknown";
}

/// What a device can do. Axes in the order x, y, z, then rotations about them, in W.
struct DeviceCapabilities {
  const char* name = "";
  bool sensed[6] = {true, true, true, true, true, true};
  bool actuated[6] = {true, true, true, true, true, true};
  float resolution_m = 0, resolution_rad = 0;      ///< of the sample; 0: unknown
  float workspace_radius_m = 0;                    ///< 0: unknown
  float peak_force_N = 0, continuous_force_N = 0;  ///< 0: unknown. The peaks narrow what a Config may ask for
  float peak_torque_Nm = 0, continuous_torque_Nm = 0;
  float effector_mass_kg = 0, effector_inertia_kgm2 = 0;
  /// Periods from a sample to the force of the command made of it, beyond the one that holds it; 0: it acts at once. As
  /// `device.command_delay_ticks` of haptic/config.h. A line that takes the request behind one edge and is read at the
  /// next has one.
  int command_delay_ticks = 0;
};

/// What a device says at one clock edge.
struct DeviceReading {
  SensorFrame sample;        ///< the newest; `age_us` is its age now
  SensorFrame second = {};   ///< that of a second handle, measured with it
  bool has_second = false;   ///< there is one, for a scene with two tools
  bool valid = false;        ///< there is one. A device that takes it back while a tick runs has failed: kDeviceFault
  bool is_new = false;       ///< it has come since the last Read
  bool e_stop = false;       ///< the e-stop input is open
  std::uint8_t buttons = 0;  ///< that are held, from bit 0; a device that has none, or whose sample is not valid: 0
  DeviceState state = DeviceState::kUninitialised;
  DeviceCause cause = DeviceCause::kNone;
};

/// What the device is told besides the wrench. A device at the other end of a link passes it on; others need not look.
struct CommandNote {
  std::uint32_t tick = 0;  ///< 0: no tick, zeros
  std::uint32_t sample_age_us = 0;
  std::uint32_t status = 0;  ///< status_bit::… of the tick
  std::uint8_t state = 0;    ///< wire::State
  std::uint8_t mode = 0;     ///< wire::Mode
};

/// A force-feedback device: where the loop's samples come from and its commands go. One owner of the outputs: nothing else
/// writes them but the board's OutputsSafe(). All calls come from the tick context; none waits.
class Device {
 public:
  virtual ~Device() = default;

  const DeviceCapabilities& capabilities() const noexcept { return DoCapabilities(); }

  /// How many handles it may have: what no scene can go beyond.
  int hands() const noexcept { return DoHands(); }

  /// @param[in] now_us  the loop's time, for ages
  DeviceReading Read(std::uint32_t now_us) noexcept { return DoReadSample(now_us); }

  /// Holds until the next Write. Axes that are not actuated are never commanded: they are written as zero.
  /// @returns kOk; kWouldBlock: it could not be written now; kClosed: the device is gone.
  Status Write(const CommandFrame& command, const CommandNote& note) noexcept {
    const DeviceCapabilities& can = capabilities();
    CommandFrame masked = command;
    for (int i = 0; i < 3; ++i) {
      if (!can.actuated[i]) masked.force_N[i] = 0;
      if (!can.actuated[3 + i]) masked.torque_Nm[i] = 0;
    }
    return DoWriteCommand(masked, note);
  }

  /// What the second handle gets with the next Write; without it that one gets zeros.
  /// @returns as Write; kClosed where there is one handle
  Status WriteSecond(const CommandFrame& command, const CommandNote& note) noexcept { return DoWriteSecond(command, note); }

  /// Drives on. Only while armed or fading; the command is zero when it is called.
  void Enable() noexcept { DoEnable(); }

  /// Drives off. The command before was zero, whether it could be written or not.
  void Disable() noexcept { DoDisable(); }

  /// The operator says: the handle is held in its home pose. When it has been still there, the positions begin anew from
  /// that pose; until then the state is kHoming, and no sample is valid. Nothing happens while the drives are on. Any
  /// thread.
  /// @returns kOk; kNotReady: it has no such pose.
  Status Home() noexcept { return DoHome(); }

  /// Its last failure in its own words, for reports: a constant text, "" or "none" where there was none. Any thread.
  const char* why() const noexcept { return DoWhy(); }

 private:
  virtual const DeviceCapabilities& DoCapabilities() const noexcept = 0;
  virtual DeviceReading DoReadSample(std::uint32_t now_us) noexcept = 0;
  virtual Status DoWriteCommand(const CommandFrame& command, const CommandNote& note) noexcept = 0;
  virtual int DoHands() const noexcept { return 1; }
  virtual Status DoWriteSecond(const CommandFrame&, const CommandNote&) noexcept { return Status::kClosed; }
  virtual void DoEnable() noexcept {}
  virtual void DoDisable() noexcept {}
  virtual Status DoHome() noexcept { return Status::kNotReady; }
  virtual const char* DoWhy() const noexcept { return ""; }
};

}  // namespace tactus::hal
