#pragma once
#include <string>

namespace tactus::host {

// What a recording's telemetry has no room for: it is computed again, tick by tick, as a replay does. Bodies are numbers: 0
// is the tool, -1 the world. Each throws HostError where a file cannot be read or written; a replay that differs from the
// recording is said on standard error, and ends with kExitFailed after the file has been written.

/// One line a contact and tick: where it is, its normal, gap, normal force, friction and slip. @returns its lines
long WriteContacts(const std::string& log_path, const std::string& csv_path);
/// One line a joint of the scene and tick: its coordinate, where it stands, and the force and torque that it gives to its
/// first body. @returns its lines
long WriteJoints(const std::string& log_path, const std::string& csv_path);
/// One line a moving body of the scene and tick: its pose as the tick begins, unit quaternion w, x, y, z. @returns its lines
long WriteBodies(const std::string& log_path, const std::string& csv_path);
/// One line an event: what begins, ends, slips or sticks, between which bodies, where, with which impulse. @returns its
/// lines
long WriteEvents(const std::string& log_path, const std::string& csv_path);

}  // namespace tactus::host
