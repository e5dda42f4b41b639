#include "host_tools/export/contact_tables.h"

#include <fmt/core.h>

#include <fstream>
#include <vector>

#include "host_tools/link/host_error.h"
#include "host_tools/replay/replay.h"
#include "host_tools/session/event_file.h"
#include "host_tools/session/log_file.h"
#include "tactus/wire/frame.h"

namespace tactus::host {
namespace {

/// @throws HostError: the replay differs
void ExpectSame(const ReplayResult& replay, const std::string& csv_path) {
  if (replay.identical == replay.ticks) return;
  throw HostError(
      fmt::format("'{}' is written, but the replay differs from the recording: {}", csv_path, replay.first_difference),
      kExitFailed);
}

std::string Triple(const double (&v)[3]) { return fmt::format("{:.9g},{:.9g},{:.9g}", v[0], v[1], v[2]); }

/// Of the ticks of a recording [us].
std::uint32_t PeriodOf(const std::string& log_path) {
  std::uint32_t period_us = 1000;
  (void)ReadLog(log_path, [&](wire::LogDirection, const wire::Frame& frame) {
    wire::Hello hello;
    if (wire::ReadMessage(frame, &hello) == Status::kOk) period_us = hello.tick_period_us();
  });
  return period_us;
}

/// A table of a replay: time and tick stand before each line of a tick. @returns its lines
template <class LinesOf>
long WriteReplayed(const std::string& log_path, const std::string& csv_path, const char* head, const LinesOf& lines_of) {
  long written = 0;
  std::ofstream file(csv_path);
  file << head << '\n';
  if (!file) throw HostError(fmt::format("cannot write '{}'", csv_path));
  std::vector<std::string> lines;
  const ReplayResult replay = Replay(log_path, [&](const ReplayedTick& tick) {
    lines.clear();
    lines_of(tick, &lines);
    for (const std::string& line : lines) file << fmt::format("{:.6f},{},{}\n", tick.tick * tick.period_s, tick.tick, line);
    written += static_cast<long>(lines.size());
  });
  file.flush();
  if (!file) throw HostError(fmt::format("cannot write '{}'", csv_path));
  ExpectSame(replay, csv_path);
  return written;
}

}  // namespace

long WriteContacts(const std::string& log_path, const std::string& csv_path) {
  constexpr const char* kHead =
      "time_s [s],tick,id,body_a,body_b,point_x [m],point_y [m],point_z [m],normal_x,normal_y,normal_z,gap_m [m],"
      "normal_N [N],friction_x [N],friction_y [N],friction_z [N],slip_mps [m/s]";
  return WriteReplayed(log_path, csv_path, kHead, [](const ReplayedTick& tick, std::vector<std::string>* lines) {
    for (const ReplayedContact& c : tick.contacts) {
      lines->push_back(fmt::format("{},{},{},{},{},{:.9g},{:.9g},{},{:.9g}", c.id, c.a, c.b, Triple(c.point_m),
                                   Triple(c.normal), c.gap_m, c.normal_N, Triple(c.friction_N), c.slip_mps));
    }
  });
}

long WriteJoints(const std::string& log_path, const std::string& csv_path) {
  constexpr const char* kHead =
      "time_s [s],tick,joint,coordinate [rad or m],point_x [m],point_y [m],point_z [m],force_x [N],force_y [N],force_z [N],"
      "torque_x [N·m],torque_y [N·m],torque_z [N·m]";
  return WriteReplayed(log_path, csv_path, kHead, [](const ReplayedTick& tick, std::vector<std::string>* lines) {
    for (std::size_t i = 0; i < tick.joints.size(); ++i) {
      const ReplayedJoint& j = tick.joints[i];
      lines->push_back(
          fmt::format("{},{:.9g},{},{},{}", i, j.coordinate, Triple(j.point_m), Triple(j.force_N), Triple(j.torque_Nm)));
    }
  });
}

long WriteBodies(const std::string& log_path, const std::string& csv_path) {
  constexpr const char* kHead = "time_s [s],tick,body,p_WB_x [m],p_WB_y [m],p_WB_z [m],q_WB_w,q_WB_x,q_WB_y,q_WB_z";
  return WriteReplayed(log_path, csv_path, kHead, [](const ReplayedTick& tick, std::vector<std::string>* lines) {
    for (std::size_t i = 0; i < tick.bodies.size(); ++i) {
      const BodyPose& body = tick.bodies[i];
      const double* const q = body.q_WB;
      lines->push_back(fmt::format("{},{},{:.9g},{:.9g},{:.9g},{:.9g}", i, Triple(body.p_WB_m), q[0], q[1], q[2], q[3]));
    }
  });
}

long WriteEvents(const std::string& log_path, const std::string& csv_path) {
  EventFile file(csv_path, PeriodOf(log_path));
  const ReplayResult replay = Replay(log_path, [&](const ReplayedTick& tick) {
    for (const wire::ContactEvent& event : tick.events) file.Add(event);
  });
  file.Close();
  ExpectSame(replay, csv_path);
  return file.written();
}

}  // namespace tactus::host
