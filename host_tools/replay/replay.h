#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "host_tools/report/run_summary.h"
#include "tactus/wire/message.h"

namespace tactus::host {

/// Where a body of a scene is, in W.
struct BodyPose {
  double p_WB_m[3] = {0, 0, 0};
  double q_WB[4] = {1, 0, 0, 0};  ///< unit quaternion w, x, y, z
};

/// A contact of a tick, as the solver answered it. Bodies by number: 0 is the tool, -1 what stands or moves as it is told.
struct ReplayedContact {
  int id = 0;
  int a = 0, b = -1;
  double point_m[3] = {0, 0, 0}, normal[3] = {0, 0, 1};  ///< in W; unit, from b into a
  double gap_m = 0;                                      ///< before the tick; < 0: overlap
  double normal_N = 0;                                   ///< on a, along the normal
  double friction_N[3] = {0, 0, 0};                      ///< on a, in W
  double slip_mps = 0;                                   ///< speed of a's point along b's surface, after the tick
};

/// What a joint of the scene did in a tick to its first body (scene/joint_reactions.h), in W.
struct ReplayedJoint {
  double point_m[3] = {0, 0, 0}, force_N[3] = {0, 0, 0}, torque_Nm[3] = {0, 0, 0};
  double coordinate = 0;  ///< before the tick, [rad] or [m]: docs/scenes.md
};

/// One tick of a recording as it was computed again: Telemetry has the tool alone, this has all bodies, contacts and joints.
struct ReplayedTick {
  std::uint32_t tick = 0;  ///< as the recording counts
  double period_s = 0.001;
  std::uint32_t sample_sequence = 0;           ///< of the sample that it used
  double force_N[3] = {0, 0, 0};               ///< on the hand, as commanded
  double second_force_N[3] = {0, 0, 0};        ///< on a second hand
  std::vector<BodyPose> bodies = {};           ///< of the scene, as the tick begins; the first is the tool. None: not placed
  std::vector<BodyPose> bodies_after = {};     ///< when its step is over
  std::vector<ReplayedContact> contacts = {};  ///< of a tick that solved a problem
  std::vector<ReplayedJoint> joints = {};      ///< of the same, in the scene's order
  std::vector<wire::ContactEvent> events = {};  ///< what its contacts have begun
};
using TickWatcher = std::function<void(const ReplayedTick&)>;

/// Recomputes every tick of a recording with the library on this machine, from the samples, the configuration and the
/// controls in it, and compares Command and Telemetry bit by bit (docs/wire.md, section 9). Counters of the link and missed
/// deadlines are taken as recorded: they are facts of the board, not of the tick.
///
/// Ticks are counted as the recording must: Commands 1, 2, 3 … after each Config and kReset; Hello, Ack and Stopped tell the
/// ticks done. A Command that is missing, twice there or misnumbered is a difference. Of a damaged recording the good part
/// is replayed.
///
/// @param[in] watch  called after every tick
/// @throws HostError: there is no recording, or no Hello or configuration in it.
ReplayResult Replay(const std::string& log_path, const TickWatcher& watch = {});

}  // namespace tactus::host
